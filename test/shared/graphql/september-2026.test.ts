/**
 * What graphql-js 17 parses and 16 does not, by the edition of September 2026: each is understood, or refused by its
 * name. graphql 17 itself says what the edition is.
 */
import { type DocumentNode, type GraphQLError, parse } from 'graphql'
import * as graphql17 from 'graphql17'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { createTextReader } from '../../../gateway/pipeline/read-document.ts'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { usualOperationLimits } from '../../support/operation-limits.ts'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"]) type Query { items: [Item!]! } type Item @key(fields: "id") { id: ID! }'
const composition = compose([{ name: 'shop', url: 'http://shop', typeDefs: link }])
const { apiSchema } = loadSupergraph(composition.supergraph ?? '')
const read = createTextReader({ schema: apiSchema, limits: usualOperationLimits, introspection: true })

function answer(text: string): DocumentNode | readonly GraphQLError[] {
  const steps = read(text)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

describe('executable documents', () => {
  test.each([
    '"Of the shop." query Items { items { id } }',
    '"""Of the shop.""" query Items("How many." $first: Int) { items { id } } "A part." fragment F on Item { id }',
  ])('may have descriptions: %s', (text) => {
    expect(graphql17.parse(text).kind).toBe('Document')
    // What the fragment and the variable are for is another rule's business.
    expect(parse(text).kind).toBe('Document')
  })

  test('with a description are executed', () => {
    expect(answer('"Of the shop." query Items { items { id } }')).toMatchObject({ kind: 'Document' })
  })

  test.each(['{ items { } }', '{ }', '{ items { ... on Item {} } }', '{ items { # none\n , } }'])(
    'with an empty selection set are refused by name: %j',
    (text) => {
      expect(graphql17.parse(text).kind).toBe('Document')
      const [error, ...others] = answer(text) as readonly GraphQLError[]
      expect(others).toEqual([])
      expect(error?.message).toContain(
        'Empty selection sets (GraphQL, edition of September 2026) are not supported',
      )
      expect(error?.extensions.code).toBe('GRAPHQL_PARSE_FAILED')
      expect(error?.locations).toHaveLength(1)
    },
  )

  test.each(['{ items { id } } }', '{ items(a: {}', '{ items { id @ } }'])(
    'other faults keep their words: %j',
    (text) => {
      expect(() => graphql17.parse(text)).toThrow()
      const [error] = answer(text) as readonly GraphQLError[]
      expect(error?.message).not.toContain('selection set is empty')
    },
  )
})

describe('schemas', () => {
  const sdl = `${link}
    directive @owner(team: String!) repeatable on DIRECTIVE_DEFINITION | FIELD_DEFINITION
    directive @marked @owner(team: "shop") on FIELD_DEFINITION
    directive @old @deprecated(reason: "by marked") on FIELD_DEFINITION
    extend directive @marked @owner(team: "more")`

  test('may have directives on definitions of directives', () => {
    expect(graphql17.parse(sdl).definitions.map(({ kind }) => kind)).toEqual(
      parseSdl(sdl).definitions.map(({ kind }) => kind),
    )
    expect(() => parse(sdl)).toThrow()
  })

  test('with such directives compose and are served', () => {
    const { supergraph, errors } = compose([{ name: 'shop', url: 'http://shop', typeDefs: sdl }])
    expect(errors).toBeUndefined()
    const text = `${supergraph}\ndirective @theirs @deprecated on FIELD_DEFINITION`
    expect(loadSupergraph(text).apiSchema.getQueryType()?.getFields()).toHaveProperty('items')
  })
})
