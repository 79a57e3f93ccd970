/** Checks of a service's JSON. */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { isObject, objectOf, textsOf } from '../../shared/json/is-object.ts'

/** A JSON object of a service, whose members are unchecked. */
export type Json = Readonly<Record<string, unknown>>

export { isObject, objectOf, textsOf }

/** The value if it is a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The objects among the first `most` items of a list. The result is empty if `value` is not a list. */
export function objectsOf(value: unknown, most = Number.POSITIVE_INFINITY): Json[] {
  if (!Array.isArray(value)) return []
  return (value.length > most ? value.slice(0, most) : value).filter(isObject)
}

/** The items of a list, with undefined at the place of each malformed one; undefined if `value` is not a list. */
export function inPlaces<T>(
  list: unknown,
  isItem: (item: unknown) => item is T,
): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((item) => (isItem(item) ? item : undefined)) : undefined
}

/** The well-formed items of a list, and how many items are malformed; undefined if `list` is not a list. */
export function wellFormed<T>(
  list: unknown,
  isItem: (item: unknown) => item is T,
): { readonly items: readonly T[]; readonly malformedCount: number } | undefined {
  if (!Array.isArray(list)) return undefined
  if (list.every(isItem)) return { items: list, malformedCount: 0 }
  const items = list.filter(isItem)
  return { items, malformedCount: list.length - items.length }
}

/** The error of a response that is not what the service promises. `status` is that of the response, if it is known. */
export function malformed(service: string | undefined, message: string, status?: number): GraphQLError {
  return tesseraError('UPSTREAM_BAD_RESPONSE', message, { service, upstream: { status } })
}

/** A table for lookups by foreign names, which inherits none. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}
