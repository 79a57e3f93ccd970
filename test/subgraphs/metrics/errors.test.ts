/** Failed queries: the code for each failure of a server, which words are passed on, and which data stay. */
import { describe, expect, it } from 'vitest'
import { testRequest } from '../../support/request.ts'
import type { Outcome } from '../../support/subgraph.ts'
import { codes, metricsAt, type Recorded, recorded, recordedNames, startService } from './kit.ts'

const query = '{ metrics { query(query: "x") { resultType series { name } } } }'

/** No waiting between tries; one of them. */
const tuning = { retries: 1, retryDelayMs: 0 }

async function replay(
  answer: Parameters<typeof startService>[0],
  document = query,
): Promise<Outcome & { calls: number }> {
  await using service = await startService(answer)
  await using metrics = metricsAt(service.url, { tuning })
  const result = await metrics.run(document)
  for (const error of result.errors) expect(error.message).not.toContain(new URL(service.url).host)
  return { ...result, calls: service.journal.length }
}

function envelope(
  errorType: string,
  error: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { status: 'error', errorType, error, ...more }
}

it('a failure of a kind that the API does not name is told beside the data', async () => {
  const body = envelope('partial', 'half of the shards', { data: { resultType: 'vector', result: [] } })
  const { data, errors } = await replay({ status: 200, body })
  expect(data).toEqual({ metrics: { query: { resultType: 'vector', series: [] } } })
  expect(errors.map(({ message, extensions }) => [message, extensions.upstream])).toEqual([
    [expect.stringContaining('of a kind that its API does not name'), { status: 200, reason: 'partial' }],
  ])
})

const refused = recordedNames.filter((name) => recorded(name).status >= 400 && !name.includes('rules'))

describe('recorded failures', () => {
  it('are there from both servers', () => {
    expect(refused.filter((name) => name.startsWith('prometheus')).length).toBeGreaterThan(8)
    expect(refused.filter((name) => name.startsWith('victoriametrics')).length).toBeGreaterThan(4)
  })

  it.each(refused)('%s: is one error at the field, with a code and no address', async (name) => {
    const recording = recorded(name)
    const { data, errors } = await replay(recording)
    expect(data).toEqual({ metrics: { query: null } })
    expect(errors).toHaveLength(1)
    expect(errors[0]?.path).toEqual(['metrics', 'query'])
    expect(errors[0]?.extensions).toMatchObject({
      service: 'metrics',
      upstream: { status: recording.status },
    })
    expect(errors[0]?.message).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
    const expected =
      name.endsWith('err-timeout') && name.startsWith('prometheus')
        ? 'UPSTREAM_TIMEOUT'
        : recording.text === undefined
          ? 'BAD_USER_INPUT'
          : 'UPSTREAM_BAD_RESPONSE'
    expect(codes(errors)).toEqual([expected])
  })

  it("pass a parse error's own words on", async () => {
    const { errors } = await replay(recorded('prometheus-2.42.err-parse'))
    expect(errors[0]?.message).toBe(
      'invalid parameter "query": 1:4: parse error: unexpected end of input inside braces',
    )
    expect(errors[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      service: 'metrics',
      upstream: { status: 400, reason: 'bad_data' },
    })
  })

  it('keep plain text to themselves', async () => {
    const { errors } = await replay(recorded('victoriametrics-1.79.err-not-found'))
    expect(errors[0]?.message).not.toContain('remoteAddr')
  })
})

describe('error types', () => {
  it.each([
    ['bad_data', 400, 'BAD_USER_INPUT', 1],
    ['execution', 422, 'BAD_USER_INPUT', 1],
    ['timeout', 503, 'UPSTREAM_TIMEOUT', 1],
    ['canceled', 499, 'UPSTREAM_UNAVAILABLE', 2],
    ['canceled', 503, 'UPSTREAM_UNAVAILABLE', 2],
    ['internal', 500, 'UPSTREAM_UNAVAILABLE', 1],
    ['unavailable', 500, 'UPSTREAM_UNAVAILABLE', 2],
    ['not_found', 404, 'NOT_FOUND', 1],
    ['not_acceptable', 406, 'UPSTREAM_BAD_RESPONSE', 1],
    ['422', 422, 'BAD_USER_INPUT', 1],
    ['400', 400, 'BAD_USER_INPUT', 1],
    ['503', 503, 'UPSTREAM_UNAVAILABLE', 2],
    ['brand_new', 400, 'BAD_USER_INPUT', 1],
    ['brand_new', 500, 'UPSTREAM_UNAVAILABLE', 1],
    ['', 500, 'UPSTREAM_UNAVAILABLE', 1],
  ])('%s with %i is %s, after %i calls', async (type, status, code, calls) => {
    const result = await replay({ status, body: envelope(type, 'because') })
    expect(result.data.metrics.query).toBeNull()
    expect(codes(result.errors)).toEqual([code])
    expect(result.calls).toBe(calls)
    expect(result.errors[0]?.message.includes('because')).toBe(code === 'BAD_USER_INPUT')
  })

  it.each([
    [503, 'UPSTREAM_UNAVAILABLE', 2],
    [502, 'UPSTREAM_UNAVAILABLE', 2],
    [404, 'UPSTREAM_BAD_RESPONSE', 1],
    [405, 'UPSTREAM_BAD_RESPONSE', 1],
    [403, 'FORBIDDEN', 1],
    [429, 'RATE_LIMITED', 1],
    [500, 'UPSTREAM_UNAVAILABLE', 1],
  ])('%i with plain text is %s, after %i calls', async (status, code, calls) => {
    const text = 'Service Unavailable at http://10.1.2.3:9090/'
    const result = await replay({ status, contentType: 'text/plain; charset=utf-8', text })
    expect(codes(result.errors)).toEqual([code])
    expect(result.calls).toBe(calls)
    expect(result.errors[0]?.message).not.toContain('10.1.2.3')
  })

  it.each([
    [400, 'invalid parameter "start"; cannot parse "x" to a valid timestamp', 'BAD_USER_INPUT'],
    [422, 'the query time range exceeds the limit (query length: 900h, limit: 720h)', 'BAD_USER_INPUT'],
    [400, 'context deadline exceeded', 'UPSTREAM_TIMEOUT'],
    // What does not speak of the query.
    [400, 'Bad Request', 'UPSTREAM_BAD_RESPONSE'],
    [400, '400 Bad Request\n', 'UPSTREAM_BAD_RESPONSE'],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', 'UPSTREAM_BAD_RESPONSE'],
    [400, 'remoteAddr: "10.0.0.1:5"; unsupported path requested: "/api/v1/query"', 'UPSTREAM_BAD_RESPONSE'],
    [400, '', 'UPSTREAM_BAD_RESPONSE'],
  ])('%i with the plain text %j is %s', async (status, text, code) => {
    const { errors, calls } = await replay({ status, contentType: 'text/plain; charset=utf-8', text })
    expect(codes(errors)).toEqual([code])
    expect(calls).toBe(1)
    if (code === 'BAD_USER_INPUT') expect(errors[0]?.message).toBe(text)
  })

  it('that are JSON called plain text have the meaning of their JSON', async () => {
    const plain = (status: number, body: object) =>
      replay({ status, contentType: 'text/plain; charset=utf-8', text: JSON.stringify(body) })
    const late = await plain(503, envelope('timeout', 'because'))
    expect(codes(late.errors)).toEqual(['UPSTREAM_TIMEOUT'])
    expect(late.calls).toBe(1)
    const data = { resultType: 'vector', result: [] }
    const partial = await plain(500, { ...envelope('internal', 'because'), data })
    expect(codes(partial.errors)).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect(partial.data.metrics.query).not.toBeNull()
  })

  it('of vmalert are JSON in plain text, and are shown in its words', async () => {
    const { errors } = await replay(
      recorded('victoriametrics-1.150.rules-bad-match'),
      '{ metrics { ruleGroups(match: ["{"]) { name } } }',
    )
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.message).toBe(
      'invalid parameter "match[]": failed to parse "{": labelFilterExpr: unexpected token ""; want "ident"; unparsed data: ""',
    )
  })

  it('of Thanos blame a selector that it cannot parse, not its storage', async () => {
    const { errors, calls } = await replay(
      recorded('thanos-0.41.rules-bad-match'),
      '{ metrics { ruleGroups(match: ["{"]) { name } } }',
    )
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.message).toContain('1:2: parse error: unexpected end of input inside braces')
    expect(calls).toBe(1)
  })

  it.each(['{"error":', '{"error":{}}', '{} is no series'])(
    'in plain text that only begin like JSON stay as they are: %s',
    async (text) => {
      const { errors } = await replay({ status: 400, contentType: 'text/plain', text })
      expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
      expect(errors[0]?.message).toBe(text)
    },
  )

  it('in plain text lose markup, addresses and the credential, and have a bound', async () => {
    await using service = await startService({
      status: 400,
      contentType: 'text/plain',
      text: `invalid parameter "x" at <b>http://10.1.2.3:9090/</b> for s3cr3t-t0ken ${'very '.repeat(100_000)}long`,
    })
    await using metrics = metricsAt(service.url, {
      tuning,
      credential: { kind: 'bearer', token: 's3cr3t-t0ken' },
    })
    const { errors } = await metrics.run(query)
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.message).toMatch(/^invalid parameter "x" at … for \[secret\] very very/)
    expect(errors[0]?.message.length).toBeLessThan(1100)
  })

  it.each([
    ['bad_data', 400, 'invalid parameter "query": context deadline exceeded', 'UPSTREAM_TIMEOUT', 1],
    ['bad_data', 400, 'query timed out in query queue', 'UPSTREAM_TIMEOUT', 1],
    ['bad_data', 400, 'invalid parameter "query": context canceled', 'UPSTREAM_UNAVAILABLE', 2],
    ['422', 422, 'cannot execute: timeout exceeded during the query: 30 seconds', 'UPSTREAM_TIMEOUT', 1],
    ['execution', 422, 'expanding series: rpc error: code = Unavailable desc = x', 'UPSTREAM_UNAVAILABLE', 2],
    ['execution', 422, 'expanding series: rpc error: code = DeadlineExceeded', 'UPSTREAM_TIMEOUT', 1],
    ['execution', 422, 'expanding series: rpc error: code = InvalidArgument desc = x', 'BAD_USER_INPUT', 1],
    ['execution', 422, 'unavailable with Prometheus Agent', 'UPSTREAM_UNAVAILABLE', 1],
    ['timeout', 503, 'store x: 1:2: parse error: y', 'UPSTREAM_TIMEOUT', 1],
    ['bad_data', 400, '1:2: parse error: unexpected "context"', 'BAD_USER_INPUT', 1],
  ])('%s with %i for "%s" is %s: who fails is to blame', async (type, status, error, code, calls) => {
    const result = await replay({ status, body: envelope(type, error) })
    expect(codes(result.errors)).toEqual([code])
    expect(result.calls).toBe(calls)
    expect(result.errors[0]?.message.includes(error)).toBe(code === 'BAD_USER_INPUT')
  })

  it('is named only if it is a word', async () => {
    const result = await replay({ status: 400, body: envelope('at http://10.1.2.3:9090', 'x') })
    expect(result.errors[0]?.extensions.upstream).toEqual({ status: 400 })
  })

  it('in a 2xx answer count as well', async () => {
    const result = await replay({ status: 200, body: envelope('execution', 'too many samples') })
    expect(codes(result.errors)).toEqual(['BAD_USER_INPUT'])
    expect(result.errors[0]?.message).toBe('too many samples')
  })

  it('of a server that starts up are over when it answers', async () => {
    let first = true
    const answer = (): { status?: number; contentType?: string; text?: string; body?: unknown } => {
      if (!first) return { body: { status: 'success', data: { resultType: 'vector', result: [] } } }
      first = false
      return { status: 503, contentType: 'text/plain', text: 'Service Unavailable' }
    }
    const result = await replay(answer)
    expect(result.errors).toEqual([])
    expect(result.calls).toBe(2)
  })
})

describe('an error that comes with data', () => {
  const vector = { resultType: 'vector', result: [{ metric: { __name__: 'up' }, value: [1, '1'] }] }

  it.each([
    ['execution', 422, 'BAD_USER_INPUT'],
    ['timeout', 503, 'UPSTREAM_TIMEOUT'],
    ['internal', 500, 'UPSTREAM_UNAVAILABLE'],
    ['unavailable', 500, 'UPSTREAM_UNAVAILABLE'],
    ['execution', 200, 'BAD_USER_INPUT'],
  ])('(%s, %i) gives both, with %s at the path of its alias', async (type, status, code) => {
    const result = await replay(
      { status, body: envelope(type, 'half of it', { data: vector }) },
      '{ m: metrics { half: query(query: "x") { series { name } raw error { type message } } } }',
    )
    expect(result.data.m.half).toMatchObject({ series: [{ name: 'up' }], raw: vector, error: { type } })
    expect(codes(result.errors)).toEqual([code])
    expect(result.errors[0]?.path).toEqual(['m', 'half'])
    expect(result.errors[0]?.message).toBe(result.data.m.half.error.message)
    expect(result.calls).toBe(1)
  })

  it('gives both only for raw, too', async () => {
    const result = await replay(
      { status: 422, body: envelope('execution', 'half of it', { data: vector }) },
      '{ metrics { query(query: "x") { resultType raw } } }',
    )
    expect(result.data.metrics.query).toEqual({ resultType: 'vector', raw: vector })
    expect(codes(result.errors)).toEqual(['BAD_USER_INPUT'])
  })

  it('gives both for rules and alerts', async () => {
    const data = { groups: [{ name: 'g', file: 'f', rules: [] }], alerts: [{ labels: { alertname: 'A' } }] }
    const result = await replay(
      { status: 500, body: envelope('internal', 'x', { data }) },
      '{ metrics { ruleGroups { name } alerts { name } } }',
    )
    expect(result.data.metrics).toEqual({ ruleGroups: [{ name: 'g' }], alerts: [{ name: 'A' }] })
    expect(codes(result.errors)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'])
  })

  it.each(
    [{ data: null }, {}, { data: {} }, { data: [] }, { data: '' }].flatMap((more) =>
      [422, 200].flatMap((status) =>
        ['series { name }', 'resultType raw'].map((fields) => [more, status, fields] as const),
      ),
    ),
  )('is only an error if the rest is %j (%i, { %s })', async (more, status, fields) => {
    const result = await replay(
      { status, body: envelope('execution', 'none of it', more) },
      `{ metrics { query(query: "x") { ${fields} } ruleGroups { name } alerts { name } } }`,
    )
    expect(result.data.metrics).toEqual({ query: null, ruleGroups: null, alerts: null })
    expect(codes(result.errors)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'BAD_USER_INPUT'])
  })

  it('is tried again if nothing came with it', async () => {
    const { calls } = await replay({ status: 500, body: envelope('unavailable', 'not ready', { data: {} }) })
    expect(calls).toBe(2)
  })

  it('reaches one request only', async () => {
    await using service = await startService({
      status: 422,
      body: envelope('execution', 'x', { data: vector }),
    })
    await using metrics = metricsAt(service.url)
    expect((await metrics.run(query)).errors).toHaveLength(1)
    expect((await metrics.run(query)).errors).toHaveLength(1)
  })
})

describe('a service that fails', () => {
  it('takes only its own fields along', async () => {
    const answer = ({ path }: { path: string }): Recorded | { body: unknown } =>
      path.endsWith('/alerts')
        ? { body: { status: 'success', data: { alerts: [] } } }
        : recorded('prometheus-2.42.err-parse')
    const { data, errors } = await replay(
      answer,
      '{ metrics { query(query: "x{") { raw } alerts { name } } }',
    )
    expect(data.metrics).toEqual({ query: null, alerts: [] })
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
  })

  it('and cannot be reached is UPSTREAM_UNAVAILABLE, without its address', async () => {
    const service = await startService({ body: {} })
    const { url } = service
    await service[Symbol.asyncDispose]()
    await using metrics = metricsAt(url, { tuning })
    const { errors } = await metrics.run(query)
    expect(codes(errors)).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect(errors[0]?.message).not.toContain('127.0.0.1')
  })

  it('and does not answer by the deadline is UPSTREAM_TIMEOUT', async () => {
    await using service = await startService(() => ({ headers: { 'content-length': '100' }, text: '{' }))
    await using metrics = metricsAt(service.url, { tuning })
    const { errors } = await metrics.run(query, {}, testRequest({}, { timeoutMs: 50 }))
    expect(codes(errors)).toEqual(['UPSTREAM_TIMEOUT'])
  })
})
