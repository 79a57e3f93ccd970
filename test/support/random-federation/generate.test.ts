/** What the generator draws: the same for a seed, composable, and with everything in it that Federation has. */
import { parse, visit } from 'graphql'
import { expect, test } from 'vitest'
import { composeBy, generateServices, openGraph, randomGraph, randomOperationOf } from './index.ts'

const seeds = Array.from({ length: 150 }, (_, i) => i + 1)
const texts = seeds.map((seed) => Object.values(generateServices(seed)).join('\n'))

test('the same seed gives the same subgraphs and the same operation', () => {
  expect(generateServices(11)).toEqual(generateServices(11))
  expect(generateServices(11)).not.toEqual(generateServices(12))
  const graph = randomGraph(11)
  expect(randomOperationOf(graph, 5)).toEqual(randomOperationOf(graph, 5))
})

test('nearly all of what is drawn composes', () => {
  const refused = seeds.slice(0, 30).filter((seed) => openGraph(generateServices(seed), seed) === undefined)
  expect(refused.length).toBeLessThan(4)
})

test("what our composer takes, Apollo's takes as well", () => {
  for (const seed of seeds.slice(0, 20)) {
    const services = generateServices(seed)
    if (composeBy('own', services).supergraph === undefined) continue
    expect(composeBy('apollo', services).errors, `seed ${seed}`).toBeUndefined()
  }
})

test.each([
  ['several keys', /@key\([^)]*\)[^{]*@key/],
  ['composite keys', /@key\(fields: "sku region"/],
  ['nested keys', /@key\(fields: "ref \{ code \}/],
  ['keys through another entity', /@key\(fields: "boss \{ id \} sku"/],
  ['keys that are not resolvable', /resolvable: false/],
  ['@requires of nested fields', /@requires\(fields: "[^"]*\{ [a-z]/],
  ['@requires with arguments', /@requires\(fields: "[^"]*\(/],
  ['@requires through fragments', /@requires\(fields: "[^"]*\.\.\. on/],
  ['@requires of what requires', /@requires\(fields: "[^"]*needs/],
  ['@provides', /@provides\(fields: "/],
  ['@external', /@external/],
  ['@shareable fields of entities', /: \S+ @shareable/],
  ['@override', /@override\(from: "\w+"\)/],
  ['@override with a label', /@override\(from: "\w+", label: "percent/],
  ['@interfaceObject', /@interfaceObject/],
  ['@requires on interface objects', /@interfaceObject[^}]*@requires/],
  ['@inaccessible', /@inaccessible/],
  ['interfaces of entities', /type E\d implements/],
  ['interfaces of entities without their ids', /interface I\d \{\s*(common|own)/],
  ['interfaces of value types', /type V\d implements/],
  ['interfaces of interfaces', /interface I\d implements/],
  ['unions', /union U\d = \w+ \|/],
  ['enums', /enum Kind0/],
  ['input objects', /input Filter/],
  ['custom scalars', /: \[?Blob/],
  ['nested lists', /: \[\[/],
  ['mutations', /type Mutation/],
  ['payloads that go back to Query', /query: Query/],
  ['contexts', /@fromContext/],
  ['executable directives', /directive @mark/],
])('%s occur', (_, pattern) => {
  expect(texts.some((text) => pattern.test(text))).toBe(true)
})

test('operations are valid, and hold fragments, conditions, variables, aliases that clash and directives', () => {
  const found = new Map<string, number>()
  const count = (what: string): void => void found.set(what, (found.get(what) ?? 0) + 1)
  for (const seed of seeds.slice(0, 10)) {
    const graph = randomGraph(seed)
    for (let i = 0; i < 40; i++) {
      const operation = randomOperationOf(graph, seed * 1000 + i)
      if (operation === undefined) continue
      const keys = new Map<string, string>()
      visit(parse(operation.query), {
        OperationDefinition: (node) => count(node.operation),
        InlineFragment: () => count('inline fragment'),
        FragmentSpread: () => count('named fragment'),
        Directive: (node) => count(`@${node.name.value}`),
        VariableDefinition: (node) =>
          count(node.defaultValue === undefined ? 'variable' : 'variable with default'),
        Field: ({ alias, name }) => {
          if (name.value === '__typename') count('__typename')
          const key = (alias ?? name).value
          if (keys.has(key) && keys.get(key) !== name.value) count('one key for two fields')
          keys.set(key, name.value)
        },
      })
    }
  }
  for (const what of [
    'query',
    'mutation',
    'inline fragment',
    'named fragment',
    '@skip',
    '@include',
    '@mark',
    'variable',
    'variable with default',
    '__typename',
    'one key for two fields',
  ])
    expect(found.get(what) ?? 0, what).toBeGreaterThan(5)
})
