/**
 * Scalars that several services share. A value without the scalar's form is refused. If it comes from a caller, it
 * is the caller's fault. If it comes from a service, the response is malformed.
 */
import { GraphQLScalarType } from 'graphql'
import { ExactNumber } from '../../shared/json/exact-number.ts'
import { malformed } from './json.ts'

interface Form<Value> {
  readonly name: string
  /** The expected form, for error messages. */
  readonly expected: string
  /** The value in the scalar's form; undefined if it has none. */
  read(value: unknown): Value | undefined
}

function createScalar<Value>({ name, expected, read }: Form<Value>): GraphQLScalarType<Value, Value> {
  return new GraphQLScalarType<Value, Value>({
    name,
    serialize(value) {
      const known = read(value)
      if (known !== undefined) return known
      throw malformed(undefined, `The service sent something other than ${expected}.`)
    },
    parseValue(value) {
      const known = read(value)
      if (known !== undefined) return known
      throw new TypeError(`${name} is ${expected}`)
    },
  })
}

/** The value is always a decimal string. */
export const uint64 = createScalar<string>({
  name: 'UInt64',
  expected: 'a whole number from 0 to 2^64 - 1, as a decimal string',
  read(value) {
    const text = value instanceof ExactNumber ? value.source : value
    if (typeof text === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(text)) {
      // 2^64 has twenty digits. Strings of digits with equal length sort like the numbers.
      if (text.length < 20 || text < '18446744073709551616') return text
    }
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
    return typeof value === 'bigint' && value >= 0n && value < 1n << 64n ? String(value) : undefined
  },
})

/**
 * The value is always a JSON number that a 64-bit float holds exactly. A number that a service writes as a string
 * is accepted.
 */
export const unsignedInt = createScalar<number>({
  name: 'UnsignedInt',
  expected: 'a whole number from 0 to 2^53 - 1',
  read(value) {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
  },
})

const dateTimeForm =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Whether input is a point in time in RFC 3339 form, on a day that exists: a service would store another one. */
export function isDateTime(value: unknown): value is string {
  const [, year, month, day] = (typeof value === 'string' && dateTimeForm.exec(value)) || []
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

/**
 * A date and time as the service wrote it, in the form that typed clients read. Input is checked by the rules of
 * its field (`isDateTime`), whose errors name the argument.
 */
export const dateTime = createDateTime((text) => text)

const isoForm =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,20}))?)?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * The same for a service that promises UTC in ISO 8601, which has more forms: seconds, colons and the zone may be
 * missing. A missing zone is UTC.
 */
export const isoDateTime = createDateTime((text) => {
  const [, year, month, day, hour, minute, second = '00', fraction, , hours, minutes = '00'] =
    isoForm.exec(text) ?? []
  if (year === undefined) return text
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}${zone}`
})

/** `read` gives what the service wrote the form of RFC 3339. It is asked if the text has another form. */
function createDateTime(read: (text: string) => string): GraphQLScalarType<string, string> {
  return new GraphQLScalarType<string, string>({
    name: 'DateTime',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
    serialize(value) {
      if (typeof value === 'string') {
        const text = dateTimeForm.test(value) ? value : read(value)
        if (dateTimeForm.test(text)) return text
      }
      throw malformed(undefined, 'The service sent something other than a point in time in RFC 3339 form.')
    },
  })
}
