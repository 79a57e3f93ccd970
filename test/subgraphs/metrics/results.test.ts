/** Query results: everything that real servers were recorded to answer, and what they may answer, typed and raw. */
import { getOperationAST, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createExecutor } from '../../../engine/subgraphs/index.ts'
import { RawJson } from '../../../shared/json/raw.ts'
import { startGraph } from '../../support/graph.ts'
import { testRequest } from '../../support/request.ts'
import type { Outcome } from '../../support/subgraph.ts'
import { answerOf, codes, metricsAt, type Recorded, recorded, recordedNames, startService } from './kit.ts'

const everything = `
  resultType
  series {
    name labels { name value } metric
    sample { time value float } samples { time value float }
    histogram { ...H } histograms { ...H }
  }
  scalar { time value float } string { time value }
  warnings infos error { type message } raw`
const histogram = `
  fragment H on MetricsHistogramSample { time histogram { count countFloat sum sumFloat buckets {
    boundaries leftClosed rightClosed left leftFloat right rightFloat count countFloat } } }`
const instant = `{ metrics { query(query: "x") { ${everything} } } } ${histogram}`
const range = `{ metrics { queryRange(query: "x", start: 1, end: 2, step: 1) { ${everything} } } } ${histogram}`

async function replay(recording: Recorded, document: string): Promise<Outcome> {
  await using service = await startService(recording)
  await using metrics = metricsAt(service.url)
  return metrics.run(document)
}

interface Body {
  readonly data: { readonly resultType: string; readonly result: readonly unknown[] }
}

const answered = recordedNames.filter((name) => /query/.test(name) && recorded(name).status === 200)

describe('recorded results', () => {
  it('are there from both servers', () => {
    expect(answered.filter((name) => name.startsWith('prometheus')).length).toBeGreaterThan(8)
    expect(answered.filter((name) => name.startsWith('victoriametrics')).length).toBeGreaterThan(8)
  })

  it.each(answered)('%s: typed and raw say the same as the service', async (name) => {
    const recording = recorded(name)
    const isRange = recording.request.path.includes('query_range')
    const { data, errors } = await replay(recording, isRange ? range : instant)
    expect(errors).toEqual([])
    const result = isRange ? data.metrics.queryRange : data.metrics.query
    const body = recording.body as Body
    expect(result.raw).toEqual(body.data)
    expect(result.resultType).toBe(body.data.resultType)
    if (body.data.resultType === 'scalar' || body.data.resultType === 'string') {
      const { time, value } = result[body.data.resultType]
      expect([time, value]).toEqual(body.data.result)
      expect(result.series).toEqual([])
      return
    }
    // Everything typed, put together again in the service's own form.
    const rebuilt = result.series.map((series: Record<string, never>) =>
      rebuild(series, body.data.resultType),
    )
    expect(rebuilt).toEqual(body.data.result)
    expect(result.scalar).toBeNull()
    expect(result.string).toBeNull()
  })
})

// biome-ignore lint/suspicious/noExplicitAny: results of any shape
function rebuild(series: any, type: string): unknown {
  const rules = ['OPEN_LEFT', 'OPEN_RIGHT', 'OPEN_BOTH', 'CLOSED_BOTH']
  const pair = (sample: { time: number; value: string }): unknown => [sample.time, sample.value]
  // biome-ignore lint/suspicious/noExplicitAny: results of any shape
  const histogramPair = ({ time, histogram: { count, sum, buckets } }: any): unknown => [
    time,
    {
      count,
      sum,
      buckets: buckets.map(
        // biome-ignore lint/suspicious/noExplicitAny: results of any shape
        (bucket: any) => [rules.indexOf(bucket.boundaries), bucket.left, bucket.right, bucket.count],
      ),
    },
  ]
  const metric = Object.fromEntries(
    series.labels.map(({ name, value }: { name: string; value: string }) => [name, value]),
  )
  expect(series.metric).toEqual(metric)
  expect(series.name).toBe(metric.__name__ ?? null)
  if (type === 'vector') {
    expect(series.samples).toEqual(series.sample === null ? [] : [series.sample])
    expect(series.histograms).toEqual(series.histogram === null ? [] : [series.histogram])
    return series.sample === null
      ? { metric, histogram: histogramPair(series.histogram) }
      : { metric, value: pair(series.sample) }
  }
  expect(series.sample).toBeNull()
  expect(series.histogram).toBeNull()
  return {
    metric,
    ...(series.samples.length === 0 ? {} : { values: series.samples.map(pair) }),
    ...(series.histograms.length === 0 ? {} : { histograms: series.histograms.map(histogramPair) }),
  }
}

describe('numbers', () => {
  it('keep NaN and infinities as text, with null as their float', async () => {
    const { data } = await replay(
      recorded('prometheus-2.42.query-nan-inf'),
      '{ metrics { query(query: "x") { series { label(name: "k") sample { value float } } } } }',
    )
    expect(data.metrics.query.series).toEqual([
      { label: 'nan', sample: { value: 'NaN', float: null } },
      { label: 'pinf', sample: { value: '+Inf', float: null } },
      { label: 'ninf', sample: { value: '-Inf', float: null } },
    ])
  })

  it('stay exact beyond 2^53, and in exponent form', async () => {
    const values = ['9007199254740993', '1e-07', '1e+21', '-0', '0.1']
    const { data } = await answerOf(
      { resultType: 'matrix', result: [{ metric: {}, values: values.map((value, i) => [i, value]) }] },
      'series { samples { value float } }',
    )
    expect(data.metrics.query.series[0].samples).toEqual(
      values.map((value) => ({ value, float: Number(value) === 0 ? 0 : Number(value) })),
    )
  })
})

describe('native histograms', () => {
  it('say which bounds belong to a bucket', async () => {
    const { data } = await replay(
      recorded('prometheus-2.42.query-histogram'),
      `{ metrics { query(query: "x") { series { histogram { histogram { count countFloat sum
         buckets { boundaries leftClosed rightClosed left right count } } } } } } }`,
    )
    const { histogram } = data.metrics.query.series[0].histogram
    expect(histogram).toMatchObject({ count: '36', countFloat: 36, sum: '55.199999999999996' })
    expect(histogram.buckets.slice(0, 3)).toEqual([
      {
        boundaries: 'OPEN_RIGHT',
        leftClosed: true,
        rightClosed: false,
        left: '-1',
        right: '-0.7071067811865475',
        count: '15',
      },
      {
        boundaries: 'CLOSED_BOTH',
        leftClosed: true,
        rightClosed: true,
        left: '-0.001',
        right: '0.001',
        count: '6',
      },
      {
        boundaries: 'OPEN_LEFT',
        leftClosed: false,
        rightClosed: true,
        left: '0.7071067811865475',
        right: '1',
        count: '3',
      },
    ])
  })

  it('may have no buckets, infinite bounds, fractions, and unknown rules', async () => {
    const { data, errors } = await answerOf(
      {
        resultType: 'vector',
        result: [
          { metric: { a: '1' }, histogram: [1, { count: '0', sum: 'NaN' }] },
          {
            metric: { a: '2' },
            histogram: [
              2,
              {
                count: '1.5',
                sum: '+Inf',
                buckets: [
                  [2, '-Inf', '1', '0.5'],
                  [9, '1', '+Inf', '1'],
                ],
              },
            ],
          },
        ],
      },
      `series { samples { value } histogram { histogram { count countFloat sumFloat
        buckets { boundaries leftClosed rightClosed leftFloat rightFloat countFloat } } } }`,
    )
    expect(errors).toEqual([])
    expect(data.metrics.query.series).toEqual([
      { samples: [], histogram: { histogram: { count: '0', countFloat: 0, sumFloat: null, buckets: [] } } },
      {
        samples: [],
        histogram: {
          histogram: {
            count: '1.5',
            countFloat: 1.5,
            sumFloat: null,
            buckets: [
              {
                boundaries: 'OPEN_BOTH',
                leftClosed: false,
                rightClosed: false,
                leftFloat: null,
                rightFloat: 1,
                countFloat: 0.5,
              },
              {
                boundaries: null,
                leftClosed: null,
                rightClosed: null,
                leftFloat: 1,
                rightFloat: null,
                countFloat: 1,
              },
            ],
          },
        },
      },
    ])
  })

  it('stand beside plain samples in one series', async () => {
    const { data } = await answerOf(
      {
        resultType: 'matrix',
        result: [{ metric: {}, values: [[1, '1']], histograms: [[2, { count: '1', sum: '1' }]] }],
      },
      'series { samples { time } histograms { time } }',
    )
    expect(data.metrics.query.series).toEqual([{ samples: [{ time: 1 }], histograms: [{ time: 2 }] }])
  })
})

describe('a label __proto__', () => {
  const body =
    '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__proto__":"odd","job":"a"},"values":[[1,"2"]]}]}}'
  const expected = {
    label: 'odd',
    labels: [
      { name: '__proto__', value: 'odd' },
      { name: 'job', value: 'a' },
    ],
  }

  it.each(['', 'samples { value }', 'samples { time } histograms { time }'])(
    'survives, with the selection of %j',
    async (selection) => {
      await using service = await startService({ text: body })
      await using graph = await startGraph({ urls: { metrics: service.url } })
      const { text, errors } = await graph.ask(
        `{ metrics { query(query: "x") { series { label(name: "__proto__") labels { name value } metric ${selection} } } } }`,
      )
      expect(errors).toEqual([])
      const [series] = (
        JSON.parse(text) as { data: { metrics: { query: { series: Record<string, unknown>[] } } } }
      ).data.metrics.query.series
      expect(series).toMatchObject(expected)
      expect(JSON.stringify(series?.metric)).toBe('{"__proto__":"odd","job":"a"}')
    },
  )
})

describe('notes', () => {
  it('are lists, empty if the service has none', async () => {
    const vector = { resultType: 'vector', result: [] }
    const none = await answerOf(vector, 'warnings infos')
    expect(none.data.metrics.query).toEqual({ warnings: [], infos: [] })
    const some = await answerOf(vector, 'warnings infos raw', { warnings: ['w (1:2)'], infos: ['i'] })
    expect(some.data.metrics.query).toEqual({ warnings: ['w (1:2)'], infos: ['i'], raw: vector })
  })

  it.each(['warnings', 'warnings raw', 'warnings series { name }', 'warnings series { samples { time } }'])(
    'say that a result is partial, with %s',
    async (selection) => {
      const matrix = { resultType: 'matrix', result: [] }
      const partial = await answerOf(matrix, selection, { isPartial: true, warnings: ['w'] })
      expect(partial.data.metrics.query.warnings).toEqual([expect.stringContaining('partial'), 'w'])
      const whole = await answerOf(matrix, selection, { isPartial: false, warnings: ['w'] })
      expect(whole.data.metrics.query.warnings).toEqual(['w'])
    },
  )

  it('name no address of what is behind the service, and have a bound', async () => {
    const note =
      'fetch series for {ext="a"} from Addr: 10.1.2.3:10901 store-1.monitoring.svc.cluster.local (dial tcp [::1]:9: refused)'
    const many = Array.from({ length: 1000 }, (_, at) => `${at} ${note} ${'x'.repeat(5000)}`)
    const { data } = await answerOf({ resultType: 'vector', result: [] }, 'warnings infos', {
      warnings: [note, '', 7, '<b>x</b>'],
      infos: many,
    })
    expect(data.metrics.query.warnings).toEqual([
      'fetch series for {ext="a"} from Addr: … … (dial tcp …: refused)',
      'x',
    ])
    expect(data.metrics.query.infos).toHaveLength(51)
    expect(data.metrics.query.infos[50]).toBe('and 950 more')
    expect(JSON.stringify(data).length).toBeLessThan(60_000)
    expect(JSON.stringify(data)).not.toMatch(/10\.1\.2\.3|cluster\.local|::1/)
  })
})

describe('results that no schema knows', () => {
  it('of another type are there raw', async () => {
    const body = { resultType: 'streams', result: [{ stream: {}, values: [['1', 'line']] }] }
    const { data, errors } = await answerOf(
      body,
      'resultType series { name } scalar { value } string { value } raw',
    )
    expect(errors).toEqual([])
    expect(data.metrics.query).toEqual({
      resultType: 'streams',
      series: [],
      scalar: null,
      string: null,
      raw: body,
    })
  })

  it('with a label named like a prototype key do no harm', async () => {
    const text =
      '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__proto__":"x","constructor":"c"},"value":[1,"2"]}]}}'
    await using service = await startService({ text })
    await using metrics = metricsAt(service.url)
    const { data } = await metrics.run(
      '{ metrics { query(query: "x") { series { a: label(name: "toString") b: label(name: "constructor") } } } }',
    )
    expect(data.metrics.query.series).toEqual([{ a: null, b: 'c' }])
  })

  it.each([
    ['no data', { status: 'success' }],
    ['no result type', { status: 'success', data: { result: [] } }],
    ['data that is a list', { status: 'success', data: [] }],
    ['a list as envelope', []],
    ['no status', { data: { resultType: 'vector', result: [] } }],
    ['a number as envelope', 1],
  ])('with %s are UPSTREAM_BAD_RESPONSE, typed and raw', async (_, body) => {
    await using service = await startService({ body })
    await using metrics = metricsAt(service.url)
    for (const fields of ['series { name }', 'raw', 'resultType', 'raw series { name }']) {
      const { data, errors } = await metrics.run(`{ metrics { query(query: "x") { ${fields} } } }`)
      expect(data.metrics.query).toBeNull()
      expect(codes(errors)).toEqual(['UPSTREAM_BAD_RESPONSE'])
      expect(errors[0]?.path).toEqual(['metrics', 'query'])
    }
  })

  it.each([
    ['series that are no list', { resultType: 'vector', result: {} }],
    ['a series without labels', { resultType: 'vector', result: [{ value: [1, '1'] }] }],
    ['a sample that is no pair', { resultType: 'vector', result: [{ metric: {}, value: '1' }] }],
    [
      'a sample whose value is a number',
      { resultType: 'matrix', result: [{ metric: {}, values: [[1, 1]] }] },
    ],
    ['a scalar in a list', { resultType: 'scalar', result: [[1, '1']] }],
    ['a histogram without a count', { resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] }],
  ])('with %s are UPSTREAM_BAD_RESPONSE', async (_, body) => {
    const { errors } = await answerOf(
      body,
      'series { samples { value } histograms { time } } scalar { value } warnings',
    )
    expect(codes(errors)).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })
})

describe('raw results', () => {
  const text =
    '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1.5,"1"],[2.50,"NaN"]]}]},"warnings":["w"]}'

  async function rawOf(body: string, fields: string): Promise<Record<string, unknown>> {
    await using service = await startService({ text: body })
    await using metrics = metricsAt(service.url)
    const document = parse(`{ metrics { query(query: "x") { ${fields} } } }`)
    const execute = createExecutor(metrics.subgraph.schema, document, getOperationAST(document)!)
    const result = await execute(metrics.subgraph.createContext(testRequest()), {})
    return (result.data as { metrics: { query: Record<string, unknown> } }).metrics.query
  }

  it('leave execution unparsed, byte for byte as they came', async () => {
    const { raw, resultType, warnings } = await rawOf(text, 'resultType warnings raw')
    expect(raw).toBeInstanceOf(RawJson)
    expect((raw as RawJson).text).toBe(
      '{"resultType":"matrix","result":[{"metric":{},"values":[[1.5,"1"],[2.50,"NaN"]]}]}',
    )
    expect(resultType).toBe('matrix')
    expect(warnings).toEqual(['w'])
  })

  it('have their type also if it is not written first', async () => {
    const { resultType } = await rawOf(
      '{"data":{"result":[1,"2"],"resultType":"scalar"},"status":"success"}',
      'resultType raw',
    )
    expect(resultType).toBe('scalar')
  })

  it('invalid JSON never leaves', async () => {
    for (const broken of [
      text.slice(0, -2),
      text.replace('2.50', 'NaN'),
      text.replace('"NaN"', '"\n"'),
      `${text}}`,
    ]) {
      await using service = await startService({ text: broken })
      await using metrics = metricsAt(service.url)
      const { data, errors } = await metrics.run('{ metrics { query(query: "x") { raw } } }')
      expect(data.metrics.query).toBeNull()
      expect(codes(errors)).toEqual(['UPSTREAM_BAD_RESPONSE'])
    }
  })
})
