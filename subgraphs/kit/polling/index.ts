/**
 * Subscriptions over services that can only be polled. There is one poller for each distinct subscription and
 * credential, whatever the number of subscribers. It stays within a share of the service's budget.
 *
 * - `ObjectPoller` polls objects by their ids, `ValuePoller` one value, `ListPoller` a list that grows.
 * - `createPollers` holds the pollers of a service; `LiveQueue` is what a subscriber reads.
 */
import { tesseraError } from '../../../shared/errors.ts'
import { createConcurrencyLimit } from '../../../shared/http/concurrency.ts'
import type { LiveClock, LiveObserver, LivePrice, LiveStore } from '../../../shared/polling.ts'
import type { ReadQuota } from '../../../shared/quota.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import type { Upstream } from '../rest-client/index.ts'
import { createLiveBudget, unlimited } from './budget.ts'
import type { Pace } from './interval.ts'
import { createLocalStore, systemClock } from './local-store.ts'
import type { LiveQueue } from './queue.ts'
import type { TopicHost, TopicOptions } from './topic.ts'

export type { Pace } from './interval.ts'
export { maxAgeMs, rateLimitIntervalMs } from './interval-headers.ts'
export { ListPoller, type ListPollerPage } from './list-poller.ts'
export { readListPosition, writeListPosition } from './list-position.ts'
export { ObjectPoller } from './object-poller.ts'
export type { PollStrategy } from './poll-strategy.ts'
export { LiveQueue } from './queue.ts'
export { readDistinctIds, subscriptionField } from './subscription-field.ts'
export { Topic, type TopicOptions } from './topic.ts'
export { ValuePoller } from './value-poller.ts'

/** How the pollers of a service work. Each option has a default. */
export interface LiveOptions {
  /** Shares pollers with other processes. By default this process polls for itself. */
  readonly store?: LiveStore | undefined
  readonly clock?: LiveClock | undefined
  /** Replaces the intervals of the fields. */
  readonly pace?: Partial<Pace> | undefined
  /**
   * The interval of all fields that call the service, instead of their own. A client may still request a
   * shorter one.
   */
  readonly everySeconds?: number | undefined
  /** The share of the remaining units that polling may spend, from 0 to 1. The default is 0.5. */
  readonly share?: number | undefined
  readonly observer?: LiveObserver | undefined
}

interface AnyPoller {
  readonly topic: {
    hold(): void
    release(): void
    close(): void
    price(): Promise<LivePrice>
    priceNow(price: LivePrice): LivePrice
  }
}

interface Poller<Arguments, Value> extends AnyPoller {
  /** The price of its topic, if that depends on the arguments. Rejects if the budget does not allow the subscription. */
  price?(args: Arguments): Promise<LivePrice>
  /** `first` is added to the extensions of the first event. */
  subscribe(
    args: Arguments,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): Awaitable<LiveQueue<Value>>
}

export type Pollers = ReturnType<typeof createPollers>

const mostPollers = 10_000
/** The most polls of one service at the same time. */
const mostPolls = 32

export function createPollers(
  { service, credentialKey }: Pick<Upstream, 'service' | 'credentialKey'>,
  {
    store = createLocalStore(),
    clock = systemClock,
    share = 0.5,
    pace,
    everySeconds,
    observer,
  }: LiveOptions = {},
  readQuota?: ReadQuota,
) {
  const pollers = new Map<string, AnyPoller>()
  const budget =
    readQuota === undefined ? unlimited : createLiveBudget({ service, readQuota, share, clock, store })
  const turns = createConcurrencyLimit(mostPolls, Number.POSITIVE_INFINITY)
  const host: TopicHost = { service, clock, store, budget, turns, share, pace, everySeconds, observer }

  function add<P extends AnyPoller>(
    key: string,
    credential: string,
    make: (topicOptions: TopicOptions) => P,
  ): P {
    if (pollers.size >= mostPollers)
      throw tesseraError('SERVICE_BUSY', 'Too many different subscriptions are polled.', {
        service,
        retryAfter: 60,
      })
    const name = `${key} ${credential}`
    const made = make({
      host,
      key,
      credentialKey: credential,
      ended() {
        if (pollers.get(name) === made) pollers.delete(name)
      },
    })
    pollers.set(name, made)
    return made
  }

  return {
    host,
    /**
     * Starts a subscription on the poller of this key and the caller's credential, and makes the poller if there is
     * none. Rejects if there are too many, if the budget does not allow the subscription, or if an hour costs more
     * than the caller's bound.
     */
    async begin<Arguments, Value>(
      key: string,
      make: (topicOptions: TopicOptions) => Poller<Arguments, Value>,
      args: Arguments,
      request: SubgraphRequest,
    ): Promise<LiveQueue<Value>> {
      const credential = credentialKey(request)
      const known = pollers.get(`${key} ${credential}`) as Poller<Arguments, Value> | undefined
      const poller = known ?? add(key, credential, make)
      poller.topic.hold()
      try {
        const price = await (poller.price?.(args) ?? poller.topic.price())
        return await poller.subscribe(args, request, firstExtensions(service, poller.topic, price, request))
      } finally {
        poller.topic.release()
      }
    },
    close(): void {
      for (const { topic } of [...pollers.values()]) topic.close()
    },
  }
}

/** With it a caller bounds the units of an operation, or of an hour of a subscription. */
const maxUnitsHeader = 'tessera-max-units'

/** The extensions of the first event. Throws if an hour costs more than the caller's bound. */
function firstExtensions(
  service: string,
  topic: AnyPoller['topic'],
  price: LivePrice,
  request: SubgraphRequest,
): Readonly<Record<string, unknown>> {
  const most = request.header(maxUnitsHeader)
  if (most !== undefined && /^\d{1,12}$/.test(most) && price.unitsPerHour > Number(most))
    throw tesseraError(
      'COST_ESTIMATED_TOO_EXPENSIVE',
      `The subscription would cost up to ${counted(price.unitsPerHour, 'unit')} an hour; it may cost ${most}.`,
      { service, extensions: { live: price } },
    )
  return {
    // Read with the first event. The first poll has said by then which interval the service asks for.
    get live() {
      return topic.priceNow(price)
    },
  }
}
