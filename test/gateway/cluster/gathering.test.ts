/** The metrics and the health of several workers together. */
import { expect, test } from 'vitest'
import { addMetrics, keepCounts, worstOf } from '../../../gateway/cluster/gathering.ts'
import { Metrics } from '../../../gateway/telemetry/metrics/index.ts'

function lineOf(text: string, start: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1),
  )
}

test('counts are summed, also those of workers that have ended; gauges are combined by their meaning', async () => {
  const all = [1, 2, 3].map((n) => {
    const metrics = new Metrics()
    for (let request = 0; request < n; request++)
      metrics.request({ operationName: 'A', status: 200, milliseconds: 3 * n })
    metrics.gauge('summed', 'Summed.', () => [{ labels: { of: 'x' }, value: n }])
    metrics.gauge('highest', 'The highest.', () => [{ labels: {}, value: n }], 'max')
    return metrics
  })
  const [a, b, c] = await Promise.all(all.map((metrics) => metrics.json()))
  if (a === undefined || b === undefined || c === undefined) throw new Error('three are there')
  const past = await keepCounts(await keepCounts([], c), c)
  const text = await addMetrics([a, b], past)
  expect(lineOf(text, 'tessera_request_duration_seconds_count{operation="A"')).toBe(1 + 2 + 3 + 3)
  expect(lineOf(text, 'tessera_request_duration_seconds_bucket{le="0.005",operation="A"')).toBe(1)
  expect(lineOf(text, 'tessera_request_duration_seconds_bucket{le="+Inf",operation="A"')).toBe(9)
  expect(lineOf(text, 'summed{of="x"}')).toBe(3)
  expect(lineOf(text, 'highest')).toBe(2)
  expect(lineOf(text, 'tessera_build_info')).toBe(1)
  for (const metrics of all) metrics.close()
})

test('the state of a service is the worst that any worker reports', () => {
  expect(
    worstOf([
      [
        { service: 'videos', ready: true, state: 'closed', active: 2, waiting: 0 },
        { service: 'agents', ready: true, state: 'unknown' },
      ],
      [
        { service: 'videos', ready: false, state: 'open', active: 1, waiting: 4 },
        { service: 'agents', ready: true, state: 'reachable' },
      ],
    ]),
  ).toEqual([
    { service: 'videos', ready: false, state: 'open', active: 3, waiting: 4 },
    { service: 'agents', ready: true, state: 'reachable' },
  ])
})
