/** Links under unusual names mean the same as usual ones. The subgraphs define what they link, as servers print it. */
import { describe, expect, test } from 'vitest'
import { hintFor } from '../../../../engine/supergraph/compose/composition-hints.ts'
import { compose } from '../../../../engine/supergraph/compose/index.ts'

const spec = 'https://specs.apollo.dev'

const composed = (sdl: string): string => {
  const { supergraph, errors } = compose([{ name: 'a', url: 'http://127.0.0.1:1/', typeDefs: sdl }])
  expect(errors).toBeUndefined()
  return supergraph!
}

const body = `type Query { user: User }
  type User @key(fields: "id") { id: ID! pay: Int @requiresScopes(scopes: [["pay"]]) hidden: Int @inaccessible }`

const usual = composed(
  `extend schema @link(url: "${spec}/federation/v2.5", import: ["@key", "@requiresScopes", "@inaccessible"]) ${body}`,
)

const links = (name: string): string =>
  `directive @${name}(url: String, as: String, for: ${name}__Purpose, import: [${name}__Import]) repeatable on SCHEMA
   scalar ${name}__Import enum ${name}__Purpose { SECURITY EXECUTION }`
const scopes = (name: string, scope: string): string =>
  `directive @${name}(scopes: [[${scope}!]!]!) on FIELD_DEFINITION | OBJECT scalar ${scope}`
const inaccessible = (name: string): string => `directive @${name} on FIELD_DEFINITION`
const named = (requiresScopes: string, hidden: string): string =>
  body.replace('@requiresScopes', `@${requiresScopes}`).replace('@inaccessible', `@${hidden}`)

describe('what is protected and hidden stays so if', () => {
  test.each([
    [
      'the federation feature has another namespace',
      `extend schema @link(url: "${spec}/federation/v2.5", as: "fed", import: ["@key"])
       ${scopes('fed__requiresScopes', 'fed__Scope')} ${inaccessible('fed__inaccessible')}
       ${named('fed__requiresScopes', 'fed__inaccessible')}`,
    ],
    [
      'it has another namespace and defines nothing',
      `extend schema @link(url: "${spec}/federation/v2.5", as: "fed", import: ["@key"])
       ${named('fed__requiresScopes', 'fed__inaccessible')}`,
    ],
    [
      '@link has another namespace',
      `extend schema @uses(url: "${spec}/link/v1.0", as: "uses")
         @uses(url: "${spec}/federation/v2.5", import: ["@key", "@requiresScopes", "@inaccessible"])
       ${links('uses')} ${scopes('requiresScopes', 'federation__Scope')} ${inaccessible('inaccessible')} ${body}`,
    ],
    [
      '@link is imported under another name',
      `extend schema @uses(url: "${spec}/link/v1.0", import: [{ name: "@link", as: "@uses" }])
         @uses(url: "${spec}/federation/v2.5", import: ["@key", "@requiresScopes", "@inaccessible"])
       ${scopes('requiresScopes', 'federation__Scope')} ${inaccessible('inaccessible')} ${body}`,
    ],
    [
      'each directive has its own feature',
      `extend schema @link(url: "${spec}/federation/v2.5", import: ["@key"])
         @link(url: "${spec}/requiresScopes/v0.1", for: SECURITY)
         @link(url: "${spec}/inaccessible/v0.2", as: "hide", for: SECURITY)
       ${scopes('requiresScopes', 'requiresScopes__Scope')} ${inaccessible('hide')}
       ${named('requiresScopes', 'hide')}`,
    ],
    [
      'a directive is imported, and has its own feature',
      `extend schema @link(url: "${spec}/federation/v2.5", import: ["@key", "@requiresScopes"])
         @link(url: "${spec}/requiresScopes/v0.1", as: "needs", for: SECURITY)
       extend schema @link(url: "${spec}/inaccessible/v0.2", import: [{ name: "@inaccessible", as: "@hide" }])
       ${scopes('needs', 'needs__Scope')} ${inaccessible('hide')} ${named('needs', 'hide')}`,
    ],
    [
      'a namespace has underscores, and an import begins with it',
      `extend schema @link(url: "${spec}/federation/v2.5", as: "my__fed",
         import: ["@key", { name: "@inaccessible", as: "@my__fed__hide" }])
       ${scopes('my__fed__requiresScopes', 'my__fed__Scope')} ${inaccessible('my__fed__hide')}
       ${named('my__fed__requiresScopes', 'my__fed__hide')}`,
    ],
    [
      'types are imported, too',
      `extend schema @link(url: "${spec}/federation/v2.5",
         import: ["@key", "@requiresScopes", "@inaccessible", "Scope", { name: "FieldSet", as: "Fields" }])
       directive @key(fields: Fields!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE scalar Fields
       ${scopes('requiresScopes', 'Scope')} ${inaccessible('inaccessible')} ${body}`,
    ],
  ])('%s', (_, sdl) => {
    expect(composed(sdl)).toBe(usual)
  })
})

describe('without the federation feature', () => {
  const linked = (feature: string, as: string): string =>
    `schema @link(url: "${spec}/link/v1.0") @link(url: "${spec}/${feature}", as: "${as}") { query: Query }
     ${links('link')}`
  test('what has its own feature stays hidden', () => {
    const sdl = `${linked('inaccessible/v0.2', 'hide')} ${inaccessible('hide')} type Query { a: Int b: Int @hide }`
    expect(composed(sdl)).toContain('b: Int @inaccessible')
  })
  test('what is protected by its own feature is refused, because the composer does not know it', () => {
    const sdl = `${linked('requiresScopes/v0.1', 'needs')} ${scopes('needs', 'needs__Scope')}
      type Query { a: Int @needs(scopes: [["a"]]) }`
    const { errors = [] } = compose([{ name: 'a', url: 'http://127.0.0.1:1/', typeDefs: sdl }])
    expect(errors.map(({ message }) => message)).toEqual(['[a] Unknown directive "@requiresScopes".'])
    expect(errors.map(({ message }) => hintFor(message)).join()).toMatch(/federation\/v2\.9/)
  })
})

test.each([
  ['FieldSet', 'import: ["@key", "FieldSet"]'],
  ['Scope', 'import: ["@key", "Scope"]'],
  ['fed__FieldSet', 'as: "fed", import: ["@key"]'],
])('the type %s has other uses as well', (type, link) => {
  const sdl = `extend schema @link(url: "${spec}/federation/v2.8", ${link}) scalar ${type}
    directive @index(fields: ${type}!) on OBJECT
    type Query { user(by: ${type}): User } type User @key(fields: "id") @index(fields: "id") { id: ID! }`
  expect(composed(sdl)).toMatch(new RegExp(`scalar ${type}[\\s\\S]*user\\(by: ${type}\\): User`))
})

test("a directive of somebody else's feature stays what it is", () => {
  const sdl = `extend schema @link(url: "${spec}/federation/v2.5", as: "fed")
      @link(url: "https://example.com/policy/v1.0") directive @policy(name: String) on FIELD_DEFINITION
    scalar Fed scalar my__Scalar type Query { a: Fed b: my__Scalar @policy(name: "x") c: Int @fed__shareable }`
  const supergraph = composed(sdl)
  expect(supergraph).toMatch(/scalar Fed[\s\S]*scalar my__Scalar/)
  expect(supergraph).not.toMatch(/fed__|@policy/)
})

test('links of other features stay as they are', () => {
  const linked = (name: string, head: string): string =>
    composed(`extend schema ${head} @${name}(url: "${spec}/federation/v2.5", import: ["@composeDirective"])
      @${name}(url: "https://example.com/owner/v1.0", as: "team", import: [{ name: "@owner", as: "@of" }])
      @composeDirective(name: "@of")
      directive @of(name: String) on FIELD_DEFINITION type Query { a: Int @of(name: "x") }`)
  const supergraph = linked('uses', `@uses(url: "${spec}/link/v1.0", as: "uses")`)
  expect(supergraph).toBe(linked('link', ''))
  expect(supergraph).toContain('@of(name: "x")')
})
