/** The ways to request a field at its position: from a parent, by a key, or from the root. */
import { describe, expect, test } from 'vitest'
import { planning } from '../../../support/plans.ts'
import '../../../support/matchers.ts'

describe('objects are looked up', () => {
  const ratings = `interface Media { rating: Int }
    type Film implements Media @key(fields: "id") @key(fields: "isan") { id: ID isan: ID rating: Int }
    type Song implements Media @key(fields: "isrc") @key(fields: "id") { id: ID isrc: ID rating: Int }`
  const plan = (film: string, song: string) =>
    planning({
      shop: `type Query { media: [Media] } interface Media { name: String }
        type Film implements Media @key(fields: "${film}") { ${film}: ID name: String }
        type Song implements Media @key(fields: "${song}") { ${song}: ID name: String }`,
      ratings: ratings.replaceAll(/(\bid|isan|isrc): ID/g, '$1: ID @shareable'),
    })('{ media { rating } }')

  test.each([
    ['id', 'id', '... on Film { id } ... on Song { id }'],
    ['isan', 'id', '... on Film { isan } ... on Song { id }'],
    ['isan', 'isrc', '... on Film { isan } ... on Song { isrc }'],
    ['id', 'isrc', '... on Film { id } ... on Song { isrc }'],
  ])('by the key that is there: %s of one type, %s of the other', (film, song, asked) => {
    const sent =
      film === song
        ? `... on Film|Song { __typename ${film} }`
        : `... on Film { __typename ${film} } ... on Song { __typename ${song} }`
    expect(plan(film, song)).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ${asked} } }
        entities ratings
          media.@: { ${sent} }
          { ... on Film { rating } ... on Song { rating } }
    `)
  })

  test('each type by the available key, if all of them have the same keys', () => {
    const keys = '@key(fields: "id") @key(fields: "code")'
    const fields = 'id: ID @shareable code: ID @shareable rating: Int'
    const mixed = planning({
      shop: `type Query { works: [Work] } union Work = Film | Song | Book
        type Film @key(fields: "id") { id: ID } type Song @key(fields: "code") { code: ID }
        type Book ${keys} { id: ID @shareable code: ID @shareable }`,
      ratings: `interface Rated { rating: Int } type Film implements Rated ${keys} { ${fields} }
        type Song implements Rated ${keys} { ${fields} } type Book implements Rated ${keys} { ${fields} }`,
    })
    expect(mixed('{ works { ... on Rated { rating } } }')).toHavePlan(`
      sequence
        fetch shop
          { works { __typename ... on Film { id } ... on Book { id } ... on Song { code } } }
        entities ratings
          works.@: { ... on Book|Film { __typename id } ... on Song { __typename code } }
          { ... on Book { rating } ... on Film { rating } ... on Song { rating } }
    `)
  })

  test('each type by another key than the first, if that only seems to be available', () => {
    const keys = (second: string) => `@key(fields: "org { id }") @key(fields: "${second}")`
    const fields = (second: string) => `org: Org @shareable ${second}: ID @shareable rating: Int`
    const seeming = planning({
      shop: `type Query { works: [Work] } union Work = Film | Book type Org { name: String }
        type Film @key(fields: "code") { code: ID @shareable org: Org @shareable }
        type Book @key(fields: "isbn") { isbn: ID @shareable org: Org @shareable }`,
      ratings: `interface Rated { rating: Int } type Org { id: ID }
        type Film implements Rated ${keys('code')} { ${fields('code')} }
        type Book implements Rated ${keys('isbn')} { ${fields('isbn')} }`,
    })
    expect(seeming('{ works { ... on Rated { rating } } }')).toHavePlan(`
      sequence
        fetch shop
          { works { __typename ... on Book { isbn } ... on Film { code } } }
        entities ratings
          works.@: { ... on Book { __typename isbn } ... on Film { __typename code } }
          { ... on Book { rating } ... on Film { rating } }
    `)
  })

  test('each of fourteen types by one of its four keys, without trying all 268 million choices', () => {
    const types = Array.from({ length: 14 }, (_, at) => `T${at}`)
    const keysOf = (type: string): string[] => [0, 1, 2, 3].map((at) => `${type.toLowerCase()}k${at}`)
    const many = planning({
      shop: `type Query { all: [Any] } union Any = ${types.join(' | ')}
        ${types.map((type) => `type ${type} @key(fields: "${keysOf(type)[3]}") { ${keysOf(type)[3]}: ID }`).join(' ')}`,
      ratings: `interface Rated { rating: Int }
        ${types
          .map(
            (type) => `type ${type} implements Rated ${keysOf(type)
              .map((key) => `@key(fields: "${key}")`)
              .join(' ')}
          { ${keysOf(type)
            .map((key) => `${key}: ID @shareable`)
            .join(' ')} rating: Int }`,
          )
          .join(' ')}`,
    })
    const plan = JSON.stringify(many('{ all { ... on Rated { rating } } }'))
    for (const type of types) expect(plan).toContain(keysOf(type)[3])
  })

  test('once more if another subgraph needs a field before the next one', () => {
    const chain = planning({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! weight: Int }',
      b: `type Item @key(fields: "id") { id: ID! weight: Int @external cost: Int @requires(fields: "weight")
        tax: Int @external total: Int @requires(fields: "tax") }`,
      c: 'type Item @key(fields: "id") { id: ID! cost: Int @external tax: Int @requires(fields: "cost") }',
    })
    expect(chain('{ item { total } }')).toHavePlan(`
      sequence
        fetch a
          { item { __typename id weight } }
        entities b
          item: { ... on Item { __typename id weight } }
          { ... on Item { cost } }
        entities c
          item: { ... on Item { __typename id cost } }
          { ... on Item { tax } }
        entities b
          item: { ... on Item { __typename id tax } }
          { ... on Item { total } }
    `)
  })

  test('in no subgraph that has the field only at provided places', () => {
    const provided = planning({
      a: `type Query { item: Item best: Item @provides(fields: "name") }
        type Item @key(fields: "id") { id: ID! name: String @external }`,
      b: 'type Query { new: Item } type Item @key(fields: "id") { id: ID! name: String }',
      c: 'type Query { old: Item } type Item @key(fields: "id") { id: ID! }',
    })
    expect(provided('{ old { name } }')).toHavePlan(`
      sequence
        fetch c
          { old { __typename id } }
        entities b
          old: { ... on Item { __typename id } }
          { ... on Item { name } }
    `)
    expect(provided('{ new { name } best { name } }')).toHavePlan(`
      parallel
        fetch b
          { new { name } }
        fetch a
          { best { name } }
    `)
  })
})

test('an object without a key is asked for by the field that leads to it, in each subgraph that has something of it', () => {
  const plan = planning({
    a: `type Query { item: Item } type Item @key(fields: "id") { id: ID! box: Box @shareable }
      type Box { w: Int inner: Inner @shareable } type Inner { p: Int }`,
    b: `type Item @key(fields: "id") { id: ID! box: Box @shareable } type Box { h: Int inner: Inner @shareable }
      type Inner { q: Int }`,
  })
  expect(plan('{ item { box { w h inner { p q } } } }')).toHavePlan(`
    sequence
      fetch a
        { item { __typename id box { w inner { p } } } }
      entities b
        item: { ... on Item { __typename id } }
        { ... on Item { box { h inner { q } } } }
  `)
})

test('the root is requested at any place', () => {
  const plan = planning({
    a: 'type Query { n: Int } type Mutation { make: Made } type Made { query: Query item: Item } type Item @key(fields: "id") { id: ID! }',
    b: 'type Query { m: Int } type Item @key(fields: "id") { id: ID! x: Int }',
  })
  expect(plan('mutation { make { query { n m } item { x } } }')).toHavePlan(`
    sequence
      fetch a
        mutation { make { query { n } item { __typename id } } }
      parallel
        fetch b at make.query
          { m }
        entities b
          make.item: { ... on Item { __typename id } }
          { ... on Item { x } }
  `)
})
