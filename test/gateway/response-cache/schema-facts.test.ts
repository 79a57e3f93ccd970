/** What a supergraph says that decides who may share a kept answer. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readSchemaFacts } from '../../../gateway/response-cache/schema-facts.ts'

const spec = 'https://specs.apollo.dev'

describe('a field that is for some callers only', () => {
  const guardOf = (links: string, directive: string) =>
    readSchemaFacts(parse(`schema ${links} { query: Query } type Query { a: Int ${directive} }`), new Map())
      .type('Query')
      ?.fields.get('a')?.guard

  test.each([
    ['no directive', '', '', undefined],
    [
      'scopes',
      '',
      '@requiresScopes(scopes: [["a", "b"], ["c"]])',
      { scopes: ['a', 'b', 'c'], perCaller: false },
    ],
    ['who is known', '', '@authenticated', { scopes: [], perCaller: false }],
    ['a policy', '', '@policy(policies: [["p"]])', { scopes: [], perCaller: true }],
    [
      'scopes by another name',
      `@link(url: "${spec}/requiresScopes/v0.1", as: "needs")`,
      '@needs(scopes: [["a"]])',
      { scopes: ['a'], perCaller: false },
    ],
    [
      'a policy that is imported by another name',
      `@link(url: "${spec}/policy/v0.1", import: [{ name: "@policy", as: "@rule" }])`,
      '@rule(policies: [["p"]])',
      { scopes: [], perCaller: true },
    ],
    [
      'who is known, by another name',
      `@link(url: "${spec}/authenticated/v0.1", as: "known")`,
      '@known',
      { scopes: [], perCaller: false },
    ],
  ])('%s', (_, links, directive, guard) => {
    expect(guardOf(links, directive)).toEqual(guard)
  })
})
