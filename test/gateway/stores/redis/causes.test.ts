/** The log names why Redis is away: once for each cause, and never what was sent. */
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { createProofMemory } from '../../../../gateway/auth/authenticate/index.ts'
import { createLedger } from '../../../../gateway/costs/quota/index.ts'
import { createRates } from '../../../../gateway/costs/rate/index.ts'
import { createOutcomes } from '../../../../gateway/pipeline/idempotency/index.ts'
import { createDocumentStore } from '../../../../gateway/pipeline/persisted/index.ts'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { causeOf } from '../../../../gateway/stores/redis/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { listen } from '../../../support/listen.ts'
import { type RedisServer, startRedis, startRedisCluster, withRedis } from '../../../support/redis.ts'

function keptLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const causes = (): string[] =>
    lines.map((line) => JSON.parse(line) as { cause?: string }).flatMap(({ cause = [] }) => cause)
  return { lines, causes, log: createLogger({ level: 'info', destination }) }
}

/** Asks for proofs in Redis, and tells what the log says of that. */
function proofsAt(url: string) {
  const kept = keptLog()
  const memory = createProofMemory(createRedisStores({ url, log: kept.log }))
  let taken = 0
  const take = () => memory.take(`proof ${taken++}`, 60_000)
  return {
    ...kept,
    take,
    async areBack() {
      const lastLine = async () => {
        await take()
        return kept.lines.at(-1)
      }
      await expect.poll(lastLine, { interval: 500 }).toContain('DPoP proofs are back')
    },
    async [Symbol.asyncDispose]() {
      await memory.close()
    },
  }
}

/** The address of a user with these rules. */
async function userOf(redis: RedisServer, ...rules: string[]): Promise<string> {
  await redis.command('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>hunter2', ...rules)
  return redis.url.replace('//', '//gateway:hunter2@')
}

test('a server without a command may be a Sentinel, which the remedy says', () => {
  const error = Object.assign(new Error("ERR unknown command 'EVAL', with args beginning with: "), {
    name: 'ReplyError',
    command: { name: 'eval' },
  })
  expect(causeOf(error).cure).toContain('a Sentinel has not: name the primary')
})

describe.skipIf(!withRedis('causes of an outage of Redis'))('the log', () => {
  const kinds: [string, string[], (redis: RedisServer) => Promise<string>, RegExp][] = [
    ['the user lacks keys', [], (redis) => userOf(redis, '+@all', '~other:*'), /SET: NOPERM/],
    ['the user lacks the command', [], (redis) => userOf(redis, '+@all', '-set', '~*'), /SET: NOPERM/],
    ['the password is wrong', [], async ({ url }) => url.replace('//', '//:hunter2@'), /requires|password/],
    ['memory is full', ['--maxmemory', '200kb'], async ({ url }) => url, /SET: OOM/],
    ['the command has no such name', ['--rename-command', 'SET', ''], async ({ url }) => url, /command SET/],
    ['the database is not there', [], async ({ url }) => `${url}/99`, /database/],
  ]
  test.each(kinds)('names the cause once if %s', async (_what, settings, address, expected) => {
    const rules = expected.source.includes('password') ? ['--requirepass', 'another'] : settings
    await using redis = await startRedis({ settings: rules })
    await using proofs = proofsAt(await address(redis))
    for (let times = 0; times < 2; times++) expect(await proofs.take()).toBe(true)
    expect(proofs.causes()).toEqual([expect.stringMatching(expected)])
    expect(proofs.lines.join('')).not.toContain('hunter2')
  })

  test('names another cause when it changes, and says that it is back when that is over', async () => {
    await using redis = await startRedis()
    await using proofs = proofsAt(await userOf(redis, '+@all', '~other:*'))
    await proofs.take()
    await userOf(redis, '+@all', '~*')
    await redis.command('CONFIG', 'SET', 'maxmemory', '200kb')
    // The user is another one now, because the connection is a new one.
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal')
    const lastCause = async () => {
      await proofs.take()
      return proofs.causes().at(-1)
    }
    await expect.poll(lastCause).toMatch(/SET: OOM/)
    expect(proofs.causes()[0]).toMatch(/SET: NOPERM/)
    await redis.command('CONFIG', 'SET', 'maxmemory', '0')
    await proofs.areBack()
  })

  test('names `maxclients` if the server closes connections at once', async () => {
    await using redis = await startRedis()
    const held = new Redis(redis.url)
    await held.call('CONFIG', 'SET', 'maxclients', '1')
    await using proofs = proofsAt(redis.url)
    await proofs.take()
    expect(proofs.causes()).toEqual(['it closes connections at once'])
    expect(proofs.lines.join('')).toContain('maxclients')
    held.disconnect()
  })

  test('says that something else answers at the address', async () => {
    await using server = await listen(
      createServer((_, response) => response.end('a page')),
      'redis',
    )
    await using proofs = proofsAt(server.url)
    await proofs.take()
    expect(proofs.causes()).toEqual(['what answers there is no Redis'])
  })

  test('names a replica once, although the gateway connects again and again to find the primary', async () => {
    await using redis = await startRedis()
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    await using proofs = proofsAt(redis.url)
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await redis.command('INFO', 'stats'))?.[1])
    const before = await connections()
    let commands = 0
    do await proofs.take()
    while ((await connections()) - before - ++commands < 4)
    expect(proofs.causes().filter((cause) => cause.includes('READONLY'))).toHaveLength(1)
    expect(proofs.lines.join('')).not.toContain('proofs are back')
    await redis.command('REPLICAOF', 'NO', 'ONE')
    await proofs.areBack()
  })

  test.each([
    ['a text', ['SET', 'KEY', 'x']],
    ['another type', ['LPUSH', 'KEY', 'x']],
  ])('names a key that holds %s of somebody else', async (_, write) => {
    await using redis = await startRedis()
    const { causes, lines, log } = keptLog()
    const rates = createRates(createRedisStores({ url: redis.url, log }))
    await redis.command(...write.map((word) => (word === 'KEY' ? '{tessera:rate}:a' : word)))
    expect((await rates.take([{ key: 'a', costMs: 1, capacityMs: 10 }])).granted).toBe(true)
    expect(causes()).toEqual([expect.stringMatching(/^a key holds what no gateway has written/)])
    expect(lines.join('')).toContain('delete those of this feature')
    await rates.close()
  })

  test('names it for every feature, also of what a script may not do, and with 503', async () => {
    await using redis = await startRedis()
    const url = await userOf(redis, '+@all', '-hset', '-get', '-zadd', '~*')
    const { causes, log } = keptLog()
    const rates = createRates(createRedisStores({ url, log }))
    expect((await rates.take([{ key: 'a', costMs: 1, capacityMs: 10 }])).granted).toBe(true)
    expect(causes()).toEqual([expect.stringMatching(/EVAL: NOPERM/)])
    const documents = createDocumentStore(createRedisStores({ url, log }))
    await documents.set('0'.repeat(64), '{ a }')
    expect(causes()[1]).toMatch(/EVAL: NOPERM/)
    const outcomes = createOutcomes(createRedisStores({ url, log }), { mostCharacters: 1e6 })
    await expect(outcomes.swap({ caller: 'a', key: 'b' }, undefined, '{}', 1000)).rejects.toMatchObject({
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE' },
    })
    expect(causes()[2]).toMatch(/EVAL: NOPERM/)
    await rates.close()
    documents.close()
    outcomes.close()
  })

  test('names replicas that are not there', async () => {
    await using redis = await startRedis()
    const { causes, log } = keptLog()
    const ledger = createLedger(createRedisStores({ url: redis.url, log, replicas: 1 }), {
      log,
      away: 'share',
    })
    const account = { credential: 'a', day: '2026-01-01', endsAt: Date.now() + 60_000 }
    await ledger.reserve(account, 'id', 1, undefined)
    expect(causes()).toEqual([expect.stringMatching(/TESSERA_REDIS_REPLICAS/)])
    await ledger.close()
  })

  test('names a node of a cluster', async () => {
    await using cluster = await startRedisCluster()
    // One of these is on another node.
    await using proofs = proofsAt(cluster.urls[0] ?? '')
    const taken = async (): Promise<string[]> => {
      await proofs.take()
      return proofs.causes()
    }
    await expect.poll(taken).toContainEqual(expect.stringMatching(/node of a cluster/))
    for (const _ of Array(30)) await taken()
    expect(proofs.causes().filter((cause) => /node of a cluster/.test(cause))).toHaveLength(1)
  })
})

describe.skipIf(!withRedis('databases of Redis'))('a database', () => {
  test('that the server does not have is no connection, and nothing is written into database 0', async () => {
    await using redis = await startRedis()
    await using proofs = proofsAt(`${redis.url}/99`)
    for (let n = 0; n < 20; n++) await proofs.take()
    expect((await redis.command('DBSIZE')).trim()).toBe('0')
  })

  test('that it has is used', async () => {
    await using redis = await startRedis()
    await using proofs = proofsAt(`${redis.url}/3`)
    await proofs.take()
    const third = new Redis(`${redis.url}/3`)
    expect(await third.keys('*')).toEqual(['tessera:dpop:proof 0'])
    third.disconnect()
    expect(proofs.lines).toEqual([])
  })
})
