/**
 * Batching of look-ups, on DataLoader: all look-ups of the same moment are fetched together, over all
 * requests that use the same upstream credential where sharing is on, else over one request.
 *
 * Shared batches leave one after the other: look-ups that come while one is under way go together as soon as
 * it has ended, or after a share of the time that the service takes (patience.ts), whichever is first. A single
 * request does not wait.
 *
 * Keys never cross credentials: there is one DataLoader a credential. Memory of what was already fetched
 * belongs to the request (its context), so these loaders keep none.
 */
import DataLoader from 'dataloader'
import { createGrowingCache } from '../../../contract/growing-cache.ts'
import { joinRequests, type SubgraphRequest } from '../../../contract/request.ts'
import { createPatience, type Patience, type Sharing } from './patience.ts'

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
  /** The way in for one request, whose context keeps it. */
  of(request: SubgraphRequest, credentialKey: string): Load<Key, Value>
}

export interface Load<Key, Value> {
  one(key: Key): Promise<Value>
  /** Several look-ups, which cost one promise together. Rejects where `fetch` does. */
  all(keys: readonly Key[]): Promise<readonly (Value | Error)[]>
}

/** Look-ups of one request that came together. */
interface Waiting<Key> {
  readonly keys: readonly Key[]
  /** One whose value is handed out by itself. */
  readonly isOne: boolean
  readonly request: SubgraphRequest
}

type HandedOut<Value> = Value | readonly (Value | Error)[]

/** How many idle loaders of credentials are kept; forwarded credentials are as many as there are callers. */
const keptCredentials = 1000

/** Decides when a batch is sent; `left` is called when it was, and what it returns when it has ended. */
interface Departures {
  schedule(send: () => void): void
  /** The batch is on its way; to be called when it is back. */
  left(): () => void
}

/** Requests that were read from their sockets in the same turn meet here, and so do all that come while a batch is out. */
function createDepartures(patience: Patience, spent: () => number): Departures {
  /** When those began that are on their way, by number, the first one first. */
  const out = new Map<number, number>()
  let counter = 0
  let waiting: { readonly send: () => void; readonly timer: NodeJS.Timeout } | undefined
  const leaveWaiting = (): void => {
    if (waiting === undefined) return
    const { send, timer } = waiting
    waiting = undefined
    clearTimeout(timer)
    send()
  }
  return {
    // Only called while nothing waits: what comes until then joins what does.
    schedule(send) {
      if (out.size === 0) setImmediate(send)
      else waiting = { send, timer: setTimeout(leaveWaiting, patience.wait(spent(), out.values())) }
    },
    left() {
      const number = counter++
      const began = performance.now()
      out.set(number, began)
      return () => {
        out.delete(number)
        patience.took(began)
        if (out.size === 0) setImmediate(leaveWaiting)
      }
    },
  }
}

export function createBatch<Key, Value>(options: BatchOptions<Key, Value>): Batch<Key, Value> {
  const { share, fetch } = options

  const fetchFor = (waiting: readonly Waiting<Key>[]): Promise<readonly (HandedOut<Value> | Error)[]> => {
    const values = fetch(
      waiting.length === 1 ? (waiting[0] as Waiting<Key>).keys : waiting.flatMap(({ keys }) => keys),
      requestOf(waiting),
    )
    return waiting.every(({ isOne }) => isOne) ? values : values.then((all) => handOut(waiting, all))
  }

  if (!share) {
    return {
      of(request) {
        let loader: DataLoader<Waiting<Key>, HandedOut<Value>> | undefined
        return loadOf(request, (waiting) => {
          loader ??= new DataLoader(fetchFor, { cache: false })
          return loader.load(waiting)
        })
      },
    }
  }

  const { mostWaitMs = 50, spent = nothingSpent }: Sharing = share === true ? {} : share
  const patience = createPatience(mostWaitMs)
  const ofCredential = createGrowingCache<DataLoader<Waiting<Key>, HandedOut<Value>>>(keptCredentials)
  const createShared = (credentialKey: string): DataLoader<Waiting<Key>, HandedOut<Value>> => {
    const departures = createDepartures(patience, () => spent(credentialKey))
    const fetchShared = (waiting: readonly Waiting<Key>[]): ReturnType<typeof fetchFor> =>
      fetchFor(waiting).finally(departures.left())
    return new DataLoader(fetchShared, { cache: false, batchScheduleFn: departures.schedule })
  }
  return {
    of: (request, credentialKey) =>
      loadOf(request, (waiting) => {
        // It may be answered from the cache alone: together with others it would be paid for by them.
        if (request.cacheOnly === true) return fetchFor([waiting]).then(onlyValue)
        let loader = ofCredential.get(credentialKey)
        if (loader === undefined) {
          loader = createShared(credentialKey)
          ofCredential.set(credentialKey, loader)
        }
        return loader.load(waiting)
      }),
  }
}

function loadOf<Key, Value>(
  request: SubgraphRequest,
  load: (waiting: Waiting<Key>) => Promise<HandedOut<Value>>,
): Load<Key, Value> {
  return {
    one: (key) => load({ keys: [key], isOne: true, request }) as Promise<Value>,
    all: (keys) => load({ keys, isOne: false, request }) as Promise<readonly (Value | Error)[]>,
  }
}

/** All of their requests joined, but those that were given up. */
function requestOf(waiting: readonly Waiting<unknown>[]): SubgraphRequest {
  const [first] = waiting
  if (waiting.length === 1 && first !== undefined) return first.request
  const requests = new Set<SubgraphRequest>()
  for (const { request } of waiting) if (!request.cancelled) requests.add(request)
  if (requests.size === 0 && first !== undefined) requests.add(first.request)
  return joinRequests([...requests])
}

/** To each what it waits for; `values` are those of all keys, in order. */
function handOut<Value>(
  waiting: readonly Waiting<unknown>[],
  values: readonly (Value | Error)[],
): (HandedOut<Value> | Error)[] {
  let at = 0
  return waiting.map(({ keys, isOne }) => {
    const from = at
    at += keys.length
    return isOne ? (values[from] as Value | Error) : values.slice(from, at)
  })
}

const nothingSpent = (): number => 0

/** The value of a batch of one; rejects where that failed, as a loader does. */
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
