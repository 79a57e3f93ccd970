/**
 * When each caller last changed something, so that it joins no answer that began before. Callers are many: those whose
 * last change is older than anything that still runs are forgotten, and where too many are remembered, the oldest are
 * forgotten for a bound that then holds for everybody.
 */
import { hash } from 'node:crypto'
import type { GatewayRequest } from '../../engine/request.ts'

export interface Writers {
  /** The time of the caller's last change (`performance.now()`); -Infinity where there is none. */
  lastOf(request: GatewayRequest): number
  /** The caller has changed something, by now. */
  wrote(request: GatewayRequest): void
}

export interface WritersOptions {
  /** How long anything runs that others may join, in milliseconds. */
  readonly keptMs: number
  /** 10,000. */
  readonly mostCallers?: number | undefined
}

export function createWriters({ keptMs, mostCallers = 10_000 }: WritersOptions): Writers {
  /** In the order of their times. */
  const times = new Map<string, number>()
  let floor = Number.NEGATIVE_INFINITY

  const forgetOld = (now: number): void => {
    for (const [caller, time] of times) {
      const isOld = time < now - keptMs
      if (!isOld && times.size <= mostCallers) return
      if (!isOld) floor = time
      times.delete(caller)
    }
  }

  return {
    lastOf(request) {
      if (times.size === 0) return floor
      return Math.max(floor, times.get(nameOf(request)) ?? floor)
    },
    wrote(request) {
      const now = performance.now()
      const name = nameOf(request)
      times.delete(name)
      times.set(name, now)
      forgetOld(now)
    },
  }
}

/** Whoever shows no token is one caller: no more is known of them. */
function nameOf(request: GatewayRequest): string {
  const { identity } = request
  if (identity?.authenticated !== true) return ''
  const { subject, claims } = identity
  const name =
    subject === undefined ? (request.header('authorization') ?? '') : `${String(claims.iss)} ${subject}`
  return subject !== undefined && name.length <= longestName ? name : hash('sha256', name, 'base64')
}

const longestName = 200
