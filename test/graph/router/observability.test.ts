/** Telemetry of a gateway: metrics by OTLP, exemplars, clients, chosen log fields, slow operations. */
import { expect, test } from 'vitest'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { attributesOf, type Point, startCollector } from '../../support/collector.ts'
import {
  onlyProducts,
  type Router,
  shop,
  startInFront,
  startRouter,
  supergraphOf,
  until,
} from '../../support/router.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${trace}-b7ad6b7169203331-01`

const linesOf = (router: Router, message: string): Record<string, unknown>[] =>
  router.command
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line))

test('metrics are sent by OTLP as they are scraped, with the resource and the headers that are configured', async () => {
  const collector = await startCollector()
  const { router } = await startInFront(onlyProducts, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-tenant=acme',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_TRACES_EXPORTER: 'none',
    },
  })
  for (let count = 0; count < 3; count++) await router.ask('query List { products { name } }')
  const isList = (point: Point): boolean => attributesOf(point).operation === 'List'
  await until(
    () => Number(collector.points('tessera_request_duration_seconds')?.find(isList)?.count) === 3,
    'three requests are sent',
  )
  const point = collector.points('tessera_request_duration_seconds')?.find(isList)
  expect(attributesOf(point)).toEqual({ operation: 'List', status: '200' })
  expect(point?.bucketCounts?.map(Number).reduce((sum, count) => sum + count)).toBe(3)
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds?.length ?? 0) + 1)
  expect(collector.points('tessera_operation_cache_total')?.map(attributesOf)).toEqual(
    expect.arrayContaining([{ result: 'hit' }, { result: 'miss' }]),
  )
  const [first] = collector.arrived
  expect(first?.headers['x-tenant']).toBe('acme')
  const resource = attributesOf(first?.body.resourceMetrics[0].resource)
  expect(resource).toMatchObject({ 'service.name': 'shop' })
  expect(resource['service.instance.id']).toMatch(/^[\da-f-]{36}$/)
  expect(collector.arrived.every(({ path }) => path === '/v1/metrics')).toBe(true)
})

test('by the switch, traces and sent metrics follow the semantic conventions; no value of a document is recorded', async () => {
  const collector = await startCollector()
  const { router } = await startInFront(onlyProducts, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      TESSERA_OTEL_CONVENTIONS: 'true',
    },
  })
  await router.ask('query One { product(id: "secret-7") { name } }', {
    'graphql-client-name': 'web',
    'graphql-client-version': '1.2',
  })
  const request = () => collector.spans().find(({ name, kind }) => name === 'query' && kind === 2)
  await until(() => request() !== undefined, 'the span of the request')
  expect(attributesOf(request())).toMatchObject({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'One',
    'graphql.document': 'query One {\n  product(id: _) {\n    name\n  }\n}',
    'graphql.client.name': 'web',
    'graphql.client.version': '1.2',
    'http.request.method': 'POST',
    'url.path': '/graphql',
  })
  const hash = hashOf('query One { product(id: "secret-7") { name } }')
  expect(attributesOf(request())['graphql.document.hash']).toBe(`sha256:${hash}`)
  expect(attributesOf(request())).not.toHaveProperty('graphql.document.id')
  expect(attributesOf(request())).not.toHaveProperty('graphql.error.count')
  await until(() => collector.points('http.server.request.duration')?.length === 1, 'the metric')
  expect(collector.points('http.server.request.duration')?.map(attributesOf)).toEqual([
    { 'graphql.operation.name': 'One', 'http.response.status_code': 200 },
  ])
  expect(JSON.stringify(collector.arrived)).not.toContain('secret-7')
})

test('by the switch, the span of a request counts its errors and has the id by which its document was named', async () => {
  const collector = await startCollector()
  const { router, products } = await startInFront(onlyProducts, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TESSERA_OTEL_CONVENTIONS: 'true' },
  })
  const query = 'query Two { products { name } }'
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } }
  await router.ask({ query, extensions })
  await router.ask({ extensions })
  const failed = { data: { products: null }, errors: [{ message: 'a' }, { message: 'b' }] }
  products.intercept = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(failed))
  await router.ask(query)
  const requests = () => collector.spans().filter(({ kind }) => kind === 2)
  await until(() => requests().length === 3, 'the spans of the requests')
  const attribute = (name: string) => requests().map((span) => attributesOf(span)[name])
  expect(attribute('graphql.document.id')).toEqual([undefined, hashOf(query), undefined])
  expect(attribute('graphql.error.count').map((count: unknown) => Number(count ?? 0) > 1)).toEqual([
    false,
    false,
    true,
  ])
})

test('OpenMetrics has the trace and the hash of an operation beside its duration; Prometheus’ own format does not', async () => {
  const { router } = await startInFront(onlyProducts)
  await router.ask('query List { products { name } }', { traceparent })
  const open = await fetch(`${router.origin}/metrics`, {
    headers: { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' },
  })
  expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  const body = await open.text()
  expect(body).toMatch(
    new RegExp(
      `^tessera_request_duration_seconds_bucket\\{le="[\\d.]+",operation="List",status="200"\\} 1 # \\{trace_id="${trace}",operation_hash="[\\da-f]{64}"\\} [\\d.]+ \\d+\\.\\d{3}$`,
      'm',
    ),
  )
  expect(body).toMatch(/^# TYPE tessera_operation_cache counter$/m)
  expect(body).toMatch(/^tessera_operation_cache_total\{result="miss"\} 1$/m)
  expect(body.endsWith('\n# EOF\n')).toBe(true)
  const plain = await router.metrics()
  expect(plain).toContain('# TYPE tessera_operation_cache_total counter')
  expect(plain).not.toContain(trace)
})

test('no exemplar names a trace that is not kept', async () => {
  const collector = await startCollector()
  const open = { accept: 'application/openmetrics-text;version=1.0.0' }
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url, TESSERA_TRACES_RATIO: '0' },
  ] as const) {
    const { router } = await startInFront(onlyProducts, { env })
    await router.ask('{ products { name } }')
    await router.ask('{ products { name } }', { traceparent: traceparent.replace(/01$/, '00') })
    const scraped = await (await fetch(`${router.origin}/metrics`, { headers: open })).text()
    expect(scraped).toMatch(/^tessera_request_duration_seconds_count\{.+\} 2$/m)
    expect(scraped).not.toContain('trace_id')
  }
})

test('clients that give their names are counted by name and version, of which there are only so many', async () => {
  const { router } = await startInFront(onlyProducts)
  const as = (name: string, version?: string) =>
    router.ask('{ products { name } }', {
      'apollographql-client-name': name,
      ...(version === undefined ? {} : { 'apollographql-client-version': version }),
    })
  await as('web', '1')
  await as('web', '1')
  await as('web', '2')
  await as('ios')
  for (let n = 0; n < 150; n++) await as(`made-up-${n}`)
  for (let n = 0; n < 40; n++) await as('web', `0.${n}`)
  const counted = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      [
        ...(await router.metrics()).matchAll(
          /^tessera_client_requests_total\{client="([^"]+)",version="([^"]+)"\} (\d+)/gm,
        ),
      ].map(([, client, version, count]) => [`${client} ${version}`, Number(count)]),
    )
  const counts = await counted()
  expect(counts).toMatchObject({
    'web 1': 2,
    'web 2': 1,
    'ios unknown': 1,
    'other other': 52,
    'web other': 22,
  })
  expect(new Set(Object.keys(counts).map((key) => key.split(' ')[0])).size).toBe(101)
  // One that is used more often takes the place of another, whose requests are still counted.
  for (let n = 0; n < 20; n++) await as('late', '9')
  const later = await counted()
  expect(later['late 9']).toBeGreaterThan(0)
  expect(new Set(Object.keys(later).map((key) => key.split(' ')[0])).size).toBe(101)
  const sum = (all: Record<string, number>) => Object.values(all).reduce((one, other) => one + other)
  expect(sum(later)).toBe(sum(counts) + 20)
  await until(() => linesOf(router, 'request').some(({ client }) => client === 'ios'), 'the log line')
  expect(linesOf(router, 'request').find(({ client_version: version }) => version === '2')).toMatchObject({
    client: 'web',
  })
})

test('the line of a request has the fields that are chosen, and no credential is among those that can be', async () => {
  const { router, products } = await startInFront(onlyProducts, {
    config: { log: { fields: ['operation', 'hash', 'method', 'peer', 'client'], headers: ['X-Tenant'] } },
  })
  await router.ask('query List { products { name } }', { 'x-tenant': 'acme', 'graphql-client-name': 'web' })
  await until(() => linesOf(router, 'request').length === 1, 'the line')
  const [{ level: _, time: __, ...line }] = linesOf(router, 'request') as [Record<string, unknown>]
  expect(line).toEqual({
    operation: 'List',
    hash: expect.stringMatching(/^[\da-f]{64}$/),
    method: 'POST',
    peer: expect.stringMatching(/127\.0\.0\.1$/),
    client: 'web',
    header_x_tenant: undefined,
    'header_x-tenant': 'acme',
    msg: 'request',
  })
  await expect(
    startRouter({ supergraph: supergraphOf([products]), config: { log: { headers: ['Authorization'] } } }),
  ).rejects.toThrow(/log\.headers.*credential/s)
})

test('a request of which no operation is read has one line, and its error is counted once', async () => {
  const { router } = await startInFront(onlyProducts)
  const send = async (headers: Readonly<Record<string, string>>, body: string): Promise<number> => {
    const answer = await fetch(`${router.origin}/graphql`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  const json = { 'content-type': 'application/json' }
  const statuses = [
    await send(json, '{'),
    await send({ 'content-type': 'text/plain' }, '{}'),
    await send({ ...json, accept: 'text/css' }, '{}'),
    await send({ ...json, 'content-encoding': 'odd' }, '{}'),
    await send(json, ' '.repeat(2 * 1024 * 1024)),
  ]
  expect(statuses).toEqual([400, 415, 406, 415, 413])
  await until(() => linesOf(router, 'request').length >= 5, 'the lines')
  expect(linesOf(router, 'request').map(({ status, codes }) => [status, codes])).toEqual([
    [400, ['BAD_REQUEST']],
    [415, ['BAD_REQUEST']],
    [406, ['BAD_REQUEST']],
    [415, ['BAD_REQUEST']],
    [413, ['REQUEST_TOO_LARGE']],
  ])
  const metrics = await (await fetch(`${router.origin}/metrics`)).text()
  expect(metrics).toContain('tessera_errors_total{code="BAD_REQUEST"} 4\n')
  expect(metrics).toContain('tessera_errors_total{code="REQUEST_TOO_LARGE"} 1\n')
})

test('a slow operation is logged with its plan, the times of its fetches, and no value', async () => {
  const { router, reviews } = await startInFront(shop, { env: { TESSERA_SLOW_OPERATION_MS: '250' } })
  reviews.intercept = () => new Promise((resolve) => setTimeout(() => resolve(false), 300))
  const quoted = String.raw`"""a \"""" secret-8"""`
  await router.ask(
    `query Slow { product(id: "secret-7") { name stars } other: product(id: ${quoted}) { name } }`,
    { traceparent },
  )
  await until(() => linesOf(router, 'slow operation').length === 1, 'the line')
  const [line] = linesOf(router, 'slow operation')
  expect(line).toMatchObject({
    operation: 'Slow',
    trace_id: trace,
    status: 200,
    fetches: [{ subgraph: 'products' }, { subgraph: 'reviews' }],
  })
  const [first, second] = (line as { fetches: { start: number; ms: number }[] }).fetches
  expect(second?.ms).toBeGreaterThanOrEqual(299)
  expect(second?.start).toBeGreaterThanOrEqual(first?.ms ?? 0)
  expect(line?.plan).toContain('fetch products')
  expect(line?.plan).toContain('product(id: ?)')
  expect(router.command.output()).not.toMatch(/secret-[78]/)
})
