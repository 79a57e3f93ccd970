/** The walk over an operation by the response keys of its objects. */
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { findFieldSites } from '../../../../gateway/auth/authorize/field-sites.ts'
import {
  type Occurrence,
  walkResponsePositions,
} from '../../../../gateway/auth/authorize/response-positions.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema(`
  type Query { i: I  a: A  n: Int }
  interface I { id: ID  i: I }
  type A implements I { id: ID  i: I  own: Int }
  type B implements I { id: ID  i: I }
`)

interface Walk {
  /** A line for each position: the occurrences of a key, in the order of the visits. */
  readonly visits: string[]
  readonly whole: boolean
}

function walk(query: string, below: (occurrences: readonly Occurrence[]) => readonly Occurrence[]): Walk {
  const visits: string[] = []
  const whole = walkResponsePositions(findFieldSites(schema, normalisedOf(schema, query)), (occurrences) => {
    visits.push(occurrences.map(({ field, types }) => `${field.key}:${types.join('|')}`).join(' '))
    return below(occurrences)
  })
  return { visits, whole }
}
const visits = (query: string): string[] => walk(query, (occurrences) => occurrences).visits

describe('each response key of an object is visited once', () => {
  it('with all that ask for it, from the root down', () => {
    expect(visits('{ n i { id } x: n i { id x: id } }')).toEqual([
      'n:Query',
      'i:Query i:Query',
      'id:A|B id:A|B',
      'x:A|B',
      'x:Query',
    ])
  })

  it('and with the types for which they do', () => {
    expect(
      visits('{ i { id ... on A { id own } ... { id } ... on I { id } ...F } } fragment F on B { id }'),
    ).toEqual(['i:Query', 'id:A|B id:A id:A|B id:A|B id:B', 'own:A'])
    expect(visits('{ i { ... on A { ... on B { id } ... on I { x: id } } } }')).toEqual(['i:Query', 'x:A'])
    expect(visits('{ a { ...F } i { ...F } } fragment F on I { id }')).toEqual([
      'a:Query',
      'id:A',
      'i:Query',
      'id:A|B',
    ])
  })

  it('in a fragment that is spread again, unless it is for other types', () => {
    expect(visits('{ i { ...F ...F } } fragment F on I { id }')).toEqual(['i:Query', 'id:A|B'])
    expect(visits('{ i { ... on A { ...F } ... on B { ...F } } } fragment F on I { id }')).toEqual([
      'i:Query',
      'id:A id:B',
    ])
    expect(visits('{ i { ...F ...G } } fragment F on I { id } fragment G on I { id }')).toEqual([
      'i:Query',
      'id:A|B id:A|B',
    ])
    expect(visits('{ i { ... { id } ... { id } } }')).toEqual(['i:Query', 'id:A|B id:A|B'])
  })

  it('however many places lead to the same ones', () => {
    // Two places at each level, of the same fields: without that 2 to the power of 40 of them.
    const levels = Array.from(
      { length: 40 },
      (_, level) => `fragment F${level} on I { x: i { ...F${level + 1} } y: i { ...F${level + 1} } }`,
    )
    const { visits, whole } = walk(
      `{ i { ...F0 } } ${levels.join(' ')} fragment F40 on I { id }`,
      (occurrences) => occurrences,
    )
    expect(whole).toBe(true)
    // `x` and `y` of a level have sets of their own, with the same fragment in them.
    expect(visits.length).toBeLessThan(20_000)
  })

  it('again if other ones have come to it, or other types', () => {
    expect(visits('{ x: i { ...F } y: i { ...F id } } fragment F on I { i { id } }')).toEqual([
      'x:Query',
      'i:A|B',
      'id:A|B',
      'y:Query',
      'i:A|B',
      'id:A|B',
    ])
  })
})

it('types are distinguished even if their names are equal when joined', () => {
  const alike = buildSchema(`
    type Query { i: I }
    interface I { id: ID  i: I }
    interface X { id: ID }
    interface Y { id: ID }
    type A implements I & X { id: ID  i: I }
    type BC implements I & X { id: ID  i: I }
    type AB implements I & Y { id: ID  i: I }
    type C implements I & Y { id: ID  i: I }
  `)
  const types = (query: string): string[] => {
    const found: string[] = []
    walkResponsePositions(findFieldSites(alike, normalisedOf(alike, query)), (occurrences) => {
      found.push(...occurrences.map((each) => each.types.join(' ')))
      return occurrences
    })
    return found
  }
  expect(types('{ i { ... on X { ...F } ... on Y { ...F } } } fragment F on I { id }')).toEqual([
    'Query',
    'A BC',
    'AB C',
  ])
})

it('the walk continues below those that are handed back', () => {
  const query = '{ i { id } i { x: id } n }'
  expect(walk(query, () => []).visits).toEqual(['i:Query i:Query', 'n:Query'])
  expect(walk(query, ([, second]) => (second === undefined ? [] : [second])).visits).toEqual([
    'i:Query i:Query',
    'x:A|B',
    'n:Query',
  ])
})

describe('a walk of more than 20,000 steps', () => {
  const stepsOf = (fields: number): Walk => walk(`{ ${'n '.repeat(fields)} i { id } }`, (all) => all)

  it('is stopped, and reported', () => {
    // `i` and `id` are two more.
    expect(stepsOf(19_998).whole).toBe(true)
    expect(stepsOf(19_998).visits.at(-1)).toBe('id:A|B')
    expect(stepsOf(19_999).whole).toBe(false)
    expect(stepsOf(20_001)).toMatchObject({ whole: false, visits: [expect.stringMatching(/^n:Query n:/)] })
  })
})
