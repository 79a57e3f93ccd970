/**
 * The evaluator of the sandbox beside a real VictoriaMetrics that holds the same samples. Its language, MetricsQL,
 * differs from PromQL on purpose, as its documentation says; expressions in which that shows are left out. Functions
 * like `rate` read the sample before their window. NaN is no value: it is dropped at every step, so that `absent` has
 * the value of an empty vector. Scalars are vectors, and a vector without labels matches like a scalar. More functions
 * keep the name of the metric, and ambiguous matches, which PromQL refuses, are merged. Version 1.79 has no
 * `day_of_year`, its `sgn` of a dropped value is 0, and its `clamp` takes bounds in any order.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetricsApi, type MetricsApi } from '../../sandbox/metrics/api.ts'
import { labelOf, metricName } from '../../sandbox/metrics/labels.ts'
import { campaignSize } from '../support/campaign-size.ts'
import {
  hasVictoriaMetrics,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '../support/victoria-metrics.ts'
import { exactVector, roundedVector } from './metrics-expressions.ts'
import {
  begin,
  end,
  expectClose,
  linesByMetric,
  loadableSeries,
  type QueryBody,
  rowsOf,
} from './metrics-samples.ts'

const differs =
  /\b(?:rate|increase|delta|irate|idelta|changes|resets|clamp|sgn|day_of_year|scalar|vector|absent)\(|NaN|[Ii]nf|(?:\^ 0\.5|(?:ln|log2|log10|sqrt)\(temp)|special_value/
const sharedExpression = fc
  .oneof(exactVector, roundedVector)
  .filter((expression) => !differs.test(expression))

describe.runIf(hasVictoriaMetrics('the metrics stand-in beside VictoriaMetrics'))(
  'beside a real VictoriaMetrics',
  () => {
    let victoria: VictoriaMetrics
    let api: MetricsApi

    beforeAll(async () => {
      const series = loadableSeries().filter(({ labels }) => labelOf(labels, metricName) !== 'special_value')
      const lines = linesByMetric(series, begin - 3_600_000, (line, { time }) => `${line} ${time}`)
      victoria = await startVictoriaMetrics(`${[...lines.values()].flat().join('\n')}\n`)
      api = createMetricsApi({ now: () => end, synthetic: false, series, maxTimeoutMs: 120_000 })
    })
    afterAll(() => victoria?.close())

    const ask = async (expression: string, time: string): Promise<[ours: QueryBody, theirs: QueryBody]> => {
      const sent = new URLSearchParams({ query: expression, time })
      const response = await fetch(`${victoria.url}/api/v1/query`, { method: 'POST', body: sent })
      return [JSON.parse(api.query(sent).body), (await response.json()) as QueryBody]
    }
    const withoutName = (label: string): boolean => label !== metricName
    const tolerance = { relative: 1e-6, absolute: 1e-5 }

    const expressions = campaignSize(1000)
    test(`${expressions} random expressions of both languages have the same result`, async () => {
      const counted = { refused: 0, withResult: 0 }
      const fraction = fc.double({ min: 0.35, max: 0.95, noNaN: true })
      await fc.assert(
        fc.asyncProperty(sharedExpression, fraction, async (expression, at) => {
          // Between two scrapes: the servers differ in whether a sample at the edge of a window belongs to it.
          const time = (Math.floor((begin + (end - begin) * at) / 1000) + 0.512).toFixed(3)
          const [ours, theirs] = await ask(expression, time)
          // What one of them refuses is compared with Prometheus alone.
          if (ours.status === 'error' || theirs.status === 'error') {
            counted.refused += 1
            return
          }
          expect(ours.data?.resultType, expression).toBe(theirs.data?.resultType)
          const left = rowsOf(ours.data?.result, withoutName)
          const right = rowsOf(theirs.data?.result, withoutName)
          for (const [key, pairs] of left) if (pairs.every(([, value]) => value === 'NaN')) left.delete(key)
          expect([...left.keys()].sort(), expression).toEqual([...right.keys()].sort())
          for (const [key, pairs] of left) expectClose(expression, pairs, right.get(key) ?? [], tolerance)
          if (left.size > 0) counted.withResult += 1
        }),
        { numRuns: expressions },
      )
      expect(counted.refused).toBeLessThan(expressions * 0.1)
      expect(counted.withResult).toBeGreaterThan(expressions * 0.6)
    })

    test('it holds the same samples', async () => {
      const [ours, theirs] = await ask('{__name__=~"[^:]+"}[150s]', (end / 1000 - 600).toFixed(3))
      const [left, right] = [rowsOf(ours.data?.result), rowsOf(theirs.data?.result)]
      expect(left.size).toBeGreaterThan(60)
      // Its range includes both ends; it keeps values as decimals, which changes the last binary digits of some.
      for (const [key, pairs] of left) {
        const last = right.get(key)?.slice(-pairs.length) ?? []
        expectClose(key, pairs, last, { relative: 1e-12, absolute: 0 })
      }
    })
  },
)
