/** The lines of a chart as a table: their values at one time, and which of them are drawn. */
import { useMemo } from 'react'
import { numberText, strokeOf } from './chart-text.ts'
import type { Line } from './charts.ts'

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

export function ChartLegend({ title, lines, drawn, hidden, instant, onToggle }: ChartLegendProps) {
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
