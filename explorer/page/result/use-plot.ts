/** The life cycle of a uPlot chart: it is made for its lines, gets more samples, is resized, zoomed and destroyed. */
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { theme } from '../ui/theme.ts'
import { instantTexts, numberText, strokeOf } from './chart-text.ts'
import type { Line } from './charts.ts'

/** The form that uPlot expects. The times are passed unchanged. */
const dataOf = (times: readonly number[], lines: readonly Line[]): uPlot.AlignedData => [
  times as number[],
  ...lines.map(({ values }) => values.map(drawable)),
]

/** A value that is not a number is a gap in its line. */
const drawable = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null

interface Range {
  readonly min: number
  readonly max: number
}

/** The visible time range; undefined if all of it is visible. */
function zoomOf({ data, scales }: uPlot): Range | undefined {
  const { min, max } = scales.x ?? {}
  const [times] = data
  const [from, to] = [times[0], times.at(-1)]
  if (min == null || max == null || from === undefined || to === undefined) return undefined
  return min > from || max < to ? { min, max } : undefined
}

interface PlotOptions {
  readonly times: readonly number[]
  readonly drawn: readonly Line[]
  readonly hidden: ReadonlySet<number>
  readonly height: number
  /** Called with the time under the pointer; undefined for the last one. */
  readonly onRead: (time: number | undefined) => void
}

const leastWidth = 200

/** The current value of a colour of the style sheets. A canvas needs it, because it knows no names. */
function colourNow(name: string, element: HTMLElement): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

/** The options of a plot except its size. */
function optionsFor(
  drawn: readonly Line[],
  element: HTMLElement,
): Omit<uPlot.Options, 'width' | 'height' | 'hooks'> {
  const lines = { stroke: colourNow('--grid', element), width: 1 }
  const axis: uPlot.Axis = { stroke: colourNow('--text-quiet', element), grid: lines, ticks: lines }
  return {
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    axes: [
      { ...axis, space: 80, values: instantTexts },
      { ...axis, size: 64, values: (_, splits) => splits.map((value) => numberText(value)) },
    ],
    series: [
      {},
      ...drawn.map(({ label }, index) => {
        const { colour, dash } = strokeOf(index)
        const width = drawn.length > 20 ? 1 : 1.75
        return { label, width, dash, stroke: colourNow(colour, element), spanGaps: false }
      }),
    ],
  }
}

export function usePlot(options: PlotOptions) {
  const { times, drawn, hidden, height } = options
  const colours = theme.use()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [zoom, setZoom] = useState<Range>()
  /** The zoom as the plot has it, because samples may come before the page is rendered with it. */
  const zoomNow = useRef(zoom)
  const latest = useRef(options)
  latest.current = options
  // A new plot is made only for other lines. For more samples the existing one is redrawn.
  const labels = drawn.map(({ label }) => label).join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines make a new plot
  useEffect(() => {
    const element = place.current
    if (element === null) return
    // A new plot shows the whole time range at first.
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
    const made = new uPlot(
      { ...optionsFor(latest.current.drawn, element), ...sizeOf(), hooks },
      data,
      element,
    )
    if (before !== undefined) made.setScale('x', before)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize(sizeOf()))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [labels, colours])

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

  // Runs also after a new plot was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines and the theme make a new plot
  useEffect(() => {
    for (const [index] of latest.current.drawn.entries())
      plot.current?.setSeries(index + 1, { show: !hidden.has(index) })
  }, [labels, hidden, colours])

  return {
    place,
    /** The visible time range; undefined for all of it. */
    zoom,
    showAll: () => plot.current?.setScale('x', { min: times[0] ?? 0, max: times.at(-1) ?? 0 }),
    pointAt: (time: number) => plot.current?.setCursor({ left: plot.current.valToPos(time, 'x'), top: 0 }),
  }
}
