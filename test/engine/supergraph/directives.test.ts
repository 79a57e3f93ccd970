/** Under which names a supergraph applies the directives, by its links. */
import { type DocumentNode, type ObjectTypeDefinitionNode, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { directiveNames } from '../../../engine/supergraph/directives.ts'
import { argument } from '../../../engine/supergraph/features.ts'

/** The names of the directives that have others than their own one. */
function renamed(document: DocumentNode): Record<string, readonly string[]> {
  const all = Object.entries(directiveNames(document)).map(
    ([directive, names]) => [directive, [...names]] as const,
  )
  return Object.fromEntries(all.filter(([directive, names]) => names[0] !== directive || names.length > 1))
}
const linked = (...links: string[]): Record<string, readonly string[]> =>
  renamed(parse(`schema ${links.map((link) => `@link(${link})`).join(' ')} { query: Query }`))

const spec = (name: string): string => `url: "https://specs.apollo.dev/${name}"`

it('directives have their usual names if nothing is linked', () => {
  expect(renamed(parse('type Query { a: Int }'))).toEqual({})
  expect(renamed(parse('schema { query: Query } extend schema @other(url: "x")'))).toEqual({})
})

describe('a link to the feature of a directive', () => {
  it.each([
    ['authenticated', 'authenticated'],
    ['requiresScopes', 'requiresScopes'],
    ['policy', 'policy'],
    ['cost', 'cost'],
    ['stepUp', 'stepUp'],
    ['inaccessible', 'inaccessible'],
  ])('renames %s by `as`', (feature, directive) => {
    expect(linked(`${spec(`${feature}/v0.1`)}, as: "x"`)[directive]).toEqual(['x'])
  })

  it('prefixes what is not the directive of that name', () => {
    expect(linked(spec('cost/v0.1'))).toEqual({ listSize: ['cost__listSize'] })
    expect(linked(`${spec('cost/v0.1')}, as: "x"`)).toEqual({ cost: ['x'], listSize: ['x__listSize'] })
  })

  it('renames by imports, given as text or as an object', () => {
    expect(linked(`${spec('cost/v0.1')}, import: ["@cost", { name: "@listSize", as: "@size" }]`)).toEqual({
      listSize: ['size'],
    })
    expect(linked(`${spec('cost/v0.1')}, as: "x", import: ["@listSize", { name: "@cost" }]`)).toEqual({})
    expect(linked(`${spec('policy/v0.1')}, import: [{ name: "@policy", as: "@a@b" }]`)).toEqual({
      policy: ['a@b'],
    })
  })

  it('counts if the link has another name itself', () => {
    const own = 'url: "https://specs.apollo.dev/link/v1.0", as: "feature"'
    const sdl = `schema @feature(${own}) @feature(${spec('policy/v0.1')}, as: "rule") { query: Query }`
    expect(renamed(parse(sdl))).toEqual({ policy: ['rule'] })
  })

  it('ignores invalid imports', () => {
    const without = { listSize: ['cost__listSize'] }
    for (const imports of ['"@listSize"', '[1]', '[{ as: "@x" }]', '[{ name: 1, as: "@listSize" }]'])
      expect(linked(`${spec('cost/v0.1')}, import: ${imports}`), imports).toEqual(without)
    expect(linked(`${spec('cost/v0.1')}, import: [{ name: "@listSize", as: 1 }]`)).toEqual({})
  })

  it('counts beside others to the same feature, and on extensions of the schema', () => {
    const sdl = `
      schema @link(${spec('policy/v0.1')}) { query: Query }
      extend schema @link(${spec('policy/v0.2')}, as: "p2") @core(feature: "https://specs.apollo.dev/cost/v1.0", as: "c")
    `
    expect(renamed(parse(sdl))).toEqual({ policy: ['policy', 'p2'], cost: ['c'], listSize: ['c__listSize'] })
  })

  it('does not count on anything but the schema', () => {
    expect(renamed(parse(`type Query @link(${spec('policy/v0.1')}, as: "x") { a: Int }`))).toEqual({})
    expect(renamed(parse(`extend type Query @link(${spec('policy/v0.1')}, as: "x")`))).toEqual({})
  })
})

describe('a link to the federation feature', () => {
  it('defines all of them but our own', () => {
    const prefixed = (prefix: string) =>
      Object.fromEntries(
        [
          'authenticated',
          'requiresScopes',
          'policy',
          'cost',
          'listSize',
          'context',
          'fromContext',
          'external',
          'key',
          'provides',
          'requires',
          'inaccessible',
          'tag',
        ].map((directive) => [directive, [`${prefix}__${directive}`]]),
      )
    expect(linked(spec('federation/v2.9'))).toEqual(prefixed('federation'))
    expect(linked(`${spec('federation/v2.9')}, as: "f"`)).toEqual(prefixed('f'))
    expect(linked(`${spec('federation/v2.9')}, import: ["@policy", "@stepUp"]`)).toEqual({
      ...prefixed('federation'),
      policy: undefined,
    })
  })
})

describe('an address', () => {
  it.each([
    ['policy', 'https://specs.apollo.dev/policy'],
    ['policy', 'https://specs.apollo.dev/policy/'],
    ['policy', 'https://specs.apollo.dev/policy/v1'],
    ['policy', 'https://specs.apollo.dev/policy/v0.12'],
    ['policy', 'https://specs.apollo.dev/policy/v10.2.33'],
    ['policy', 'http://specs.apollo.dev//policy/v1?x=y#z'],
  ])('of %s: %s', (directive, url) => {
    expect(linked(`url: "${url}", as: "x"`)).toEqual({ [directive]: ['x'] })
  })

  it.each([
    'https://specs.apollo.dev/policy/1.0',
    'https://specs.apollo.dev/policy/v0.1-preview',
    'https://specs.apollo.dev/policy/xv0.1',
    'https://specs.apollo.dev/policy/v',
    'https://specs.apollo.dev/other/policy/v0.1',
    'https://specs.apollo.dev.example/policy/v0.1',
    'https://example.com/policy/v0.1',
  ])('of another feature: %s', (url) => {
    expect(linked(`url: "${url}", as: "x"`)).toEqual({})
  })

  it.each(['', 'policy', 'https://specs.apollo.dev', 'https://specs.apollo.dev/v0.1'])(
    'of nothing: "%s"',
    (url) => {
      expect(linked(`url: "${url}", as: "policy"`)).toEqual({})
      expect(linked(`as: "policy", import: ["@policy"]`)).toEqual({})
      expect(linked(`url: 1, as: "policy", import: ["@policy"]`)).toEqual({})
    },
  )

  it('of our own feature may be anywhere, as only its last part counts', () => {
    expect(linked('url: "https://example.com/team/stepUp/v0.1", import: ["@stepUp"]')).toEqual({})
    expect(linked('url: "https://example.com/team/stepUp/v0.1", as: "fresh"')).toEqual({ stepUp: ['fresh'] })
    expect(linked('url: "https://example.com/team/other/v0.1", as: "fresh"')).toEqual({})
  })
})

describe('a directive of another feature', () => {
  it('is not ours under the name of that feature, or under the name of its import', () => {
    expect(linked('url: "https://example.com/policy/v1.0"')).toEqual({ policy: [] })
    expect(linked('url: "https://example.com/insurance/v1.0", as: "policy"')).toEqual({ policy: [] })
    expect(linked('url: "https://example.com/insurance/v1.0", import: ["@policy"]')).toEqual({ policy: [] })
    expect(
      linked('url: "https://example.com/insurance/v1.0", import: [{ name: "@contract", as: "@policy" }]'),
    ).toEqual({ policy: [] })
  })

  it('leaves other directives unchanged if our own has another name, and types their names', () => {
    expect(linked('url: "https://example.com/insurance/v1.0"')).toEqual({})
    expect(
      linked('url: "https://example.com/insurance/v1.0", import: [{ name: "@policy", as: "@contract" }]'),
    ).toEqual({})
    expect(linked('url: "https://example.com/insurance/v1.0", import: ["policy", "xpolicy"]')).toEqual({})
  })

  it('does not take our own name if both are linked', () => {
    expect(
      linked(spec('policy/v0.1'), 'url: "https://example.com/insurance/v1.0", import: ["@policy"]'),
    ).toEqual({})
  })
})

it('an argument is found by its name', () => {
  const [definition] = parse('type Query @x(a: 1, b: "two") @y { a: Int }').definitions
  const [x, y] = (definition as ObjectTypeDefinitionNode).directives ?? []
  expect(argument(x!, 'b')).toMatchObject({ value: 'two' })
  expect(argument(x!, 'c')).toBeUndefined()
  expect(argument(y!, 'a')).toBeUndefined()
})
