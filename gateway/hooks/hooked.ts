/**
 * What hooks see of a request, and what they remember while it runs. The pipeline's context of an operation implements
 * it.
 */
import type { HookEvent, HookHeaders } from './define.ts'

export interface Hooked {
  readonly id: string
  readonly method: string | undefined
  readonly url: string | undefined
  address(): string | undefined
  /** A header by its lower-case name, with the changes of hooks. */
  header(name: string): string | undefined
  headerNames(): readonly string[]
  readonly event: HookEvent
  /** When the request began; for a subscription, its event. */
  started: number
  /** The labels that hold. */
  labels: ReadonlySet<string>
  /** The same request with other headers from now on; undefined removes one. */
  changeHeaders(changes: ReadonlyMap<string, string | undefined>): void
}

export const noLabels: ReadonlySet<string> = new Set()

/** Headers that have one value, which is nearly always the case. */
export function headersForHooks(headers: Readonly<Record<string, unknown>> = {}): HookHeaders {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  )
}

/** Copies objects and lists. Other values, such as numbers with all their digits, remain as they are. */
export function copied<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copied) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)])) as Value
}
