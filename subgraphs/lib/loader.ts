/**
 * Batching of look-ups, on DataLoader: everything wanted in one tick is fetched together, over all
 * requests that use the same upstream credential where sharing is on, else over one request.
 *
 * Keys never cross credentials: there is one DataLoader a credential. Memory of what was already fetched
 * belongs to the request (its context), so these loaders keep none.
 */
import DataLoader from 'dataloader'
import { joinRequests, type SubgraphRequest } from './request.ts'

export interface BatchOptions<Want, Value> {
  /** Whether requests with the same credential share a batch. */
  readonly share: boolean
  /**
   * Answers every want of the tick, in order; wants may repeat. It groups and chunks as its service needs.
   * `request` stands for all that wait.
   */
  fetch(wants: readonly Want[], request: SubgraphRequest): Promise<readonly (Value | Error)[]>
  /** When a shared batch is sent. By default after the I/O of the current turn has been read. */
  readonly schedule?: ((send: () => void) => void) | undefined
}

export interface Batch<Want, Value> {
  load(want: Want, request: SubgraphRequest, credentialKey: string): Promise<Value>
}

interface Waiting<Want> {
  readonly want: Want
  readonly request: SubgraphRequest
}

/** Requests that were read from their sockets in the same turn meet here; a lone one waits for nothing. */
const afterThisTurn = (send: () => void): void => {
  setImmediate(send)
}

/** How many idle loaders of credentials are kept; forwarded credentials are as many as there are callers. */
const keptCredentials = 1000

export function createBatch<Want, Value>(options: BatchOptions<Want, Value>): Batch<Want, Value> {
  const create = (schedule: ((send: () => void) => void) | undefined): DataLoader<Waiting<Want>, Value> =>
    new DataLoader<Waiting<Want>, Value>(
      (waiting) => {
        const requests = new Set<SubgraphRequest>()
        for (const { request } of waiting) if (!request.cancelled) requests.add(request)
        const first = waiting[0]
        if (requests.size === 0 && first !== undefined) requests.add(first.request)
        return options.fetch(
          waiting.map(({ want }) => want),
          joinRequests([...requests]),
        )
      },
      { cache: false, ...(schedule === undefined ? {} : { batchScheduleFn: schedule }) },
    )

  if (!options.share) {
    const ofRequest = new WeakMap<SubgraphRequest, DataLoader<Waiting<Want>, Value>>()
    return {
      load(want, request) {
        let loader = ofRequest.get(request)
        if (loader === undefined) {
          loader = create(undefined)
          ofRequest.set(request, loader)
        }
        return loader.load({ want, request })
      },
    }
  }

  const ofCredential = new Map<string, DataLoader<Waiting<Want>, Value>>()
  return {
    load(want, request, credentialKey) {
      let loader = ofCredential.get(credentialKey)
      if (loader === undefined) {
        if (ofCredential.size >= keptCredentials) {
          const [oldest] = ofCredential.keys()
          if (oldest !== undefined) ofCredential.delete(oldest)
        }
        loader = create(options.schedule ?? afterThisTurn)
        ofCredential.set(credentialKey, loader)
      }
      return loader.load({ want, request })
    },
  }
}

/** `items` in runs of at most `size`, in order. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size))
  return chunks
}
