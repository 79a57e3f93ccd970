/**
 * Batching of look-ups, on DataLoader: all look-ups of the same moment are fetched together, over all
 * requests that use the same upstream credential where sharing is on, else over one request.
 *
 * Shared batches leave one after the other: look-ups that come while one is under way go together as soon as
 * it has ended, or after a few milliseconds, whichever is first. A single request does not wait.
 *
 * Keys never cross credentials: there is one DataLoader a credential. Memory of what was already fetched
 * belongs to the request (its context), so these loaders keep none.
 */
import DataLoader from 'dataloader'
import { joinRequests, type SubgraphRequest } from '../../../contract/request.ts'

export interface BatchOptions<Want, Value> {
  /** Whether requests with the same credential share a batch. */
  readonly share: boolean
  /**
   * Returns a value for each look-up, in order; look-ups may repeat. It groups and chunks as its service needs.
   * `request` is all of their requests joined.
   */
  fetch(wants: readonly Want[], request: SubgraphRequest): Promise<readonly (Value | Error)[]>
  /** The longest that a shared batch waits for the one before it. 4. */
  readonly patienceMs?: number | undefined
}

export interface Batch<Want, Value> {
  /** The way in for one request, whose context keeps it. */
  of(request: SubgraphRequest, credentialKey: string): Load<Want, Value>
}

export type Load<Want, Value> = (want: Want) => Promise<Value>

interface Waiting<Want> {
  readonly want: Want
  readonly request: SubgraphRequest
}

/** How many idle loaders of credentials are kept; forwarded credentials are as many as there are callers. */
const keptCredentials = 1000

/** Decides when a batch is sent; `back` is called when it has ended. */
interface Departures {
  schedule(send: () => void): void
  back(): void
}

/** Requests that were read from their sockets in the same turn meet here, and so do all that come while a batch is out. */
function createDepartures(patienceMs: number): Departures {
  let out = 0
  let waiting: { readonly send: () => void; readonly timer: NodeJS.Timeout } | undefined
  const leave = (send: () => void): void => {
    out += 1
    send()
  }
  const leaveWaiting = (): void => {
    if (waiting === undefined) return
    const { send, timer } = waiting
    waiting = undefined
    clearTimeout(timer)
    leave(send)
  }
  return {
    schedule(send) {
      if (out === 0 && waiting === undefined) {
        setImmediate(leave, send)
        return
      }
      leaveWaiting()
      waiting = { send, timer: setTimeout(leaveWaiting, patienceMs) }
    },
    back() {
      out -= 1
      if (out === 0 && waiting !== undefined) setImmediate(leaveWaiting)
    },
  }
}

export function createBatch<Want, Value>(options: BatchOptions<Want, Value>): Batch<Want, Value> {
  const { share, fetch, patienceMs = 4 } = options

  const fetchFor = (waiting: readonly Waiting<Want>[]): Promise<readonly (Value | Error)[]> => {
    const [first] = waiting
    if (waiting.length === 1 && first !== undefined) return fetch([first.want], first.request)
    const requests = new Set<SubgraphRequest>()
    for (const { request } of waiting) if (!request.cancelled) requests.add(request)
    if (requests.size === 0 && first !== undefined) requests.add(first.request)
    return fetch(
      waiting.map(({ want }) => want),
      joinRequests([...requests]),
    )
  }

  if (!share) {
    return {
      of(request) {
        let loader: DataLoader<Waiting<Want>, Value> | undefined
        return (want) => {
          loader ??= new DataLoader(fetchFor, { cache: false })
          return loader.load({ want, request })
        }
      },
    }
  }

  const ofCredential = new Map<string, DataLoader<Waiting<Want>, Value>>()
  const createShared = (): DataLoader<Waiting<Want>, Value> => {
    const departures = createDepartures(patienceMs)
    return new DataLoader<Waiting<Want>, Value>((waiting) => fetchFor(waiting).finally(departures.back), {
      cache: false,
      batchScheduleFn: departures.schedule,
    })
  }
  return {
    of: (request, credentialKey) => (want) => {
      // It may be answered from the cache alone: together with others it would be paid for by them.
      if (request.cacheOnly === true) return fetchFor([{ want, request }]).then(onlyValue)
      let loader = ofCredential.get(credentialKey)
      if (loader === undefined) {
        if (ofCredential.size >= keptCredentials) {
          const [oldest] = ofCredential.keys()
          if (oldest !== undefined) ofCredential.delete(oldest)
        }
        loader = createShared()
        ofCredential.set(credentialKey, loader)
      }
      return loader.load({ want, request })
    },
  }
}

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
