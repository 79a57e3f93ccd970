/**
 * Checks Redis: whether each configured address accepts us and supports what the features need, tried with their
 * own scripts, keys and channels, and whether its eviction policy is safe.
 */
import { randomUUID } from 'node:crypto'
import { proofsKind } from '../../auth/authenticate/index.ts'
import type { Config } from '../../config/index.ts'
import { ledgerKind } from '../../costs/quota/index.ts'
import { ratesKind } from '../../costs/rate/index.ts'
import { remaindersKind } from '../../mcp/index.ts'
import { outcomesKind } from '../../pipeline/idempotency/index.ts'
import { documentsKind } from '../../pipeline/persisted/index.ts'
import { responseCacheUse } from '../../response-cache/index.ts'
import type { Kind } from '../../stores/index.ts'
import { liveKind } from '../../stores/polls/index.ts'
import {
  causeOf,
  createRedis,
  createRedisOrCluster,
  type Redis,
  type RedisOrCluster,
  type RedisUse,
  useOf,
} from '../../stores/redis/index.ts'
import { type Finding, look, placeOf } from './finding.ts'

/** Longer than the gateway waits, so that a single slow response is not reported as a failure. */
const patienceMs = 5000
const patient = { commandMs: patienceMs, connectMs: patienceMs }

export async function checkRedis(config: Config): Promise<Finding[]> {
  const { url } = config.redis
  const { redisUrl: cacheUrls = [] } = config.cache
  const cacheUses = cacheUrls.length === 1 ? [responseCacheUse] : []
  const looks = cacheUrls.map((cacheUrl) =>
    checkServer(cacheUrl, cacheVariable, cacheUses, ['volatile-ttl', 'volatile-lru', 'volatile-lfu']),
  )
  if (url !== undefined)
    looks.unshift(checkServer(url, 'TESSERA_REDIS_URL', usesOf(config), ['volatile-ttl']))
  if (cacheUrls.length > 1) looks.push(checkCluster(cacheUrls))
  const findings = (await Promise.all(looks)).flat()
  const isShared = url !== undefined && cacheUrls.some((each) => placeOf(each) === placeOf(url))
  return isShared ? [...findings, sharedServer(url)] : findings
}

const cacheVariable = 'TESSERA_RESPONSE_CACHE_REDIS_URL'

/** The configured features that use `TESSERA_REDIS_URL`. */
function usesOf(config: Config): readonly RedisUse[] {
  const kinds: Kind<unknown>[] = [outcomesKind({ mostCharacters: config.idempotency.bytes }), ledgerKind]
  if (config.persisted.mode === 'automatic') kinds.push(documentsKind)
  if (config.dpop.mode !== 'off' && config.trustedIssuers.length > 0) kinds.push(proofsKind())
  if (config.rateLimits.length > 0) kinds.push(ratesKind())
  if (config.mcp.enabled === true) kinds.push(remaindersKind())
  if (config.supergraph.places === undefined) kinds.push(liveKind)
  return kinds.map((kind) => useOf(kind, config.redis.replicas))
}

/** Runs the checks one after the other on one connection. If there is no connection, only that is reported. */
async function checkServer(
  url: string,
  variable: string,
  uses: readonly RedisUse[],
  policies: readonly string[],
): Promise<Finding[]> {
  const place = placeOf(url)
  const redis = createRedis(url, patient)
  let failure: unknown
  redis.on('error', (error) => {
    failure ??= error
  })
  try {
    const connected = await look(
      { subject: 'redis', place, tried: 'connected' },
      () => redis.connect().then(() => ({})),
      (error) => inWords(failure ?? error, variable),
    )
    if (connected.cure !== undefined) return [connected]
    const findings: Finding[] = [connected]
    for (const use of uses) findings.push(await checkUse(redis, use, place, variable))
    const policy = await checkPolicy(redis, place, policies, variable)
    return policy === undefined ? findings : [...findings, policy]
  } finally {
    redis.disconnect()
  }
}

function inWords(error: unknown, variable: string): { readonly said: string; readonly cure: string } {
  const { said, cure } = causeOf(error)
  return { said, cure: `${cure} (${variable})` }
}

function checkUse<Client extends RedisOrCluster>(
  redis: Client,
  use: RedisUse<Client>,
  place: string,
  variable: string,
): Promise<Finding> {
  return look(
    { subject: 'redis', place, tried: `used it for ${use.feature}` },
    () => use.ask(redis, randomUUID()).then(() => ({})),
    (error) => {
      const { said, cure } = inWords(error, variable)
      if (!causeOf(error).kind.startsWith('NOPERM')) return { said, cure }
      const { keys, channels = [], commands } = use
      const of = channels.length === 0 ? '' : ` and the channels ${channels.join(' ')}`
      return {
        said,
        cure: `allow the user of ${variable} the keys ${keys.join(' ')}${of} by ${commands.join(' ')}`,
      }
    },
  )
}

/** The nodes are checked one by one before. This checks them together. */
async function checkCluster(urls: readonly string[]): Promise<Finding[]> {
  const cluster = createRedisOrCluster(urls, patient)
  const place = urls.map(placeOf).join(' ')
  let failure: unknown
  cluster.on('error', (error) => {
    failure ??= error
  })
  const ready = new Promise<void>((resolve, reject) => {
    cluster.once('ready', resolve)
    const timer = setTimeout(() => reject(failure ?? new Error('Command timed out')), patienceMs)
    timer.unref()
    cluster.once('error', reject)
  })
  try {
    cluster.connect().catch(() => {})
    await ready
    return [await checkUse(cluster, responseCacheUse, place, cacheVariable)]
  } catch (error) {
    const words = inWords(error, cacheVariable)
    return [{ subject: 'redis', place, milliseconds: 0, tried: 'connected to the cluster', ...words }]
  } finally {
    cluster.disconnect()
  }
}

/** Checks what Redis evicts when its memory is full. Returns nothing if Redis does not say. */
async function checkPolicy(
  redis: Redis,
  place: string,
  good: readonly string[],
  variable: string,
): Promise<Finding | undefined> {
  const started = performance.now()
  const text = await redis.info('memory').catch(() => '')
  const milliseconds = performance.now() - started
  const field = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]
  const policy = field('maxmemory_policy')
  const most = Number(field('maxmemory') ?? 0)
  if (policy === undefined || most === 0 || good.includes(policy)) return undefined
  return {
    ...{ subject: 'redis', place, milliseconds },
    tried: 'asked what it evicts when its memory is full',
    said: policy,
    warning: `set maxmemory-policy ${good[0]} for ${variable}: docs/scaling.md says what may be lost otherwise`,
  }
}

const sharedServer = (url: string): Finding => ({
  subject: 'redis',
  place: placeOf(url),
  milliseconds: 0,
  tried: 'compared the addresses',
  said: 'the response cache is on the same server as quota, used DPoP proofs, rates and idempotency keys',
  warning:
    'give the response cache its own Redis (TESSERA_RESPONSE_CACHE_REDIS_URL): when the memory is full, cached responses may evict what protects you',
})
