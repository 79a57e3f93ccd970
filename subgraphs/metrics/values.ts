/** Reads values of the service's JSON: numbers, times and labels. */

import { ExactNumber } from '../../shared/json/exact-number.ts'

export type Labels = Readonly<Record<string, unknown>>

/** Null for `NaN` and infinities, and for what is not a number. */
export function floatFrom(text: string): number | null {
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

export function numberOr<Fallback>(value: unknown, fallback: Fallback): number | Fallback {
  const number = typeof value === 'object' && value instanceof ExactNumber ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}

/** Names and values in the order of the names, so that equal labels give equal texts. */
export function sortedPairs(labels: Labels): [string, unknown][] {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Go's zero time means "never". */
export function momentFrom(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01T') ? value : null
}

interface Named {
  readonly name: string
  readonly value: string
}

/** Leaves out labels that are null: labels of Prometheus are texts, so such a label is not set. */
export function namedFrom(map: Labels): Named[] {
  return Object.entries(map).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: String(value) }],
  )
}

export function valueNamed(map: Labels, name: string): string | null {
  return Object.hasOwn(map, name) && map[name] !== null ? String(map[name]) : null
}
