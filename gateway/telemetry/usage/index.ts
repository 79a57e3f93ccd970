/**
 * Usage: how often each client requested each operation, and which elements of the schema that uses. The configuration
 * bounds the pairs of operation and client. The least recently used pair makes room, and counts only by coordinate from
 * then on.
 */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Client } from '../clients.ts'
import type { ProcessUsage } from './report.ts'

export { coordinatesOf, deprecatedIn } from './coordinates.ts'
export {
  largestReport,
  mergeUsage,
  othersIn,
  type ProcessUsage,
  readUsage,
  type UsageReport,
  type Use,
  usesIn,
} from './report.ts'

interface CountedOperation {
  readonly hash: string
  readonly name: string | undefined
}

export type Usage = ReturnType<typeof createUsage>

/** The bound of the coordinates of all pairs together, for each pair. */
const coordinatesOfPair = 100
/** The bound of what is counted only by coordinate: more than a schema has. */
const mostOthers = 100_000
/** Longer names are cut, so that a report remains readable. */
const longestName = 200

interface Known extends CountedOperation {
  readonly coordinates: readonly string[]
  /** How many pairs have it. */
  pairs: number
}

interface Pair {
  readonly operation: Known
  readonly client: Client | undefined
  count: number
  last: number
}

/** `most`: the most pairs of operation and client that are counted separately. */
export function createUsage(most: number) {
  const id = randomUUID()
  const since = new Date().toISOString()
  const operations = new Map<string, Known>()
  const others = new Map<string, number>()
  let requests = 0
  let isComplete = true

  const forget = ({ operation, count }: Pair): void => {
    operation.pairs -= 1
    if (operation.pairs === 0) operations.delete(keyOf(operation))
    for (const coordinate of operation.coordinates) {
      const before = others.get(coordinate)
      if (before === undefined && others.size >= mostOthers) isComplete = false
      else others.set(coordinate, (before ?? 0) + count)
    }
  }
  const pairs = new LRUCache<string, Pair>({
    max: most,
    maxSize: most * coordinatesOfPair,
    maxEntrySize: most * coordinatesOfPair,
    sizeCalculation: ({ operation }) => 1 + operation.coordinates.length,
    dispose: forget,
  })

  return {
    /** `coordinates` is called if the operation has not been counted yet. */
    count(
      { hash, name }: CountedOperation,
      client: Client | undefined,
      coordinates: () => readonly string[],
    ): void {
      requests += 1
      const short = name?.slice(0, longestName)
      // Names and versions of clients may have spaces, and no line breaks.
      const key = [hash, short, client?.name, client?.version].join('\n')
      let pair = pairs.get(key)
      if (pair === undefined) {
        const of = { hash, name: short }
        const operation = operations.get(keyOf(of)) ?? { ...of, coordinates: coordinates(), pairs: 0 }
        operation.pairs += 1
        operations.set(keyOf(operation), operation)
        pair = { operation, client, count: 0, last: 0 }
        pairs.set(key, pair)
        // A pair that takes all the room by itself is not stored.
        if (!pairs.has(key)) forget({ ...pair, count: 1 })
      }
      pair.count += 1
      pair.last = Date.now()
    },

    report(): ProcessUsage {
      const listed = [...operations.values()]
      const places = new Map(listed.map((operation, at) => [operation, at]))
      return {
        id,
        since,
        until: new Date().toISOString(),
        requests,
        operations: listed.map(({ hash, name, coordinates }) => ({
          hash,
          ...(name === undefined ? {} : { name }),
          coordinates: [...coordinates],
        })),
        uses: [...pairs.values()].map(({ operation, client, count, last }) => ({
          operation: places.get(operation) ?? 0,
          ...(client === undefined ? {} : { client: client.name }),
          ...(client?.version === undefined ? {} : { version: client.version }),
          count,
          last: new Date(last).toISOString(),
        })),
        others: Object.fromEntries(others),
        isComplete,
      }
    },
  }
}

const keyOf = ({ hash, name }: CountedOperation): string => `${hash} ${name ?? ''}`
