/** Objects at a path, collected by code that names its keys, against the plain way. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import type { JsonObject } from '../../../../../gateway/engine/execute/merge.ts'
import { compileObjectsAt } from '../../../../../gateway/engine/execute/objects-at-path.ts'
import type { PlanPath } from '../../../../../gateway/engine/plan/index.ts'

afterEach(() => runPlainly(readPlain(process.env.TESSERA_PLAIN)))

const possibleTypes = new Map([['Any', new Set(['A', 'B'])]])

const step = fc.constantFrom<PlanPath[number]>(
  { kind: 'field', key: 'a' },
  { kind: 'field', key: 'b' },
  { kind: 'list' },
  { kind: 'type', types: ['A'] },
  { kind: 'type', types: ['Any'] },
)
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom<unknown>(1, 'text', null, undefined),
    fc.array(tie('data'), { maxLength: 3 }),
    fc.record({ __typename: fc.constantFrom('A', 'B', 'C', 7), a: tie('data'), b: tie('data') }),
    fc.record({ a: tie('data') }),
  ),
}))

const roots = fc.record({ a: fc.array(data), b: data })

const many = { a: Array.from({ length: 300 }, () => ({ a: {}, b: {} })) }

/** What is found there, once code has been made. */
function collected(path: PlanPath, value: unknown): readonly JsonObject[] {
  const noted: number[] = []
  const objects = compileObjectsAt(path, possibleTypes, (bytes) => noted.push(bytes))
  const found: JsonObject[] = []
  // A path that leads nowhere there leads to the value itself.
  for (let turn = 0; turn < 250 && noted.length === 0; turn++) {
    objects.collect(many, [])
    objects.collect(value as JsonObject, [])
  }
  objects.collect(value as JsonObject, found)
  return found
}

test('what is found is what the plain way finds, in its order', () => {
  let some = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), roots, (path, value) => {
      runPlainly([])
      const found = collected(path, value)
      runPlainly(['objects-at'])
      const plain = collected(path, value)
      expect(found.length).toBe(plain.length)
      for (const [at, object] of plain.entries()) expect(found[at]).toBe(object)
      some += found.length
    }),
    { numRuns: 300 },
  )
  expect(some).toBeGreaterThan(100)
})

test('a key that objects inherit leads to own members alone', () => {
  const path: PlanPath = [{ kind: 'field', key: 'constructor' }]
  const own = { constructor: { x: 1 } }
  expect(collected(path, [own, {}, { constructor: null }] as never)).toEqual([{ x: 1 }])
})

test('`__proto__` leads to own members alone, and never to a prototype', () => {
  const path: PlanPath = [{ kind: 'field', key: 'a' }, { kind: 'list' }, { kind: 'field', key: '__proto__' }]
  const value = JSON.parse('{ "a": [{ "__proto__": { "x": 1 } }, {}, { "__proto__": null }] }')
  expect(collected(path, value)).toEqual([{ x: 1 }])
})

/** A path of so many steps that leads to the objects of type `A` of a list. */
const steps = (count: number): PlanPath =>
  Array.from({ length: count }, () => ({ kind: 'type', types: ['A'] }) as const)

/** The bytes of code that are said to be kept after that many objects have been collected one by one. */
function notedAfter(count: number, path: PlanPath): readonly number[] {
  const noted: number[] = []
  const objects = compileObjectsAt(path, possibleTypes, (bytes) => noted.push(bytes))
  for (let turn = 0; turn < count; turn++) objects.collect({ __typename: 'A' }, [])
  return noted
}

test('code is made once, after 200 objects, and its size is told', () => {
  runPlainly([])
  expect(notedAfter(200, steps(2))).toEqual([])
  expect(notedAfter(201, steps(2))).toHaveLength(1)
  const [bytes = 0, ...more] = notedAfter(500, steps(2))
  expect(more).toEqual([])
  // Each step is a function, whose text is kept and compiled.
  const [longer = 0] = notedAfter(500, steps(12))
  expect(longer - bytes).toBeGreaterThan(10 * 200)
})

test('no code is made for a long path, nor where none is to be made', () => {
  runPlainly([])
  expect(notedAfter(300, steps(50))).toHaveLength(1)
  expect(notedAfter(300, steps(51))).toEqual([])
  runPlainly(['objects-at'])
  expect(notedAfter(300, steps(2))).toEqual([])
})

test('code is made for keys as for types, by what was found and not by what had been', () => {
  runPlainly([])
  const noted: number[] = []
  const path: PlanPath = [{ kind: 'field', key: 'a' }]
  const objects = compileObjectsAt(path, possibleTypes, (bytes) => noted.push(bytes))
  const found: JsonObject[] = []
  for (let turn = 0; turn < 200; turn++) objects.collect({ a: {} }, found)
  expect(noted).toEqual([])
  objects.collect({ a: {} }, found)
  expect(noted).toHaveLength(1)
})

test('objects are collected where nobody asks for the size of the code', () => {
  runPlainly([])
  const objects = compileObjectsAt(steps(1), possibleTypes)
  const found: JsonObject[] = []
  for (let turn = 0; turn < 300; turn++) objects.collect({ __typename: 'A' }, found)
  expect(found).toHaveLength(300)
})
