/**
 * Batching of look-ups, on DataLoader. All look-ups of one moment are fetched together: those of one request, or of all
 * requests with the same upstream credential if calls are shared.
 *
 * A shared batch is sent at once if no other one is under way. Otherwise it stays open until the last of those has been
 * answered, or until its window is over (batch-window.ts), whichever comes first. A single request never waits.
 *
 * Keys never cross credentials: each credential has a DataLoader of its own. What was fetched before belongs to the
 * request (its context), so these loaders keep nothing.
 */
import DataLoader from 'dataloader'
import { joinRequests, type SubgraphRequest } from '../../../shared/request.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { BatchWindow, type Sharing } from './batch-window.ts'

export interface BatchOptions<Key, Value> {
  /** Whether requests with the same credential share a batch, and how. */
  readonly share: boolean | Sharing
  /**
   * Returns a value for each look-up, in order; look-ups may repeat. It groups and chunks as its service needs.
   * `request` is all of their requests joined.
   */
  fetch(keys: readonly Key[], request: SubgraphRequest): Promise<readonly (Value | Error)[]>
}

export interface Batch<Key, Value> {
  /** The look-ups of one request, whose context keeps them. */
  of(request: SubgraphRequest, credentialKey: string): Load<Key, Value>
}

export interface Load<Key, Value> {
  one(key: Key): Promise<Value>
  /** Several look-ups, which cost one promise together. Rejects if `fetch` does. */
  all(keys: readonly Key[]): Promise<readonly (Value | Error)[]>
}

/** Look-ups of one request that came together. */
interface PendingLoad<Key> {
  readonly keys: readonly Key[]
  /** Whether it has a single key, whose value is returned without a list around it. */
  readonly isOne: boolean
  readonly request: SubgraphRequest
}

type LoadResult<Value> = Value | readonly (Value | Error)[]

/** How many loaders of credentials are kept while idle; forwarded credentials are as many as there are callers. */
const keptCredentials = 1000

/** Decides when the shared batches of one credential are sent. */
class BatchScheduler {
  readonly #window: BatchWindow
  readonly #spent: () => number
  /** When each batch that is under way was sent, by its number, the earliest first. */
  readonly #underWay = new Map<number, number>()
  #counter = 0
  #open: { readonly send: () => void; readonly timer: NodeJS.Timeout } | undefined

  constructor(window: BatchWindow, spent: () => number) {
    this.#window = window
    this.#spent = spent
  }

  /**
   * DataLoader calls it for each new batch, and never while one is open. `setImmediate` lets requests that were read from
   * their sockets in the same turn meet.
   */
  readonly schedule = (send: () => void): void => {
    if (this.#underWay.size === 0) {
      setImmediate(send)
      return
    }
    const waitMs = this.#window.wait(this.#spent(), this.#underWay.values())
    this.#open = { send, timer: setTimeout(this.#sendOpen, waitMs) }
  }

  /** A batch has been sent. Call what it returns when the batch has been answered. */
  sent(): () => void {
    const number = this.#counter++
    const sentAt = performance.now()
    this.#underWay.set(number, sentAt)
    return () => {
      this.#underWay.delete(number)
      this.#window.answered(sentAt)
      if (this.#underWay.size === 0) setImmediate(this.#sendOpen)
    }
  }

  readonly #sendOpen = (): void => {
    if (this.#open === undefined) return
    const { send, timer } = this.#open
    this.#open = undefined
    clearTimeout(timer)
    send()
  }
}

export function createBatch<Key, Value>(options: BatchOptions<Key, Value>): Batch<Key, Value> {
  const { share, fetch } = options

  const fetchFor = (loads: readonly PendingLoad<Key>[]): Promise<readonly (LoadResult<Value> | Error)[]> => {
    const [first] = loads
    const keys = loads.length === 1 && first !== undefined ? first.keys : loads.flatMap(({ keys }) => keys)
    const values = fetch(keys, requestOf(loads))
    return loads.every(({ isOne }) => isOne) ? values : values.then((all) => resultsOf(loads, all))
  }

  if (!share) {
    return {
      of(request) {
        let loader: DataLoader<PendingLoad<Key>, LoadResult<Value>> | undefined
        return loadOf(request, (load) => {
          loader ??= new DataLoader(fetchFor, { cache: false })
          return loader.load(load)
        })
      },
    }
  }

  const { mostWaitMs = 50, spent = nothingSpent }: Sharing = share === true ? {} : share
  const window = new BatchWindow(mostWaitMs)
  const ofCredential = createGrowingCache<DataLoader<PendingLoad<Key>, LoadResult<Value>>>(keptCredentials)
  const createShared = (credentialKey: string): DataLoader<PendingLoad<Key>, LoadResult<Value>> => {
    const scheduler = new BatchScheduler(window, () => spent(credentialKey))
    const fetchShared = (loads: readonly PendingLoad<Key>[]): ReturnType<typeof fetchFor> =>
      fetchFor(loads).finally(scheduler.sent())
    return new DataLoader(fetchShared, { cache: false, batchScheduleFn: scheduler.schedule })
  }
  return {
    of: (request, credentialKey) =>
      loadOf(request, (load) => {
        // It may be answered from the cache alone: in a shared batch other requests would pay for it.
        if (request.cacheOnly === true) return fetchFor([load]).then(onlyValue)
        let loader = ofCredential.get(credentialKey)
        if (loader === undefined) {
          loader = createShared(credentialKey)
          ofCredential.set(credentialKey, loader)
        }
        return loader.load(load)
      }),
  }
}

function loadOf<Key, Value>(
  request: SubgraphRequest,
  load: (pending: PendingLoad<Key>) => Promise<LoadResult<Value>>,
): Load<Key, Value> {
  return {
    one: (key) => load({ keys: [key], isOne: true, request }) as Promise<Value>,
    all: (keys) => load({ keys, isOne: false, request }) as Promise<readonly (Value | Error)[]>,
  }
}

/** All of their requests joined, without those that were given up. */
function requestOf(loads: readonly PendingLoad<unknown>[]): SubgraphRequest {
  const [first] = loads
  if (loads.length === 1 && first !== undefined) return first.request
  const requests = new Set<SubgraphRequest>()
  for (const { request } of loads) if (!request.cancelled) requests.add(request)
  if (requests.size === 0 && first !== undefined) requests.add(first.request)
  return joinRequests([...requests])
}

/** The result of each load; `values` are those of all keys, in order. */
function resultsOf<Value>(
  loads: readonly PendingLoad<unknown>[],
  values: readonly (Value | Error)[],
): (LoadResult<Value> | Error)[] {
  let at = 0
  return loads.map(({ keys, isOne }) => {
    const from = at
    at += keys.length
    return isOne ? (values[from] as Value | Error) : values.slice(from, at)
  })
}

const nothingSpent = (): number => 0

/** The value of a batch of one; throws if that failed, as a loader rejects. */
function onlyValue<Value>([value]: readonly (Value | Error)[]): Value {
  if (value instanceof Error) throw value
  return value as Value
}

/** `items` in runs of at most `size`, in order. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size))
  return chunks
}
