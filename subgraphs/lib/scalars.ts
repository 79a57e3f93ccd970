/** Scalars that several services speak of. What cannot be written in the scalar's form is refused, not bent. */
import { GraphQLScalarType } from 'graphql'

function uint64From(value: unknown): string {
  if (typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value)) {
    // 2^64 has twenty digits; of texts of one length the order is that of the numbers.
    if (value.length < 20 || value < '18446744073709551616') return value
  }
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return String(value)
  throw new TypeError('UInt64 is a whole number from 0 to 2^64 - 1, as a decimal string')
}

export const uint64 = new GraphQLScalarType<string, string>({
  name: 'UInt64',
  serialize: uint64From,
  parseValue: uint64From,
})
