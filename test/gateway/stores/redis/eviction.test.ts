/** Without room Redis lets go of what anybody can store before what protects. */
import { randomBytes } from 'node:crypto'
import { test as anyTest, expect } from 'vitest'
import { createProofMemory } from '../../../../gateway/auth/authenticate/index.ts'
import { createRates } from '../../../../gateway/costs/rate/index.ts'
import { createRemainderStore } from '../../../../gateway/mcp/results/remainder-store.ts'
import { createDocumentStore } from '../../../../gateway/pipeline/persisted/index.ts'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { hashOf } from '../../../../shared/graphql/persisted-operation.ts'
import { type RedisServer, startRedis, withRedis } from '../../../support/redis.ts'

const test = anyTest.skipIf(!withRedis('what Redis evicts'))
const log = createLogger({ level: 'fatal' })
const storesOf = ({ url }: RedisServer) => createRedisStores({ url, log })
const settings = ['--maxmemory-policy', 'volatile-ttl', '--appendonly', 'no']

async function evicted(redis: RedisServer): Promise<number> {
  return Number(/evicted_keys:(\d+)/.exec(await redis.command('INFO', 'stats'))?.[1])
}

async function store(redis: RedisServer, count: number, length: number): Promise<void> {
  const documents = createDocumentStore(storesOf(redis))
  for (let n = 0; n < count; n++) {
    const text = randomBytes(length / 2).toString('hex')
    await documents.set(hashOf(text), text)
  }
  documents.close()
}

/** A megabyte of what is stored finds no room any more. */
async function leaveNoRoom(redis: RedisServer): Promise<void> {
  const used = Number(/used_memory:(\d+)/.exec(await redis.command('INFO', 'memory'))?.[1])
  await redis.command('CONFIG', 'SET', 'maxmemory-samples', '64')
  await redis.command('CONFIG', 'SET', 'maxmemory', String(used - 1_000_000))
  await redis.command('SET', 'other', 'x')
}

/**
 * Takes proofs and tokens of buckets, and resolves to the number of keys that Redis has of them. On a busy machine a
 * command may be late, and is then counted in this process instead.
 */
async function storeProofsAndRates(redis: RedisServer): Promise<Kept> {
  const proofs = createProofMemory(storesOf(redis))
  const rates = createRates(storesOf(redis))
  for (let n = 0; n < 1000; n++) await proofs.take(`proof ${n}`, 120_000)
  // A bucket that is full again may end: it is as one that nobody has taken from. These are empty for an hour.
  const bucket = (n: number) => ({ key: `bucket ${n}`, costMs: 3_600_000, capacityMs: 3_600_000 })
  for (let n = 0; n < 200; n++) expect((await rates.take([bucket(n)])).granted).toBe(true)
  await proofs.close()
  await rates.close()
  const kept = await proofsAndRates(redis)
  expect(kept.proofs).toBeGreaterThan(900)
  expect(kept.rates).toBeGreaterThan(180)
  return kept
}

interface Kept {
  readonly proofs: number
  readonly rates: number
}

async function proofsAndRates(redis: RedisServer): Promise<Kept> {
  const count = async (pattern: string): Promise<number> =>
    Number((await redis.command('EVAL', `return #redis.call('KEYS', '${pattern}')`, '0')).trim())
  return { proofs: await count('*tessera:dpop*'), rates: await count('*tessera:rate*') }
}

test.each([
  ['large', 400, 200_000],
  ['small', 20_000, 400],
])('%s documents push out neither used proofs nor rates', async (_what, count, length) => {
  await using redis = await startRedis({ settings: [...settings, '--maxmemory', '32mb'] })
  const kept = await storeProofsAndRates(redis)
  await store(redis, count, length)
  const size = Number(await redis.command('HGET', 'tessera:documents:sizes', 'sum'))
  expect(size).toBeGreaterThan(10 * 1024 * 1024)
  expect(await proofsAndRates(redis)).toEqual(kept)
  expect(await evicted(redis)).toBe(0)
})

test('if the memory is full, documents are evicted first', async () => {
  await using redis = await startRedis({ settings: [...settings, '--maxmemory', '0'] })
  const kept = await storeProofsAndRates(redis)
  await store(redis, 3000, 1000)
  await leaveNoRoom(redis)
  expect(await evicted(redis)).toBeGreaterThan(100)
  expect(await proofsAndRates(redis)).toEqual(kept)
})

test('if the memory is full, the rests of answers to agents are evicted before proofs and rates', async () => {
  await using redis = await startRedis({ settings: [...settings, '--maxmemory', '0'] })
  const kept = await storeProofsAndRates(redis)
  const rests = createRemainderStore(storesOf(redis))
  for (let n = 0; n < 300; n++) await rests.put(`caller ${n}`, randomBytes(5_000).toString('hex'))
  rests.close()
  await leaveNoRoom(redis)
  expect(await evicted(redis)).toBeGreaterThan(50)
  expect(await proofsAndRates(redis)).toEqual(kept)
})

test('the documents that were used last stay, within their bound', async () => {
  await using redis = await startRedis()
  const text = randomBytes(50).toString('hex')
  const own = createDocumentStore(storesOf(redis))
  await own.set(hashOf(text), text)
  for (let turn = 0; turn < 3; turn++) {
    // Of one second all have the same age, and those whose hash is less go first: this one is used a minute later.
    await redis.command('ZINCRBY', 'tessera:documents:used', '60', hashOf(text))
    await store(redis, 50, 200_000)
    const another = createDocumentStore(storesOf(redis))
    expect(await another.get(hashOf(text))).toBe(text)
    another.close()
  }
  const size = Number(await redis.command('HGET', 'tessera:documents:sizes', 'sum'))
  expect(size).toBeGreaterThan(15 * 1024 * 1024)
  expect(size).toBeLessThanOrEqual(16 * 1024 * 1024)
  own.close()
})
