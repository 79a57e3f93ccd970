/**
 * Rate limits by token buckets: how much one caller, client or operation may request in a time. A bucket holds `burst`
 * tokens, and `limit` tokens return in each window, evenly. A request takes one token, or its estimated cost.
 */
import { hash } from 'node:crypto'
import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { z } from 'zod'
import { tesseraError } from '../../../shared/errors.ts'
import { callerName, type Identity } from '../../../shared/identity.ts'
import { networkOf } from '../../auth/client-address.ts'
import { clientNames } from '../../telemetry/clients.ts'
import type { rateLimits } from '../config.ts'
import { type RateStore, type Take, tolerance } from './store.ts'

/** One of the setting `rateLimits`. */
export type RateRule = z.output<typeof rateLimits>[number]

export interface RatedRequest {
  readonly identity: Identity
  readonly operation: {
    readonly name: string | undefined
    readonly type: `${OperationTypeNode}`
    readonly hash: string
  }
  header(name: string): string | undefined
  /** The address of the client. */
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

/** The milliseconds until a token returns. */
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
