// Answers recorded from a real Prometheus beside those of the stand-in: the same refusals word for word, and the same
// shapes if the data differs.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { keepForFile } from '../support/keep.ts'
import { startMetrics } from './metrics-kit.ts'

interface Recording {
  request: { method: string; path: string; body?: string }
  status: number
  contentType: string
  body?: Record<string, unknown>
  text?: string
}
const folder = new URL('../subgraphs/metrics/samples/', import.meta.url)
/** Later versions were asked for samples that the stand-in does not have. */
const recordings = readdirSync(folder)
  .filter((name) => name.startsWith('prometheus-2.42.'))
  .map((name): [string, Recording] => [
    name,
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Recording,
  ])
const refusals = recordings.filter(([name]) => name.includes('.err-') || name.includes('bad-type'))
const answers = recordings.filter(([, { status }]) => status === 200)

/** Needs a subquery, which the stand-in refuses before it could time out. */
const reworded = new Map([['prometheus-2.42.err-timeout.json', '/api/v1/query?query=up&timeout=0.000001']])
/** The recorded text lists series of the recorded server. */
const ownSeries = new Set(['prometheus-2.42.err-execution.json'])
/** `label_replace` is more than the stand-in evaluates; versions since answer filters that 2.42 ignored. */
const elsewhere = new Set(['prometheus-2.42.query-nan-inf.json'])

const metrics = keepForFile(await startMetrics())

async function replay(name: string, { request }: Recording): Promise<Response> {
  const { method, body } = request
  const path = (reworded.get(name) ?? request.path)
    .replaceAll('demo_latency', 'rpc_latency_seconds')
    .replaceAll(/rules-[ab]/g, 'platform')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(metrics.sandbox.url + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: body.replaceAll('demo_latency', 'rpc_latency_seconds'), headers: form }),
  })
  return new Response(await response.text(), response)
}

/** What kind of value stands at every path; of lists, what all their items have. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
}

test('there are recordings of both kinds', () => {
  expect([refusals.length > 10, answers.length > 10]).toEqual([true, true])
})

describe('refusals', () => {
  test.each(refusals)('%s is refused alike', async (name, recording) => {
    const response = await replay(name, recording)
    expect(response.status).toBe(recording.status)
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(recording.contentType.split(';')[0])
    if (recording.text !== undefined) {
      expect(await response.text()).toBe(recording.text)
      return
    }
    const body = (await response.json()) as Record<string, unknown>
    if (!ownSeries.has(name)) expect(body).toEqual(recording.body)
    else expect(body).toMatchObject({ status: 'error', errorType: recording.body?.errorType })
  })
})

describe('answers', () => {
  const plain = answers.filter(
    ([name]) => !elsewhere.has(name) && !name.includes('.rules') && !name.includes('.alerts'),
  )
  test.each(plain)('%s has the same envelope and kind of result', async (name, recording) => {
    const response = await replay(name, recording)
    expect(response.status).toBe(200)
    const body = (await response.json()) as { status: string; data: { resultType: string; result: unknown } }
    const recorded = recording.body as typeof body
    expect(Object.keys(body)).toEqual(Object.keys(recorded))
    expect(Object.keys(body.data)).toEqual(Object.keys(recorded.data))
    expect(body.data.resultType).toBe(recorded.data.resultType)
    const labelless = (text: string) => text.replaceAll(/"metric":\{[^}]*\}/g, '"metric":{}')
    const comparable = (result: unknown) => shapeOf(JSON.parse(labelless(JSON.stringify(result ?? null))))
    expect(comparable(body.data.result)).toEqual(comparable(recorded.data.result))
  })

  test('rules, groups and alerts have the same fields as recorded', async () => {
    const fieldsOf = (body: unknown) => {
      const { groups } = (body as { data: { groups: { rules: Record<string, unknown>[] }[] } }).data
      const rules = groups.flatMap((group) => group.rules)
      const alerting = rules.find(({ type, state }) => type === 'alerting' && state === 'firing')
      const recordingRule = rules.find(({ type, labels }) => type === 'recording' && labels !== undefined)
      const [alert] = (alerting?.alerts ?? []) as object[]
      return [groups[0], alerting, recordingRule, alert].map((one) => Object.keys(one ?? {}).sort())
    }
    const found = recordings.find(([name]) => name.endsWith('.rules.json'))
    if (found === undefined) throw new Error('no recording of rules')
    const [name, recording] = found
    const response = await replay(name, recording)
    expect(fieldsOf(await response.json())).toEqual(fieldsOf(recording.body))
  })
})
