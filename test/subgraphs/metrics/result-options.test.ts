/** Arguments that extend or bound the result of a query: the most series, and statistics. */
import { describe, expect, it } from 'vitest'
import { answerOf, metricsAt, recorded, startService } from './kit.ts'

describe('a bound on series', () => {
  const result = [1, 2, 3].map((i) => ({ metric: { i: String(i) }, value: [1, String(i)] }))

  it('is kept if the service does not know it, and says so', async () => {
    await using service = await startService({
      body: { status: 'success', data: { resultType: 'vector', result } },
    })
    await using metrics = metricsAt(service.url)
    const { data } = await metrics.run(
      '{ metrics { query(query: "x", limit: 2) { series { label(name: "i") } warnings } } }',
    )
    expect(service.journal[0]?.parameters.get('limit')).toBe('2')
    expect(data.metrics.query).toEqual({
      series: [{ label: '1' }, { label: '2' }],
      warnings: ['results truncated due to limit'],
    })
  })

  it('says nothing if nothing was cut', async () => {
    await using service = await startService({
      body: { status: 'success', data: { resultType: 'vector', result } },
    })
    await using metrics = metricsAt(service.url)
    const { data } = await metrics.run(
      '{ metrics { query(query: "x", limit: 3) { series { name } warnings } } }',
    )
    expect(data.metrics.query.warnings).toEqual([])
    expect(data.metrics.query.series).toHaveLength(3)
  })
})

describe('statistics', () => {
  const stats = {
    timings: { evalTotalTime: 0.5, resultSortTime: 0, execTotalTime: 0.6 },
    samples: {
      totalQueryableSamples: 10,
      peakSamples: 4,
      totalQueryableSamplesPerStep: [
        [1, 5],
        [2, 5],
      ],
    },
  }
  const data = { resultType: 'scalar', result: [1, '1'], stats }

  it('are asked for only when they are selected, and by step only when the steps are', async () => {
    await using service = await startService({ body: { status: 'success', data } })
    await using metrics = metricsAt(service.url)
    await metrics.run('{ metrics { query(query: "x") { scalar { value } } } }')
    await metrics.run(
      '{ metrics { query(query: "x") { ...S } } } fragment S on MetricsResult { stats { timings { evalTotalTime } } }',
    )
    await metrics.run(
      '{ metrics { query(query: "x") { stats { samples { totalQueryableSamplesPerStep { time } } } } } }',
    )
    expect(service.journal.map(({ parameters }) => parameters.get('stats'))).toEqual([null, 'true', 'all'])
  })

  it('have null for what the service does not tell', async () => {
    const { data: got } = await answerOf(
      data,
      `stats { timings { evalTotalTime innerEvalTime } samples { totalQueryableSamples samplesRead
        totalQueryableSamplesPerStep { time count } samplesReadPerStep { time } } }`,
    )
    expect(got.metrics.query.stats).toEqual({
      timings: { evalTotalTime: 0.5, innerEvalTime: null },
      samples: {
        totalQueryableSamples: 10,
        samplesRead: null,
        totalQueryableSamplesPerStep: [
          { time: 1, count: 5 },
          { time: 2, count: 5 },
        ],
        samplesReadPerStep: null,
      },
    })
    const none = await answerOf(
      { resultType: 'scalar', result: [1, '1'] },
      'stats { timings { evalTotalTime } }',
    )
    expect(none.data.metrics.query.stats).toBeNull()
  })

  it.each([
    ['prometheus-3.16.query-custom-buckets', { execTotalTime: 0.000266282 }, 1, 976],
    // It has them beside `data`, as milliseconds and as a text.
    ['victoriametrics-1.150.query-vector', { execTotalTime: 0.885 }, 1710, null],
  ])('of %s are in the same fields', async (name, timings, seriesTouched, samplesRead) => {
    await using service = await startService(recorded(name))
    await using metrics = metricsAt(service.url)
    const { data: got, errors } = await metrics.run(
      '{ metrics { query(query: "x") { stats { timings { execTotalTime } samples { seriesTouched samplesRead } } } } }',
    )
    expect(errors).toEqual([])
    expect(got.metrics.query.stats).toEqual({ timings, samples: { seriesTouched, samplesRead } })
  })

  it.each([
    // Older versions do not measure the time.
    [{ seriesFetched: '3' }, { timings: { execTotalTime: null }, samples: { seriesTouched: 3 } }],
    [
      { executionTimeMsec: 2, seriesFetched: null },
      { timings: { execTotalTime: 0.002 }, samples: { seriesTouched: null } },
    ],
    [null, null],
  ])('of VictoriaMetrics may be incomplete: %j', async (stats, expected) => {
    const body = { status: 'success', data: { resultType: 'vector', result: [] }, stats }
    await using service = await startService({ body })
    await using metrics = metricsAt(service.url)
    const { data: got, errors } = await metrics.run(
      '{ metrics { query(query: "x") { stats { timings { execTotalTime } samples { seriesTouched } } } } }',
    )
    expect(errors).toEqual([])
    expect(got.metrics.query.stats).toEqual(expected)
  })
})
