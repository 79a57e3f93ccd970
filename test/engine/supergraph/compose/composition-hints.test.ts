/**
 * Errors that are likely when our subgraphs are composed with others: each has a hint, and following it resolves the
 * error.
 */
import { expect, test } from 'vitest'
import { hintFor, withoutRepeats } from '../../../../engine/supergraph/compose/composition-hints.ts'
import { type Composition, compose } from '../../../../engine/supergraph/compose/index.ts'
import { ourSources } from '../../../../gateway/cli/compose.ts'

const link = (version = 'v2.9', more = ''): string =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/${version}", import: ["@key", "@shareable" ${more}])\n`

const join = (sdl: string, name = 'theirs', leaveOut?: string): Composition =>
  compose([
    ...ourSources().filter((source) => source.name !== leaveOut),
    { name, url: 'http://127.0.0.1:5000/', typeDefs: sdl },
  ])

const page = (mark: string, cursor: string): string =>
  `type PageInfo ${mark} { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: ${cursor} endCursor: ${cursor} }`
const video = 'type Video @key(fields: "videoId") { videoId: ID! }'

interface Clash {
  readonly what: string
  readonly theirs: string
  /** What the composer says, and what we say to it. */
  readonly says: RegExp
  readonly cure: RegExp
  /** Their subgraph after the cure. */
  readonly cured: string
  readonly name?: string
  readonly curedName?: string
  /** One of the product's subgraphs, without what the cure removes. */
  readonly without?: string
}

const clashes: readonly Clash[] = [
  {
    what: 'both own node',
    theirs: 'type Query { node(id: ID!): Node } interface Node { id: ID! }',
    says: /Query\.node/,
    cure: /leave our nodes subgraph out/,
    cured: 'type Query { node(id: ID!): Node } interface Node { id: ID! }',
    without: 'nodes',
  },
  {
    what: 'PageInfo is not shareable',
    theirs: `type Query { page: PageInfo } ${page('', 'String')}`,
    says: /PageInfo/,
    cure: /`PageInfo` @shareable/,
    cured: `type Query { page: PageInfo } ${page('@shareable', 'String')}`,
  },
  {
    what: 'PageInfo has other cursors',
    theirs: `type Query { page: PageInfo } ${page('@shareable', 'ID')}`,
    says: /PageInfo\.startCursor/,
    cure: /four standard fields/,
    cured: `type Query { page: PageInfo } ${page('@shareable', 'String')}`,
  },
  {
    what: 'Node is no interface',
    theirs: 'type Query { any: Node } type Node { id: ID! }',
    says: /"Node" has mismatched kind/,
    cure: /interface Node \{ id: ID! \}/,
    cured: 'type Query { any: Node } interface Node { id: ID! }',
  },
  {
    what: 'Node has another id',
    theirs:
      'type Query { any: Node } interface Node { id: String! } type T implements Node @key(fields: "id") { id: String! }',
    says: /Node\.id/,
    cure: /interface Node \{ id: ID! \}/,
    cured:
      'type Query { any: Node } interface Node { id: ID! } type T implements Node @key(fields: "id") { id: ID! }',
  },
  {
    what: 'a scalar is a type',
    theirs: 'type Query { any: JSON } type JSON { text: String }',
    says: /"JSON" has mismatched kind/,
    cure: /scalar in one subgraph/,
    cured: 'type Query { any: Document } type Document { text: String }',
  },
  {
    what: 'a type is an enum',
    theirs: 'type Query { any: VideoSnippet } enum VideoSnippet { SHORT LONG }',
    says: /"VideoSnippet" has mismatched kind/,
    cure: /rename yours/,
    cured: 'type Query { any: ShopSnippet } enum ShopSnippet { SHORT LONG }',
  },
  {
    what: 'a field has another type',
    theirs: 'type Query { film: Video } type Video @key(fields: "videoId") { videoId: Int! }',
    says: /Video\.videoId" is incompatible/,
    cure: /change yours to the type/,
    cured: `type Query { film: Video } ${video}`,
  },
  {
    what: 'an entity without its key',
    theirs: 'type Query { film: Video } type Video { videoId: ID! }',
    says: /Non-shareable field "Video\.videoId"/,
    cure: /needs its key/,
    cured: `type Query { film: Video } ${video}`,
  },
  {
    what: 'a field is overridden from a subgraph that does not exist',
    theirs:
      'type Query { film: Video } type Video @key(fields: "videoId") { videoId: ID! etag: String @federation__override(from: "video") }',
    says: /Non-shareable field "Video\.etag"/,
    cure: /@override\(from: …\) with the name of our subgraph/,
    cured:
      'type Query { film: Video } type Video @key(fields: "videoId") { videoId: ID! etag: String @federation__override(from: "videos") }',
  },
  {
    what: 'a type that only adds fields is returned',
    theirs:
      'type Query { pinned: [Node!] } type Node @key(fields: "id") @interfaceObject { id: ID! pins: Int }',
    says: /implementation type of @interfaceObject/,
    cure: /add the fields to the object types instead/,
    cured: 'type Query { pinned: [Video!] } type Video @key(fields: "id") { id: ID! pins: Int }',
  },
  {
    what: 'a key by another name',
    theirs:
      'type Query { a: Int } type Node @federation__key(fields: "id") @interfaceObject { id: ID! pins: Int }',
    says: /has no @key in this subgraph/,
    cure: /import them/,
    cured: 'type Query { a: Int } type Node @key(fields: "id") @interfaceObject { id: ID! pins: Int }',
  },
  {
    what: 'a key that the others do not have',
    theirs: 'type Query { film: Video } type Video @key(fields: "url") { url: String! }',
    says: /cannot move to subgraph "videos"/,
    cure: /of fields that the other subgraphs have/,
    cured: `type Query { film: Video } ${video}`,
  },
  {
    what: 'fields behind a key that is not resolvable',
    theirs:
      'type Query { film: Video } type Video @key(fields: "videoId", resolvable: false) { videoId: ID! score: Int }',
    says: /has no @key defined in subgraph "theirs"/,
    cure: /needs a resolvable @key/,
    cured: 'type Query { film: Video } type Video @key(fields: "videoId") { videoId: ID! score: Int }',
  },
  {
    what: 'a type of ours that cannot be looked up',
    theirs:
      'type Query { remark: Comment } type Comment @key(fields: "commentId", resolvable: false) { commentId: ID! }',
    says: /"Comment" has no @key defined in subgraph "videos"/,
    cure: /return what they belong to instead/,
    cured: `type Query { film: Video } ${video}`,
  },
  {
    what: 'a root field that is ours',
    theirs: `type Query { video(videoId: ID!): Video } ${video}`,
    says: /Non-shareable field "Query\.video"/,
    cure: /keep it in one/,
    cured: `type Query { film(videoId: ID!): Video } ${video}`,
  },
  {
    what: 'an enum with other values',
    theirs: 'type Query { best(of: VideoChart): VideoChart } enum VideoChart { MOST_POPULAR NEWEST }',
    says: /value "NEWEST"/,
    cure: /same values everywhere/,
    cured: 'type Query { best(of: VideoChart): VideoChart } enum VideoChart { MOST_POPULAR }',
  },
  {
    what: 'an input that wants more',
    theirs:
      'type Query { a(i: LikeMessageInput): Int } input LikeMessageInput { userId: ID! messageId: ID! why: Int! }',
    says: /LikeMessageInput\.why" is required/,
    cure: /make yours optional/,
    cured: 'type Query { a(i: LikeMessageInput): Int } input LikeMessageInput { userId: ID! messageId: ID! }',
  },
  {
    what: 'a key of fields that are not there',
    theirs: 'type Query { shop: Shop } type Shop @key(fields: "number") { id: ID! }',
    says: /for @key/,
    cure: /must name fields of that type/,
    cured: 'type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! }',
  },
  {
    what: 'a key that is external',
    theirs:
      'type Query { a: Int } type Channel @key(fields: "channelId") { channelId: ID! @federation__external title: String @federation__external initial: String @federation__requires(fields: "title") }',
    says: /cannot satisfy @require conditions/,
    cure: /no field of that @key may be @external/,
    cured:
      'type Query { a: Int } type Channel @key(fields: "channelId") { channelId: ID! title: String @federation__external initial: String @federation__requires(fields: "title") }',
  },
  {
    what: 'a field that requires a protected one',
    theirs:
      'type Query { a: Int } type Message @key(fields: "messageId") { messageId: ID! text: String @federation__external words: Int @federation__requires(fields: "text") }',
    says: /Message\.words" does not specify necessary/,
    cure: /same @requiresScopes/,
    cured:
      'type Query { a: Int } type Message @key(fields: "messageId") { messageId: ID! text: String @federation__external words: Int @federation__requires(fields: "text") @federation__requiresScopes(scopes: [["tweet.read", "users.read"]]) }',
  },
  {
    what: 'a name that is taken',
    theirs: 'type Query { shop: Int }',
    name: 'videos',
    says: /two subgraphs named videos/,
    cure: /NAME=FILE/,
    cured: 'type Query { shop: Int }',
    curedName: 'shop',
  },
]

// The composer does not know this one by its whole name.
const imports = link('v2.9', '"@interfaceObject"')

test.each(clashes)('$what', ({ theirs, says, cure, cured, name, curedName, without }) => {
  const { errors = [] } = join(imports + theirs, name)
  const named = errors.map(({ message }) => message)
  expect(named.join('\n')).toMatch(says)
  expect(named.map((message) => hintFor(message) ?? 'no cure').join('\n')).toMatch(cure)
  expect(named.map(hintFor)).not.toContain(undefined)
  const composed = join(imports + cured, curedName, without)
  expect(composed.errors?.map(({ message }) => message)).toBeUndefined()
})

test('an unknown version of the specification', () => {
  const { errors = [] } = join(`${link('v9.9')}type Query { a: Int }`)
  expect(errors.map(({ message }) => message).join()).toMatch(/v9\.9/)
  expect(errors.map(({ message }) => hintFor(message)).join()).toMatch(/v2\.9/)
  for (const known of ['v2.0', 'v2.3', 'v2.9']) {
    expect(join(`${link(known)}type Query { a: Int }`).errors).toBeUndefined()
  }
})

test('several clashes are all named together', () => {
  const { errors = [] } = join(
    `${link()}type Query { node(id: ID!): Int any: JSON } type JSON { a: Int } enum VideoSnippet { A }`,
  )
  const named = errors.map(({ message }) => message).join('\n')
  for (const what of ['Query.node', 'JSON', 'VideoSnippet']) expect(named).toContain(what)
})

test('a type that cannot be reached is one error, which counts its other fields', () => {
  const source = (name: string, sdl: string) => ({ name, url: `http://${name}`, typeDefs: link() + sdl })
  const fields = Array.from({ length: 40 }, (_, at) => `f${at}: Int`).join(' ')
  const { errors = [] } = compose([
    source('a', 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }'),
    source(
      'b',
      `type Query { other: Other } type Item { ${fields} } type Other @key(fields: "id") { id: ID! }`,
    ),
    source('c', 'type Other { name: String }'),
  ])
  expect(errors).toHaveLength(41)
  const messages = withoutRepeats(errors.map(({ message }) => message))
  expect(messages).toEqual([
    expect.stringMatching(/cannot find field "Item\.f0"[\s\S]*\(Other errors with this cause: 39\.\)$/),
    expect.stringMatching(/cannot find field "Other\.name"[\s\S]*[^)]$/),
  ])
})
