/** The join directives of interface fields are in the supergraph, as Apollo's composer writes them. */
import { composeServices } from '@apollo/composition'
import { type DirectiveNode, Kind, parse, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { composeContract } from '../../../../engine/supergraph/compose/contract.ts'
import { compose } from '../../../../engine/supergraph/compose/index.ts'
import { startFederation } from '../../../support/federation.ts'

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@shareable", "@external", "@interfaceObject", "@tag", { name: "@requires", as: "@needs" }
])\n`

const sources = (...sdls: string[]) =>
  sdls.map((sdl, index) => ({ name: 'ab'[index]!, url: 'http://127.0.0.1:1', typeDefs: parse(link + sdl) }))

type Sources = ReturnType<typeof sources>

/** The join directives of an interface's field, sorted. */
function joinsOf(supergraph: string | undefined, type: string, field: string): string[] {
  const node = parse(supergraph ?? '').definitions.find(
    (each) => each.kind === Kind.INTERFACE_TYPE_DEFINITION && each.name.value === type,
  )
  const fields = node?.kind === Kind.INTERFACE_TYPE_DEFINITION ? (node.fields ?? []) : []
  const { directives = [] } = fields.find(({ name }) => name.value === field)!
  return directives
    .flatMap((each: DirectiveNode) => (each.name.value === 'join__field' ? print(each) : []))
    .sort()
}

const ofTessera = (given: Sources): string | undefined => compose(given).supergraph
const ofApollo = (given: Sources): string => {
  const { supergraphSdl, errors = [] } = composeServices(given)
  expect(errors).toEqual([])
  return supergraphSdl!
}

const media = (extra = '', share = '') => `
  type Query { media: [Media!]! }
  interface Media @key(fields: "id") { id: ID! title: String ${extra} }
  type Film implements Media @key(fields: "id") { id: ID! title: String ${share} ${extra} }`

const labels = `
  type Query { top: Media }
  type Media @key(fields: "id") @interfaceObject {
    id: ID! title: String @external label: String @needs(fields: "title") stars: Int @tag(name: "t")
  }`

test('an interface object whose interface has all of its fields has external ones', () => {
  const given = sources(media(), labels)
  expect(joinsOf(ofTessera(given), 'Media', 'title')).toEqual([
    '@join__field(graph: A)',
    '@join__field(graph: B, external: true)',
  ])
  for (const field of ['id', 'title', 'label'])
    expect(joinsOf(ofTessera(given), 'Media', field)).toEqual(joinsOf(ofApollo(given), 'Media', field))
  expect(joinsOf(ofTessera(given), 'Media', 'id')).toEqual([])
})

test('field sets may have braces', () => {
  const braced = (sdl: string) => sdl.replaceAll('"id"', '"{ id }"').replaceAll('"title"', '"{ title }"')
  const given = sources(braced(media()), braced(labels))
  expect(joinsOf(ofTessera(given), 'Media', 'title')).toContain('@join__field(graph: B, external: true)')
  expect(joinsOf(ofTessera(given), 'Media', 'id')).toEqual([])
})

test('a contract has them, too', () => {
  const { supergraph } = composeContract(sources(media(), labels), { include: [], exclude: ['t'] })
  expect(joinsOf(supergraph, 'Media', 'title')).toEqual(
    joinsOf(ofTessera(sources(media(), labels)), 'Media', 'title'),
  )
})

test('types that differ are those of each subgraph', () => {
  const shared = (type: string) => `interface I { x: ${type} } type A implements I @shareable { x: ${type} }`
  const given = sources(`type Query { a: I } ${shared('[Int]')}`, `type Query { b: I } ${shared('[Int!]!')}`)
  expect(joinsOf(ofTessera(given), 'I', 'x')).toEqual([
    '@join__field(graph: A)',
    '@join__field(graph: B, type: "[Int!]!")',
  ])
})

test('an interface of Federation 1 has no external fields', () => {
  const film =
    'type Query { a: Media } interface Media { title: String } type Film implements Media { title: String }'
  const book = 'interface Media { title: String @external } type Book implements Media { title: String }'
  const given = [...sources(film), { name: 'b', url: 'http://127.0.0.1:1', typeDefs: parse(book) }]
  expect(joinsOf(ofTessera(given), 'Media', 'title')).toEqual(joinsOf(ofApollo(given), 'Media', 'title'))
})

test('a supergraph that lacks nothing keeps its text', () => {
  const given = sources(media(), 'type Query { n: Int }')
  expect(joinsOf(ofTessera(given), 'Media', 'title')).toEqual([])
})

describe('a shared field of an interface object', () => {
  const films = [{ id: '1', title: 'a title', shelf: 'A' }]
  const services = {
    films: {
      sdl: media('shelf: String', '@shareable'),
      resolvers: {
        Query: { media: () => films },
        Media: { __resolveType: () => 'Film', __resolveReference: () => films[0] },
        Film: { __resolveReference: () => films[0] },
      },
    },
    shelves: {
      sdl: `
        type Query { top: Media }
        type Media @key(fields: "id") @interfaceObject {
          id: ID! title: String @shareable @requires(fields: "shelf") shelf: String @external
        }`,
      resolvers: {
        Query: { top: () => ({ id: '1' }) },
        Media: {
          __resolveReference: (key: object) => key,
          title: ({ shelf }: { shelf?: string }) =>
            shelf === undefined ? 'a title without a shelf' : 'a title',
        },
      },
    },
  }

  test('is never requested without what it requires', async () => {
    await using federation = await startFederation(services)
    expect((await federation.run('{ top { title } }')).data).toEqual({ top: { title: 'a title' } })
  })
})
