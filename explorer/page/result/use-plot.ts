/** The life of one uPlot: made for its lines, given more samples, resized, zoomed, and taken away. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { Theme } from '../frame/theme.ts'
import { instantTexts, numberText, strokeOf } from './chart-text.ts'
import type { Line } from './series.ts'

/** As uPlot expects it; the times are handed over as they are. */
const dataOf = (times: readonly number[], lines: readonly Line[]): uPlot.AlignedData => [
  times as number[],
  ...lines.map(({ values }) => values.map(drawable)),
]

/** What is no number is a gap in its line. */
const drawable = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null

export interface Range {
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

export interface PlotOptions {
  readonly times: readonly number[]
  /** The lines that are drawn. */
  readonly drawn: readonly Line[]
  readonly hidden: ReadonlySet<number>
  readonly height: number
  readonly theme: Theme
  /** The time that the pointer is on; undefined for the last one. */
  readonly onRead: (time: number | undefined) => void
}

export interface Plot {
  /** Where it is drawn. */
  readonly place: RefObject<HTMLDivElement | null>
  /** The part of the time that is shown; undefined for all of it. */
  readonly zoom: Range | undefined
  showAll(): void
  /** Moves the cursor to a time. */
  pointAt(time: number): void
}

const leastWidth = 200

/** What a plot is made of, before it has any size. */
function optionsFor(drawn: readonly Line[], theme: Theme): Omit<uPlot.Options, 'width' | 'height' | 'hooks'> {
  const style = getComputedStyle(document.documentElement)
  const axis: uPlot.Axis = {
    stroke: style.getPropertyValue('--text-quiet'),
    grid: { stroke: style.getPropertyValue('--grid'), width: 1 },
    ticks: { stroke: style.getPropertyValue('--grid'), width: 1 },
  }
  return {
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
  }
}

export function usePlot(options: PlotOptions): Plot {
  const { times, drawn, hidden, height, theme } = options
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [zoom, setZoom] = useState<Range>()
  /** The same as soon as the plot has it: samples may come before the page is rendered with it. */
  const zoomNow = useRef(zoom)
  const latest = useRef(options)
  latest.current = options
  // A plot is made anew only for other lines: of more samples it draws the rest.
  const labels = drawn.map(({ label }) => label).join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines make a new plot
  useEffect(() => {
    const element = place.current
    if (element === null) return
    // The new plot begins with all of the time.
    const before = zoomNow.current
    const sizeOf = () => ({
      width: Math.max(element.clientWidth, leastWidth),
      height: latest.current.height,
    })
    const hooks: uPlot.Hooks.Arrays = {
      setScale: [
        (changed, key) => {
          if (key !== 'x') return
          zoomNow.current = zoomOf(changed)
          setZoom(zoomNow.current)
        },
      ],
      setCursor: [
        ({ cursor }) => {
          const { times: now, onRead } = latest.current
          if (typeof cursor.idx === 'number')
            onRead(cursor.idx === now.length - 1 ? undefined : now[cursor.idx])
        },
      ],
    }
    const data = dataOf(latest.current.times, latest.current.drawn)
    const made = new uPlot({ ...optionsFor(latest.current.drawn, theme), ...sizeOf(), hooks }, data, element)
    if (before !== undefined) made.setScale('x', before)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize(sizeOf()))
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

  return {
    place,
    zoom,
    showAll: () => plot.current?.setScale('x', { min: times[0] ?? 0, max: times.at(-1) ?? 0 }),
    pointAt: (time) => plot.current?.setCursor({ left: plot.current.valToPos(time, 'x'), top: 0 }),
  }
}
