/** Lines over time as SVG: axes with their units, a legend with the newest values, and the values under the pointer. */
import { type PointerEvent, type ReactNode, useState } from 'react'
import type { Lines, Point } from './points.ts'

const size = { width: 720, height: 300, left: 56, right: 12, top: 12, bottom: 28 } as const
const inner = {
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
} as const
const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

const clockText = (time: number): string => clock.format(time * 1000)

/** Round numbers, four to six of them, from 0 or below to the greatest value or above. */
function ticksFor(least: number, greatest: number): number[] {
  const span = Math.max(greatest, 0) - Math.min(least, 0) || 1
  const rough = span / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const from = Math.floor(Math.min(least, 0) / step)
  const to = Math.ceil(Math.max(greatest, 0) / step)
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
}

export interface LineChartProps {
  readonly title: string
  readonly unit: string
  readonly lines: Lines
  readonly windowSeconds: number
}

export function LineChart({ title, unit, lines, windowSeconds }: LineChartProps): ReactNode {
  const [pointed, setPointed] = useState<number>()
  const all = [...lines.values()].flat()
  const finite = all.map(({ value }) => value).filter(Number.isFinite)
  const to = all.reduce((latest, { time }) => Math.max(latest, time), 0)
  const from = to - windowSeconds
  const ticks = ticksFor(Math.min(...finite, 0), Math.max(...finite, 0))
  const [bottom = 0, top = 1] = [ticks[0], ticks.at(-1)]
  const x = (time: number): number => size.left + (inner.width * (time - from)) / windowSeconds
  const y = (value: number): number => size.top + inner.height * (1 - (value - bottom) / (top - bottom))
  const times = Array.from({ length: 5 }, (_, index) => from + (windowSeconds * (index + 0.5)) / 5)

  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * size.width
    setPointed(from + ((at - size.left) / inner.width) * windowSeconds)
  }
  const shown = pointed === undefined ? to : Math.min(to, Math.max(from, pointed))
  const read = (points: readonly Point[]): Point | undefined =>
    points.findLast(({ time }) => time <= shown) ?? points[0]

  return (
    <figure>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${title}: ${lines.size} series from ${clockText(from)} to ${clockText(to)}`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {ticks.map((tick) => (
          <g key={tick} className="tick">
            <line x1={size.left} x2={size.width - size.right} y1={y(tick)} y2={y(tick)} />
            <text x={size.left - 8} y={y(tick) + 4} textAnchor="end">
              {short.format(tick)}
            </text>
          </g>
        ))}
        {times.map((time) => (
          <text key={time} className="time" x={x(time)} y={size.height - 8} textAnchor="middle">
            {clockText(time)}
          </text>
        ))}
        {[...lines].map(([label, points], index) => (
          <path key={label} className={`line line-${index % 6}`} d={pathOf(points, x, y)} />
        ))}
        {pointed === undefined ? null : (
          <line className="pointed" x1={x(shown)} x2={x(shown)} y1={size.top} y2={size.top + inner.height} />
        )}
      </svg>
      <figcaption>
        <table>
          <caption>
            {unit}, at <time>{clockText(shown)}</time>
          </caption>
          <tbody>
            {[...lines].map(([label, points], index) => (
              <tr key={label}>
                <th scope="row">
                  <i className={`swatch line-${index % 6}`} />
                  {label}
                </th>
                <td>{short.format(read(points)?.value ?? Number.NaN)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </figcaption>
    </figure>
  )
}

/** What is no number is a gap. */
function pathOf(points: readonly Point[], x: (time: number) => number, y: (value: number) => number): string {
  let isPen = false
  return points
    .map(({ time, value }) => {
      const command = Number.isFinite(value)
        ? `${isPen ? 'L' : 'M'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`
        : ''
      isPen = command !== ''
      return command
    })
    .join('')
}
