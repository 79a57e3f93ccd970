/**
 * Answers of subgraphs that are sent on as they came: whatever passes says what it would say if it were read, and
 * what a well-behaved subgraph says passes.
 */
import fc from 'fast-check'
import { type DocumentNode, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { gatherRaw } from '../../../../../contract/json/raw.ts'
import { ErrorList } from '../../../../../gateway/engine/error-list.ts'
import type { Execution } from '../../../../../gateway/engine/execution.ts'
import { createResponseShape } from '../../../../../gateway/engine/respond/index.ts'
import { testGatewayRequest } from '../../../../support/federation.ts'
import { randomOperation } from '../../../../support/random-operation.ts'
import { textOf } from '../../../../support/sent-json.ts'
import { answer, asked, schema } from './random-answers.ts'

const request = testGatewayRequest()

function shapeOf(document: DocumentNode) {
  const operation = document.definitions[0] as OperationDefinitionNode
  const shape = createResponseShape({
    schema,
    document,
    operation,
    refusals: [],
    introspect: () => null,
    passedThroughAfter: 2,
  })
  const runOf = (variables: Execution['variables'], data: Execution['data'], body?: Buffer): Execution => {
    const unparsed = body === undefined ? undefined : [{ body, parse: () => {} }]
    const errors = new ErrorList()
    return {
      data,
      errors,
      variables,
      request,
      event: undefined,
      failedRoots: undefined,
      nulledPlaces: undefined,
      failedObjects: undefined,
      absent: undefined,
      unparsed,
    }
  }
  // Only what comes again and again is worth it; here the second time is enough.
  expect(shape.expectsPassthrough()).toBe(false)
  for (let turn = 0; turn < 2; turn++) shape.write(runOf({}, {}))
  expect(shape.expectsPassthrough()).toBe(true)
  return {
    passes: shape.expectsPassthrough,
    pass(
      body: string | Buffer,
      variables: Execution['variables'] = {},
      data?: Execution['data'],
    ): string | undefined {
      const passed = gatherRaw(() => shape.passThrough(runOf(variables, data, Buffer.from(body))))
      return passed && textOf(passed)
    },
    read(body: string | Buffer, variables: Execution['variables'] = {}) {
      const { data, errors } = JSON.parse(String(body)) as { data: Execution['data']; errors?: unknown }
      const run = runOf(variables, data)
      return {
        data: shape.complete(run),
        errors: [...run.errors.all(), ...(errors === undefined ? [] : [errors])],
      }
    },
  }
}

const example = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 1, max: 40 }),
  answers: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
})

describe('an answer as a subgraph writes it', () => {
  it('passes, and says what it says when it is read', () => {
    let passed = 0
    fc.assert(
      fc.property(example, ({ seed, size, answers }) => {
        const operation = randomOperation(schema, { seed, size })
        fc.pre(operation !== undefined)
        const { query, variables } = operation!
        const document = parse(query)
        // At the root the gateway answers that itself.
        fc.pre(!/^[^{]*\{[^{]*__/.test(query))
        const { pass, read } = shapeOf(document)
        for (const each of answers) {
          const body = answer(asked(document), variables, each)
          const given = pass(body, variables)
          const { data, errors } = read(body, variables)
          expect(errors, query).toEqual([])
          if (given === undefined) continue
          passed += 1
          expect(JSON.stringify(JSON.parse(given)), query).toBe(JSON.stringify(data))
        }
      }),
      { numRuns: 400 },
    )
    expect(passed).toBeGreaterThan(200)
  })

  it('passes with anything wrong in it only where reading it would say the same', () => {
    const query =
      '{ thing { id text ... on Bag { colour free } ... on Box { size rows lid { open } } } weight count }'
    const document = parse(query)
    const { pass, read } = shapeOf(document)
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      drop: fc.integer({ min: 0, max: 3 }),
      put: fc.oneof(
        fc.constantFrom(
          ...['', ' ', ',', '"', '\\', '{', '}', '[', ']', '0', '-', '.5', 'e9', 'null', 'é', '\n'],
        ),
        fc.string({ maxLength: 3 }),
      ),
    })
    fc.assert(
      fc.property(fc.nat(), fc.array(change, { minLength: 1, maxLength: 2 }), (seed, changes) => {
        let body = answer(asked(document), {}, seed)
        for (const { at, drop, put } of changes) {
          const place = Math.floor(at * body.length)
          body = body.slice(0, place) + put + body.slice(place + drop)
        }
        const given = pass(body)
        if (given === undefined) return
        const { data, errors } = read(body)
        expect(errors).toEqual([])
        expect(JSON.stringify(JSON.parse(given))).toBe(JSON.stringify(data))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('passing on', () => {
  const { pass } = shapeOf(
    parse(`query ($more: Boolean!) {
      box { kind: __typename size rows text @include(if: $more) lid { free } } thing { text } count weight }`),
  )
  const boxed = (box: string) => pass(`{"data":{"box":${box}}}`, { more: false })

  it.each([
    ['values as they came', '{"kind":"Box","size":-1,"rows":[[1.50,null],[2e3]],"lid":null}'],
    ['escapes as they came', '{"kind":"Box","size":0,"rows":null,"lid":{"free":["\\u00e9\\/",{"a": 1}]}}'],
    ['empty lists', '{"kind":"Box","size":0,"rows":[],"lid":{"free":[]}}'],
  ])('leaves %s', (_, box) => {
    expect(boxed(box)).toBe(`{"box":${box},"thing":null,"count":null,"weight":null}`)
  })

  it.each([
    ['white space', '{"kind":"Box", "size":1,"rows":null,"lid":null}'],
    ['another order', '{"size":1,"kind":"Box","rows":null,"lid":null}'],
    ['a field that was not asked for', '{"kind":"Box","size":1,"rows":null,"text":"a","lid":null}'],
    ['a field that is missing', '{"kind":"Box","size":1,"lid":null}'],
    ['another type', '{"kind":"Bag","size":1,"rows":null,"lid":null}'],
    ['a null that must not be', '{"kind":"Box","size":null,"rows":null,"lid":null}'],
    ['a null in a list of what must not be', '{"kind":"Box","size":1,"rows":null,"lid":{"free":[null]}}'],
    ['too large a number', '{"kind":"Box","size":2147483648,"rows":null,"lid":null}'],
    ['a fraction for a whole number', '{"kind":"Box","size":1.0,"rows":null,"lid":null}'],
    ['a number with a leading zero', '{"kind":"Box","size":01,"rows":null,"lid":null}'],
    ['no number at all', '{"kind":"Box","size":-,"rows":null,"lid":null}'],
    ['infinity', '{"kind":"Box","size":1,"rows":[[1e999]],"lid":null}'],
    ['a string that does not end', '{"kind":"Box","size":1,"rows":null,"lid":{"free":["a]}}'],
    ['a control character', '{"kind":"Box","size":1,"rows":null,"lid":{"free":["\n"]}}'],
    ['a broken escape', '{"kind":"Box","size":1,"rows":null,"lid":{"free":["\\x"]}}'],
  ])('leaves %s to be read', (_, box) => {
    expect(boxed(box)).toBeUndefined()
  })

  it('takes only a whole body that is all data', () => {
    const data = '"data":{"count":1}'
    const expected = '{"box":null,"thing":null,"count":1,"weight":null}'
    const lenient = shapeOf(parse('{ thing { id } count weight }'))
    const without = expected.replace('"box":null,', '')
    expect(lenient.pass(`{${data}}`)).toBe(without)
    expect(lenient.pass(`{${data}}\n`)).toBe(without)
    expect(lenient.pass(`{${data},"extensions":{"a": [1]}}`)).toBe(without)
    for (const body of [
      ...['', '{', `{${data}`, `{${data}}x`, `{${data},"errors":[]}`, `{"errors":[{"message":"m"}],${data}}`],
      ...[`{${data},"extensions":{]}`, '{"data":null}', '{"data":{}}', '{"data":{"other":1}}', ` {${data}}`],
      ...[
        '{"data":{"count":1,}}',
        '{"data":{"count":1]}',
        '{"data":{"count"1}}',
        '{"data":{count:1}}',
        '{"data":{"count";1}}',
      ],
    ])
      expect(lenient.pass(body), body).toBeUndefined()
    const foreign = Buffer.from(`{"data":{"thing":{"__typename":"Bag","id":"é"},"count":1}}`, 'latin1')
    expect(lenient.pass(foreign)).toBeUndefined()
  })

  it("takes the type's name out where the client did not ask for it", () => {
    const short = shapeOf(parse('{ thing { text } }'))
    expect(short.pass('{"data":{"thing":{"__typename":"Bag","text":"a"}}}')).toBe('{"thing":{"text":"a"}}')
    const bare = shapeOf(
      parse('{ thing { ... on Box { size } } any { ... on Lid { open } ... on Box { size } } }'),
    )
    const body =
      '{"data":{"thing":{"__typename":"Bag"},"any":[{"__typename":"Lid","open":true},null,{"__typename":"Box","size":1}]}}'
    expect(bare.pass(body)).toBe('{"thing":{},"any":[{"open":true},null,{"size":1}]}')
    expect(bare.pass(body.replace('"Bag"', '"Sack"'))).toBeUndefined()
    expect(bare.pass(body.replace('"Bag"', '"Thing"'))).toBeUndefined()
  })

  it('stands beside data that was read, in the order of the client', () => {
    const both = shapeOf(parse('{ count box { size } weight text }'))
    const read = { weight: 2, text: 'é', box: { size: 1 } }
    expect(both.pass('{"data":{"count":1.0}}', {}, read)).toBeUndefined()
    expect(both.pass('{"data":{"count":1}}', {}, read)).toBe(
      '{"count":1,"box":{"size":1},"weight":2,"text":"é"}',
    )
    expect(both.pass('{"data":{"box":{"size":5}}}', {}, { ...read, text: null })).toBeUndefined()
  })

  it('is for many kilobytes, too', () => {
    const long = shapeOf(parse('{ free text }'))
    const free = Array.from({ length: 10_000 }, (_, n) => ({ n, text: 'é' }))
    const body = JSON.stringify({ data: { free, text: 'ü' } })
    expect(long.pass(body)).toBe(JSON.stringify({ free, text: 'ü' }))
  })

  it('is seldom tried where answers had to be read time and again, until one passes', () => {
    const { pass, passes } = shapeOf(parse('{ count }'))
    const turns = (times: number) => Array.from({ length: times }, passes).filter(Boolean).length
    expect(turns(100)).toBe(100)
    for (let n = 0; n < 8; n++) pass('{ "data": { "count": 1 } }')
    expect(turns(640)).toBe(10)
    expect(pass('{"data":{"count":1}}')).toBe('{"count":1}')
    expect(turns(100)).toBe(100)
  })
})
