/** Incremental operations that once had wrong results, reduced to the smallest form. */
import { expect, test } from 'vitest'
import { judgeIncremental } from '../../../support/incremental.ts'
import { openGraph, type Services, startTrial } from '../../../support/random-federation/index.ts'

interface Case {
  readonly name: string
  readonly worldSeed: number
  readonly query: string
  readonly services: Services
  /** The names of the fields that fail, for every object. */
  readonly failing?: readonly string[]
}

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@shareable"])'

const cases: readonly Case[] = [
  {
    name: 'an operation whose root fields are all deferred',
    worldSeed: 62000000,
    query: '{ ... @defer { item { id } } }',
    services: {
      carol: `${link}
        type Item { id: ID! }
        type Query { item: Item! }`,
    },
  },
  {
    name: 'a streamed list that another field requires is not cut before',
    worldSeed: 20261180,
    query: '{ item { size @stream { ... on Item { needs } } needs } }',
    services: {
      bravo: `${link}
        type Item @key(fields: "id") {
          id: ID!
          size: [[Either!]] @external
          needs: [Int] @requires(fields: "size { ... on Other { a } ... on Item { id } }")
        }
        union Either = Other | Item
        type Other @shareable { a: Int! }`,
      carol: `${link}
        type Item @key(fields: "id") { id: ID! size: [[Either!]] }
        union Either = Other | Item
        type Other @shareable { a: Int! }
        type Query { item: Item! }`,
    },
  },
  {
    name: 'introspection beside a deferred fragment, by two selections of one key',
    worldSeed: 62000001,
    query:
      '{ __schema { queryType { name } } ...F ... @defer { item { id } } } fragment F on Query { __schema { types { kind } } }',
    services: {
      carol: `${link}
        type Item { id: ID! }
        type Query { item: Item! }`,
    },
  },
  {
    name: 'a field that an interface gives to all members of a union, with another type in each of them',
    worldSeed: 62000002,
    query:
      '{ either { ... on Both { next { ... on Left { id } ... on Right { id name } } } } ... @defer { item { id } } }',
    services: {
      carol: `${link}
        interface Both { next: Both }
        type Left implements Both { id: ID! next: Right }
        type Right implements Both { id: ID! name: String next: Left }
        union Either = Left | Right
        type Item { id: ID! }
        type Query { either: [Either!]! item: Item! }`,
    },
  },
  {
    name: 'items of a streamed list come after the deferred fragments around it, which ask for their fields',
    worldSeed: 51000143,
    query: '{ ... @defer { holder @stream { tone } } ... @defer { holder @stream { id } } }',
    services: {
      echo: `${link}
        type Query { holder: [Holder] }
        type Holder { id: ID! tone: String! }`,
    },
  },
  {
    name: 'what a failed field takes from a requirement is asked for again by a fetch of the same part',
    worldSeed: 2,
    query: '{ things { id ... @defer { needs size { d } } } }',
    failing: ['d'],
    services: {
      alpha: `${link}
        type Query { things: [Thing!]! }
        type Thing @key(fields: "id") { id: ID! }`,
      bravo: `${link} type Thing @key(fields: "id") { id: ID! size: Size } type Size @key(fields: "id") { id: ID! }`,
      carol: `${link} type Size @key(fields: "id") { id: ID! a: Int d: Int! }`,
      delta: `${link}
        type Thing @key(fields: "id") { id: ID! size: Size @external needs: String @requires(fields: "size { a }") }
        type Size @key(fields: "id", resolvable: false) { id: ID! a: Int @external }`,
    },
  },
  {
    name: 'a streamed list that is there before a later part brings more of its items',
    worldSeed: 51000168,
    query: '{ alpha0 { c } hotel1 @stream { ... @defer { needs2 { c(r: 2) } } } }',
    services: {
      hotel: `${link}
        type E0 @key(fields: "id") { id: ID! c(r: Int!, s: String): [Float] }
        type E1 @key(fields: "id") { id: String! c: Int }
        type Query { hotel1: [E0!]! @shareable }`,
      alpha: `${link}
        type E0 @key(fields: "id") @key(fields: "region") {
          id: ID!
          region: ID!
          c(r: Int!, s: String): [Float] @external
          needs2: E0 @requires(fields: "c(r: 4)")
        }
        type E1 @key(fields: "id") { id: String! c: Int @external needs3: [Int] @requires(fields: "c") }
        type Query { hotel1: [E0!]! @shareable alpha0: E1! }`,
    },
  },
  {
    name: 'a fragment that is lost says why, be it that a fragment within it would have told',
    worldSeed: 51000347,
    query: '{ ... @defer { echo { id } hotel { id } ... @defer { u1: hotel { __typename } } } }',
    failing: ['hotel'],
    services: {
      hotel: `${link}
        type Item { id: ID! }
        type Query { hotel: [Item!]! }`,
      echo: `${link}
        type Other { id: ID! }
        type Query { echo: Other }`,
    },
  },
]

test.each(cases)('$name', async ({ services, worldSeed, query, failing = [] }) => {
  const graph = openGraph(services, worldSeed)
  if (graph === undefined) throw new Error('The subgraphs do not compose.')
  await using trial = await startTrial(graph)
  const faults = { throws: (_: string, field: string) => failing.includes(field) }
  const { finding, resultCount } = await judgeIncremental(trial, { query, variables: {} }, faults)
  expect(finding).toBeUndefined()
  if (failing.length === 0) expect(resultCount).toBeGreaterThan(0)
})
