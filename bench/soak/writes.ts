/**
 * Compares requested writes and their outcomes with the services' records. They agree if every acknowledged write
 * was made exactly once, no write that was declared failed was made, and all further writes had an outcome that was
 * declared unknown.
 *
 * Entries that agree are forgotten at once, so that the record of hours stays small.
 */

export type Ending = 'acknowledged' | 'unknown' | 'failed'

export interface Entry {
  readonly operation: string
  /** What the service records; undefined if the service chooses it and the response does not have it. */
  readonly key: string | undefined
}

export interface Balance {
  readonly acknowledged: number
  readonly failed: number
  readonly unknown: number
  /** How many of the unknown ones were made. */
  readonly unknownDone: number
  readonly recorded: number
  readonly faults: readonly string[]
}

export interface WriteRecord {
  ended(entry: Entry, ending: Ending): void
  recorded(writes: readonly { readonly operation: string; readonly key: string }[]): void
  /** Call it when nothing is under way any more. */
  close(): Balance
}

export function createWriteRecord(): WriteRecord {
  const counts = { acknowledged: 0, failed: 0, unknown: 0, recorded: 0 }
  const faults: string[] = []
  /** Acknowledged but not recorded so far; recorded but not acknowledged so far. */
  const awaited = new Set<string>()
  const unclaimed = new Set<string>()
  const unknown = new Set<string>()
  const failed = new Set<string>()
  /** For keys that the service chose: how many there may be beyond the acknowledged ones. */
  const unknownKeys = new Map<string, number>()
  const nameOf = (operation: string, key: string): string => `${operation} ${key}`

  return {
    ended({ operation, key }, ending) {
      counts[ending] += 1
      if (key === undefined) {
        if (ending === 'unknown') unknownKeys.set(operation, (unknownKeys.get(operation) ?? 0) + 1)
        if (ending === 'acknowledged') faults.push(`${operation} was acknowledged without its key`)
        return
      }
      const name = nameOf(operation, key)
      if (ending === 'unknown') unknown.add(name)
      else if (ending === 'failed') failed.add(name)
      else if (!unclaimed.delete(name)) awaited.add(name)
    },
    recorded(writes) {
      for (const { operation, key } of writes) {
        counts.recorded += 1
        const name = nameOf(operation, key)
        if (awaited.delete(name)) continue
        if (unclaimed.has(name)) faults.push(`${name} was done twice`)
        unclaimed.add(name)
      }
    },
    close() {
      let unknownDone = 0
      const left = new Map(unknownKeys)
      for (const name of unclaimed) {
        const [operation = ''] = name.split(' ')
        if (unknown.has(name)) unknownDone += 1
        else if (failed.has(name)) faults.push(`${name} was done, and declared failed`)
        else if ((left.get(operation) ?? 0) > 0) {
          left.set(operation, (left.get(operation) ?? 0) - 1)
          unknownDone += 1
        } else faults.push(`${name} was done more often than it was acknowledged or declared unknown`)
      }
      for (const name of awaited) faults.push(`${name} was acknowledged, and not done`)
      return { ...counts, unknownDone, faults }
    },
  }
}
