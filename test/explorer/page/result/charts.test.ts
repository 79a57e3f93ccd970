/** Which parts of a response are drawn, and as which charts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFrom } from '../../../../explorer/page/json.ts'
import { chartsFrom } from '../../../../explorer/page/result/charts.ts'

const series = (metric: Record<string, string>, ...samples: [number, string][]) => ({
  metric,
  samples: samples.map(([time, value]) => ({ time, value })),
})
const answer = (result: unknown) => ({ data: { metrics: { queryRange: result } } })
const operation = {
  query:
    '{ metrics { queryRange(query: "rate(http_requests_total[5m])", start: 0, end: 60, step: 30) { series { metric samples { time value } } } } }',
}

test('a range becomes lines over its instants, named as PromQL names series and titled by the expression', () => {
  const [chart, ...others] = chartsFrom(
    answer({
      resultType: 'matrix',
      series: [
        series({ __name__: 'up', job: 'api' }, [0, '1'], [30, '0.5']),
        series({ job: 'worker' }, [30, '2'], [60, '1e-07']),
      ],
    }),
    operation,
  )
  expect(others).toEqual([])
  expect(chart).toEqual({
    path: 'metrics.queryRange',
    expression: 'rate(http_requests_total[5m])',
    times: [0, 30, 60],
    lines: [
      { label: 'up{job="api"}', values: [1, 0.5, null] },
      { label: '{job="worker"}', values: [null, 2, 1e-7] },
    ],
  })
})

test('samples that are not numbers stay unchanged, except for missing ones', () => {
  const [chart] = chartsFrom(
    answer({
      series: [
        series({ a: 'b' }, [0, 'NaN'], [1, '+Inf'], [2, '-Inf'], [4, '4']),
        series({ c: 'd' }, [3, '1'], [4, '2']),
      ],
    }),
    operation,
  )
  expect(chart?.lines).toEqual([
    { label: '{a="b"}', values: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, 4] },
    { label: '{c="d"}', values: [null, null, null, 1, 2] },
  ])
})

test('every range of an answer is found, whatever its fields are called, and each has its own expression', () => {
  const query = `query Both($q: String!) {
    all: metrics { first: queryRange(query: $q) { lines: series { points: samples { time value } } } ...More }
  }
  fragment More on Metrics { second: queryRange(query: "b") { series { labels { name value } samples { time float } } } }`
  const charts = chartsFrom(
    {
      data: {
        all: {
          first: {
            lines: [
              {
                points: [
                  { time: 1, value: '1' },
                  { time: 2, value: '2' },
                ],
              },
            ],
          },
          second: {
            series: [
              {
                labels: [
                  { name: '__name__', value: 'x' },
                  { name: 'le', value: '0.5' },
                ],
                samples: [
                  { time: 1, float: 3 },
                  { time: 2, float: null },
                ],
              },
            ],
          },
        },
      },
    },
    { query, variables: { q: 'a' }, operationName: 'Both' },
  )
  expect(
    charts.map(({ path, expression, lines }) => [path, expression, lines[0]?.label, lines[0]?.values]),
  ).toEqual([
    ['all.first', 'a', 'value', [1, 2]],
    ['all.second', 'b', 'x{le="0.5"}', [3, Number.NaN]],
  ])
})

test('a range that came whole, as the service wrote it, is drawn too, and not twice beside its series', () => {
  const raw = {
    resultType: 'matrix',
    result: [
      {
        metric: { job: 'api' },
        values: [
          [0, '1'],
          [1, '2'],
        ],
      },
    ],
  }
  expect(chartsFrom(answer({ raw }), operation)).toMatchObject([
    { path: 'metrics.queryRange', lines: [{ label: '{job="api"}', values: [1, 2] }] },
  ])
  const both = { raw, series: [series({ job: 'api' }, [0, '1'], [1, '2'])] }
  expect(chartsFrom(answer(both), operation).length).toBe(1)
})

test('one instant, text and lists of other things are not drawn', () => {
  for (const data of [
    { metrics: { query: { series: [series({ job: 'api' }, [0, '1'])] } } },
    { videos: [{ title: 'a' }, null], tags: ['x', 'y'], empty: [] },
    null,
  ])
    expect(chartsFrom({ data }, operation)).toEqual([])
  expect(chartsFrom({ errors: [] }, { query: 'not GraphQL' })).toEqual([])
})

test('whatever comes, nothing breaks, and every line has one value for each instant', () => {
  const samples = fc.array(
    fc.record({ time: fc.integer({ min: 0, max: 20 }), value: fc.constantFrom('1', 'NaN', '-Inf', 'x', '') }),
  )
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({ series: fc.array(fc.record({ metric: fc.dictionary(fc.string(), fc.string()), samples })) }),
  )
  fc.assert(
    fc.property(anything, (data) => {
      for (const { times, lines } of chartsFrom({ data }, operation)) {
        expect([...times]).toEqual([...new Set(times)].sort((a, b) => a - b))
        for (const line of lines) expect(line.values.length).toBe(times.length)
      }
    }),
  )
})

test('numbers with more digits than a double holds are drawn', () => {
  const text =
    '{"data":{"list":[{"points":[{"time":1764363600.123456789,"value":12345678901234567890},{"time":1764363601,"value":1}]}]}}'
  const [chart] = chartsFrom(jsonFrom(text), { query: '{ list }' })
  expect(chart?.times).toEqual([1764363600.1234567, 1764363601])
  expect(chart?.lines[0]?.values).toEqual([12345678901234567000, 1])
})
