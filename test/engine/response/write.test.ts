/** The response that is copied and printed equals the one that is completed and printed. */
import fc from 'fast-check'
import { buildSchema, type DocumentNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { ErrorList } from '../../../engine/executor/error-list.ts'
import type { Execution, JsonObject } from '../../../engine/executor/execution.ts'
import { ResponseShape } from '../../../engine/response/index.ts'
import { shapeTree } from '../../../engine/response/shape.ts'
import { createWriter } from '../../../engine/response/write.ts'
import { gatherRaw, type JsonText, writtenJson } from '../../../shared/json/raw.ts'
import { testGatewayRequest } from '../../support/federation.ts'
import { normalisedOf } from '../../support/normalised.ts'
import { randomness, randomOperation } from '../../support/random-operation.ts'
import { textOf } from '../../support/sent-json.ts'
import { answer, asked, schema } from './random-answers.ts'

const request = testGatewayRequest()
const executionOf = (data: Execution['data'], variables: Execution['variables']): Execution => ({
  data,
  errors: new ErrorList(),
  variables,
  request,
  failedRoots: undefined,
  nulledPlaces: undefined,
  failedObjects: undefined,
  absent: undefined,
})

function shapeOf(document: DocumentNode) {
  return new ResponseShape({
    schema,
    operation: normalisedOf(schema, document),
    refusals: [],
    introspect: () => null,
  })
}

const wrongValues = [null, undefined, 1.5, 'text', '', true, {}, [], 2 ** 31, Number.NaN, 'PURPLE', [[null]]]

/** The same data with one value of it exchanged for another, somewhere. */
function spoilt(data: Execution['data'], seed: number): Execution['data'] {
  const random = randomness(seed)
  const copy = structuredClone(data)
  const places: [Record<string, unknown>, string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key])
      visit((value as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  const place = places[Math.floor(random() * places.length)]
  if (place !== undefined) place[0][place[1]] = wrongValues[Math.floor(random() * wrongValues.length)]
  return copy
}

const example = fc.record({ seed: fc.nat(), size: fc.integer({ min: 1, max: 40 }), answers: fc.nat() })

test('what is written is what would be completed and printed, and what is not as the schema says is left to that', () => {
  let written = 0
  let left = 0
  fc.assert(
    fc.property(example, fc.boolean(), ({ seed, size, answers }, spoils) => {
      const operation = randomOperation(schema, { seed, size })
      fc.pre(operation !== undefined)
      const { query, variables } = operation!
      fc.pre(!/__schema|__type\b/.test(query))
      const document = parse(query)
      const shape = shapeOf(document)
      const whole = JSON.parse(answer(asked(document), variables, answers)).data as Execution['data']
      const data = spoils ? spoilt(whole, answers) : whole
      const text = gatherRaw(() => shape.write(executionOf(structuredClone(data), variables)))
      const plain = executionOf(structuredClone(data), variables)
      const completed = shape.complete(plain)
      if (text === undefined) {
        left += 1
        expect(spoils, query).toBe(true)
        return
      }
      written += 1
      expect(plain.errors.all(), query).toEqual([])
      expect(Buffer.from(textOf(text)).toString(), query).toBe(JSON.stringify(completed))
    }),
    { numRuns: 800 },
  )
  expect(written).toBeGreaterThan(400)
  expect(left).toBeGreaterThan(20)
})

describe('the text of', () => {
  const values = buildSchema(`
    scalar Free
    enum Colour { RED GREEN }
    interface Node { name: String }
    type Leaf implements Node { name: String other: Int }
    type Tree implements Node { name: String leaf: Leaf! }
    type Query {
      string: String sureString: String! id: ID int: Int sureInt: Int! float: Float boolean: Boolean
      colour: Colour sureColour: Colour! free: Free sureFree: Free! list: [Int] sureList: [Int!]! texts: [String]
      rows: [[Int]] leaf: Leaf sureLeaf: Leaf! leaves: [Leaf!] node: Node nodes: [Node] tree: Tree
    }
  `)

  function written(query: string, data: Execution['data'], variables: Execution['variables'] = {}) {
    const operation = normalisedOf(values, query)
    const write = createWriter(shapeTree({ schema: values, operation, refusals: [] }))
    const text = gatherRaw(() => write(data ?? {}, variables))
    return text === undefined ? undefined : textOf(text)
  }

  test.each<[string, unknown, string]>([
    ['string', '', '""'],
    ['string', 'a', '"a"'],
    ['string', null, 'null'],
    ['string', undefined, 'null'],
    ['sureString', 'a', '"a"'],
    ['id', 'a"', '"a\\""'],
    ['id', 5, '"5"'],
    ['id', -(2 ** 53) + 1, '"-9007199254740991"'],
    ['int', 0, '0'],
    ['int', 2 ** 31 - 1, '2147483647'],
    ['int', -(2 ** 31), '-2147483648'],
    ['int', null, 'null'],
    ['sureInt', 7, '7'],
    ['float', 0.5, '0.5'],
    ['float', -1e21, '-1e+21'],
    ['boolean', true, 'true'],
    ['boolean', false, 'false'],
    ['colour', 'RED', '"RED"'],
    ['colour', null, 'null'],
    ['sureColour', 'GREEN', '"GREEN"'],
    ['free', 'a"é', '"a\\"é"'],
    ['free', { a: [1, null] }, '{"a":[1,null]}'],
    ['free', false, 'false'],
    ['sureFree', '', '""'],
    ['list', [], '[]'],
    ['list', [1, null, undefined, 2], '[1,null,null,2]'],
    ['sureList', [1, 2], '[1,2]'],
    ['texts', ['a', null, 'b', '"'], '["a",null,"b","\\""]'],
    ['texts', [null, 'a', null], '[null,"a",null]'],
    ['rows', [[1], null, []], '[[1],null,[]]'],
    ['leaf { name }', { name: 'a' }, '{"name":"a"}'],
    ['leaf { name other }', { name: null }, '{"name":null,"other":null}'],
    ['leaf { __typename name }', { __typename: 'Other', name: 'a' }, '{"__typename":"Leaf","name":"a"}'],
    ['sureLeaf { other }', { other: 3 }, '{"other":3}'],
    ['leaves { name }', [{ name: 'a' }, { name: 'b' }], '[{"name":"a"},{"name":"b"}]'],
    ['node { name }', { name: 'a' }, '{"name":"a"}'],
    ['node { name ... on Leaf { other } }', { __typename: 'Leaf', other: 1 }, '{"name":null,"other":1}'],
    ['node { name ... on Leaf { other } }', { __typename: 'Tree', other: 1 }, '{"name":null}'],
    ['node { __typename }', { __typename: 'Tree' }, '{"__typename":"Tree"}'],
    ['nodes { name }', [{ __typename: 'Leaf' }, null, { name: 'b' }], '[{"name":null},null,{"name":"b"}]'],
    ['tree { leaf { name } name }', { leaf: { name: 'a' }, name: 'b' }, '{"leaf":{"name":"a"},"name":"b"}'],
  ])('%s that is %j is written', (selection, value, expected) => {
    const key = selection.split(' ')[0] as string
    expect(written(`{ ${selection} }`, { [key]: value })).toBe(`{"${key}":${expected}}`)
    expect(written(`{ a: string ${selection} b: int }`, { a: 'x', [key]: value, b: 1 })).toBe(
      `{"a":"x","${key}":${expected},"b":1}`,
    )
  })

  test.each<[string, unknown]>([
    ['string', 5],
    ['string', true],
    ['string', {}],
    ['sureString', null],
    ['sureString', undefined],
    ['id', 1.5],
    ['id', 2 ** 53],
    ['id', true],
    ['int', 2 ** 31],
    ['int', -(2 ** 31) - 1],
    ['int', 1.5],
    ['int', Number.NaN],
    ['int', '1'],
    ['int', true],
    ['sureInt', null],
    ['float', Number.POSITIVE_INFINITY],
    ['float', '1.5'],
    ['float', true],
    ['boolean', 1],
    ['boolean', 'true'],
    ['colour', 'PURPLE'],
    ['colour', 1],
    ['sureColour', null],
    ['free', () => 1],
    ['sureFree', null],
    ['list', {}],
    ['list', 'text'],
    ['list', [1, '2']],
    ['sureList', [1, null]],
    ['sureList', null],
    ['leaf { name }', 'text'],
    ['leaf { name }', 7],
    ['leaf { name }', []],
    ['sureLeaf { name }', null],
    ['leaves { name }', [null]],
    ['leaves { name }', [{ name: 5 }]],
    ['node { name }', 'text'],
    ['node { name }', []],
    ['nodes { name }', [7]],
    ['node { name }', { __typename: 7 }],
    ['node { name }', { __typename: null }],
    ['node { name }', { __typename: 'Query' }],
    ['node { __typename }', { __typename: 'Node' }],
    ['node { __typename name }', { name: 'a' }],
    ['node { name ... on Leaf { other } }', { name: 'a' }],
    ['tree { leaf { name } }', {}],
    ['tree { leaf { name } }', { leaf: { name: 7 } }],
    ['__schema { queryType { name } }', { queryType: { name: 'Query' } }],
  ])('%s that is %j is left to the plain way', (selection, value) => {
    const key = selection.split(' ')[0] as string
    expect(written(`{ ${selection} }`, { [key]: value })).toBeUndefined()
  })

  test('fields with names that all objects inherit are their own', () => {
    const query = '{ constructor: string leaf { toString: other __proto__: name } }'
    const data = (text: string) => JSON.parse(text) as JsonObject
    expect(written(query, { leaf: {} })).toBe(
      '{"constructor":null,"leaf":{"toString":null,"__proto__":null}}',
    )
    const own = '{"constructor":"a","leaf":{"toString":1,"__proto__":"b"}}'
    expect(written(query, data(own))).toBe(own)
  })

  test('a field under conditions is written between commas', () => {
    const query = `query ($a: Boolean!, $b: Boolean!) {
      int @include(if: $a) string @skip(if: $b) id @include(if: $a) @skip(if: $b)
    }`
    const data = { int: 1, string: 'x', id: 'y' }
    expect(written(query, data, { a: true, b: false })).toBe('{"int":1,"string":"x","id":"y"}')
    expect(written(query, data, { a: false, b: false })).toBe('{"string":"x"}')
    expect(written(query, data, { a: true, b: true })).toBe('{"int":1}')
    expect(written(query, data, { a: false, b: true })).toBe('{}')
    const either = `query ($a: Boolean!, $b: Boolean!) { leaf { name } int @include(if: $a) int @skip(if: $b) }`
    expect(written(either, data, { a: false, b: true })).toBe('{"leaf":null}')
    expect(written(either, data, { a: true, b: true })).toBe('{"leaf":null,"int":1}')
    expect(written(either, data, { a: false, b: false })).toBe('{"leaf":null,"int":1}')
  })

  test('JSON that was not parsed is as it came, in a field of the root', () => {
    for (const json of ['{ "a" : 1.50 }', `"${'long '.repeat(5000)}"`]) {
      const raw = () => writtenJson(Buffer.from(json))
      expect(written('{ int free leaf { name } }', { int: 1, free: raw(), leaf: raw() })).toBe(
        `{"int":1,"free":${json},"leaf":${json}}`,
      )
      expect(written('{ sureLeaf { name } sureString }', { sureLeaf: raw(), sureString: raw() })).toBe(
        `{"sureLeaf":${json},"sureString":${json}}`,
      )
      expect(written('{ leaf { name } }', { leaf: { name: raw() } })).toBeUndefined()
    }
  })

  test('every character is what JSON makes of it', () => {
    const plain = '{"string":"'.length
    for (let code = 0; code < 0x180; code++) {
      const text = `a${String.fromCharCode(code)}b`
      expect(written('{ string }', { string: text })?.slice(plain - 1, -1)).toBe(JSON.stringify(text))
    }
  })
})

test.each([1, 100, 1000, 20_000])('lists of %i items are written as they would be printed', (items) => {
  const lists = buildSchema(
    'type Query { texts: [String!]! nested: [[Int]] things: [Thing] } type Thing { name: ID }',
  )
  const names = ['short', 'ü€🜁', `"${'long'.repeat(20)}"`]
  const at = Array.from({ length: items }, (_, index) => index)
  const data = {
    texts: at.map((index) => names[index % 3] as string),
    nested: [at, at, null],
    things: at.map((index) => (index % 7 === 0 ? null : { name: names[index % 3] })),
  }
  const document = parse('{ texts nested things { name } }')
  const shape = new ResponseShape({
    ...{ schema: lists, operation: normalisedOf(lists, document), refusals: [] },
    introspect: () => null,
  })
  expect(textOf(shape.write(executionOf(data, {})) as JsonText)).toBe(JSON.stringify(data))
})
