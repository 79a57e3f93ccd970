/**
 * The series of a range query as a chart: lines over time, a table of them, and a slider that reads values without
 * a mouse.
 */
import { useId, useMemo, useState } from 'react'
import 'uplot/dist/uPlot.min.css'
import { Button } from '../ui/button.tsx'
import { Splitter, useSize } from '../ui/splitter.tsx'
import { mostDrawn, numberText, strokeOf, timeText } from './chart-text.ts'
import type { Chart, Line } from './charts.ts'
import { usePlot } from './use-plot.ts'

export function ChartPane({ charts }: { readonly charts: readonly Chart[] }) {
  return (
    <div className="charts" data-testid="charts">
      {charts.map((chart, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer's charts never change their order
        <OneChart key={`${chart.path} ${index}`} chart={chart} />
      ))}
    </div>
  )
}

const unboundedIn = (lines: readonly Line[]): number =>
  lines.flatMap(({ values }) => values.filter((value) => value !== null && !Number.isFinite(value))).length

function OneChart({ chart }: { readonly chart: Chart }) {
  const { times, lines } = chart
  const titleId = useId()
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  /** The time at which values are shown; undefined for the last one, which moves as the chart grows. */
  const [readAt, setReadAt] = useState<number>()
  const height = useSize('chart', [120, 240, 800])
  const drawn = useMemo(() => lines.slice(0, mostDrawn), [lines])
  const plot = usePlot({ times, drawn, hidden, height: height.value, onRead: setReadAt })
  const found = readAt === undefined ? -1 : times.indexOf(readAt)
  const instant = found < 0 ? times.length - 1 : found
  const unbounded = unboundedIn(lines)
  const toggle = (index: number): void => {
    const next = new Set(hidden)
    if (!next.delete(index)) next.add(index)
    setHidden(next)
  }
  const read = (index: number): void => {
    const time = times[index]
    setReadAt(index === times.length - 1 ? undefined : time)
    if (time !== undefined) plot.pointAt(time)
  }
  const title = chart.expression ?? chart.path
  const from = plot.zoom?.min ?? times[0] ?? 0
  const to = plot.zoom?.max ?? times.at(-1) ?? 0
  return (
    <figure className="chart" aria-labelledby={titleId}>
      <figcaption id={titleId}>
        <code>{title}</code>
        <span className="quiet">
          {lines.length} series, {times.length} instants
          {lines.length > drawn.length ? `; the first ${drawn.length} are drawn` : ''}
          {unbounded > 0 ? `; ${unbounded} samples are NaN or infinite, and not drawn` : ''}
        </span>
        {plot.zoom === undefined ? null : (
          <Button look="link" onClick={plot.showAll}>
            Show the whole time range
          </Button>
        )}
      </figcaption>
      <div className="chart-body">
        <div className="chart-plot">
          <div
            ref={plot.place}
            role="img"
            aria-label={`${title}: ${lines.length} series from ${timeText(from)} to ${timeText(to)}`}
          />
          <label className="instant row quiet">
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
          <Splitter label="Height of the chart" orientation="horizontal" size={height} />
        </div>
        <ChartLegend
          title={title}
          lines={lines}
          drawn={drawn.length}
          hidden={hidden}
          instant={instant}
          onToggle={toggle}
        />
      </div>
    </figure>
  )
}

interface ChartLegendProps {
  readonly title: string
  readonly lines: readonly Line[]
  /** How many lines are drawn, from the first one on. */
  readonly drawn: number
  readonly hidden: ReadonlySet<number>
  /** The index of the time at which values are shown. */
  readonly instant: number
  readonly onToggle: (index: number) => void
}

interface Summary {
  readonly min: number | null
  readonly max: number | null
  /** How many samples it has, including those that are not numbers. */
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

/** The lines as a table: their values at one time, and which of them are drawn. */
function ChartLegend({ title, lines, drawn, hidden, instant, onToggle }: ChartLegendProps) {
  const summaries = useMemo(() => lines.map(summaryOf), [lines])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: this is not a set of form fields
    <div className="legend" role="group" aria-label={`Series of ${title}`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">Series at the chosen instant</caption>
        <thead>
          <tr>
            <th scope="col">series</th>
            {['value', 'min', 'max', 'points'].map((column) => (
              <th key={column} scope="col" className="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => {
            const { colour, dash } = strokeOf(index)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two series may have the same labels selected
              <tr key={index} className={hidden.has(index) ? 'off' : ''}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={!hidden.has(index)}
                    className="row"
                    disabled={index >= drawn}
                    title={line.label}
                    onClick={() => onToggle(index)}
                  >
                    <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
                      <path
                        d="M1 4h16"
                        stroke={`var(${colour})`}
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
  )
}
