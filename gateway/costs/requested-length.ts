/**
 * How many items an argument requests: the number of keys in a list, or a number. Custom scalars, such as `Long` of servers
 * in Go and Java, take a number as a text, too.
 */
import { type GraphQLInputType, getNullableType, isListType } from 'graphql'
import { ExactNumber } from '../../shared/json/exact-number.ts'

/** Undefined if the value requests none. `type` is that of the argument. */
export function requestedLength(type: GraphQLInputType, value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.length
  // A single value stands for a list with it.
  if (isListType(getNullableType(type))) return 1
  const number = typeof value === 'number' ? value : numberIn(value)
  return Number.isNaN(number) ? undefined : Math.min(Math.max(0, number), Number.MAX_SAFE_INTEGER)
}

function numberIn(value: unknown): number {
  const text = value instanceof ExactNumber ? value.source : value
  return typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN
}
