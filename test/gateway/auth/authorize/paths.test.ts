/** The places at which refused fields are reported: below emptied fields, and as errors of operations that are refused as a whole. */

import { GraphQLError } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { AuthorizationMode, Grant } from '../../../../gateway/auth/authorize/index.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import { analyze, caller, filter, filteredFor, line, stage } from './kit.ts'

const types = `
  type Query { v: Video  open: Int  i: I }
  type Video { title: Int @requiresScopes(scopes: [["a"]])  owner: User  free: Int }
  type User @requiresScopes(scopes: [["u"]]) { name: Int  mail: Int @requiresScopes(scopes: [["m"]]) }
  interface I { id: Int }
  type A implements I @requiresScopes(scopes: [["a"]]) { id: Int  sub: Video }
  type B implements I { id: Int }
`

/** The paths of the errors, or of what is only reported. */
function pathsIn(mode: AuthorizationMode, query: string): string[] {
  const { reject, report } = filter(stage(types, { mode }), query, caller())
  return [...(reject ?? []), ...(report ?? [])].map(
    ({ path = [], message }) => `${path.join('.')}: ${message}`,
  )
}

describe('an operation that is refused as a whole has an error at each refused field', () => {
  const title = 'v.title: Video.title requires `a`. This caller lacks it.'

  it.each([
    ['fields', '{ v { free title } open }'],
    ['inline fragments', '{ v { ... { ... on Video { title } } } open }'],
    ['fragments', '{ v { ...F } open } fragment F on Video { ...G } fragment G on Video { title }'],
    ['the same fragment twice', '{ v { ...F ...F title } open } fragment F on Video { title }'],
  ])('in %s', (_, query) => {
    expect(pathsIn('reject', query)).toEqual([title])
    expect(pathsIn('dryRun', query)).toEqual([title])
  })

  it('by response keys, also of the same fragment in several places', () => {
    expect(pathsIn('reject', '{ x: v { ...F } v { y: title } } fragment F on Video { title }')).toEqual([
      'x.title: Video.title requires `a`. This caller lacks it.',
      'v.y: Video.title requires `a`. This caller lacks it.',
    ])
  })

  it('below refused fields only in a dry run, as they would be requested', () => {
    const query = '{ v { owner { name mail } } open }'
    const owner = 'v.owner: Video.owner requires `u`. This caller lacks it.'
    expect(pathsIn('reject', query)).toEqual([owner])
    expect(pathsIn('dryRun', query)).toEqual([
      owner,
      'v.owner.name: User.name requires `u`. This caller lacks it.',
      'v.owner.mail: User.mail requires `m` and `u`. This caller lacks them.',
    ])
  })

  it('below fields that are refused only for some types', () => {
    const on = stage(
      `
        type Query { i: I }
        interface I { sub: Video }
        type A implements I @requiresScopes(scopes: [["a"]]) { sub: Video }
        type B implements I { sub: Video }
        type Video { title: Int @requiresScopes(scopes: [["t"]]) }
      `,
      { mode: 'reject' },
    )
    const { reject } = filter(on, '{ i { ... on I { sub { title } } } }', caller())
    expect(reject?.map(({ path, message }) => [path?.join('.'), message])).toEqual([
      ['i.sub', 'I.sub requires `a`. This caller lacks it.'],
      ['i.sub.title', 'Video.title requires `t`. This caller lacks it.'],
    ])
  })

  it('and none if only type names are left, as those are returned', () => {
    for (const mode of ['reject', 'dryRun'] as const) {
      const typed = '{ open i { ... on A { __typename } ... on B { __typename } } }'
      const left = filter(stage(types, { mode }), typed, caller())
      expect(left.reject).toBeUndefined()
      expect(left.report).toBeUndefined()
      expect(line(left.text)).toBe(typed)
    }
  })

  it('up to a hundred', () => {
    const fields = Array.from({ length: 150 }, (_, index) => `k${index}: title`).join(' ')
    expect(pathsIn('reject', `{ v { ${fields} free } }`)).toHaveLength(100)
  })

  it('and one without a path if there are too many paths', () => {
    const errorsAfter = (fields: number): unknown => {
      const wide = Array.from({ length: fields }, () => 'open').join(' ')
      const query = `{ ${wide} v { title } }`
      const { reject = [] } = filteredFor(stage(types, { mode: 'reject' }), query, caller())
      return reject.map(({ path, message }) => [path, message])
    }
    const message = 'Video.title requires `a`. This caller lacks it.'
    // `v` and `title` are two more.
    expect(errorsAfter(9_998)).toEqual([[['v', 'title'], message]])
    expect(errorsAfter(9_999)).toEqual([[[], message]])
  })
})

describe('a field with nothing left', () => {
  const below = (query: string): unknown =>
    filter(stage(types), query, caller()).refusals.map(({ field, parentType, message, below: path }) => [
      `${parentType}.${normalisedOf(stage(types).schema, query).fields[field]?.name}`,
      path?.join('.'),
      message.split('.', 2).join('.'),
    ])

  it('names what is refused below it, in fragments as well', () => {
    const left = [
      ['Video.title', undefined, 'Video.title requires `a`'],
      ['Query.v', 'title', 'Video.title requires `a`'],
    ]
    expect(below('{ v { title } open }')).toEqual(left)
    expect(below('{ v { ... { title } } open }')).toEqual(left)
    expect(below('{ v { ...F } open } fragment F on Video { title }')).toEqual(left)
  })

  it('names nothing below what is refused itself', () => {
    expect(below('{ v { owner { name mail } } open }')).toEqual([
      ['Video.owner', undefined, 'Video.owner requires `u`'],
      ['User.name', undefined, 'User.name requires `u`'],
      ['User.mail', undefined, 'User.mail requires `m` and `u`'],
      ['Query.v', 'owner', 'Video.owner requires `u`'],
    ])
    // What is left empty there is not named separately either.
    const nested = stage(
      'type Query { a: V @requiresScopes(scopes: [["a"]])  open: Int } type V { v: V  x: Int @requiresScopes(scopes: [["x"]]) }',
    )
    expect(filter(nested, '{ a { v { x } } open }', caller()).refused).toEqual(['Query.a', 'V.x'])
  })

  it('of an interface is named for all types, and for its own type if it is selected by type', () => {
    const on = stage(`
      type Query { i: I }
      interface I { id: Int  sub: Video }
      type A implements I { id: Int  sub: Video }
      type Video { title: Int @requiresScopes(scopes: [["a"]]) }
    `)
    expect(filter(on, '{ i { id sub { title } } }', caller()).refused).toEqual([
      '*.sub > title',
      'Video.title',
    ])
    expect(filter(on, '{ i { id ... on A { sub { title } } } }', caller()).refused).toEqual([
      'A.sub > title',
      'Video.title',
    ])
  })

  it('names type names of a refused fragment if nothing else is refused', () => {
    expect(below('{ i { ... on A { __typename id } } open }')).toEqual([
      ['A.id', undefined, 'A.id requires `a`'],
      ['Query.i', 'id', 'A.id requires `a`'],
    ])
    const outer = stage(`
      type Query { o: O  open: Int }
      type O { i: I }
      interface I { id: Int }
      type A implements I @requiresScopes(scopes: [["a"]]) { id: Int }
    `)
    expect(filter(outer, '{ o { i { ... on A { __typename } } } open }', caller()).refused).toEqual([
      'O.i > __typename',
      'Query.o > i.__typename',
    ])
    const { refusals, allowed } = filter(stage(types), '{ i { ... on A { __typename } } }', caller())
    expect(allowed).toBeNull()
    expect(refusals.map(({ below: path, message }) => [path, message])).toEqual([
      [['__typename'], 'A.__typename requires `a`. This caller lacks it.'],
    ])
  })
})

it('a fault of the hook that decides policies keeps its own error', async () => {
  const failed = new GraphQLError('The coprocessor is late.', { extensions: { code: 'HOOK_FAILED' } })
  const other = new GraphQLError('secret', { extensions: { code: 'NOT_FOUND' } })
  const on = (error: Error) =>
    analyze(
      stage('type Query { a: Int @policy(policies: [["p"]]) }', {
        policies: () => {
          throw error
        },
      }),
      '{ a }',
    )
  await expect(on(failed).grant(caller())).rejects.toBe(failed)
  await expect(on(other).grant(caller())).rejects.toMatchObject({
    message: 'The policies of this operation could not be decided.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
    originalError: other,
  })
})

it('an operation without rules is open, unchanged', () => {
  for (const on of [stage(types), stage('type Query { open: Int }')]) {
    const operation = normalisedOf(on.schema, '{ open }')
    const requirements = on.authorizer.analyze(operation)
    expect(requirements.open).toBe(true)
    expect(requirements.policies).toEqual([])
    expect(requirements.filter(requirements.grant(anonymous) as Grant)).toEqual({
      allowed: operation,
      refusals: [],
    })
  }
  const guarded = analyze(stage(types), '{ v { title } }')
  expect(guarded.open).toBe(false)
  expect(guarded.policies).toEqual([])
})
