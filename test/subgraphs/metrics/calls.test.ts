/** Requests to the service: how parameters are sent, and which calls are made. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testRequest } from '../../support/request.ts'
import { codes, metricsAt, startService } from './kit.ts'

const success = { body: { status: 'success', data: { resultType: 'vector', result: [] } } }
const evaluate = 'query ($q: String!) { metrics { query(query: $q) { resultType } } }'

describe('an expression', () => {
  it('arrives as it was written, whatever its content', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1 }),
          fc.constantFrom('a + b', 'up{job=~"x|y", z!="50%"}', 'a\n#é\n+1', '+Inf', 'a&b=c;d', '😀'),
          fc.string({ minLength: 3000, maxLength: 3000 }),
        ),
        async (expression) => {
          fc.pre(expression.trim() !== '')
          const { errors } = await metrics.run(evaluate, { q: expression })
          expect(errors).toEqual([])
          expect(service.journal.at(-1)?.parameters.get('query')).toBe(expression)
        },
      ),
    )
  })

  it('that is long goes in the body, form-encoded; a short one in the address', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    await metrics.run(evaluate, { q: 'up' })
    await metrics.run(evaluate, { q: `up{instance=~"${'a|'.repeat(5000)}"}` })
    await metrics.run(
      'query ($q: String!) { metrics { queryRange(query: $q, start: 0, end: 60, step: "15s") { resultType } } }',
      { q: 'up + '.repeat(2000) },
    )
    expect(service.journal.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/query',
      'POST /api/v1/query',
      'POST /api/v1/query_range',
    ])
    const [short, long, range] = service.journal
    expect(short?.body).toBe('')
    for (const call of [long, range]) {
      expect(call?.headers['content-type']).toBe('application/x-www-form-urlencoded')
      expect(call?.url).not.toContain('?')
    }
    expect(range?.parameters.get('step')).toBe('15s')
  })

  it.each([403, 405, 501])('that is long goes in the address if POST is answered %i', async (status) => {
    await using service = await startService(({ method }) =>
      method === 'GET' ? success : { status, contentType: 'text/plain', text: 'GET only' },
    )
    await using metrics = metricsAt(service.url)
    const q = 'up + '.repeat(2000)
    for (let i = 0; i < 2; i++) expect((await metrics.run(evaluate, { q })).errors).toEqual([])
    // The second one knows.
    expect(service.journal.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
    expect(service.journal[1]?.parameters.get('query')).toBe(q)
  })

  it.each([
    [403, 403, 'FORBIDDEN', 2],
    [405, 414, 'BAD_USER_INPUT', 2],
    [400, 200, 'UPSTREAM_BAD_RESPONSE', 1],
    [500, 200, 'UPSTREAM_UNAVAILABLE', 1],
  ])('that is long and answered %i, then %i, is %s after %i calls', async (post, get, code, calls) => {
    await using service = await startService(({ method }) => {
      const status = method === 'GET' ? get : post
      return status === 200 ? success : { status, contentType: 'text/plain', text: '' }
    })
    await using metrics = metricsAt(service.url)
    const { errors } = await metrics.run(evaluate, { q: 'up + '.repeat(2000) })
    expect(codes(errors)).toEqual([code])
    expect(service.journal).toHaveLength(calls)
  })

  it('that is longer than any address is not tried in one', async () => {
    await using service = await startService({ status: 405, contentType: 'text/plain', text: '' })
    await using metrics = metricsAt(service.url)
    const { errors } = await metrics.run(evaluate, { q: 'up + '.repeat(40_000) })
    expect(codes(errors)).toEqual(['UPSTREAM_BAD_RESPONSE'])
    expect(service.journal.map(({ method }) => method)).toEqual(['POST'])
  })

  it('that is long is a read all the same: it is tried again', async () => {
    let tries = 0
    await using service = await startService(() =>
      ++tries === 1 ? { status: 503, contentType: 'text/plain', text: 'Service Unavailable' } : success,
    )
    await using metrics = metricsAt(service.url, { tuning: { retries: 1, retryDelayMs: 0 } })
    const { errors } = await metrics.run(evaluate, { q: 'up + '.repeat(2000) })
    expect(errors).toEqual([])
    expect(service.journal.map(({ method }) => method)).toEqual(['POST', 'POST'])
  })
})

describe('parameters', () => {
  it('are those of the service, and only those that were given', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    await metrics.run('{ metrics { query(query: "up") { resultType } } }')
    await metrics.run(
      '{ metrics { query(query: "up", time: "2026-11-20T21:21:07+01:00", timeout: 30, limit: 5, lookbackDelta: "1m") { resultType } } }',
    )
    await metrics.run(
      `query ($start: MetricsTime!, $step: MetricsDuration!, $none: MetricsDuration) { metrics {
        queryRange(query: "up", start: $start, end: 1795206067.25, step: $step, timeout: $none, limit: 0) { resultType } } }`,
      { start: 1795206000, step: '1h30m', none: null },
    )
    expect(service.journal.map(({ parameters }) => Object.fromEntries(parameters))).toEqual([
      { query: 'up' },
      { query: 'up', time: '2026-11-20T21:21:07+01:00', timeout: '30', limit: '5', lookback_delta: '1m' },
      { query: 'up', start: '1795206000', end: '1795206067.25', step: '1h30m' },
    ])
  })

  it.each([
    ['query(query: " ") { raw }', 'query'],
    ['query(query: "up", time: "yesterday") { raw }', 'time'],
    ['query(query: "up", time: 1795206067500) { raw }', 'time'],
    ['query(query: "up", timeout: "1.5h") { raw }', 'timeout'],
    ['query(query: "up", timeout: -1) { raw }', 'timeout'],
    ['query(query: "up", limit: -1) { raw }', 'limit'],
    ['query(query: "up", lookbackDelta: {}) { raw }', 'lookbackDelta'],
    ['queryRange(query: "up", start: 0, end: 1, step: 0) { raw }', 'step'],
    ['queryRange(query: "up", start: 0, end: 1, step: "x") { raw }', 'step'],
    ['queryRange(query: "up", start: 2, end: 1, step: 1) { raw }', 'end'],
    ['queryRange(query: "up", start: 0, end: 1, step: 0.0004) { raw }', 'step'],
    ['queryRange(query: "up", start: 0, end: 1, step: 0.0015) { raw }', 'step'],
    ['queryRange(query: "up", start: 0, end: 1, step: 1e-10) { raw }', 'step'],
    ['query(query: "up", lookbackDelta: 0.0001) { raw }', 'lookbackDelta'],
    ['query(query: "up", time: "2263-01-01T00:00:00Z") { raw }', 'time'],
    ['query(query: "up", time: "1677-01-01T00:00:00Z") { raw }', 'time'],
    ['query(query: "up", time: 9223372037) { raw }', 'time'],
    ['queryRange(query: "up", start: "2026-11-20", end: 1, step: 1) { raw }', 'start'],
  ])('that are wrong cost no call and no other field: %s', async (field, name) => {
    await using service = await startService({ body: { status: 'success', data: { alerts: [] } } })
    await using metrics = metricsAt(service.url)
    const { data, errors } = await metrics.run(`{ metrics { f: ${field} alerts { name } } }`)
    expect(data.metrics).toEqual({ f: null, alerts: [] })
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.path).toEqual(['metrics', 'f'])
    expect(errors[0]?.message).toMatch(new RegExp(`^${name}: expected `))
    expect(service.journal.map(({ path }) => path)).toEqual(['/api/v1/alerts'])
  })
})

describe('one request', () => {
  it('makes the same call once, however often and in whatever form it is selected', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    const request = testRequest()
    const { data, errors } = await metrics.run(
      `{ a: metrics { query(query: "up") { raw } again: query(query: "up") { series { name } } other: query(query: "down") { raw } }
         b: metrics { query(query: "up") { resultType raw series { name } } } }`,
      {},
      request,
    )
    expect(errors).toEqual([])
    expect(data.b.query.raw).toEqual(success.body.data)
    expect(service.journal.map(({ parameters }) => parameters.get('query')).sort()).toEqual(['down', 'up'])
    expect(request.calls.map(({ operation }) => operation)).toEqual(['metrics.query', 'metrics.query'])
  })

  it('makes one call each for rules, alerts and build information', async () => {
    await using service = await startService(({ path }) => ({
      body: {
        status: 'success',
        data: path.endsWith('rules') ? { groups: [] } : path.endsWith('alerts') ? { alerts: [] } : {},
      },
    }))
    await using metrics = metricsAt(service.url)
    const fields = 'ruleGroups { name } alerts { name } buildInfo { version }'
    const { errors } = await metrics.run(`{ a: metrics { ${fields} } b: metrics { ${fields} } }`)
    expect(errors).toEqual([])
    expect(service.journal.map(({ path }) => path).sort()).toEqual([
      '/api/v1/alerts',
      '/api/v1/rules',
      '/api/v1/status/buildinfo',
    ])
  })

  it('makes no call if nothing of the service is selected', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    const { data } = await metrics.run('{ metrics { __typename } }')
    expect(data).toEqual({ metrics: { __typename: 'Metrics' } })
    expect(service.journal).toEqual([])
  })

  it('remembers nothing of another one', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url)
    await metrics.run(evaluate, { q: 'up' })
    await metrics.run(evaluate, { q: 'up' })
    expect(service.journal).toHaveLength(2)
  })
})

describe('the base URL', () => {
  it.each(['/prometheus', '/prometheus/', '/select/0:1/prometheus'])(
    'may have the path %s',
    async (prefix) => {
      await using service = await startService(success)
      await using metrics = metricsAt(service.url + prefix)
      await metrics.run(evaluate, { q: 'up' })
      expect(service.journal[0]?.path).toBe(`${prefix.replace(/\/$/, '')}/api/v1/query`)
    },
  )
})

describe('the credential', () => {
  it('is sent along', async () => {
    await using service = await startService(success)
    await using metrics = metricsAt(service.url, {
      credential: { kind: 'basic', user: 'u', password: 'p:w' },
    })
    await metrics.run(evaluate, { q: 'up' })
    expect(service.journal[0]?.headers.authorization).toBe(`Basic ${Buffer.from('u:p:w').toString('base64')}`)
  })
})

describe('a timeout', () => {
  it('longer than the usual patience is waited for', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using service = await startService(async ({ parameters }) => {
      if (parameters.get('query') === 'patient') await released
      else await new Promise<never>(() => {})
      return success
    })
    await using metrics = metricsAt(service.url, { tuning: { timeoutMs: 100, retries: 0 } })
    // Sent first; it would have been given up before the other one, had it the same patience.
    const patient = metrics.run('{ metrics { query(query: "patient", timeout: "20s") { resultType } } }')
    const usual = await metrics.run('{ metrics { query(query: "usual") { resultType } } }')
    expect(codes(usual.errors)).toEqual(['UPSTREAM_TIMEOUT'])
    release()
    expect((await patient).errors).toEqual([])
  })
})
