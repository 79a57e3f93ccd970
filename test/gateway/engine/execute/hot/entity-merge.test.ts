/** Entities merged by code that names their fields, against the plain way. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import {
  compileEntityMerge,
  type MergeEntity,
} from '../../../../../gateway/engine/execute/hot/entity-merge.ts'
import { copy, type JsonObject, merge } from '../../../../../gateway/engine/execute/merge.ts'

afterEach(() => runPlainly(readPlain(process.env.TESSERA_PLAIN)))

const abstractTypes = new Map([['Node', new Set(['A'])]])

/** Past the entities for which no code is made. */
function warm(merged: MergeEntity): MergeEntity {
  for (let turn = 0; turn < 250; turn++) merged({}, {})
  return merged
}

const noted: number[] = []
const compiled = (keys: readonly string[]): MergeEntity =>
  warm(compileEntityMerge({ keys, abstractTypes, noteKept: (bytes) => noted.push(bytes) }))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown>(1, '', 'text', true, null, undefined),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record(
      { __typename: fc.constantFrom('A', 'Node'), a: tie('value'), b: tie('value') },
      { requiredKeys: [] },
    ),
  ),
}))
const object = fc.record(
  { __typename: fc.constantFrom('A', 'B', 'Node', null, undefined), id: value, name: value, list: value },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>

const keys = ['id', 'name', 'list']

test('what is merged is what the plain way merges, whether parts are copied or not', () => {
  const mergeEntity = compiled(keys)
  fc.assert(
    fc.property(object, object, fc.boolean(), (target, source, copies) => {
      const [plainly, quickly] = [structuredClone(target), structuredClone(target)]
      const [given, same] = [structuredClone(source), structuredClone(source)]
      merge(plainly, given, abstractTypes, copies ? copy : undefined)
      mergeEntity(quickly, same, copies ? copy : undefined)
      expect(quickly).toEqual(plainly)
      for (const key of keys) expect(quickly[key] === same[key], key).toBe(plainly[key] === given[key])
    }),
    { numRuns: 3000 },
  )
  expect(noted.length).toBeGreaterThan(0)
})

test.each([
  ['a key that objects inherit', ['id', 'constructor']],
  ['more keys than code has', ['id', ...Array.from({ length: 100 }, (_, at) => `key${at}`)]],
])('%s is merged plainly', (_, all) => {
  const target: JsonObject = { id: '1' }
  compiled(all)(target, { constructor: 'x', other: 1 } as never)
  expect(target).toEqual({ id: '1', constructor: 'x', other: 1 })
})

test('what was not asked for is merged plainly alone', () => {
  const asked: JsonObject = {}
  compiled(keys)(asked, { id: 1, other: 2 })
  expect(asked).toEqual({ id: 1 })
  runPlainly(['entity-merge'])
  const plain: JsonObject = {}
  compiled(keys)(plain, { id: 1, other: 2 })
  expect(plain).toEqual({ id: 1, other: 2 })
})

/** The bytes of code that are said to be kept after so many entities. */
function notedAfter(count: number, all: readonly string[]): readonly number[] {
  const sizes: number[] = []
  const mergeEntity = compileEntityMerge({
    keys: all,
    abstractTypes,
    noteKept: (bytes) => sizes.push(bytes),
  })
  for (let turn = 0; turn < count; turn++) mergeEntity({}, { id: 1 })
  return sizes
}

test('code is made once, for the 200th entity, and its size is told', () => {
  runPlainly([])
  expect(notedAfter(199, keys)).toEqual([])
  const [bytes = 0, ...more] = notedAfter(500, keys)
  expect(more).toEqual([])
  expect(notedAfter(200, keys)).toEqual([bytes])
  const [larger = 0] = notedAfter(200, [...keys, ...Array.from({ length: 10 }, (_, at) => `key${at}`)])
  expect(larger - bytes).toBeGreaterThan(10 * 200)
})

test('code is made for up to a hundred keys, and where it may be', () => {
  runPlainly([])
  const many = Array.from({ length: 101 }, (_, at) => `key${at}`)
  expect(notedAfter(200, many.slice(0, 100))).toHaveLength(1)
  expect(notedAfter(200, many)).toEqual([])
  runPlainly(['entity-merge'])
  expect(notedAfter(200, keys)).toEqual([])
})

test('entities are merged where nobody asks for the size of the code', () => {
  runPlainly([])
  const mergeEntity = warm(compileEntityMerge({ keys, abstractTypes }))
  const target: JsonObject = { id: 1 }
  mergeEntity(target, { name: 'a' })
  expect(target).toEqual({ id: 1, name: 'a' })
})
