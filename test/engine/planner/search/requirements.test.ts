/** The representations of objects that are looked up, as the plan has them. */
import { describe, expect, test } from 'vitest'
import { createPlanner, PlanError } from '../../../../engine/planner/index.ts'
import { loadSupergraph } from '../../../../engine/supergraph/index.ts'
import { inputOf, planning } from '../../../support/plans.ts'
import '../../../support/matchers.ts'

describe('of an interface, the objects of each type are sent', () => {
  test('with the key of that type', () => {
    const plan = planning({
      shop: `type Query { media: [Media] } interface Media { name: String }
        type Film implements Media @key(fields: "id") { id: ID! name: String }
        type Song implements Media @key(fields: "isrc") { isrc: ID! name: String }`,
      ratings: `interface Media { rating: Int }
        type Film implements Media @key(fields: "id") { id: ID! rating: Int }
        type Song implements Media @key(fields: "isrc") { isrc: ID! rating: Int }`,
    })
    expect(plan('{ media { rating } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Film { id } ... on Song { isrc } } }
        entities ratings
          media.@: { ... on Film { __typename id } ... on Song { __typename isrc } }
          { ... on Film { rating } ... on Song { rating } }
    `)
    expect(plan('{ media { ... on Song { rating } } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Song { isrc } } }
        entities ratings
          media.@|Song: { ... on Song { __typename isrc } }
          { ... on Song { rating } }
    `)
  })

  test('with what the field requires of that type', () => {
    const plan = planning({
      shop: `type Query { media: [Media] } interface Media { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! minutes: Int }
        type Song implements Media @key(fields: "id") { id: ID! bpm: Int }
        type Book implements Media @key(fields: "id") { id: ID! }`,
      scores: `interface Media { score: Int }
        type Film implements Media @key(fields: "id") { id: ID! minutes: Int @external score: Int @requires(fields: "minutes") }
        type Song implements Media @key(fields: "id") { id: ID! bpm: Int @external score: Int @requires(fields: "bpm") }
        type Book implements Media @key(fields: "id") { id: ID! score: Int }`,
    })
    expect(plan('{ media { score } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Book { id } ... on Film { id minutes } ... on Song { id bpm } } }
        entities scores
          media.@: { ... on Book { __typename id } ... on Film { __typename id minutes } ... on Song { __typename id bpm } }
          { ... on Book { score } ... on Film { score } ... on Song { score } }
    `)
  })
})

describe('objects that do not tell their type', () => {
  const plan = planning({
    shop: `type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! stars: Int }
      type Film implements Media @key(fields: "id") { id: ID! stars: Int weight: Int }
      type Song implements Media @key(fields: "id") { id: ID! stars: Int }`,
    reviews: `type Query { top: [Media] }
      type Media @key(fields: "id") @interfaceObject {
        id: ID! stars: Int @external score: Int @requires(fields: "stars") plain: Int }`,
    post: 'type Film @key(fields: "id") { id: ID! weight: Int @external cost: Int @requires(fields: "weight") own: Int }',
  })

  test('are sent by the name of their interface, whatever their type is', () => {
    expect(plan('{ top { score } }')).toHavePlan(`
      sequence
        fetch reviews
          { top { id } }
        entities shop
          top.@: { ... as Media { id } }
          { ... on Media { __typename stars } }
        entities reviews
          top.@: { ... as Media { id stars } }
          { ... on Media { score } }
    `)
  })

  test('have what a field of the interface requires read of all of them', () => {
    expect(plan('{ top { ... on Film { score } } }')).toHavePlan(`
      sequence
        fetch reviews
          { top { id } }
        entities shop
          top.@: { ... as Media { id } }
          { ... on Media { __typename stars } }
        entities reviews
          top.@|Film: { ... as Media { id stars } }
          { ... on Media { score } }
    `)
  })

  test('tell it before a field of one type is asked for, or what it requires', () => {
    expect(plan('{ top { ... on Film { plain } } }')).toHavePlan(`
      sequence
        fetch reviews
          { top { id } }
        entities shop
          top.@: { ... as Media { id } }
          { ... on Media { __typename } }
        entities reviews
          top.@|Film: { ... as Media { id } }
          { ... on Media { plain } }
    `)
    expect(plan('{ top { ... on Film { cost } } }')).toHavePlan(`
      sequence
        fetch reviews
          { top { id } }
        entities shop
          top.@: { ... as Media { id } }
          { ... on Media { __typename ... on Film { id weight } } }
        entities post
          top.@|Film: { ... on Film { __typename id weight } }
          { ... on Film { cost } }
    `)
  })

  test('are sent by that name also if their type is known', () => {
    expect(plan('{ media { ... on Film { score } } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Film { id stars } } }
        entities reviews
          media.@|Film: { ... as Media { id stars } }
          { ... on Media { score } }
    `)
  })
})

describe('arguments from above', () => {
  test('are read of the nearest objects that set the context, and of those types that do', () => {
    const plan = planning({
      shop: `type Query { places: [Place] shops: [Shop] } union Place = Shop | Market | Stall type Market { n: Int }
        type Stall @context(name: "c") { currency: String boxes: [Box] }
        type Shop @context(name: "c") @context(name: "d") { currency: String lang: String part: Part boxes: [Box] }
        type Part @context(name: "c") { currency: String boxes: [Box] }
        type Box { items: [Item] }
        type Item @key(fields: "id") { id: ID!
          price(in: String @fromContext(field: "$c { currency }"), n: Int): Int }`,
    })
    expect(plan('{ places { ... on Shop { boxes { items { price(n: 1) } } } } }')).toHavePlan(`
      sequence
        fetch shop
          { places { __typename ... on Shop { currency boxes { items { __typename id } } } } }
        entities shop
          places.@|Shop.boxes.@.items.@: { ... on Item { __typename id } }
            $context_in = places.@ { ... on Shop { currency } }
          { ... on Item { price(n: 1, in: $context_in) } }
    `)
    expect(plan('{ shops { part { boxes { items { price } } } } }')).toHavePlan(`
      sequence
        fetch shop
          { shops { part { currency boxes { items { __typename id } } } } }
        entities shop
          shops.@.part.boxes.@.items.@: { ... on Item { __typename id } }
            $context_in = shops.@.part { currency }
          { ... on Item { price(in: $context_in) } }
    `)
  })

  test('are each read of their own context', () => {
    const plan = planning({
      shop: `type Query { shops: [Shop] } type Shop @context(name: "c") { currency: String market: Market }
        type Market @context(name: "d") { lang: String item: Item }
        type Item @key(fields: "id") { id: ID! price(
          in: String @fromContext(field: "$c { currency }"), to: String @fromContext(field: "$d { lang }")): Int }`,
    })
    expect(plan('{ shops { market { item { price } } } }')).toHavePlan(`
      sequence
        fetch shop
          { shops { currency market { lang item { __typename id } } } }
        entities shop
          shops.@.market.item: { ... on Item { __typename id } }
            $context_in = shops.@ { currency }
            $context_to = shops.@.market { lang }
          { ... on Item { price(in: $context_in, to: $context_to) } }
    `)
  })

  test('that nothing above sets make a plan impossible', () => {
    const argument = (context: string) =>
      `@join__field(graph: A, contextArguments: [{ context: "${context}", name: "in", type: "String", selection: "{ n }" }])`
    const supergraph = loadSupergraph(`
      enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
      type Query @join__type(graph: A) { item: Item }
      type Other @join__type(graph: A) @context(name: "c") { n: String }
      type Item @join__type(graph: A, key: "id") { id: ID price: Int ${argument('c')} odd: Int ${argument('unset')} }`)
    const planner = createPlanner(supergraph)
    for (const field of ['price', 'odd']) {
      const plan = () => planner.plan(inputOf(supergraph, `{ item { ${field} } }`))
      expect(plan).toThrow(PlanError)
      expect(plan).toThrow('The subgraphs cannot resolve everything that the operation selects.')
    }
  })
})
