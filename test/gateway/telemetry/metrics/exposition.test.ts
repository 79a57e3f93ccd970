/** Metrics as text: what a parser of either format reads is what was measured. */
import fc from 'fast-check'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import {
  openMetricsText,
  prometheusText,
  type ReadMetric,
} from '../../../../gateway/telemetry/metrics/exposition.ts'
import { MetricRegistry } from '../../../../gateway/telemetry/metrics/registry.ts'

const texts = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\n', '\\n', 'a"b\\c\nd', 'ä'))
const values = fc.oneof(fc.double({ noNaN: true }), fc.integer())

test("the text in Prometheus' format is that of prom-client, whatever help, labels and values are", async () => {
  await fc.assert(
    fc.asyncProperty(
      texts.filter((help) => help !== ''),
      fc.array(fc.tuple(texts, values), { maxLength: 5 }),
      async (help, samples) => {
        const registry = new Registry()
        const options = { help, labelNames: ['a'], registers: [registry] }
        const gauge = new Gauge({ ...options, name: 'a_gauge' })
        const counter = new Counter({ ...options, name: 'a_counter_total' })
        const histogram = new Histogram({ ...options, name: 'a_histogram', buckets: [0.5, 1, 10] })
        for (const [a, value] of samples) {
          gauge.set({ a }, value)
          counter.inc({ a }, Math.abs(value))
          histogram.observe({ a }, value)
        }
        const read = (await registry.getMetricsAsJSON()) as unknown as ReadMetric[]
        expect(prometheusText(read)).toBe(await registry.metrics())
      },
    ),
  )
})

test('OpenMetrics has the family of a counter, bounds with a point, exemplars and an end', () => {
  const time = 1_700_000_000.5
  const metrics: readonly ReadMetric[] = [
    {
      name: 'a_total',
      help: 'A "b".',
      type: 'counter',
      aggregator: 'sum',
      values: [{ labels: {}, value: 1 }],
    },
    {
      ...{ name: 'h', help: 'H', type: 'histogram', aggregator: 'sum' },
      values: [
        {
          metricName: 'h_bucket',
          labels: { le: 1, of: 'x\n' },
          value: 2,
          exemplar: { labels: { trace_id: 'abc' }, value: 0.5, time },
        },
        { metricName: 'h_bucket', labels: { le: '+Inf', of: 'x\n' }, value: 2, exemplar: null },
      ],
    },
  ]
  expect(openMetricsText(metrics).split('\n')).toEqual([
    '# TYPE a counter',
    '# HELP a A \\"b\\".',
    'a_total 1',
    '# TYPE h histogram',
    '# HELP h H',
    'h_bucket{le="1.0",of="x\\n"} 2 # {trace_id="abc"} 0.5 1700000000.500',
    'h_bucket{le="+Inf",of="x\\n"} 2',
    '# EOF',
    '',
  ])
})

test('a counter begins with the series that it names, and a metric is there once', async () => {
  const registry = new MetricRegistry()
  registry.series({ name: 'named_total', help: 'N', labels: ['of'], from: ['a', 'b'] })
  registry.series({ name: 'bare_total', help: 'B' })
  registry.series({ name: 'labelled_total', help: 'L', labels: ['of'] })
  expect(
    (await registry.read()).map(({ name, values }) => [name, values.map(({ labels }) => labels)]),
  ).toEqual([
    ['named_total', [{ of: 'a' }, { of: 'b' }]],
    ['bare_total', [{}]],
    ['labelled_total', []],
  ])
  expect(() => registry.gauge('bare_total', 'B', () => [])).toThrow('got bare_total again')
})
