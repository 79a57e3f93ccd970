/** A PromQL expression over the last minutes; each event brings what is new. */
import { useSubscription } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { Card } from './card.tsx'
import { LineChart } from './line-chart.tsx'
import { TailDocument } from './operations.generated.ts'
import { type Lines, withTail } from './points.ts'

const expressions = [
  { title: 'Requests', unit: 'requests a second', query: 'sum by (method) (rate(http_requests_total[5m]))' },
  { title: 'Memory', unit: 'bytes', query: 'sum by (job) (process_resident_memory_bytes)' },
  { title: 'Instances up', unit: 'instances', query: 'sum by (job) (up)' },
] as const

export function Metrics(): ReactNode {
  const [chosen, choose] = useState<(typeof expressions)[number]>(expressions[0])
  return (
    <Tail
      key={chosen.query}
      {...chosen}
      picker={
        <select
          aria-label="What is drawn"
          value={chosen.title}
          onChange={({ target }) =>
            choose(expressions.find(({ title }) => title === target.value) ?? expressions[0])
          }
        >
          {expressions.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
      }
    />
  )
}

const windowSeconds = 600

function Tail({
  title,
  unit,
  query,
  picker,
}: {
  readonly title: string
  readonly unit: string
  readonly query: string
  readonly picker: ReactNode
}): ReactNode {
  const [lines, setLines] = useState<Lines>(new Map())
  const { error } = useSubscription(TailDocument, {
    variables: { query, window: windowSeconds, step: 5 },
    // Each event is a part of the whole: there is nothing to look up in a cache.
    fetchPolicy: 'no-cache',
    onData({ data: { data } }) {
      const tail = data?.metricsRange
      if (tail) setLines((before) => withTail(before, tail, windowSeconds))
    },
  })
  return (
    <Card title={title} className="metrics" error={error} aside={picker}>
      {lines.size > 0 ? (
        <LineChart title={title} unit={unit} lines={lines} windowSeconds={windowSeconds} />
      ) : error === undefined ? (
        <p className="quiet">Waiting for the first samples…</p>
      ) : null}
    </Card>
  )
}
