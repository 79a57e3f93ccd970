/** Series that grow with each event, as far back as the window reaches. */
import type { TailSubscription } from './operations.generated.ts'

type Tail = NonNullable<TailSubscription['metricsRange']>

export interface Point {
  readonly time: number
  readonly value: number
}
/** By label. */
export type Lines = ReadonlyMap<string, readonly Point[]>

export function withTail(lines: Lines, { end, series }: Tail, windowSeconds: number): Lines {
  const added = new Map(
    series.map(({ metric, samples }) => [
      labelOf(metric as Readonly<Record<string, string>>),
      samples.map(({ time, value }) => ({ time, value: Number(value) })),
    ]),
  )
  const labels = new Set([...lines.keys(), ...added.keys()])
  const next = [...labels].map((label): [string, readonly Point[]] => [
    label,
    [...(lines.get(label) ?? []), ...(added.get(label) ?? [])].filter(
      ({ time }) => time > end - windowSeconds,
    ),
  ])
  return new Map(next.filter(([, points]) => points.length > 0))
}

/** The values of its labels: what they are named is the same for all lines. */
function labelOf({ __name__: name, ...labels }: Readonly<Record<string, string>>): string {
  return Object.values(labels).join(', ') || (name ?? 'value')
}
