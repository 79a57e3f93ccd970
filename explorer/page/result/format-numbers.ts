/** Writes sizes, numbers and times as text. */
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export const millisecondsText = (milliseconds: number): string => `${whole.format(milliseconds)} ms`
export const preciseText = (value: number): string => compact.format(value)

export function sizeText(length: number): string {
  if (length < 1000) return `${length} B`
  return length < 1e6 ? `${compact.format(length / 1000)} kB` : `${compact.format(length / 1e6)} MB`
}

export const plural = (count: number, one: string): string =>
  `${whole.format(count)} ${one}${count === 1 ? '' : 's'}`

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The time of day. `at` is in milliseconds since 1970. */
export const clockText = (at: number): string => clock.format(at)
