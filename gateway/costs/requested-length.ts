/**
 * How many items an argument requests: the number of keys in a list, or a number. Custom scalars, such as `Long` of servers
 * in Go and Java, take a number as a text, too. Digits in a `String` or an `ID` are a name.
 */
import {
  type GraphQLInputType,
  getNullableType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { ExactNumber } from '../../shared/json/exact-number.ts'

/** Undefined if the value requests none. `type` is that of the argument. */
export function requestedLength(type: GraphQLInputType, value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.length
  const given = getNullableType(type)
  // A single value stands for a list with it.
  if (isListType(given)) return 1
  const takesText = isScalarType(given) && !isSpecifiedScalarType(given)
  const number = takesText ? numberIn(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return undefined
  return Math.min(Math.max(0, number), Number.MAX_SAFE_INTEGER)
}

function numberIn(value: unknown): unknown {
  const text = value instanceof ExactNumber ? value.source : value
  return typeof text === 'string' && text.trim() !== '' ? Number(text) : text
}
