/** `tessera check` asks Redis what the features ask of it, by users whose rules leave out one thing each. */
import { readFileSync, writeFileSync } from 'node:fs'
import { test as anyTest, expect } from 'vitest'
import { runInProcess } from '../../support/in-process-command.ts'
import { type RedisServer, startRedis, startRedisCluster, withRedis } from '../../support/redis.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'

const test = anyTest.skipIf(!withRedis('what tessera check asks of Redis'))

/** All features that use Redis. */
const features = {
  TESSERA_CONFIG: (() => {
    const path = temporaryFile('tessera.json')
    const rule = { name: 'all', limit: 10, windowSeconds: 60 }
    writeFileSync(path, JSON.stringify({ rateLimits: [rule] }))
    return path
  })(),
  TESSERA_DPOP: 'accept',
  TESSERA_JWT_SECRET: 'a secret of the issuer and this gateway',
  TESSERA_RESPONSE_CACHE_BYTES: '1000000',
}

interface Checked {
  readonly code: number | null
  readonly failed: readonly string[]
  readonly out: string
}

/** Looks again while Redis was late, as on a busy machine it may be. */
async function check(env: Record<string, string>): Promise<Checked> {
  let checked: Checked | undefined
  await until(
    async () => {
      checked = await checkOnce(env)
      return !checked.out.includes('does not answer in time')
    },
    () => `a Redis that answers in time: ${checked?.out}`,
  )
  return checked as Checked
}

async function checkOnce(env: Record<string, string>): Promise<Checked> {
  const { code, out: said, err } = await runInProcess(['check'], env)
  const out = said + err
  expect(out).not.toContain('hunter2')
  const looks = out.split(/^(?=ok |FAILED|WARN)/m).filter((look) => look.slice(8).startsWith('redis'))
  return { code, failed: looks.filter((look) => look.startsWith('FAILED')), out: looks.join('') }
}

async function userOf({ url, command }: RedisServer, rules: readonly string[]): Promise<string> {
  await command('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>hunter2', ...rules)
  return url.replace('//', '//gateway:hunter2@')
}

const keys = ['~tessera:*', '~{tessera:rate}:*']
const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')
const [, rule = ''] = /`ACL SETUSER gateway on >PASSWORD (.*?)`/.exec(page) ?? []
const all = rule.split(' ')
const [, permissions = ''] = /### Permissions in Redis([\s\S]*?)\n\nThis rule/.exec(page) ?? []
const named = [...permissions.matchAll(/^\| ([^|]+?) \| `/gm)].map(([, feature]) => feature)

test('does what each configured feature does, on each address, and finds nothing wrong', async () => {
  await using redis = await startRedis()
  await using cache = await startRedis()
  const { code, failed, out } = await check({
    ...features,
    TESSERA_MCP: 'true',
    TESSERA_REDIS_URL: await userOf(redis, all),
    TESSERA_RESPONSE_CACHE_REDIS_URL: cache.url,
  })
  expect([code, failed]).toEqual([0, []])
  // And `connected`, for each of the two.
  expect(out.match(/^ok +redis/gm)).toHaveLength(named.length + 2)
  expect([...out.matchAll(/ used it for (.*)$/gm)].map(([, feature]) => feature).sort()).toEqual(named.sort())
  // What it leaves ends by itself.
  const left = (await redis.command('KEYS', '*')).split('\n').filter((key) => key !== '')
  for (const key of left) expect((await redis.command('TTL', key)).trim(), key).not.toBe('-1')
  expect(await cache.command('EXISTS', 'tessera:answers:changes')).toBe('0\n')
})

test.each([
  [
    'automatic persisted operations',
    ['+@all', '~tessera:[^d]*', '~tessera:dpop:*', '~{tessera:rate}:*', '&*'],
    1,
  ],
  ['idempotency keys', ['+@all', '~tessera:[^o]*', '~{tessera:rate}:*', '&*'], 1],
  ['DPoP proofs', ['+@all', '~tessera:[^d]*', '~tessera:document*', '~{tessera:rate}:*', '&*'], 1],
  ['rate limits', ['+@all', '~tessera:*', '&*'], 1],
  ['quota', ['+@all', '~tessera:[^q]*', '~{tessera:rate}:*', '&*'], 1],
  ['subscriptions that share pollers', ['+@all', ...keys], 1],
  ['subscriptions that share pollers', [...all, '-xadd'], 1],
  ['subscriptions that share pollers', [...all, '-subscribe'], 1],
  ['quota', [...all, '-zremrangebyscore'], 1],
  ['idempotency keys', [...all, '-time'], 5],
])('finds what the rules of a user leave out of %s: %j', async (feature, rules, count) => {
  await using redis = await startRedis()
  const { code, failed } = await check({ ...features, TESSERA_REDIS_URL: await userOf(redis, rules) })
  expect(code).toBe(1)
  expect(failed).toHaveLength(count)
  expect(failed.join('')).toMatch(new RegExp(`used it for ${feature}: .*NOPERM.*\\n +to do: allow the user`))
})

test('asks the address of the response cache by itself', async () => {
  await using redis = await startRedis()
  await using cache = await startRedis()
  const url = await userOf(cache, ['+@all', '-xread', '~tessera:*'])
  const { failed } = await check({
    ...features,
    TESSERA_REDIS_URL: redis.url,
    TESSERA_RESPONSE_CACHE_REDIS_URL: url,
  })
  expect(failed).toEqual([expect.stringMatching(/response cache: .*XREAD: NOPERM/)])
})

test('asks each node of a cluster, and the cluster', async () => {
  await using cluster = await startRedisCluster()
  const env = { ...features, TESSERA_RESPONSE_CACHE_REDIS_URL: cluster.urls.join(',') }
  await expect.poll(async () => (await checkOnce(env)).out.match(/^ok +redis/gm)?.length).toBe(4)
  await cluster.stop(1)
  const { failed } = await checkOnce(env)
  expect(failed.join('')).toContain(`${cluster.urls[1]} `)
  const alone = await checkOnce({ ...features, TESSERA_REDIS_URL: cluster.urls[0] ?? '' })
  expect(alone.failed.join('')).toMatch(/cluster/)
})

test('says that the server does not have the database', async () => {
  await using redis = await startRedis()
  const { code, failed } = await check({ TESSERA_REDIS_URL: `${redis.url}/99` })
  expect([code, failed]).toEqual([1, [expect.stringMatching(/database that the address names/)]])
  const faults = await check({ TESSERA_REDIS_URL: `${redis.url}/first` })
  expect(faults.code).toBe(2)
})

test('warns of a policy that evicts what protects, and of one server for everything', async () => {
  await using redis = await startRedis({
    settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
  })
  const { code, out } = await check({
    ...features,
    TESSERA_REDIS_URL: redis.url,
    TESSERA_RESPONSE_CACHE_REDIS_URL: `${redis.url}/1`,
  })
  expect(code).toBe(0)
  expect(out).toMatch(/WARN .*allkeys-lru\n +to do: set maxmemory-policy volatile-ttl for TESSERA_REDIS_URL/)
  expect(out).toMatch(/WARN .*same server/)
  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl')
  expect((await check({ TESSERA_REDIS_URL: redis.url })).out).not.toContain('WARN')
})
