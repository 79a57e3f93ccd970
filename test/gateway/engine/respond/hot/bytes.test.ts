/** Values in the bytes of a response, one by one: which of them pass as they came, and which must be read. */
import { buildSchema, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compileChecker } from '../../../../../gateway/engine/respond/hot/checker.ts'
import { shapeTree } from '../../../../../gateway/engine/respond/tree.ts'

const schema = buildSchema(`
  scalar Free
  enum Colour { RED GREEN }
  interface Node { name: String }
  type Leaf implements Node { name: String other: Int }
  type Tree implements Node { name: String leaf: Leaf! }
  type Query {
    string: String sureString: String! id: ID int: Int sureInt: Int! float: Float boolean: Boolean
    sureBoolean: Boolean! colour: Colour free: Free sureFree: Free! list: [Int] sureList: [Int!]! texts: [String]
    leaf: Leaf sureLeaf: Leaf! node: Node nodes: [Node] tree: Tree
  }
`)

function checkerOf(query: string, noteKept: (bytes: number) => void = () => {}) {
  const document = parse(query)
  const operation = document.definitions[0] as OperationDefinitionNode
  return compileChecker(shapeTree({ schema, document, operation, refusals: [] }), noteKept)
}

/** What of this body would be sent on; undefined where it has to be read. */
function passed(query: string, body: string, variables: Record<string, unknown> = {}) {
  const fields = checkerOf(query)(Buffer.from(body), variables)
  return fields && Object.fromEntries([...fields].map(([key, raw]) => [key, raw === null ? null : raw.text]))
}

const keyOf = (selection: string) => selection.split(' ')[0] as string

describe('passes as it came:', () => {
  test.each<[string, ...string[]]>([
    ['string', '""', '"a"', '"\\u00e9\\n"', '"é"'],
    ['sureString', '"a"'],
    ['id', '"1"'],
    ['int', '0', '7', '-7', '10', '2147483647', '-2147483648'],
    ['sureInt', '9'],
    ['float', '0', '-0', '1.50', '1e5', '1E+5', '-1e-5', '1e308', '9'.repeat(300), `-${'9'.repeat(299)}`],
    ['boolean', 'true', 'false'],
    ['sureBoolean', 'true', 'false'],
    ['colour', '"RED"', '"GREEN"'],
    ['free', '"a"', '1', '{ "a" : [1, null] }', '[ ]', 'true', '-1.5e3'],
    ['sureFree', '0'],
    ['list', '[]', '[1]', '[1,null,2]'],
    ['sureList', '[]', '[1,2]'],
    ['texts', '["a",null,"b"]'],
    ['leaf { name }', '{"name":"a"}', '{"name":null}'],
    ['leaf { __typename name }', '{"__typename":"Leaf","name":"a"}'],
    ['leaf { kind: __typename }', '{"kind":"Leaf"}'],
    ['sureLeaf { name other }', '{"name":"a","other":1}'],
    ['tree { name leaf { other } }', '{"name":"a","leaf":{"other":1}}'],
    ['node { __typename name }', '{"__typename":"Tree","name":"a"}', '{"__typename":"Leaf","name":null}'],
    ['nodes { __typename }', '[]', '[{"__typename":"Tree"},null,{"__typename":"Leaf"}]'],
  ])('%s', (selection, ...values) => {
    const key = keyOf(selection)
    for (const value of values) {
      expect(passed(`{ ${selection} }`, `{"data":{"${key}":${value}}}`), value).toEqual({ [key]: value })
      expect(
        passed(`{ a: int ${selection} b: int }`, `{"data":{"a":1,"${key}":${value},"b":null}}`),
        value,
      ).toEqual({ a: '1', [key]: value, b: null })
    }
  })

  test.each([
    'string',
    'int',
    'float',
    'boolean',
    'colour',
    'free',
    'list',
    'leaf { name }',
    'node { __typename }',
  ])('null for %s', (selection) => {
    const key = keyOf(selection)
    expect(passed(`{ ${selection} }`, `{"data":{"${key}":null}}`)).toEqual({ [key]: null })
    for (const spoilt of ['nul', 'nulx', 'nullx', 'n', 'Null'])
      expect(passed(`{ ${selection} }`, `{"data":{"${key}":${spoilt}}}`), spoilt).toBeUndefined()
  })
})

describe('has to be read:', () => {
  test.each<[string, ...string[]]>([
    ['string', '1', 'true', '"a', 'a"', '"\\x"', '["a"]', "'a'"],
    ['sureString', 'null'],
    ['id', '1', '1.5'],
    [
      'int',
      '2147483648',
      '-2147483649',
      '99999999999',
      '-0',
      '00',
      '01',
      '-01',
      '1.0',
      '1e3',
      '"1"',
      '-',
      '+1',
      '/',
      ':',
    ],
    ['int', 'true', '', ' 1', '1 '],
    ['sureInt', 'null'],
    [
      'float',
      '1e309',
      '-1E309',
      '9'.repeat(301),
      '0.5'.padEnd(301, '5'),
      '.5',
      '1.',
      '1e',
      '-',
      '"1"',
      '01',
      'true',
    ],
    ['float', `1e${'0'.repeat(300)}`],
    ['boolean', '"true"', '1', 'True', 'tru', 'truex'],
    ['sureBoolean', 'null'],
    ['colour', '"PURPLE"', 'RED', '"RED', '"REDDER"', '1'],
    ['free', '{"a":}', '"a', '[1', 'undefined', '01'],
    ['sureFree', 'null'],
    ['list', '[1,]', '[,1]', '[,]', '[1 ,2]', '[ ]', '[1', '1]', '[1;2]', '{}', '[[1]]', '["1"]', '1'],
    ['sureList', 'null', '[null]', '[1,null]'],
    ['texts', '["a" ]', '["a",1]'],
    [
      'leaf { name }',
      '{}',
      '{"name":1}',
      '{"name":"a","other":1}',
      '{"other":1}',
      '{ "name":"a"}',
      '{"name":"a"',
      '[]',
    ],
    ['leaf { __typename name }', '{"__typename":"Tree","name":"a"}', '{"name":"a"}'],
    ['sureLeaf { name }', 'null'],
    [
      'node { name }',
      '{"name":"a"}',
      '{"__typename":"Leaf"',
      '{"__typename":"Leaf',
      '{"__typename":"Node","name":"a"}',
    ],
    [
      'node { name }',
      '{"__typename":"Query","name":"a"}',
      '{"__typename":"","name":"a"}',
      '{"__typename":1}',
      '[]',
    ],
    ['node { name __typename }', '{"__typename":"Leaf","name":"a"}'],
    ['nodes { name }', '[{"__typename":"Leaf","name":"a"},{"name":"b"}]'],
    ['__schema { queryType { name } }', '{"queryType":{"name":"Query"}}', ''],
    ['node { name }', '{"__typenamX":"Leaf","name":"a"}', '{"__typename" :"Leaf","name":"a"}'],
    ['node { t: __typename name }', '{"t":"Leaf","name":"a"}'],
  ])('%s', (selection, ...values) => {
    const key = keyOf(selection)
    for (const value of values) {
      expect(passed(`{ ${selection} }`, `{"data":{"${key}":${value}}}`), value).toBeUndefined()
      expect(passed(`{ ${selection} b: int }`, `{"data":{"${key}":${value},"b":1}}`), value).toBeUndefined()
    }
  })
})

test("the type's name is taken out wherever the client did not ask for it first", () => {
  expect(
    passed(
      '{ nodes { name } int node { kind: __typename name } tree { leaf { name } } }',
      '{"data":{"nodes":[{"__typename":"Leaf","name":"a"},null,{"__typename":"Tree","name":"b"}],"int":1,' +
        '"node":{"__typename":"Leaf","kind":"Leaf","name":"c"},"tree":{"leaf":{"name":"d"}}}}',
    ),
  ).toEqual({
    nodes: '[{"name":"a"},null,{"name":"b"}]',
    int: '1',
    node: '{"kind":"Leaf","name":"c"}',
    tree: '{"leaf":{"name":"d"}}',
  })
})

describe('under conditions', () => {
  const query = `query ($a: Boolean!, $b: Boolean!) {
    int @include(if: $a) leaf { name @include(if: $a) other @skip(if: $b) }
  }`

  test.each<[boolean, boolean, string]>([
    [true, false, '{"int":1,"leaf":{"name":"a","other":1}}'],
    [true, true, '{"int":1,"leaf":{"name":"a"}}'],
    [false, false, '{"leaf":{"other":1}}'],
    [false, true, '{"leaf":{}}'],
  ])('a: %s, b: %s, only those fields pass that are included', (a, b, data) => {
    const variables = { a, b }
    expect(passed(query, `{"data":${data}}`, variables)).toBeDefined()
    for (const others of [
      { a: !a, b },
      { a, b: !b },
    ])
      expect(passed(query, `{"data":${data}}`, others), JSON.stringify(others)).toBeUndefined()
  })
})

describe('names of many characters', () => {
  // More than are compared one by one.
  const keys = Array.from({ length: 60 }, (_, n) => `${'k'.repeat(60)}${n}`)
  const query = `{ leaf { ${keys.map((key) => `${key}: other`).join(' ')} } }`
  const leaf = `{${keys.map((key) => `"${key}":1`).join()}}`

  test('are each looked at', () => {
    expect(passed(query, `{"data":{"leaf":${leaf}}}`)).toEqual({ leaf })
    for (const key of keys)
      expect(
        passed(query, `{"data":{"leaf":${leaf.replace(`"${key}"`, `"${key.slice(0, -1)}x"`)}}}`),
      ).toBeUndefined()
  })

  test('make no code that grows with all of them', () => {
    const notedFor = (count: number): number => {
      let noted = 0
      const some = keys.slice(0, count).map((key) => `${key}: other`)
      checkerOf(`{ leaf { ${some.join(' ')} } }`, (bytes) => {
        noted += bytes
      })
      return noted
    }
    const [first, second, last] = [notedFor(10), notedFor(20), notedFor(60) - notedFor(50)]
    expect(second).toBeGreaterThan(1.8 * first)
    expect(last).toBeLessThan((second - first) / 4)
  })
})
