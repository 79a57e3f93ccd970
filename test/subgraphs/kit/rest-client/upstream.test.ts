import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { badInput, tesseraError } from '../../../../shared/errors.ts'
import type { UpstreamEvent } from '../../../../shared/upstream.ts'
import { createUpstream, type Failure } from '../../../../subgraphs/kit/rest-client/index.ts'
import { json, raw, redirect, status } from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { errorOf, read, startBench, write } from '../../../support/upstream.ts'

test('the path is put below the base URL, whose own path is kept', async () => {
  await using bench = await startBench()
  const upstream = createUpstream({
    service: 'metrics',
    baseUrl: `${bench.server.url}/select/0/prometheus/`,
    credential: { kind: 'none' },
    failure: () => undefined,
  })
  await upstream.send(read('/api/v1/query?query=up%7B%7D'), testRequest())
  await upstream.close()
  expect(bench.server.arrived.map(({ url }) => url)).toEqual([
    '/select/0/prometheus/api/v1/query?query=up%7B%7D',
  ])
})

test.each([
  ['concurrency', 0, 'a finite number of at least 1'],
  ['timeoutMs', Number.POSITIVE_INFINITY, 'a finite number of at least 1'],
  ['queue', -1, 'a number of at least 0'],
  ['retries', Number.NaN, 'a finite number of at least 0'],
])('a tuning with which calls could not be sent is refused: %s %d', (name, value, expected) => {
  const options = { service: 'metrics', baseUrl: 'http://127.0.0.1:1', failure: () => undefined }
  expect(() =>
    createUpstream({ ...options, credential: { kind: 'none' }, tuning: { [name]: value } }),
  ).toThrow(`the tuning of metrics: ${name} must be ${expected}, not ${value}`)
})

test('queue and size of responses may have no bound', async () => {
  const most = Number.POSITIVE_INFINITY
  await using bench = await startBench(json({ items: [] }), {
    tuning: { queue: most, maxResponseBytes: most },
  })
  expect((await bench.upstream.send(read(), testRequest())).body).toEqual({ items: [] })
})

test('an answer has its status, its headers and its JSON', async () => {
  await using bench = await startBench(json({ items: [1] }, 201, { 'x-kind': 'list' }))
  const answer = await bench.upstream.send<{ items: number[] }>(read(), testRequest())
  expect(answer).toMatchObject({ status: 201, headers: { 'x-kind': 'list' }, body: { items: [1] } })
})

test('an answer without a body has none', async () => {
  await using bench = await startBench(status(204))
  expect((await bench.upstream.send(write({ method: 'DELETE' }), testRequest())).body).toBe(undefined)
})

test('JSON that is requested as text is returned unparsed', async () => {
  const text = '{"value": 18446744073709551615 }'
  await using bench = await startBench(raw(text))
  expect((await bench.upstream.send(read('/x', { as: 'text' }), testRequest())).body).toBe(text)
})

test('asked for as bytes, it is not even decoded', async () => {
  await using bench = await startBench(raw('{"a":"ä"}'))
  const { body } = await bench.upstream.send<Buffer>(read('/x', { as: 'bytes' }), testRequest())
  expect(body.equals(Buffer.from('{"a":"ä"}'))).toBe(true)
})

test('an accepted status is not an answer if it comes with something other than JSON', async () => {
  await using bench = await startBench(raw('Service Unavailable', { 'content-type': 'text/plain' }, 503), {
    tuning: { retryDelayMs: 1 },
  })
  const error = await errorOf(bench.upstream.send(read('/x', { accept: [503] }), testRequest()))
  expect(error.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', upstream: { status: 503 } })
  expect(bench.server.arrived).toHaveLength(3)
})

test('a header that cannot be sent is a fault of the gateway and does not count against the service', async () => {
  await using bench = await startBench(undefined, { tuning: { breaker: { consecutive: 1 } } })
  const call = read('/x', { headers: { 'x-tenant': 'a\r\nb' } })
  expect((await errorOf(bench.upstream.send(call, testRequest()))).extensions.code).toBe(
    'INTERNAL_SERVER_ERROR',
  )
  expect(bench.server.arrived).toEqual([])
  expect(bench.upstream.state()).toEqual({ breaker: 'closed', active: 0, waiting: 0 })
})

test('a status that the call accepts is an answer', async () => {
  await using bench = await startBench(status(308, { range: 'bytes=0-99', location: '/elsewhere' }))
  const answer = await bench.upstream.send(write({ method: 'PUT', accept: [308] }), testRequest())
  expect({ status: answer.status, range: answer.headers.range }).toEqual({ status: 308, range: 'bytes=0-99' })
})

test('a body goes out with its type, and the call may add headers', async () => {
  await using bench = await startBench()
  await bench.upstream.send(write(), testRequest())
  await bench.upstream.send(
    write({
      contentType: 'application/x-www-form-urlencoded',
      body: 'a=b',
      headers: { 'X-Scope-OrgID': '7' },
    }),
    testRequest(),
  )
  const [first, second] = bench.server.arrived
  expect([first?.headers['content-type'], first?.body]).toEqual(['application/json', '{"name":"new"}'])
  expect([second?.headers['content-type'], second?.body, second?.headers['x-scope-orgid']]).toEqual([
    'application/x-www-form-urlencoded',
    'a=b',
    '7',
  ])
})

test.each(['/videos/..', '/videos/%2e%2E/secrets', '/./videos'])('the path %s never leaves', async (path) => {
  await using bench = await startBench()
  expect((await errorOf(bench.upstream.send(read(path), testRequest()))).extensions.code).toBe(
    'BAD_USER_INPUT',
  )
  expect(bench.server.arrived).toEqual([])
})

test('a path that is not encoded is a fault of the gateway and never leaves', async () => {
  await using bench = await startBench()
  await expect(bench.upstream.send(read('/a b'), testRequest())).rejects.toThrow('not encoded')
  expect(bench.server.arrived).toEqual([])
})

test('gzip is requested by its bare name if that is tuned, and decompressed', async () => {
  const packed = gzipSync('{"packed":true}')
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  await using bench = await startBench(raw(packed, headers), { tuning: { gzip: true } })
  expect((await bench.upstream.send(read(), testRequest())).body).toEqual({ packed: true })
  expect(bench.server.arrived[0]?.headers['accept-encoding']).toBe('gzip')
  expect(bench.server.arrived[0]?.headers['user-agent']).toContain('gzip')
})

test('a large compressed answer is decompressed as well', async () => {
  const value = Array.from({ length: 50_000 }, (_, i) => `${i}-${Math.sin(i)}`)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  await using bench = await startBench(raw(gzipSync(JSON.stringify(value)), headers))
  expect((await bench.upstream.send(read(), testRequest())).body).toEqual(value)
})

test('over the loopback compression is not asked for unless tuned', async () => {
  await using bench = await startBench()
  await bench.upstream.send(read(), testRequest())
  expect(bench.server.arrived[0]?.headers).not.toHaveProperty('accept-encoding')
})

test('keys __proto__ in an answer touch no prototype', async () => {
  await using bench = await startBench(raw('{"a":{"__proto__":{"polluted":true}},"b":1}'))
  const { body } = await bench.upstream.send<{ a: object }>(read(), testRequest())
  expect(Object.assign({}, body.a)).not.toHaveProperty('polluted')
  expect(body).toEqual({ a: {}, b: 1 })
})

test('a read follows redirects within the origin, and keeps showing its credential', async () => {
  await using bench = await startBench(
    (response, arrived, number, request) =>
      (arrived.url === '/thing' ? redirect('/moved?to=here') : json({ moved: true }))(
        response,
        arrived,
        number,
        request,
      ),
    { credential: { kind: 'bearer', token: 'T' } },
  )
  expect((await bench.upstream.send(read(), testRequest())).body).toEqual({ moved: true })
  expect(bench.server.arrived.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/thing', 'Bearer T'],
    ['/moved?to=here', 'Bearer T'],
  ])
})

test('a read follows no redirect to another origin', async () => {
  await using elsewhere = await startBench()
  await using bench = await startBench(redirect(`${elsewhere.server.url}/thing`), {
    credential: { kind: 'bearer', token: 'T' },
  })
  const error = await errorOf(bench.upstream.send(read(), testRequest()))
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_BAD_RESPONSE',
    service: 'videos',
    upstream: { status: 302, reason: 'redirect' },
  })
  expect(elsewhere.server.arrived).toEqual([])
})

test('a circle of redirects ends after a few', async () => {
  await using bench = await startBench(redirect('/thing'))
  const error = await errorOf(bench.upstream.send(read(), testRequest()))
  expect(error.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  expect(bench.server.arrived).toHaveLength(4)
})

test('a write follows no redirect at all', async () => {
  await using bench = await startBench(redirect('/elsewhere', 307))
  const error = await errorOf(bench.upstream.send(write(), testRequest()))
  expect(error.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', outcome: 'unknown' })
  expect(bench.server.arrived).toHaveLength(1)
})

test('401 is the caller’s to mend only if the credential was the caller’s', async () => {
  const credential = { kind: 'forward', header: 'x-videos-authorization' } as const
  await using bench = await startBench(status(401), { credential })
  const error = await errorOf(
    bench.upstream.send(read(), testRequest({ 'x-videos-authorization': 'Bearer old' })),
  )
  expect(error.extensions.code).toBe('UNAUTHENTICATED')
})

test('404 with a page instead of JSON is not the service’s own answer', async () => {
  await using bench = await startBench(raw('404 page not found', { 'content-type': 'text/plain' }, 404))
  const error = await errorOf(bench.upstream.send(read(), testRequest()))
  expect(error.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
})

test('the service’s own reading of a failure comes first, and gets the parsed body', async () => {
  const failure = vi.fn(
    (): Failure => ({
      code: 'QUOTA_EXCEEDED',
      message: 'The quota of the day is used up.',
      reason: 'quotaExceeded',
      retry: false,
      extensions: { resetsAt: 'tomorrow' },
    }),
  )
  const body = { error: { errors: [{ reason: 'quotaExceeded' }] } }
  await using bench = await startBench(json(body, 403, { 'retry-after': '60' }), { failure })
  const call = read()
  const error = await errorOf(bench.upstream.send(call, testRequest()))
  expect(failure).toHaveBeenCalledWith(expect.objectContaining({ status: 403, body, call }))
  expect({ message: error.message, ...error.extensions }).toEqual({
    message: 'The quota of the day is used up.',
    code: 'QUOTA_EXCEEDED',
    service: 'videos',
    upstream: { status: 403, reason: 'quotaExceeded' },
    retryAfter: 60,
    resetsAt: 'tomorrow',
  })
})

test('one event tells of each call, and the request’s meter books it', async () => {
  await using bench = await startBench()
  const request = testRequest()
  await bench.upstream.send(read('/a', { operation: 'videos.list', units: 1 }), request)
  expect(bench.events).toEqual([
    {
      service: 'videos',
      call: expect.objectContaining({ method: 'GET' }),
      operation: 'videos.list',
      method: 'GET',
      safe: true,
      outcome: 'sent',
      status: 200,
      milliseconds: expect.any(Number),
      units: 1,
      attempts: 1,
      reservations: [],
      code: undefined,
      reason: undefined,
      retryAfter: undefined,
      credentialKey: 'none',
      request,
    },
  ])
  expect(request.calls).toEqual([
    {
      service: 'videos',
      operation: 'videos.list',
      outcome: 'sent',
      units: 1,
      milliseconds: expect.any(Number),
    },
  ])
})

test('an attempt that the service refuses for its rate costs nothing', async () => {
  await using bench = await startBench(status(429))
  const request = testRequest()
  await errorOf(bench.upstream.send(read(), request))
  expect(bench.events).toMatchObject([{ outcome: 'failed', units: 0, attempts: 1, code: 'RATE_LIMITED' }])
  expect(request.calls).toMatchObject([{ outcome: 'failed', units: 0 }])
})

test('admission is asked before anything leaves, and its refusal reaches the caller', async () => {
  const refuse = tesseraError('QUOTA_EXCEEDED', 'Nothing is left for today.')
  const settled: UpstreamEvent[] = []
  await using bench = await startBench(undefined, {
    admit: () => {
      throw refuse
    },
    settle: (event) => settled.push(event),
  })
  expect(await errorOf(bench.upstream.send(read(), testRequest()))).toBe(refuse)
  expect(bench.server.arrived).toEqual([])
  expect(bench.events).toMatchObject([{ outcome: 'refused', code: 'QUOTA_EXCEEDED', units: 0, attempts: 0 }])
  expect(settled).toEqual([])
})

test('every admitted call is settled once, whether it was answered or not', async () => {
  const admitted: unknown[] = []
  const settled: UpstreamEvent[] = []
  await using bench = await startBench(
    (response, arrived, number, request) =>
      (number === 0 ? json({}) : status(500))(response, arrived, number, request),
    {
      credential: { kind: 'key', key: 'K' },
      admit: async (call, credentialKey) => {
        admitted.push([call.operation, call.units, credentialKey])
        return undefined
      },
      settle: (event) => settled.push(event),
    },
  )
  await bench.upstream.send(read(), testRequest())
  await errorOf(bench.upstream.send(write(), testRequest()))
  const key = bench.upstream.credentialKey(testRequest())
  expect(admitted).toEqual([
    ['things.get', 1, key],
    ['things.insert', 50, key],
  ])
  expect(settled).toMatchObject([
    { outcome: 'sent', units: 1, credentialKey: key },
    { outcome: 'failed', units: 50, credentialKey: key, code: 'UPSTREAM_UNAVAILABLE' },
  ])
})

test('what was reserved for a call, before each of its attempts, is passed on to be settled', async () => {
  let reserved = 0
  const settled: UpstreamEvent[] = []
  await using bench = await startBench(
    (response, arrived, number, request) =>
      (number === 1 ? status(503) : json({}))(response, arrived, number, request),
    {
      tuning: { retryDelayMs: 1 },
      admit: () => {
        reserved += 1
        return reserved === 3 ? undefined : `r${reserved}`
      },
      settle: (event) => settled.push(event),
    },
  )
  const request = testRequest()
  for (let n = 0; n < 3; n++) await bench.upstream.send(read(), request)
  expect(settled.map(({ reservations, attempts }) => [reservations, attempts])).toEqual([
    [['r1'], 1],
    [['r2'], 2],
    [['r4'], 1],
  ])
})

test('the trace continues if the caller sent a well-formed one', async () => {
  await using bench = await startBench()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await bench.upstream.send(read(), testRequest({ traceparent, tracestate: 'vendor=1' }))
  await bench.upstream.send(read(), testRequest({ traceparent: 'nonsense', tracestate: 'vendor=1' }))
  expect(bench.server.arrived.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual([
    [traceparent, 'vendor=1'],
    [undefined, undefined],
  ])
})

test('a hook may give the trace headers instead', async () => {
  const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
  await using bench = await startBench(undefined, { traceHeaders: () => ({ traceparent }) })
  await bench.upstream.send(read(), testRequest())
  expect(bench.server.arrived[0]?.headers.traceparent).toBe(traceparent)
})

test('a hook that throws fails only its call', async () => {
  await using bench = await startBench(status(400), {
    failure: () => {
      throw badInput('read it wrongly')
    },
  })
  for (let i = 0; i < 3; i++) await errorOf(bench.upstream.send(read(), testRequest()))
  expect(bench.upstream.state()).toEqual({ breaker: 'closed', active: 0, waiting: 0 })
})
