/**
 * JSON numbers with all of their digits. `JSON.parse` rounds numbers that a double cannot hold: an id of 17 digits
 * becomes another id. Nearly all texts have no such numbers and are parsed by `JSON.parse` alone.
 */
import { parseRevived } from './revive.ts'

/** `JSON.rawJSON` and the source text of numbers (ECMAScript 2025), which TypeScript's library lacks. */
declare global {
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** A number that no double can hold. It is written to JSON with its digits, and converts to a string. */
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }

  /** GraphQL scalars coerce this value: an `ID` gets all digits. */
  valueOf(): string {
    return this.source
  }

  toString(): string {
    return this.source
  }
}

/** A double can hold any 15 digits. */
const manyDigits = /[0-9](?:\.?[0-9]){15}/

/** Like `JSON.parse`, with an `ExactNumber` for each number that would lose digits. */
export function parseExactly(text: string): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text)
  return parseRevived(text, exactReviver)
}

/** The same as a reviver for `JSON.parse`. */
function exactReviver(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || source.length < 16) return value
  // The same test as for the whole text, whose other content must not matter.
  if (!manyDigits.test(source)) return value
  return isExact(value, source) ? value : new ExactNumber(source)
}

/**
 * Like `JSON.parse`, with `Infinity` for each whole number that becomes another one, as many of 64 bits do. Doubles that
 * are written with the digits that identify them stay doubles. A reviver would be called for every value, which takes far
 * longer than the parsing.
 */
export function parseWhole(text: string): unknown {
  if (!/(?:^|[\s:,[-])\d{16}/.test(text)) return JSON.parse(text)
  let inString = false
  const marked = text.replace(/\\.|"|-?\d[\d.eE+-]{15,}/g, (token) => {
    if (token === '"') inString = !inString
    // An exponent makes it infinite, and keeps what is malformed malformed.
    return !inString && isRounded(token) ? `${token}e999` : token
  })
  return JSON.parse(marked)
}

function isRounded(source: string): boolean {
  const value = Number(source)
  return /^-?\d{16,}$/.test(source) && String(value) !== source && !isExact(value, source)
}

function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) && !/[.eE]/.test(source)) return true
  if (/^-?[0-9]+$/.test(source)) return Number.isFinite(value) && BigInt(value) === BigInt(source)
  // A fraction or exponent is exact if the double is printed with the same digits.
  return String(value) === source || significant(String(value)) === significant(source)
}

/** The digits and the exponent of a number, without insignificant zeros. */
function significant(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  const trimmed = digits.slice(0, end)
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${mantissa.startsWith('-') ? '-' : ''}${trimmed}e${trimmed === '' ? 0 : scale}`
}
