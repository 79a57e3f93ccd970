/** Operations are prepared once: one syntax tree for a text, whatever operation of it is asked for, within one memory. */
import { expect, test, vi } from 'vitest'
import { isRefused, type Operation } from '../../../gateway/auth/granted-operation.ts'
import { Operations, type OperationsOptions } from '../../../gateway/pipeline/operations.ts'
import { PreparationQueue, type Work } from '../../../gateway/pipeline/preparation-queue.ts'
import { createTextReader } from '../../../gateway/pipeline/read-document.ts'
import { coordinatesOf } from '../../../gateway/telemetry/usage/index.ts'
import { runToEnd } from '../../../shared/runtime/steps.ts'
import { operationsOptions } from '../../support/operations-options.ts'

async function stage(preparations: OperationsOptions['preparations'] = new PreparationQueue(100)) {
  const options = await operationsOptions(
    'type Query { a: Int things: [Thing] } type Thing { b: Int } type Subscription { b: Int }',
  )
  const { apiSchema, limits, introspection } = options
  const read = vi.fn(createTextReader({ schema: apiSchema, limits, introspection }))
  const operations = new Operations({ ...options, preparations, readText: read })
  return { operations, kept: options.kept, read }
}

test('a document is read once for all of its operations', async () => {
  const { operations, read } = await stage()
  const text = 'query A { a } query B { things { b } } query C { a things { b } }'
  const prepared = await Promise.all(['A', 'B', 'C', 'A'].map((name) => operations.get(text, name)))
  const trees = prepared.map((each) => (isRefused(each) ? undefined : (each as Operation).document))
  expect(trees[0]).toBeDefined()
  expect(new Set(trees).size).toBe(1)
  expect(read).toHaveBeenCalledTimes(1)
})

test('the document of an operation has all that the client wrote, so that its use is counted', async () => {
  const { operations } = await stage()
  const text = '{ things { b } ... @defer(label: "later") { a } }'
  const { document, name } = (await operations.get(text, undefined)) as Operation
  const { apiSchema } = await operationsOptions('type Query { a: Int }')
  expect(coordinatesOf(document, name, apiSchema)).toContain('@defer')
})

test.each([
  ['query', 'query { a }'],
  ['subscription', 'subscription { b }'],
])('hundreds of first requests for one %s take one place in line, whoever asks', async (_, text) => {
  const { operations, read } = await stage(new PreparationQueue(2))
  const deadline = performance.now() + 60_000
  // Something else has the first turn, so that the others wait.
  await Promise.all([
    operations.get('{ things { b } }', undefined, deadline),
    ...Array.from({ length: 300 }, async () => {
      const operation = await operations.get(text, undefined, deadline)
      if (isRefused(operation)) throw operation[0]
      const granted = await operation.grantedTo({ authenticated: false, scopes: [] } as never, deadline)
      expect(granted).toMatchObject({ operation })
    }),
  ])
  expect(read).toHaveBeenCalledTimes(2)
})

test('a text that is refused is read once for all who wait for it', async () => {
  const { operations, read } = await stage(new PreparationQueue(2))
  const first = operations.get('{ a }', undefined)
  const refused = await Promise.all(Array.from({ length: 50 }, () => operations.get('{ c }', undefined)))
  await first
  expect(new Set(refused).size).toBe(1)
  expect(read).toHaveBeenCalledTimes(2)
})

test('operations of one document, and other documents, do not share a place', async () => {
  const keys: string[] = []
  const { operations } = await stage({
    joining: () => (key, _, work) => {
      keys.push(key)
      return runToEnd(work)
    },
  })
  const two = 'query A { a } query B { things { b } }'
  for (const [text, name] of [
    [two, 'A'],
    [two, 'B'],
    [two, undefined],
    [`${two} `, 'A'],
    ['{ a }', undefined],
  ] as const)
    await operations.get(text, name)
  expect(new Set(keys).size).toBe(5)
  const a = (await operations.get('{ a }', undefined)) as Operation
  const b = (await operations.get('{ things { b } }', undefined)) as Operation
  keys.length = 0
  for (const each of [a, b]) await each.grantedTo({ authenticated: false, scopes: [] } as never)
  expect(new Set(keys).size).toBe(2)
})

test('a long operation is read, authorized and planned in many steps, a short one in few', async () => {
  const steps: number[] = []
  const counted = <Made>(work: Work<Made>): Made => {
    const made = work()
    for (let count = 1; ; count++) {
      const step = made.next()
      if (step.done !== true) continue
      steps.push(count)
      return step.value
    }
  }
  const { operations } = await stage({ joining: () => (_key, _deadline, work) => counted(work) })
  const prepared = async (text: string): Promise<readonly number[]> => {
    steps.length = 0
    const operation = await operations.get(text, undefined)
    if (isRefused(operation)) throw operation[0]
    await operation.grantedTo({ authenticated: false, scopes: [] } as never)
    return [...steps]
  }
  // Of reading, then of authorizing and planning.
  const [shortRead = 0, shortPlan = 0] = await prepared('{ a }')
  const things = ` things { ${'... on Thing { b } '.repeat(12)} }`.repeat(40)
  const long = `{ a${things} }`
  const [longRead = 0, longPlan = 0] = await prepared(long)
  expect([shortRead, shortPlan]).toEqual([3, 4])
  // The rules of validation some at a time, and the search after each few hundred steps.
  expect(longRead).toBeGreaterThan(5)
  expect(longPlan).toBeGreaterThanOrEqual(shortPlan)
})

test('a text that was refused is refused again without being read', async () => {
  const { operations, read } = await stage()
  const [first, second] = [await operations.get('{ b }', undefined), await operations.get('{ b }', undefined)]
  expect(isRefused(first) && first[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
  expect(second).toBe(first)
  expect(isRefused(first) && first[0]?.locations).toEqual([{ line: 1, column: 3 }])
  expect(read).toHaveBeenCalledTimes(1)
})

test('fragments that are spread often weigh what they expand to', async () => {
  const { operations } = await stage()
  const grown = async (fields: number, things: number): Promise<number> => {
    const before = operations.cacheBytes
    const text = `{ ${'things { ...F } '.repeat(things)} } fragment F on Thing { ${'b '.repeat(fields)} }`
    const operation = await operations.get(text, undefined)
    if (isRefused(operation)) throw operation[0]
    return operations.cacheBytes - before
  }
  const [both, some, others] = [await grown(50, 40), await grown(50, 1), await grown(1, 40)]
  // Each of 2000 selections is an object.
  expect(both).toBeGreaterThan(some + others + 2000 * 64)
})

test('what is kept stays within its bytes, however many documents come', async () => {
  const { operations, kept } = await stage()
  const filler = ' things { b }'.repeat(20)
  for (let i = 0; i < 400; i++) {
    const operation = await operations.get(`query Q${i} { a${filler} }`, undefined)
    if (isRefused(operation)) throw operation[0]
    await operation.grantedTo({ authenticated: false, scopes: [] } as never)
    expect(kept.bytes).toBeLessThanOrEqual(1_000_000)
  }
  expect(kept.bytes).toBeGreaterThan(500_000)
})

test.each([
  ['a mutation where there are none', 'mutation { x }', 'GRAPHQL_VALIDATION_FAILED'],
  ['a subscription', 'subscription { x }', 'GRAPHQL_VALIDATION_FAILED|BAD_REQUEST'],
])('%s is the fault of the client', async (_, text, code) => {
  const { operations } = await stage()
  const refused = await operations.get(text, undefined)
  expect(isRefused(refused) && String(refused[0]?.extensions.code)).toMatch(new RegExp(code))
})
