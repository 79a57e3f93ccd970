/**
 * Every kind over every backend, by the same cases: what is kept in memory and in Redis behaves alike. In Redis two
 * gateways take turns, so that what one has kept is known to the other.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProofMemory } from '../../../gateway/auth/authenticate/index.ts'
import { createLedger } from '../../../gateway/costs/quota/index.ts'
import { createRates } from '../../../gateway/costs/rate/index.ts'
import { createRemainderStore } from '../../../gateway/mcp/index.ts'
import { createOutcomes } from '../../../gateway/pipeline/idempotency/index.ts'
import { createDocumentStore } from '../../../gateway/pipeline/persisted/index.ts'
import { apartStores, createRedisStores, memoryStores, type Stores } from '../../../gateway/stores/index.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { type RedisServer, startRedis, withRedis } from '../../support/redis.ts'

const log = createLogger({ level: 'silent' })
const hour = 3_600_000

/** Keys of earlier runs are there, too. */
let runs = 0
const fresh = (): string => `run${++runs}`

function everyKind(open: () => { readonly stores: Stores; readonly gateways: number }): void {
  /** What each gateway makes of it; in turns. */
  function inTurns<Kept extends { close(): unknown }>(create: (stores: Stores) => Kept) {
    const { stores, gateways } = open()
    const all = Array.from({ length: gateways }, () => create(stores))
    let turn = 0
    return {
      next: (): Kept => all[turn++ % gateways] as Kept,
      async [Symbol.asyncDispose]() {
        for (const each of all) await each.close()
      },
    }
  }
  const runsOf = (most: number) => ({ numRuns: open().stores.isShared ? 3 : most })

  test('outcomes are a map whose entries are exchanged in one step', async () => {
    await using outcomes = inTurns((stores) => createOutcomes(stores, { mostCharacters: 1e6 }))
    const value = fc.constantFrom(undefined, 'x', 'y')
    const swap = fc.record({ key: fc.constantFrom('1', '2', '3'), expected: value, next: value })
    await fc.assert(
      fc.asyncProperty(fc.array(swap, { maxLength: 40 }), async (swaps) => {
        const caller = fresh()
        const model = new Map<string, string>()
        for (const { key, expected, next } of swaps) {
          const before = model.get(key)
          expect(await outcomes.next().swap({ caller, key }, expected, next, hour)).toBe(before)
          if (before !== expected) continue
          if (next === undefined) model.delete(key)
          else model.set(key, next)
        }
      }),
      runsOf(100),
    )
    expect(Math.abs((await outcomes.next().now()) - Date.now())).toBeLessThan(hour)
  })

  test('rates take from all buckets or from none', async () => {
    await using rates = inTurns((stores) => createRates(stores))
    // So long that nothing comes back during the test.
    const tokenMs = 24 * hour
    const costs = fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.array(costs, { maxLength: 20 }), async (all) => {
        const run = fresh()
        const held = [0, 0]
        for (const each of all) {
          const isGranted = each.every((cost, n) => (held[n] ?? 0) + cost <= 4)
          if (isGranted) for (const [n, cost] of each.entries()) held[n] = Math.max(0, (held[n] ?? 0) + cost)
          const takes = each.map((cost, n) => ({
            key: `${run}-${n}`,
            costMs: cost * tokenMs,
            capacityMs: 4 * tokenMs,
          }))
          const { granted, levels } = await rates.next().take(takes)
          expect(granted).toBe(isGranted)
          expect(levels.map((level) => Math.max(0, Math.round(level / tokenMs)))).toEqual(
            held.slice(0, each.length),
          )
        }
      }),
      runsOf(100),
    )
  })

  test('a proof is new once', async () => {
    await using proofs = inTurns((stores) => createProofMemory(stores))
    const run = fresh()
    const seen = new Set<string>()
    for (const id of ['a', 'b', 'a', 'a', 'b', 'c']) {
      expect(await proofs.next().take(`${run} ${id}`, hour)).toBe(!seen.has(id))
      seen.add(id)
    }
  })

  test('a document is found by its hash, and is in the memory of who has asked for it', async () => {
    await using documents = inTurns(createDocumentStore)
    const text = `{ ${fresh()} }`
    expect(await documents.next().get(hashOf(text))).toBeUndefined()
    await documents.next().set(hashOf(text), text)
    for (let n = 0; n < 2; n++) expect(await documents.next().get(hashOf(text))).toBe(text)
    for (let n = 0; n < 2; n++) expect(documents.next().peek(hashOf(text))).toBe(text)
  })

  test('a rest is found by its handle, only by its caller, until sixteen newer ones are there', async () => {
    await using rests = inTurns((stores) => createRemainderStore(stores))
    const caller = fresh()
    const handles: string[] = []
    for (let n = 0; n < 18; n++) handles.push((await rests.next().put(caller, `rest ${n}`)) ?? '')
    const found = await Promise.all(handles.map((handle) => rests.next().get(caller, handle)))
    expect(found).toEqual(handles.map((_, n) => (n < 2 ? undefined : `rest ${n}`)))
    expect(await rests.next().get('another', handles[5] ?? '')).toBeUndefined()
    expect(await rests.next().get(caller, 'no handle')).toBeUndefined()
    expect(await rests.next().put(caller, 'x'.repeat(4_000_001))).toBeUndefined()
  })

  test('the ledger grants what is left, and counts what was spent', async () => {
    await using ledgers = inTurns((stores) => createLedger(stores, { log, away: 'share' }))
    const account = { credential: fresh(), day: '2026-01-01', endsAt: Date.now() + hour }
    const reserve = async (id: string, units: number) =>
      (await ledgers.next().reserve(account, id, units, 10)).granted
    const first = ledgers.next()
    expect((await first.reserve(account, 'a', 6, 10)).granted).toBe(true)
    expect(await reserve('b', 5)).toBe(false)
    await first.settle(account, 'a', { list: { units: 2, calls: 1 } })
    expect(await reserve('c', 8)).toBe(true)
    expect(await ledgers.next().read(account)).toEqual({
      used: 2,
      reserved: 8,
      closed: false,
      operations: { list: { units: 2, calls: 1 } },
    })
    await ledgers.next().shut(account)
    expect(await reserve('d', 0)).toBe(false)
  })
}

describe('in memory', () => everyKind(() => ({ stores: memoryStores, gateways: 1 })))

describe.skipIf(!withRedis('every kind in Redis'))('in Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  everyKind(() => ({ stores: createRedisStores({ url: redis.url, log }), gateways: 2 }))
})

test('processes that share nothing refuse what would be wrong in each of them', async () => {
  const outcomes = createOutcomes(apartStores, { mostCharacters: 1e6 })
  await expect(outcomes.swap({ caller: 'a', key: 'b' }, undefined, 'x', hour)).rejects.toMatchObject({
    extensions: { code: 'IDEMPOTENCY_UNAVAILABLE' },
  })
  expect(await createRemainderStore(apartStores).put('a', 'rest')).toBeUndefined()
})
