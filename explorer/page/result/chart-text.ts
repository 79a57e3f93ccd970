/** The colours and texts of charts: lines, numbers, times. Pure. */
import type uPlot from 'uplot'

/** How many colours the style sheets have, which most people can distinguish. Further lines use them again, dashed. */
const mostColours = 8
const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]]

/** More lines can be neither distinguished nor drawn quickly. The table has all of them. */
export const mostDrawn = 200

/** The name of the colour of a line, as the style sheets define it for each theme, and its dashes. */
export function strokeOf(index: number): { readonly colour: string; readonly dash: number[] } {
  const dash = dashes[Math.floor(index / mostColours) % dashes.length] ?? []
  return { colour: `--service-${index % mostColours}`, dash: [...dash] }
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
const scientific = new Intl.NumberFormat('en', { notation: 'scientific', maximumSignificantDigits: 3 })

export function numberText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const size = Math.abs(value)
  return size !== 0 && (size < 1e-3 || size >= 1e15) ? scientific.format(value) : short.format(value)
}

const twoDigits = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const clock = new Intl.DateTimeFormat(undefined, twoDigits)
const clockWithSeconds = new Intl.DateTimeFormat(undefined, { ...twoDigits, second: '2-digit' })
const calendar = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** Times of day, with the date below the first one of each day. */
export function instantTexts(_: uPlot, splits: number[], __: number, ___: number, step: number): string[] {
  let day = ''
  return splits.map((time) => {
    const date = new Date(time * 1000)
    if (step >= 86_400) return calendar.format(date)
    const text = (step < 60 ? clockWithSeconds : clock).format(date)
    const before = day
    day = calendar.format(date)
    return day === before ? text : `${text}\n${day}`
  })
}

export const timeText = (time: number): string =>
  new Date(time * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
