/**
 * Rate limits by token buckets: how much one caller, client or operation may request in a time. A bucket holds `burst`
 * tokens, and `limit` tokens return in each window, evenly. A request takes one token, or its estimated cost.
 */
import { hash } from 'node:crypto'
import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { tesseraError } from '../../shared/errors.ts'
import { callerName, type Identity } from '../../shared/identity.ts'
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import { networkOf } from '../auth/client-address.ts'
import { type Kind, longestEvictableSeconds, type Step, type Stores } from '../stores/index.ts'
import { clientNames } from '../telemetry/clients.ts'
import type { rateLimits } from './config.ts'

export type RateRule = z.output<typeof rateLimits>[number]

export interface RatedRequest {
  readonly identity: Identity
  readonly operation: {
    readonly name: string | undefined
    readonly type: `${OperationTypeNode}`
    readonly hash: string
  }
  header(name: string): string | undefined
  readonly address: string | undefined
  /** Each is called if a rule counts it. */
  cost(): number
  units(): number
}

export interface Rated {
  readonly refusal: GraphQLError | undefined
  /** `RateLimit-Policy` and `RateLimit`: names and values in turn. */
  readonly head: readonly string[]
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** `limited` receives each refusal, for the metrics. */
export function createRateLimiter(
  rules: readonly RateRule[],
  store: RateStore,
  limited?: (policy: string) => void,
) {
  return {
    async take(request: RatedRequest): Promise<Rated> {
      const applied = rules.filter((rule) => appliesTo(rule, request))
      if (applied.length === 0) return unlimited
      const takes = applied.map((rule) => takeOf(rule, request))
      const { granted, levels } = await store.take(takes)
      const states = applied.map((rule, n) => stateOf(rule, takes[n] as Take, levels[n] ?? 0))
      const head = [
        'ratelimit-policy',
        states.map(({ rule }) => `"${rule.name}";q=${rule.limit};w=${rule.windowSeconds}`).join(', '),
        'ratelimit',
        states.map(({ rule, remaining, fullS }) => `"${rule.name}";r=${remaining};t=${fullS}`).join(', '),
      ]
      if (granted) return { refusal: undefined, head }
      // The refusing bucket with the longest wait.
      const [worst] = states
        .filter(({ isShort }) => isShort)
        .sort((a, b) => (b.waitMs ?? Number.MAX_VALUE) - (a.waitMs ?? Number.MAX_VALUE))
      const { rule, remaining, waitMs } = worst ?? (states[0] as (typeof states)[number])
      limited?.(rule.name)
      return { refusal: refusalOf(rule, remaining, waitMs), head }
    },
  }
}

const unlimited: Rated = { refusal: undefined, head: [] }

function appliesTo({ types, operations, clients }: RateRule, { operation, header }: RatedRequest): boolean {
  if (types !== undefined && !types.includes(operation.type)) return false
  if (operations !== undefined && (operation.name === undefined || !operations.includes(operation.name)))
    return false
  return clients === undefined || clients.includes(clientOf(header) ?? '')
}

function clientOf(header: RatedRequest['header']): string | undefined {
  return header(clientNames[0]) ?? header(clientNames[1])
}

const tokenMsOf = ({ windowSeconds, limit }: RateRule): number => (windowSeconds * 1000) / limit

function takeOf(rule: RateRule, request: RatedRequest): Take {
  const tokenMs = tokenMsOf(rule)
  const tokens = rule.counts === 'requests' ? 1 : rule.counts === 'cost' ? request.cost() : request.units()
  // The caller is not readable from a key.
  const whose = hash('sha256', JSON.stringify(rule.by.map((key) => partOf(key, request))), 'base64url')
  return {
    key: `${rule.name}:${whose.slice(0, 22)}`,
    costMs: tokens * tokenMs,
    capacityMs: (rule.burst ?? rule.limit) * tokenMs,
  }
}

function partOf(key: RateRule['by'][number], request: RatedRequest): unknown {
  if (typeof key === 'object')
    return 'header' in key
      ? (request.header(key.header) ?? null)
      : (request.identity.claims[key.claim] ?? null)
  switch (key) {
    case 'client':
      return clientOf(request.header) ?? null
    case 'operation':
      return request.operation.hash
    case 'address':
      return networkOf(request.address)
    case 'caller':
      return callerOf(request)
  }
}

/** Signed-in callers by the token's subject, or else by the token; all others by the network of their address. */
function callerOf({ identity, header, address }: RatedRequest): unknown {
  if (!identity.authenticated) return ['address', networkOf(address)]
  return callerName(identity) ?? ['token', header('authorization') ?? null]
}

function stateOf(rule: RateRule, { costMs, capacityMs }: Take, level: number) {
  const tokenMs = tokenMsOf(rule)
  const waitMs = level + costMs - capacityMs
  return {
    rule,
    remaining: Math.max(0, Math.floor((capacityMs - level) / tokenMs + tolerance)),
    fullS: Math.ceil(level / 1000),
    /** More than a full bucket is never granted: waiting does not help. */
    waitMs: costMs > capacityMs * (1 + tolerance) ? undefined : waitMs,
    isShort: waitMs > capacityMs * tolerance,
  }
}

function refusalOf(rule: RateRule, remaining: number, waitMs: number | undefined): GraphQLError {
  const { name, limit, windowSeconds, burst = limit } = rule
  const message =
    waitMs === undefined
      ? `The operation takes more than ${name} ever allows, which is ${burst}.`
      : `Too much is asked for: ${name} allows ${limit} in ${windowSeconds} s.`
  return tesseraError('RATE_LIMITED', message, {
    retryAfter: waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000)),
    extensions: { rateLimit: { policy: name, limit, windowSeconds, remaining } },
  })
}

/** A bucket, and what is taken from it. Both amounts are times: a token is the time in which it returns. */
export interface Take {
  readonly key: string
  /** Milliseconds until the taken amount has returned; a negative amount returns what was taken before. */
  readonly costMs: number
  /** Milliseconds until an empty bucket is full. */
  readonly capacityMs: number
}

interface Taken {
  readonly granted: boolean
  /** For each bucket the milliseconds until it is full again. */
  readonly levels: readonly number[]
}

export interface RateStore {
  take(takes: readonly Take[]): Promise<Taken> | Taken
  close(): void
}

interface RateStoreOptions {
  /** How many buckets one process remembers; beyond that, the least recently used ones are full again. 100,000. */
  readonly most?: number
  /** Milliseconds, by default of the monotonic clock: if a clock were set back, buckets would stay empty that long. */
  readonly now?: () => number
}

/** Rounding of times never refuses a request that fits. */
export const tolerance = 1e-6

export function createRates(stores: Stores, options: RateStoreOptions = {}): RateStore {
  const store = stores.open(ratesKind(options))
  return {
    take(takes) {
      return whenReady(store.run(takeStep, takes), (taken) => taken ?? takeStep.memory(store.here, takes))
    },
    close: () => store.close(),
  }
}

interface Buckets {
  readonly fullAt: LRUCache<string, number>
  readonly now: () => number
}

// Redis: all keys have one hash tag, so that a request takes from several buckets in one step on a cluster, too.
// ARGV: the tolerance, then cost and capacity of each in milliseconds; a negative cost puts back what was not used. A
// bucket that is full again has no level. Its key stays for a while, so that it expires after all that anybody can
// store. Times are kept as texts: a number that Lua returns loses its decimal places.
const takeStep: Step<Buckets, readonly Take[], Taken> = {
  memory({ fullAt, now }, takes) {
    const at = now()
    const levels = takes.map(({ key }) => Math.max(0, (fullAt.get(key) ?? 0) - at))
    const granted = takes.every(
      ({ costMs, capacityMs }, n) => (levels[n] ?? 0) + costMs <= capacityMs * (1 + tolerance),
    )
    if (!granted) return { granted, levels }
    return {
      granted,
      levels: takes.map(({ key, costMs }, n) => {
        const level = (levels[n] ?? 0) + costMs
        fullAt.set(key, at + level)
        return level
      }),
    }
  },
  redis: {
    lua: `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local levels, granted = {}, 1
local function keep(key, level)
  redis.call('SET', key, string.format('%.3f', now + level), 'PX', math.ceil(level) + ${longestEvictableSeconds * 1000})
end
for i, key in ipairs(KEYS) do
  local level = tonumber(redis.call('GET', key) or '0') - now
  local capacity = tonumber(ARGV[2 * i + 1]) * (1 + tonumber(ARGV[1]))
  if level < 0 then level = 0 end
  -- The clock was set back, or the bucket is smaller now.
  if level > capacity then
    level = capacity
    keep(key, level)
  end
  levels[i] = level
  if level + tonumber(ARGV[2 * i]) > capacity then granted = 0 end
end
for i, key in ipairs(KEYS) do
  if granted == 1 then
    levels[i] = levels[i] + tonumber(ARGV[2 * i])
    if levels[i] > 0 then
      keep(key, levels[i])
    elseif tonumber(ARGV[2 * i]) < 0 then
      redis.call('DEL', key)
    end
  end
  levels[i] = string.format('%.3f', levels[i])
end
return { granted, unpack(levels) }`,
    keys: (takes) => takes.map(({ key }) => `{tessera:rate}:${key}`),
    args: (takes) => [tolerance, ...takes.flatMap(({ costMs, capacityMs }) => [costMs, capacityMs])],
    read(reply) {
      const [granted, ...levels] = (reply as readonly (number | string)[]).map(Number)
      return { granted: granted === 1, levels }
    },
  },
}

export const ratesKind = ({
  most = 100_000,
  now = () => performance.now(),
}: RateStoreOptions = {}): Kind<Buckets> => ({
  feature: 'rate limits',
  away: 'the shared rate limits are unreachable: counting in this process until they are back',
  back: 'the shared rate limits are back',
  memory: () => ({ fullAt: createGrowingCache<number>(most), now }),
  keys: ['{tessera:rate}:*'],
  steps: [takeStep],
  attempt: (run, id) => run(takeStep, [{ key: `check:${id}`, costMs: 1, capacityMs: 1000 }]),
})
