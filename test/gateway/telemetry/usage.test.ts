import fc from 'fast-check'
import { buildSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import {
  coordinatesOf,
  createUsage,
  mergeUsage,
  othersIn,
  type ProcessUsage,
  readUsage,
  usesIn,
} from '../../../gateway/telemetry/usage/index.ts'

const reportOf = (...processes: ProcessUsage[]) =>
  ({ format: 'tessera-usage', version: 1, deprecated: {}, processes }) as const

test('an operation uses its fields, arguments, values and types, and no value of a client is reported', () => {
  const schema = buildSchema(
    'type Query { a(x: Int, in: In, e: E): T } type T { b: Int } enum E { K L } input In { s: String t: Int }',
  )
  const document = parse(
    'query A($x: Int) { a(x: $x, in: { s: "hunter2" }, e: K) { b __typename } } query B { a { b } }',
  )
  expect(coordinatesOf(document, 'A', schema).join(' ')).toBe(
    '$Int E.K In In.s In.t- Query.a Query.a(e:) Query.a(in:) Query.a(x:) T.b',
  )
  expect(coordinatesOf(document, 'B', schema).join(' ')).toBe(
    'Query.a Query.a(e:)- Query.a(in:)- Query.a(x:)- T.b',
  )
})

test('fragments of other operations of the document do not count', () => {
  const schema = buildSchema('type Query { a: T b: T } type T { c: Int d: Int old: Int }')
  const document = parse(
    'query A { a { ...Outer } } query B { b { ...Old } } fragment Outer on T { ...Inner c } fragment Inner on T { d } fragment Old on T { old }',
  )
  expect(coordinatesOf(document, 'A', schema)).toEqual(['Query.a', 'T', 'T.c', 'T.d'])
  expect(coordinatesOf(document, 'B', schema)).toEqual(['Query.b', 'T', 'T.old'])
})

test('clients whose names and versions have spaces are counted apart', () => {
  const usage = createUsage(10)
  for (const client of [
    { name: 'web', version: 'app 1' },
    { name: 'web app', version: '1' },
  ])
    usage.count({ hash: 'a', name: undefined }, client, () => ['Query.a'])
  expect(usage.report().uses).toMatchObject([
    { client: 'web app', version: '1', count: 1 },
    { client: 'web', version: 'app 1', count: 1 },
  ])
})

test('no more entries are reported than allowed, and the sum for each field is right', () => {
  const request = fc.record({
    hash: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    client: fc.constantFrom(undefined, 'web', 'ios'),
    version: fc.constantFrom(undefined, '1', '2'),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (requests, most) => {
      const usage = createUsage(most)
      const expected = new Map<string, number>()
      for (const { hash, client, version } of requests) {
        const coordinates = [`Query.${hash}`, 'Query.all']
        for (const each of coordinates) expected.set(each, (expected.get(each) ?? 0) + 1)
        const named = client === undefined ? undefined : { name: client, version }
        usage.count({ hash, name: undefined }, named, () => coordinates)
      }
      const told = usage.report()
      const report = readUsage(JSON.stringify(reportOf(told)))
      expect(report).toBeDefined()
      expect(told.uses.length).toBeLessThanOrEqual(most)
      expect(told.operations.length).toBeLessThanOrEqual(most)
      const sums = new Map(othersIn(reportOf(told)))
      for (const { operation, count } of usesIn(reportOf(told)))
        for (const each of operation.coordinates) sums.set(each, (sums.get(each) ?? 0) + count)
      expect([...sums].sort()).toEqual([...expected].sort())
    }),
  )
})

test('an operation that uses more than there is room for is counted only by its fields', () => {
  const usage = createUsage(1)
  const many = Array.from({ length: 200 }, (_, at) => `Query.f${at}`)
  for (let n = 0; n < 3; n += 1) usage.count({ hash: 'a', name: 'A' }, undefined, () => many)
  const told = usage.report()
  expect([told.uses, told.operations, told.others['Query.f7'], told.requests]).toEqual([[], [], 3, 3])
})

test('reports are put together: a process with two reports counts once, with the last one', () => {
  const usage = createUsage(10)
  const ask = (): void =>
    usage.count({ hash: 'a', name: 'A' }, { name: 'web', version: undefined }, () => ['Query.a'])
  ask()
  const early = { ...usage.report(), until: '2026-01-01T00:00:00.000Z' }
  ask()
  const other = createUsage(10)
  other.count({ hash: 'a', name: 'A' }, { name: 'web', version: undefined }, () => ['Query.a'])
  const all = mergeUsage([reportOf(usage.report()), reportOf(early), reportOf(other.report())])
  expect(usesIn(all)).toMatchObject([{ client: 'web', count: 3, operation: { name: 'A' } }])
})

test.each([
  'null',
  '{',
  '{"format":"tessera-usage","version":2}',
  JSON.stringify(reportOf({ ...createUsage(1).report(), id: '\u001b[31m' })),
])('%j is no report', (text) => {
  expect(readUsage(text)).toBeUndefined()
})
