/**
 * A range query's series as a chart: lines over time, a table of what they are, and a slider to read the
 * values of one instant without a mouse.
 */
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Chart, Line } from './series.ts'

/** Most people can distinguish them, on white and on black; further lines take the same ones again, broken. */
const colours = [
  ['#0f766e', '#2dd4bf'],
  ['#b45309', '#fbbf24'],
  ['#6d28d9', '#a78bfa'],
  ['#be123c', '#fb7185'],
  ['#0369a1', '#38bdf8'],
  ['#4d7c0f', '#a3e635'],
  ['#a21caf', '#e879f9'],
  ['#475569', '#94a3b8'],
] as const
const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]]

/** More lines than these can be neither distinguished nor drawn quickly; the table has them all. */
const mostDrawn = 200

function strokeOf(index: number, theme: Theme): { readonly stroke: string; readonly dash: number[] } {
  const [light, dark] = colours[index % colours.length] ?? colours[0]
  const dash = dashes[Math.floor(index / colours.length) % dashes.length] ?? []
  return { stroke: theme === 'dark' ? dark : light, dash: [...dash] }
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

/** Times of day, and the day below the first of each. */
function instantTexts(_: uPlot, splits: number[], __: number, ___: number, step: number): string[] {
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

const timeText = (time: number): string =>
  new Date(time * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** As uPlot expects it; the times are handed over as they are. */
const dataOf = (times: readonly number[], lines: readonly Line[]): uPlot.AlignedData => [
  times as number[],
  ...lines.map(({ values }) => values.map(drawable)),
]

/** What is no number is a gap in its line. */
const drawable = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null

interface Range {
  readonly min: number
  readonly max: number
}

/** The part of the time that a plot shows; undefined if that is all of it. */
function zoomOf({ data, scales }: uPlot): Range | undefined {
  const { min, max } = scales.x ?? {}
  const [times] = data
  const [from, to] = [times[0], times.at(-1)]
  if (min == null || max == null || from === undefined || to === undefined) return undefined
  return min > from || max < to ? { min, max } : undefined
}

interface Summary {
  readonly min: number | null
  readonly max: number | null
  /** Samples, also those that are no numbers. */
  readonly points: number
}

function summaryOf({ values }: Line): Summary {
  let min: number | null = null
  let max: number | null = null
  let points = 0
  for (const value of values) {
    if (value === null) continue
    points += 1
    if (!Number.isFinite(value)) continue
    if (min === null || value < min) min = value
    if (max === null || value > max) max = value
  }
  return { min, max, points }
}

export function ChartPane({ charts, theme }: { readonly charts: readonly Chart[]; readonly theme: Theme }) {
  return (
    <div className="charts" data-testid="charts">
      {charts.map((chart, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer's charts never change their order
        <OneChart key={`${chart.path} ${index}`} chart={chart} theme={theme} />
      ))}
    </div>
  )
}

function OneChart({ chart, theme }: { readonly chart: Chart; readonly theme: Theme }) {
  const { times, lines } = chart
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const titleId = useId()
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  /** The time that is read; undefined for the last one, also while the chart grows. */
  const [readAt, setReadAt] = useState<number>()
  /** The part of the time that is shown; undefined for all of it. */
  const [zoom, setZoom] = useState<Range>()
  /** The same as soon as the plot has it: samples may come before the page is rendered with it. */
  const zoomNow = useRef(zoom)
  const drawn = useMemo(() => lines.slice(0, mostDrawn), [lines])
  const found = readAt === undefined ? -1 : times.indexOf(readAt)
  const instant = found < 0 ? times.length - 1 : found
  const latest = useRef({ times, drawn })
  latest.current = { times, drawn }
  // A plot is made anew only for other lines: of more samples it draws the rest.
  const labels = drawn.map(({ label }) => label).join('\n')
  const summaries = useMemo(() => lines.map(summaryOf), [lines])
  const [height, setHeight] = useSize('chart', 240)
  const heightNow = useRef(height)
  heightNow.current = height
  const unbounded = lines.reduce(
    (sum, { values }) => sum + values.filter((value) => value !== null && !Number.isFinite(value)).length,
    0,
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines make a new plot
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const { times, drawn } = latest.current
    // The new plot begins with all of the time.
    const before = zoomNow.current
    const style = getComputedStyle(document.documentElement)
    const axis: uPlot.Axis = {
      stroke: style.getPropertyValue('--text-quiet'),
      grid: { stroke: style.getPropertyValue('--grid'), width: 1 },
      ticks: { stroke: style.getPropertyValue('--grid'), width: 1 },
    }
    const made = new uPlot(
      {
        width: Math.max(element.clientWidth, 200),
        height: heightNow.current,
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        axes: [
          { ...axis, space: 80, values: instantTexts },
          { ...axis, size: 64, values: (_, splits) => splits.map((value) => numberText(value)) },
        ],
        series: [
          {},
          ...drawn.map((line, index) => ({
            label: line.label,
            width: drawn.length > 20 ? 1 : 1.75,
            ...strokeOf(index, theme),
            spanGaps: false,
          })),
        ],
        hooks: {
          setScale: [
            (plot, key) => {
              if (key !== 'x') return
              zoomNow.current = zoomOf(plot)
              setZoom(zoomNow.current)
            },
          ],
          setCursor: [
            ({ cursor }) => {
              const { times: now } = latest.current
              if (typeof cursor.idx === 'number')
                setReadAt(cursor.idx === now.length - 1 ? undefined : now[cursor.idx])
            },
          ],
        },
      },
      dataOf(times, drawn),
      element,
    )
    if (before !== undefined) made.setScale('x', before)
    plot.current = made
    const resized = new ResizeObserver(() =>
      made.setSize({ width: Math.max(element.clientWidth, 200), height: heightNow.current }),
    )
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [labels, theme])

  useEffect(() => {
    const { current: made } = plot
    if (made === undefined || made.data[0] === times) return
    const { current: kept } = zoomNow
    const isKept = kept !== undefined && kept.min < (times.at(-1) ?? 0) && kept.max > (times[0] ?? 0)
    made.setData(dataOf(times, drawn), !isKept)
    if (isKept) made.setScale('x', kept)
  }, [times, drawn])

  useEffect(() => {
    const { current: made } = plot
    if (made !== undefined) made.setSize({ width: made.width, height })
  }, [height])

  // Also after the plot was made anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines and the theme make a new plot
  useEffect(() => {
    for (const [index] of latest.current.drawn.entries())
      plot.current?.setSeries(index + 1, { show: !hidden.has(index) })
  }, [labels, hidden, theme])

  const toggle = (index: number): void => {
    const next = new Set(hidden)
    if (!next.delete(index)) next.add(index)
    setHidden(next)
  }
  const read = (index: number): void => {
    const time = times[index]
    setReadAt(index === times.length - 1 ? undefined : time)
    if (time !== undefined) plot.current?.setCursor({ left: plot.current.valToPos(time, 'x'), top: 0 })
  }
  const title = chart.expression ?? chart.path
  const from = zoom?.min ?? times[0] ?? 0
  const to = zoom?.max ?? times.at(-1) ?? 0
  const showAll = (): void => plot.current?.setScale('x', { min: times[0] ?? 0, max: times.at(-1) ?? 0 })

  return (
    <figure className="chart" aria-labelledby={titleId}>
      <figcaption id={titleId}>
        <code>{title}</code>
        <span className="quiet">
          {lines.length} {lines.length === 1 ? 'series' : 'series'}, {times.length} instants
          {lines.length > drawn.length ? `; the first ${drawn.length} are drawn` : ''}
          {unbounded > 0 ? `; ${unbounded} samples are NaN or infinite, and not drawn` : ''}
        </span>
        {zoom === undefined ? null : (
          <button type="button" onClick={showAll}>
            Show all of the time
          </button>
        )}
      </figcaption>
      <div className="chart-body">
        <div className="chart-plot">
          <div
            ref={place}
            role="img"
            aria-label={`${title}: ${lines.length} series from ${timeText(from)} to ${timeText(to)}`}
          />
          <label className="instant">
            <span>Instant</span>
            <input
              type="range"
              min={0}
              max={times.length - 1}
              value={instant}
              aria-valuetext={timeText(times[instant] ?? 0)}
              onChange={(event) => read(Number(event.currentTarget.value))}
            />
            <time>{timeText(times[instant] ?? 0)}</time>
          </label>
          <Splitter
            label="Height of the chart"
            orientation="horizontal"
            value={height}
            min={120}
            max={800}
            onChange={setHeight}
          />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        {/* biome-ignore lint/a11y/useSemanticElements: this is no set of form fields */}
        <div className="legend" role="group" aria-label={`Series of ${title}`} tabIndex={0}>
          <table>
            <caption className="visually-hidden">Series at the chosen instant</caption>
            <thead>
              <tr>
                <th scope="col">series</th>
                <th scope="col" className="number">
                  value
                </th>
                <th scope="col" className="number">
                  min
                </th>
                <th scope="col" className="number">
                  max
                </th>
                <th scope="col" className="number">
                  points
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, index) => {
                const { stroke, dash } = strokeOf(index, theme)
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two series may have the same labels selected
                  <tr key={index} className={hidden.has(index) ? 'off' : ''}>
                    <th scope="row">
                      <button
                        type="button"
                        aria-pressed={!hidden.has(index)}
                        disabled={index >= drawn.length}
                        title={line.label}
                        onClick={() => toggle(index)}
                      >
                        <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
                          <path
                            d="M1 4h16"
                            stroke={stroke}
                            strokeWidth="3"
                            strokeDasharray={dash.join(' ')}
                          />
                        </svg>
                        <span className="legend-label">{line.label}</span>
                      </button>
                    </th>
                    <td className="number">{numberText(line.values[instant])}</td>
                    <td className="number">{numberText(summaries[index]?.min)}</td>
                    <td className="number">{numberText(summaries[index]?.max)}</td>
                    <td className="number">{summaries[index]?.points}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </div>
    </figure>
  )
}
