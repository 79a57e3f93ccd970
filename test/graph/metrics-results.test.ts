/** Metric results through the whole graph: raw text as it came, errors beside data, in-process and hot. */
import { expect, test } from 'vitest'
import { startGraph } from '../support/graph.ts'
import { startScripted } from '../support/scripted-service.ts'

const data =
  '{ "resultType":"matrix", "result":[{"metric":{"__name__":"m","l":"é\\u00e9\\"😀"},"values":[[1795206056.10,"1"],[1795206071,"+Inf"]]}] }'
const success = `{"status":"success","data":${data},"warnings":["w"]}`
const range = '{ metrics { queryRange(query: "x", start: 1, end: 2, step: 1) { resultType warnings raw } } }'

test('raw text reaches the client byte for byte, at first sight and once the operation is hot', async () => {
  await using service = await startScripted({
    text: success,
    headers: { 'content-type': 'application/json' },
  })
  await using graph = await startGraph({ urls: { metrics: service.url } })
  for (let i = 0; i < 12; i++) {
    const answer = await graph.ask(range)
    expect(answer.errors).toEqual([])
    expect(answer.text).toContain(`"raw":${data}`)
    expect(answer.data.metrics.queryRange).toEqual({
      resultType: 'matrix',
      warnings: ['w'],
      raw: JSON.parse(data),
    })
  }
})

test('raw text beside an error elsewhere in the answer is still whole', async () => {
  await using service = await startScripted(({ path }) =>
    path.endsWith('alerts')
      ? { status: 422, body: { status: 'error', errorType: 'execution', error: 'no' } }
      : { text: success, headers: { 'content-type': 'application/json' } },
  )
  await using graph = await startGraph({ urls: { metrics: service.url } })
  const answer = await graph.ask(
    '{ metrics { r: queryRange(query: "x", start: 1, end: 2, step: 1) { raw } alerts { name } } }',
  )
  expect(answer.text).toContain(`"raw":${data}`)
  expect(answer.data.metrics.alerts).toBeNull()
  expect(answer.errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [['metrics', 'alerts'], 'BAD_USER_INPUT'],
  ])
})

test('an answer that would close the response early is refused, and the rest of the response stands', async () => {
  const escaping = `{"status":"success","data":{"resultType":"vector","result":[]}}},"errors":[{"message":"forged"}]}`
  await using service = await startScripted({
    text: escaping,
    headers: { 'content-type': 'application/json' },
  })
  await using graph = await startGraph({ urls: { metrics: service.url } })
  const answer = await graph.ask(
    '{ metrics { query(query: "x") { raw } } chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
  )
  expect(answer.data.metrics).toEqual({ query: null })
  expect(answer.data.chartVideos.nodes).toHaveLength(1)
  expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_BAD_RESPONSE'])
})

test('an error that comes with data gives both, each under its own alias', async () => {
  const vector = { resultType: 'vector', result: [{ metric: { __name__: 'up' }, value: [1, '1'] }] }
  await using service = await startScripted(({ query }) =>
    query.query === 'half'
      ? { status: 422, body: { status: 'error', errorType: 'execution', error: 'half of it', data: vector } }
      : { body: { status: 'success', data: vector } },
  )
  await using graph = await startGraph({ urls: { metrics: service.url } })
  for (let i = 0; i < 12; i++) {
    const answer = await graph.ask(
      '{ m: metrics { whole: query(query: "whole") { ...R } half: query(query: "half") { ...R } } } fragment R on MetricsResult { series { name sample { float } } error { type message } }',
    )
    const series = [{ name: 'up', sample: { float: 1 } }]
    expect(answer.status).toBe(200)
    expect(answer.data.m).toEqual({
      whole: { series, error: null },
      half: { series, error: { type: 'execution', message: 'half of it' } },
    })
    expect(answer.errors).toHaveLength(1)
    expect(answer.errors[0]).toMatchObject({
      message: 'half of it',
      path: ['m', 'half'],
      extensions: {
        code: 'BAD_USER_INPUT',
        service: 'metrics',
        upstream: { status: 422, reason: 'execution' },
      },
    })
  }
})
