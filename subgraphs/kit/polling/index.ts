/**
 * Subscriptions over services that can only be polled. There is one poller for each distinct question and
 * credential, whatever the number of subscribers. It stays within a share of the service's budget.
 *
 * - `ByIds` polls objects by their ids, `Gauge` one value, `Newest` a list that grows.
 * - `createPollers` holds the pollers of a service; `LiveQueue` is what a subscriber reads.
 */
import { tesseraError } from '../../../shared/errors.ts'
import type { LiveClock, LiveObserver, LivePrice, LiveStore } from '../../../shared/polling.ts'
import type { ReadQuota } from '../../../shared/quota.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createLoneStore } from './alone.ts'
import { createLiveBudget, unlimited } from './budget.ts'
import { systemClock } from './clock.ts'
import type { Pace } from './interval.ts'
import type { TopicHost } from './topic.ts'
import { createTurns } from './turns.ts'

export { ByIds } from './by-ids.ts'
export { type ConditionalSend, createConditionalSend } from './conditional.ts'
export { liveField, readLiveIds } from './field.ts'
export { Gauge } from './gauge.ts'
export { hintOf, perCallMs, type RateLimit, rateLimitFrom } from './hint.ts'
export type { Pace } from './interval.ts'
export { Newest, type NewestPage } from './newest.ts'
export { readPosition, writePosition } from './position.ts'
export type { Question } from './question.ts'
export { LiveQueue } from './queue.ts'
export { Topic, type TopicHost } from './topic.ts'

/** How the pollers of a service work. Each option has a default. */
export interface LiveOptions {
  /** Shares pollers with other processes. By default this process polls for itself. */
  readonly store?: LiveStore | undefined
  readonly clock?: LiveClock | undefined
  /** Replaces the intervals of the fields. */
  readonly pace?: Partial<Pace> | undefined
  /**
   * The interval of all fields that call the service, instead of their own. A client may still wish for a shorter
   * one.
   */
  readonly everySeconds?: number | undefined
  /** The share of the remaining units that polling may spend, from 0 to 1. The default is 0.5. */
  readonly share?: number | undefined
  readonly observer?: LiveObserver | undefined
}

/** What `Live` needs of a poller. */
interface Poller {
  hold(): () => void
  close(): void
}

/** The pollers of one service. */
export interface Pollers {
  readonly host: TopicHost
  /**
   * Starts a subscription on the poller of this name, and makes the poller if there is none. Rejects if there are
   * too many, or if `start` does.
   */
  begin<P extends Poller, Result>(
    name: string,
    make: (ended: () => void) => P,
    start: (poller: P) => Promise<Result>,
  ): Promise<Result>
  /** How many pollers there are. */
  readonly size: number
  close(): void
}

/** The most pollers of one service. Each has one question and one credential. */
const mostPollers = 10_000
/** The most polls of one service at the same time. */
const mostPolls = 32

export function createPollers(
  service: string,
  {
    store = createLoneStore(),
    clock = systemClock,
    share = 0.5,
    pace,
    everySeconds,
    observer,
  }: LiveOptions = {},
  readQuota?: ReadQuota,
): Pollers {
  const pollers = new Map<string, Poller>()
  const budget =
    readQuota === undefined ? unlimited : createLiveBudget({ service, readQuota, share, clock, store })
  function add<P extends Poller>(name: string, make: (ended: () => void) => P): P {
    if (pollers.size >= mostPollers)
      throw tesseraError('SERVICE_BUSY', 'Too many different subscriptions are polled.', {
        service,
        retryAfter: 60,
      })
    const made = make(() => {
      if (pollers.get(name) === made) pollers.delete(name)
    })
    pollers.set(name, made)
    return made
  }
  return {
    host: {
      service,
      clock,
      store,
      budget,
      turns: createTurns(mostPolls),
      share,
      pace,
      everySeconds,
      observer,
    },
    async begin<P extends Poller, Result>(
      name: string,
      make: (ended: () => void) => P,
      start: (poller: P) => Promise<Result>,
    ): Promise<Result> {
      const known = pollers.get(name) as P | undefined
      const poller = known ?? add(name, make)
      const release = poller.hold()
      try {
        return await start(poller)
      } finally {
        release()
      }
    },
    get size() {
      return pollers.size
    },
    close() {
      for (const poller of [...pollers.values()]) poller.close()
    },
  }
}

/**
 * The header with which a caller bounds the units of an operation. For a subscription, it bounds the units of an
 * hour.
 */
const maxUnitsHeader = 'tessera-max-units'

/** The extensions of the first event. Throws if an hour costs more than the caller's bound. */
export function firstExtensions(
  service: string,
  price: LivePrice,
  request: SubgraphRequest,
): Readonly<Record<string, unknown>> {
  const most = request.header(maxUnitsHeader)
  if (most !== undefined && /^\d{1,12}$/.test(most) && price.unitsPerHour > Number(most))
    throw tesseraError(
      'COST_ESTIMATED_TOO_EXPENSIVE',
      `The subscription would cost up to ${price.unitsPerHour} units an hour; it may cost ${most}.`,
      { service, extensions: { live: price } },
    )
  return { live: price }
}
