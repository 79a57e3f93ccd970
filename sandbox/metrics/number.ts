/**
 * Numbers, timestamps and durations as Prometheus reads and writes them: Go's float syntax, RFC 3339, and its own
 * duration units.
 */

const goFloat = /^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)$/i
const goHexFloat = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/

/** Reads a float like Go's `strconv.ParseFloat`; undefined if the text is none. */
export function floatFrom(text: string): number | undefined {
  if (goFloat.test(text)) {
    const lower = text.toLowerCase()
    const unsigned = lower.replace(/^[+-]/, '')
    if (unsigned === 'nan') return lower === 'nan' ? Number.NaN : undefined
    if (unsigned.startsWith('inf'))
      return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const value = Number(text)
    // Go reports a range error for numbers that JavaScript reads as infinity.
    return Number.isFinite(value) ? value : undefined
  }
  const hex = goHexFloat.exec(text)
  if (hex === null) return undefined
  const [, sign, whole = '', fraction = '', exponent] = hex
  if (whole === '' && fraction === '') return undefined
  const digits = [...(whole + fraction)].reduce((sum, digit) => sum * 16 + Number.parseInt(digit, 16), 0)
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length)
  return Number.isFinite(value) ? (sign === '-' ? -value : value) : undefined
}

/** Go always writes at least two digits of an exponent. */
function withGoExponent(text: string): string {
  return text.replace(/e([+-])([0-9])$/, 'e$10$2')
}

/**
 * A sample's value as Prometheus prints it: the shortest exact decimal, with an exponent below 1e-6 and from 1e21
 * on.
 */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  if (Object.is(value, -0)) return '-0'
  return withGoExponent(String(value))
}

/** The value of an alert, which always has an exponent. */
export function formatExponent(value: number): string {
  return Number.isFinite(value) ? withGoExponent(value.toExponential()) : formatFloat(value)
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** Reads float seconds or RFC 3339 as milliseconds; undefined if the text is neither. */
export function timestampFrom(text: string): number | undefined {
  const seconds = floatFrom(text)
  if (seconds !== undefined) return Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined
  const [, whole, fraction = '', sign, hours = '0', minutes = '0'] = rfc3339.exec(text) ?? []
  const date = new Date(`${whole}Z`)
  // JavaScript reads the 30th of February as a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== whole) return undefined
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return date.getTime() + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset
}

const units = { y: 31_536_000_000, w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const unitDuration =
  /^(?:([0-9]+)y)?(?:([0-9]+)w)?(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?(?:([0-9]+)s)?(?:([0-9]+)ms)?$/
const maxDurationMs = 2n ** 63n / 1_000_000n

/** Reads integers with units as milliseconds: longest unit first, each at most once. `0` needs no unit. */
export function unitDurationFrom(text: string): number | undefined {
  if (text === '0') return 0
  const parts = text === '' ? null : unitDuration.exec(text)
  if (parts === null) return undefined
  let total = 0n
  for (const [index, factor] of Object.values(units).entries()) {
    const digits = parts[index + 1]
    if (digits !== undefined) total += BigInt(digits) * BigInt(factor)
  }
  return total >= maxDurationMs ? undefined : Number(total)
}

/** Reads a duration parameter as milliseconds: float seconds, or integers with units; undefined if it is neither. */
export function durationFrom(text: string): number | undefined {
  const seconds = floatFrom(text)
  if (seconds === undefined) return unitDurationFrom(text)
  return Math.abs(seconds * 1e9) < 2 ** 63 ? seconds * 1000 : undefined
}
