/** The stored state of a subscription: bounded events, newest first, and charts that grow. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartsFrom } from '../../../../explorer/page/result/charts.ts'
import { initialSubscription, withEvent } from '../../../../explorer/page/stream/subscription-state.ts'

const operation = {
  query:
    'subscription { metricsRange(query: "up", window: "1m", step: "1s") { series { metric samples { time value } } } }',
}
const answerOf = (series: readonly unknown[]) => ({ data: { metricsRange: { series } } })
const arrival = (text: string, answer: unknown = {}) => ({ at: 0, id: undefined, text, answer })

test('events are kept newest first, within a number and a size, and the newest whatever its size', () => {
  let state = initialSubscription
  for (let number = 1; number <= 202; number++) state = withEvent(state, arrival(`${number}`), operation)
  expect(state.events.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, at) => 202 - at))
  expect(state.events.map(({ text }) => Number(text))).toEqual(state.events.map(({ number }) => number))
  expect([state.total, state.size]).toEqual([202, 103 * 3 + 90 * 2 + 7])
  const large = 'e'.repeat(3_999_997)
  state = withEvent(state, arrival(large), operation)
  expect(state.events.map(({ text }) => text)).toEqual([large, '202'])
  state = withEvent(state, arrival(`${large}ffff`), operation)
  expect([state.events.length, state.total, state.size]).toEqual([1, 204, 4_000_001])
})

test('the polling details of the first event stay', () => {
  const polling = { intervalSeconds: 15, unitsPerPoll: 1, unitsPerHour: 240 }
  let state = withEvent(
    initialSubscription,
    arrival('1', { data: {}, extensions: { live: polling } }),
    operation,
  )
  state = withEvent(state, arrival('2', { data: {} }), operation)
  expect(state.polling).toEqual({ intervalSeconds: 15, unitsPerHour: 240 })
})

test('a range in parts is drawn as the whole range is, whatever the parts', () => {
  const sample = fc.record({
    time: fc.integer({ min: 0, max: 60 }),
    value: fc.constantFrom('1', '2.5', 'NaN', '+Inf'),
  })
  const series = fc.uniqueArray(
    fc.record({
      metric: fc.constantFrom({ job: 'a' }, { job: 'b' }, { job: 'c' }),
      samples: fc
        .uniqueArray(sample, { selector: ({ time }) => time, minLength: 1 })
        .map((samples) => samples.sort((a, b) => a.time - b.time)),
    }),
    { selector: ({ metric }) => metric.job, minLength: 1 },
  )
  fc.assert(
    fc.property(series, fc.uniqueArray(fc.integer({ min: 1, max: 60 })), (all, cuts) => {
      const borders = [0, ...cuts.sort((a, b) => a - b), 61]
      let state = initialSubscription
      for (const [index, from] of borders.slice(0, -1).entries()) {
        const part = all
          .map(({ metric, samples }) => ({
            metric,
            samples: samples.filter(({ time }) => time >= from && time < borders[index + 1]!),
          }))
          .filter(({ samples }) => samples.length > 0)
        state = withEvent(state, arrival('', answerOf(part)), operation)
      }
      const [whole] = chartsFrom(answerOf(all), operation, 1)
      const [chart] = state.charts
      expect(chart?.times).toEqual(whole?.times)
      expect(chart?.expression).toBe('up')
      const byLabel = (lines: typeof whole) =>
        Object.fromEntries(lines!.lines.map(({ label, values }) => [label, values]))
      expect(byLabel(chart)).toEqual(byLabel(whole))
    }),
  )
})

test('a chart that grows without end keeps its newest instants, and no line of which nothing is left', () => {
  const partOf = (from: number, count: number, job: string) =>
    answerOf([
      {
        metric: { job },
        samples: Array.from({ length: count }, (_, at) => ({ time: from + at, value: '1' })),
      },
    ])
  let state = withEvent(initialSubscription, arrival('', partOf(0, 3000, 'old')), operation)
  state = withEvent(state, arrival('', partOf(3000, 4000, 'new')), operation)
  const [chart] = state.charts
  expect([chart?.times.length, chart?.times.at(-1)]).toEqual([4000, 6999])
  expect(chart?.lines.map(({ label, values }) => [label, values.length])).toEqual([['{job="new"}', 4000]])
})
