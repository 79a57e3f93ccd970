import { buildASTSchema, parse, printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { describedDocument } from '../../../gateway/auth/describe.ts'

const api = `
  """What can be asked."""
  type Query {
    """One message."""
    message: Message
    videos(first: Int): [Video]
    node: Node
    plain: Int
    """Anybody who is signed in."""
    me: Secret
    free: Int
    cheap: Int
    unpriced: Int
    any: Int
  }
  interface Node { id: ID!  text: String }
  type Message implements Node { id: ID!  text: String }
  type Video implements Node { id: ID!  text: String }
  scalar Secret
  enum Level { LOW }
`
const rules: [string, string][] = [
  ['message: Message', 'message: Message @scopes(scopes: [["tweet.read", "users.read"]])'],
  ['videos(first: Int): [Video]', 'videos(first: Int): [Video] @cost(weight: 1)'],
  ['me: Secret', 'me: Secret @authenticated @cost(weight: 1600)'],
  ['free: Int', 'free: Int @cost(weight: 0) @policy(policies: [["p"]])'],
  ['cheap: Int', 'cheap: Int @cost(weight: "0.5")'],
  ['unpriced: Int', 'unpriced: Int @cost(weight: null)'],
  ['any: Int', 'any: Int @scopes(scopes: [[]])'],
  [
    'type Message implements Node { id: ID!  text: String',
    'type Message implements Node { id: ID!  text: String @scopes(scopes: [["a"]])',
  ],
  [
    'type Video implements Node { id: ID!  text: String',
    'type Video implements Node { id: ID!  text: String @scopes(scopes: [["b"], ["c", "d"]])',
  ],
  ['scalar Secret', 'scalar Secret @scopes(scopes: [["secret"]])'],
]
const supergraph = parse(`
  schema
    @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", import: [{ name: "@requiresScopes", as: "@scopes" }])
    @link(url: "https://specs.apollo.dev/authenticated/v0.1")
    @link(url: "https://specs.apollo.dev/policy/v0.1")
    @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost"])
  { query: Query }
  ${rules.reduce((text, [plain, guarded]) => text.replace(plain, guarded), api)}
`)
const described = buildASTSchema(describedDocument({ document: supergraph, apiDocument: parse(api) }))

const description = (coordinate: string): string | null | undefined => {
  const [type = '', field] = coordinate.split('.')
  const found = described.getType(type)
  if (field === undefined) return found?.description
  return found !== undefined && 'getFields' in found ? found.getFields()[field]?.description : undefined
}

describe('descriptions', () => {
  it.each([
    ['Query', 'What can be asked.'],
    ['Query.message', 'One message.\n\nRequires `tweet.read` and `users.read`.'],
    ['Query.videos', 'Costs 1 quota unit.'],
    ['Query.me', 'Anybody who is signed in.\n\nRequires `secret`. Costs 1600 quota units.'],
    ['Query.free', 'Requires the policy `p`. Costs no quota.'],
    ['Query.cheap', 'Costs 0.5 quota units.'],
    ['Query.unpriced', undefined],
    ['Query.plain', undefined],
    ['Query.any', undefined],
    ['Message.text', 'Requires `a`.'],
    ['Video.text', 'Requires `b` or (`c` and `d`).'],
    ['Node.id', undefined],
    ['Secret', 'Requires `secret`.'],
  ])('of %s tell what it needs and costs', (coordinate, expected) => {
    expect(description(coordinate)).toBe(expected)
  })

  it('of an interface tell what its implementers require together', () => {
    expect(description('Node.text')).toBe('Requires (`a` and `b`) or (`a`, `c` and `d`).')
  })

  it('are not added twice', () => {
    const apiDocument = parse(printSchema(described))
    const again = describedDocument({ document: supergraph, apiDocument })
    expect(printSchema(buildASTSchema(again))).toBe(printSchema(described))
  })

  it('are all that changes', () => {
    const withoutDescriptions = (text: string) => text.replace(/"""[\s\S]*?"""\n?/g, '').replace(/\s+/g, ' ')
    expect(withoutDescriptions(printSchema(described))).toBe(
      withoutDescriptions(printSchema(buildASTSchema(parse(api)))),
    )
  })
})
