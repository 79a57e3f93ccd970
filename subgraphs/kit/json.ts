/** Checks of a service's JSON. */

/** A JSON object of a service: nothing is known of its members. */
export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of a list; an empty list where there is none. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
