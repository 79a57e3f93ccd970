/** Usage as it is reported: the counts of each process separately, so that reports can be merged. */
import { z } from 'zod'
import { parsedJson } from '../../../shared/json/parse-json.ts'

/** The maximum size of one gateway's report, in bytes. */
export const largestReport: number = 64 * 1024 * 1024

const count = z.number().int().nonnegative()
const time = z.iso.datetime()
/** The maximum that is printed at a terminal, from any file. */
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
  /** Its index among the operations. */
  operation: count,
  client: text.optional(),
  version: text.optional(),
  count,
  /** When it was last requested. */
  last: time,
})

const processUsage = z.object({
  /** The id of the process, chosen at random. */
  id: text,
  since: time,
  until: time,
  /** All requests, whatever their operation. */
  requests: count,
  operations: z.array(operation),
  uses: z.array(use),
  /** How often elements were used by operations and clients that made room for others. */
  others: z.record(text, count),
  /** False if even that is incomplete. */
  isComplete: z.boolean(),
})

const report = z.object({
  format: z.literal('tessera-usage'),
  version: z.literal(1),
  /** Coordinates of deprecated elements, with the reason. */
  deprecated: z.record(text, z.string()),
  processes: z.array(processUsage).max(10_000),
})

type UsedOperation = z.infer<typeof operation>
export type ProcessUsage = z.infer<typeof processUsage>
export type UsageReport = z.infer<typeof report>

/** Undefined if the text is no report. */
export function readUsage(json: string): UsageReport | undefined {
  return report.safeParse(parsedJson(json)).data
}

/** Each process once, by its last report; the last report has the deprecations. */
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
export interface Use extends Readonly<Omit<z.infer<typeof use>, 'operation'>> {
  readonly operation: UsedOperation
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
