/** Usage as it is told to others: the counts of each process by itself, so that reports can be put together. */
import { z } from 'zod'

/** In bytes: of the report of one gateway. */
export const largestReport: number = 64 * 1024 * 1024

const count = z.number().int().nonnegative()
const time = z.iso.datetime()
/** What is printed at a terminal, from whatever file. */
const text = z
  .string()
  .max(1000)
  .regex(/^[\x20-\x7e]*$/)

const operation = z.object({
  /** The SHA-256 of its document, in hexadecimal digits. */
  hash: text,
  name: text.optional(),
  /** What it uses of the schema (`coordinatesOf`). */
  coordinates: z.array(text),
})

const use = z.object({
  /** Its place among the operations. */
  operation: count,
  client: text.optional(),
  version: text.optional(),
  count,
  /** When it was asked for last. */
  last: time,
})

const processUsage = z.object({
  /** Of the process, chosen at random. */
  id: text,
  since: time,
  until: time,
  /** What was counted, of whatever operation. */
  requests: count,
  operations: z.array(operation),
  uses: z.array(use),
  /** How often what was used whose operation and client are no longer known, as there was no room. */
  others: z.record(text, count),
  /** False if even that is not all. */
  isComplete: z.boolean(),
})

const report = z.object({
  format: z.literal('tessera-usage'),
  version: z.literal(1),
  /** Coordinates that the schema says are deprecated, with the reason. */
  deprecated: z.record(text, z.string()),
  processes: z.array(processUsage).max(10_000),
})

export type UsedOperation = z.infer<typeof operation>
export type ProcessUsage = z.infer<typeof processUsage>
export type UsageReport = z.infer<typeof report>

/** Undefined if the text is no report. */
export function readUsage(json: string): UsageReport | undefined {
  try {
    return report.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** Each process once, as it was told last; the last report says what is deprecated. */
export function mergeUsage(reports: readonly UsageReport[]): UsageReport {
  const processes = new Map<string, ProcessUsage>()
  let deprecated: UsageReport['deprecated'] = {}
  for (const each of reports) {
    deprecated = each.deprecated
    for (const one of each.processes) {
      const known = processes.get(one.id)
      if (known === undefined || known.until < one.until) processes.set(one.id, one)
    }
  }
  return { format: 'tessera-usage', version: 1, deprecated, processes: [...processes.values()] }
}

/** Every operation of every client over all processes. */
export interface Use {
  readonly operation: UsedOperation
  readonly client: string | undefined
  readonly version: string | undefined
  readonly count: number
  readonly last: string
}

export function usesIn({ processes }: UsageReport): readonly Use[] {
  const uses = new Map<string, { -readonly [Key in keyof Use]: Use[Key] }>()
  for (const { operations, uses: counted } of processes)
    for (const { operation: at, client, version, count: more, last } of counted) {
      const used = operations[at]
      if (used === undefined) continue
      const key = JSON.stringify([used.hash, used.name, client, version])
      const known = uses.get(key)
      if (known === undefined) uses.set(key, { operation: used, client, version, count: more, last })
      else {
        known.count += more
        if (last > known.last) Object.assign(known, { last, operation: used })
      }
    }
  return [...uses.values()]
}

/** Coordinates that were used by operations and clients that are no longer known, and how often. */
export function othersIn({ processes }: UsageReport): ReadonlyMap<string, number> {
  const others = new Map<string, number>()
  for (const each of processes)
    for (const [coordinate, more] of Object.entries(each.others))
      others.set(coordinate, (others.get(coordinate) ?? 0) + more)
  return others
}
