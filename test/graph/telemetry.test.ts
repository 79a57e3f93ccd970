/** Telemetry: states of services, metrics, log lines, traces. */

import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createClient } from 'graphql-sse'
import { expect, onTestFinished, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { send } from '../support/agent.ts'
import { attributesOf, startCollector } from '../support/collector.ts'
import { type Graph, type GraphOptions, startGraph } from '../support/graph.ts'
import { keep } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'

const callerTrace = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'

const journalHeaders = (graph: Graph, operation: string): IncomingHttpHeaders | undefined =>
  graph.sandbox.calls(operation)[0]?.headers

const query = `query Both($id: ID!) {
  video(videoId: $id) { snippet { title } }
  message(messageId: "7700000000000019999") { text }
}`

/** A graph whose traces go to a collector that answers with a status. */
async function startTraced(
  env: Readonly<Record<string, string>> = {},
  { status, file }: { readonly status?: number; readonly file?: GraphOptions['file'] } = {},
) {
  const collector = await startCollector(status)
  const traces = { TESSERA_TRACES_URL: `${collector.url}/v1/traces` }
  return { collector, graph: keep(await startGraph({ env: { ...traces, ...env }, file })) }
}

const videoOf = async (graph: Graph): Promise<string> => {
  const { data } = await graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }')
  graph.sandbox.journal.length = 0
  return data.chartVideos.nodes[0].videoId
}

test('the span of a request has the headers and claims that the configuration names', async () => {
  const file = { attributes: { spans: { headers: ['X-Tenant', 'X-None'], claims: ['sub'] } } }
  const { collector, graph } = await startTraced({}, { file })
  const id = await videoOf(graph)
  await graph.ask(query, { id }, { headers: { 'x-tenant': 'north', 'x-other': 'south' } })
  const [request] = await collector.named('query Both')
  expect(attributesOf(request)['http.request.header.x-tenant']).toBe('north')
  expect(JSON.stringify(collector.spans())).not.toMatch(/south|x-none/)
})

test('a request is a trace: its plan, its fetches and its calls, below the span that the caller names', async () => {
  const { collector, graph } = await startTraced()
  const id = await videoOf(graph)
  await graph.ask(
    query,
    { id },
    { headers: { traceparent: `00-${callerTrace}-${callerSpan}-01`, tracestate: 'a=b' } },
  )

  const [request] = await collector.named('query Both')
  expect(request).toMatchObject({ traceId: callerTrace, parentSpanId: callerSpan, kind: 2 })
  expect(attributesOf(request)['graphql.operation.name']).toBe('Both')
  const [plan] = (await collector.named('plan', 2)).filter(({ traceId }) => traceId === callerTrace)
  expect(plan?.parentSpanId).toBe(request?.spanId)
  const [fetch] = (await collector.named('fetch videos', 2)).filter(({ traceId }) => traceId === callerTrace)
  expect(fetch?.parentSpanId).toBe(request?.spanId)
  const call = (await collector.named('videos.list', 2)).find(({ traceId }) => traceId === callerTrace)
  expect(call).toMatchObject({ parentSpanId: fetch?.spanId, kind: 3 })
  expect(attributesOf(call)['http.response.status_code']).toBe(200)
  expect(attributesOf(call)['tessera.service']).toBe('videos')
  expect(attributesOf(call)['tessera.units']).toBe(1)
  // The service gets the span of its own call, and the trace state of the caller's vendors.
  expect(journalHeaders(graph, 'videos.list')).toMatchObject({
    traceparent: `00-${callerTrace}-${call?.spanId}-01`,
    tracestate: 'a=b',
  })
  // Nothing of what was asked for, and no secret.
  const told = JSON.stringify(collector.spans())
  for (const secret of [id, '7700000000000019999', 'Bearer', 'eyJ']) expect(told).not.toContain(secret)
})

test('a call of an agent is a span with its tool, and the operation is below it', async () => {
  const { collector, graph } = await startTraced()
  const params = { name: 'chartVideos', arguments: { first: 1 } }
  const traceparent = `00-${callerTrace}-${callerSpan}-01`
  expect((await send(graph, 'tools/call', params, { headers: { traceparent } })).status).toBe(200)
  const [tool] = await collector.named('tools/call chartVideos')
  expect(tool).toMatchObject({ traceId: callerTrace, parentSpanId: callerSpan })
  expect(attributesOf(tool)['tessera.outcome']).toBe('ok')
  expect(attributesOf(tool)['tessera.units']).toBe(1)
  const [operation] = await collector.named('query chartVideos')
  expect(operation).toMatchObject({ traceId: callerTrace, parentSpanId: tool?.spanId })

  await send(graph, 'tools/call', { name: 'messagesById', arguments: { messageIds: ['20'] } })
  const [refused] = await collector.named('tools/call messagesById')
  expect(attributesOf(refused)['error.type']).toBe('unauthenticated')
})

test('every span lies within the one above it, however short they are', async () => {
  const { collector, graph } = await startTraced()
  const times = 100
  for (let each = 0; each < times; each += 1)
    await graph.ask('query Short { chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }')
  await collector.named('query Short', times)
  const whole = new Map(collector.spans().map((span) => [span.spanId, span]))
  const below = collector
    .spans()
    .filter(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId !== '')
  expect(below.length).toBeGreaterThanOrEqual(2 * times)
  for (const span of below) {
    const above = whole.get(span.parentSpanId ?? '')
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(above?.startTimeUnixNano ?? 0))
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(above?.endTimeUnixNano ?? 0))
  }
})

test('a poll behind subscriptions is a separate trace, with its calls, and so is each event', async () => {
  const { collector, graph } = await startTraced()
  const id = sampleVideos.own[0]
  const client = createClient({ url: graph.url, retryAttempts: 0 })
  onTestFinished(() => client.dispose())
  const events = client.iterate({
    query: `subscription Watching { videoChanged(videoIds: ["${id}"]) { videoId statistics { viewCount } } }`,
  })
  expect((await events.next()).done).toBe(false)
  const [poll] = await collector.named('poll videoChanged')
  expect(poll?.parentSpanId).toBeUndefined()
  expect(attributesOf(poll)['tessera.service']).toBe('videos')
  const [call] = await collector.named('videos.list')
  expect(call).toMatchObject({ traceId: poll?.traceId, parentSpanId: poll?.spanId, kind: 3 })
  expect(attributesOf(call)['http.response.status_code']).toBe(200)
  // The service gets the trace of the poll, and none of a subscriber.
  expect(journalHeaders(graph, 'videos.list')?.traceparent).toBe(`00-${poll?.traceId}-${call?.spanId}-01`)
  const [event] = await collector.named('event Watching')
  expect(event?.traceId).not.toBe(poll?.traceId)
  expect(JSON.stringify(collector.spans())).not.toContain(id)
  await events.return?.()
})

test('what fails has its code in each span that it fails', async () => {
  const { collector, graph } = await startTraced()
  graph.sandbox.fail({ kind: 'status', operation: 'videos.list', status: 400 })
  await graph.ask('query Failing { video(videoId: "abc") { videoId etag } }')
  for (const name of ['query Failing', 'fetch videos', 'videos.list']) {
    const [span] = await collector.named(name)
    expect(span?.status.code).toBe(2)
    expect(attributesOf(span)['error.type']).toBe('BAD_USER_INPUT')
  }
})

test('a caller that keeps no trace gets none, and its context is passed on all the same', async () => {
  const { collector, graph } = await startTraced()
  await graph.ask(
    'query Dropped { video(videoId: "abc") { etag } }',
    {},
    { headers: { traceparent: `00-${callerTrace}-${callerSpan}-00` } },
  )
  expect(journalHeaders(graph, 'videos.list')?.traceparent).toMatch(
    new RegExp(`^00-${callerTrace}-[0-9a-f]{16}-00$`),
  )
  await graph.ask('query Kept { video(videoId: "def") { etag } }')
  await collector.named('query Kept')
  expect(collector.spans().some(({ traceId }) => traceId === callerTrace)).toBe(false)
})

test('without an address no trace is kept, and the caller’s continues to the services unchanged', async () => {
  await using graph = await startGraph()
  const traceparent = `00-${callerTrace}-${callerSpan}-01`
  await graph.ask('{ video(videoId: "abc") { etag } }', {}, { headers: { traceparent } })
  expect(journalHeaders(graph, 'videos.list')?.traceparent).toBe(traceparent)
})

test('the standard variables of OpenTelemetry send traces, with what they say of their origin', async () => {
  const collector = await startCollector()
  await using graph = await startGraph({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=graph%20team',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'graph',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=other',
    },
  })
  await graph.ask('query Standard { video(videoId: "abc") { etag } }')
  await collector.named('query Standard')
  const [resource] = collector.resources()
  expect(attributesOf(resource)['service.name']).toBe('graph')
  expect(attributesOf(resource)['deployment.environment.name']).toBe('staging')
  expect(attributesOf(resource)['service.version']).toMatch(/^\d+\.\d+\.\d+/)
  expect(collector.arrived[0]?.headers).toMatchObject({ 'x-team': 'graph team', 'content-encoding': 'gzip' })
})

test('a standard variable that cannot be followed is one line of the log, without its value', async () => {
  const { collector, graph } = await startTraced({
    TESSERA_LOG_LEVEL: 'warn',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization: hunter2',
  })
  await graph.ask('query Kept { video(videoId: "abc") { etag } }')
  await collector.named('query Kept')
  const lines = graph.log.filter((line) => line.includes('a setting of traces is ignored'))
  expect(lines.map((line) => JSON.parse(line).setting.split(':')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
  ])
  expect(graph.log.join('')).not.toMatch(/hunter2|jaeger/)
})

test('an unavailable collector costs no request anything, and one line of the log', async () => {
  const { collector, graph } = await startTraced({ TESSERA_LOG_LEVEL: 'info' }, { status: 400 })
  for (const round of [1, 2]) {
    expect((await graph.ask('{ video(videoId: "abc") { etag } }')).status).toBe(200)
    await expect.poll(() => collector.arrived.length).toBeGreaterThanOrEqual(round)
  }
  expect(graph.log.filter((line) => line.includes('traces cannot be sent')).length).toBe(1)
})

test('each request is one line of the log: what it was and what came of it, and no value of it', async () => {
  await using graph = await startGraph({ env: { TESSERA_LOG_LEVEL: 'info' } })
  await graph.ask(query, { id: 'very-private' }, { headers: { 'x-request-id': 'mine-1' } })
  await graph.ask('{ nonsense')
  const lines = graph.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(lines).toMatchObject([
    {
      request: 'mine-1',
      operation: 'Both',
      type: 'query',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 200,
      calls: 2,
      units: 1,
    },
    { status: 400, codes: ['GRAPHQL_PARSE_FAILED'] },
  ])
  expect(lines[0].ms).toBeGreaterThan(0)
  expect(graph.log.join('')).not.toMatch(/very-private|7700000000000019999|eyJ|Bearer/)
})

test('lines of the log carry the trace: the caller’s, or our own if traces are kept', async () => {
  const requestLines = (graph: Graph) =>
    graph.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  const traceparent = `00-${callerTrace}-${callerSpan}-01`
  await using plain = await startGraph({ env: { TESSERA_LOG_LEVEL: 'info' } })
  await plain.ask('{ __typename }', {}, { headers: { traceparent } })
  await plain.ask('{ __typename }', {}, { headers: { traceparent: 'hostile' } })
  await plain.ask('{ __typename }')
  expect(requestLines(plain).map((line) => line.trace_id)).toEqual([callerTrace, undefined, undefined])

  const { collector, graph: traced } = await startTraced({ TESSERA_LOG_LEVEL: 'info' })
  await traced.ask('{ __typename }', {}, { headers: { traceparent } })
  await traced.ask('query Ours { __typename }')
  const [ours] = await collector.named('query Ours')
  expect(requestLines(traced).map((line) => line.trace_id)).toEqual([callerTrace, ours?.traceId])
})

test('lines about uploads that fail carry the trace of the caller', async () => {
  await using graph = await startGraph({
    env: {
      TESSERA_LOG_LEVEL: 'debug',
      TESSERA_VIDEOS_SUBGRAPH_URL: 'http://127.0.0.1:1/graphql',
      TESSERA_SUBGRAPH_SECRET: 'the secret of gateways',
    },
  })
  const { status } = await fetch(new URL('/upload/a.b.c.d.e', graph.url), {
    method: 'PUT',
    headers: { traceparent: `00-${callerTrace}-${callerSpan}-01` },
    body: 'bytes',
  })
  expect(status).toBe(503)
  const lines = graph.log.map((line) => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'a field failed')).toMatchObject([{ trace_id: callerTrace }])
})

test('lines about the server itself carry the trace of the caller', async () => {
  await using graph = await startGraph({
    env: { TESSERA_LOG_LEVEL: 'error' },
    mintToken: () => Promise.reject(new Error('no key')),
  })
  const { status } = await postJson(new URL('/explorer/token', graph.url), '{"scope":"media.read"}', {
    traceparent: `00-${callerTrace}-${callerSpan}-01`,
  })
  expect(status).toBe(500)
  expect(graph.log.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'the HTTP server failed', trace_id: callerTrace, err: { message: 'no key' } },
  ])
})

test('errors are counted by their codes, and requests only by the names of valid operations', async () => {
  await using graph = await startGraph()
  await graph.ask('query Named { __typename }', {}, { operationName: 'Named' })
  await graph.ask('query Hostile { nonsense }', {}, { operationName: 'Hostile' })
  const metrics = await graph.gateway.metrics.text()
  expect(metrics).toContain('tessera_errors_total{code="GRAPHQL_VALIDATION_FAILED"} 1')
  expect(metrics).toMatch(/tessera_request_duration_seconds_count\{operation="Named",status="200"\} 1/)
  expect(metrics).toMatch(/operation="invalid"/)
  expect(metrics).not.toContain('Hostile')
})

test('a call that a service rejects for what was asked counts as rejected, and as no failure of the service', async () => {
  await using graph = await startGraph()
  await graph.ask('{ metrics { query(query: "sum(") { resultType } } }')
  await graph.ask('{ metrics { query(query: "sum(up)") { resultType } } }')
  graph.sandbox.fail({ kind: 'status', operation: 'metrics.query', status: 503, times: 10 })
  await graph.ask('{ metrics { query(query: "up") { resultType } } }')
  const metrics = await graph.gateway.metrics.text()
  for (const outcome of ['rejected', 'sent', 'failed']) {
    expect(metrics).toMatch(
      new RegExp(`duration_seconds_count\\{service="metrics",operation="[^"]+",outcome="${outcome}"\\} 1`),
    )
  }
})

test('the metrics are those that are documented', async () => {
  await using graph = await startGraph()
  const document = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8')
  const documented = [...document.matchAll(/^\| `(tessera_\w+)`/gm)].map(([, name]) => name)
  const metrics = await graph.gateway.metrics.text()
  const there = [...metrics.matchAll(/^# TYPE (tessera_\w+)/gm)].map(([, name]) => name)
  expect(documented.sort()).toEqual(there.sort())
})

test('a service that is down is shown, and makes no gateway unready', async () => {
  await using graph = await startGraph({ tuning: { messages: { retries: 0, breaker: { consecutive: 2 } } } })
  const look = async () => {
    const response = await fetch(new URL('/health/ready', graph.url))
    const { ready, services } = (await response.json()) as {
      ready: boolean
      services: { service: string; state: string; ready: boolean }[]
    }
    const metrics = await graph.gateway.metrics.text()
    const broken = /tessera_service_broken\{service="messages"\} (\S+)/.exec(metrics)?.[1]
    return {
      status: response.status,
      ready,
      messages: services.find(({ service }) => service === 'messages'),
      broken,
    }
  }
  expect(await look()).toMatchObject({
    status: 200,
    ready: true,
    messages: { state: 'closed', ready: true, active: 0, waiting: 0 },
    broken: '0',
  })
  graph.sandbox.fail({ kind: 'status', operation: 'messages.lookup', status: 503, times: 10 })
  for (let n = 0; n < 3; n++) await graph.ask('{ message(messageId: "7700000000000010001") { text } }')
  expect(await look()).toMatchObject({
    status: 200,
    ready: true,
    messages: { state: 'open', ready: false },
    broken: '1',
  })
})
