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

/** The items of a list, undefined instead of each that is not as the service promises; undefined if it is no list. */
export function inPlaces<T>(
  list: unknown,
  isItem: (item: unknown) => item is T,
): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((item) => (isItem(item) ? item : undefined)) : undefined
}

/** The items of a list that are as the service promises, and how many are not; undefined if `list` is no list. */
export function wellFormed<T>(
  list: unknown,
  isItem: (item: unknown) => item is T,
): { readonly items: readonly T[]; readonly odd: number } | undefined {
  if (!Array.isArray(list)) return undefined
  if (list.every(isItem)) return { items: list, odd: 0 }
  const items = list.filter(isItem)
  return { items, odd: list.length - items.length }
}
