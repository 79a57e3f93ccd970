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
