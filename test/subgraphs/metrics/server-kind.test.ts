/** How the kind of server is detected, its effects on requests, and the calls that this costs. */
import { describe, expect, it } from 'vitest'
import { createUpstream } from '../../../subgraphs/kit/rest-client/index.ts'
import { createKindDetection } from '../../../subgraphs/metrics/server-kind.ts'
import { testRequest } from '../../support/request.ts'
import { type Answered, codes, metricsAt, type Received, startService } from './kit.ts'

const buildInfo = '/api/v1/status/buildinfo'
const query = '{ metrics { query(query: "up") { resultType } } }'
const prometheus = { version: '3.1.0', revision: 'abc', branch: 'HEAD', goVersion: 'go1.23' }
const vector = { body: { status: 'success', data: { resultType: 'vector', result: [] } } }
const said = (data: unknown, headers: Record<string, string> = {}): Answered => ({
  body: { status: 'success', data },
  headers,
})

/** Answers with this for the build, and with an empty vector for everything else. */
const serverThat = (build: Answered | (() => Answered | Promise<Answered>)) =>
  startService(({ path }) => {
    if (path !== buildInfo) return vector
    return typeof build === 'function' ? build() : build
  })

const seen = (journal: readonly Received[]): string[] =>
  journal.map(({ path, parameters }) =>
    path === buildInfo ? 'build' : (parameters.get('nocache') ?? 'as it is'),
  )

describe('the kind of server', () => {
  it.each([
    ['Prometheus', said(prometheus), 'as it is'],
    ['VictoriaMetrics 1.79', said({}), '1'],
    ['a newer VictoriaMetrics', said({ version: '2.24.0' }), '1'],
    ['VictoriaMetrics by its header', said(prometheus, { 'x-server-hostname': 'vm-1' }), '1'],
    ['one without this endpoint', { status: 404, contentType: 'text/plain', text: 'no' }, 'as it is'],
    ['one that answers otherwise', said({ resultType: 'vector', result: [] }), 'as it is'],
    ['one that answers a list', said([]), 'as it is'],
    ['one that answers no JSON', { text: '<html>', contentType: 'text/html' }, 'as it is'],
  ])('%s is found out once, before the first query', async (_, build, nocache) => {
    await using service = await serverThat(build)
    await using metrics = metricsAt(service.url, { server: 'auto' })
    const both = await Promise.all([metrics.run(query), metrics.run(query)])
    const third = await metrics.run(query)
    for (const { errors } of [...both, third]) expect(errors).toEqual([])
    expect(seen(service.journal)).toEqual(['build', nocache, nocache, nocache])
  })

  it.each([
    ['prometheus', 'as it is'],
    ['victoriametrics', '1'],
  ] as const)('that is configured as %s is not asked for', async (server, nocache) => {
    await using service = await serverThat(said({}))
    await using metrics = metricsAt(service.url, { server })
    await metrics.run(query)
    expect(seen(service.journal)).toEqual([nocache])
  })

  it('is found out for each credential, because a proxy may lead each to its own server', async () => {
    await using service = await startService(({ path, headers }) => {
      if (path !== buildInfo) return vector
      return said(headers.authorization === 'Bearer vm' ? {} : prometheus)
    })
    await using metrics = metricsAt(service.url, {
      server: 'auto',
      credential: { kind: 'forward', header: 'x-metrics-authorization' },
    })
    for (const token of ['vm', 'prometheus', 'vm']) {
      await metrics.run(query, {}, testRequest({ 'x-metrics-authorization': `Bearer ${token}` }))
    }
    expect(seen(service.journal)).toEqual(['build', '1', 'build', 'as it is', '1'])
  })

  it('does not hold a query up for long, and is asked for again', async () => {
    let isSilent = true
    let answer: (() => void) | undefined
    await using service = await serverThat(async () => {
      if (isSilent) await new Promise<void>((resolve) => (answer = resolve))
      return said({})
    })
    await using metrics = metricsAt(service.url, { server: 'auto', tuning: { retries: 0 } })
    const { errors } = await metrics.run(query)
    expect(errors).toEqual([])
    isSilent = false
    answer?.()
    expect(seen(service.journal)).toEqual(['build', 'as it is'])
  })

  it('is checked again while queries continue, and a failure changes nothing', async () => {
    let build: Answered = said(prometheus)
    await using service = await serverThat(() => build)
    const upstream = createUpstream({
      service: 'metrics',
      baseUrl: service.url,
      credential: { kind: 'none' },
      failure: () => undefined,
    })
    let now = 0
    const kindFor = createKindDetection(upstream, () => now)
    const request = testRequest()
    expect(await kindFor(request)).toBe('prometheus')
    now += 599_000
    expect(kindFor(request)).toBe('prometheus')
    expect(service.journal).toHaveLength(1)
    build = said({})
    now += 2000
    // The known kind is used immediately, and the answer applies to later requests.
    expect(kindFor(request)).toBe('prometheus')
    await expect.poll(() => kindFor(request)).toBe('victoriametrics')
    expect(service.journal).toHaveLength(2)
    build = { status: 500, body: {} }
    now += 601_000
    expect(kindFor(request)).toBe('victoriametrics')
    await expect.poll(() => service.journal.length).toBe(3)
    expect(kindFor(request)).toBe('victoriametrics')
    await upstream.close()
  })
})

describe('times', () => {
  it.each([
    ['query(query: "up", time: -1)', 'time'],
    ['query(query: "up", time: "1969-12-31T23:59:59Z")', 'time'],
    ['queryRange(query: "up", start: -0.5, end: 1, step: 1)', 'start'],
  ])('before 1970 are refused if the server would take 1970: %s', async (field, name) => {
    await using service = await serverThat(said({}))
    const document = `{ metrics { f: ${field} { resultType } } }`
    await using victoria = metricsAt(service.url, { server: 'victoriametrics' })
    const { errors } = await victoria.run(document)
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.message).toMatch(new RegExp(`^${name}: `))
    expect(service.journal).toEqual([])
    await using other = metricsAt(service.url, { server: 'prometheus' })
    expect((await other.run(document)).errors).toEqual([])
  })

  it.each([
    ['12.5', '12.5', '1970-01-01T00:00:12.500Z'],
    ['"1e3"', '1000', '1970-01-01T00:16:40.000Z'],
    ['9000000000', '9000000000', '2255-03-14T16:00:00.000Z'],
    ['1795206067.1234567', '1795206067.1234567', '2026-11-20T20:21:07.123Z'],
    ['"2026-11-20T21:21:07.5+01:00"', '2026-11-20T21:21:07.5+01:00', '2026-11-20T20:21:07.500Z'],
  ])(
    '%s is sent as %s, and as a date to VictoriaMetrics, which misreads some numbers',
    async (given, ...sent) => {
      await using service = await serverThat(said({}))
      const document = `{ metrics {
      query(query: "up", time: ${given}) { resultType }
      queryRange(query: "up", start: ${given}, end: ${given}, step: 1.5) { resultType }
    } }`
      for (const [at, server] of (['prometheus', 'victoriametrics'] as const).entries()) {
        service.journal.length = 0
        await using metrics = metricsAt(service.url, { server })
        expect((await metrics.run(document)).errors).toEqual([])
        const times = service.journal.flatMap(({ parameters }) =>
          ['time', 'start', 'end'].flatMap((name) => parameters.getAll(name)),
        )
        expect(times).toEqual(Array(3).fill(sent[at]))
        const steps = service.journal.flatMap(({ parameters }) => parameters.getAll('step'))
        expect(steps).toEqual(['1.5'])
      }
    },
  )

  it.each([
    ['prometheus', 'lookback_delta'],
    ['victoriametrics', 'max_lookback'],
  ] as const)('%s is sent the look-back as %s, and 0 as nothing', async (server, name) => {
    await using service = await serverThat(said({}))
    await using metrics = metricsAt(service.url, { server })
    const { errors } = await metrics.run(`{ metrics {
      a: query(query: "up", lookbackDelta: "1m30s") { resultType }
      b: queryRange(query: "up", start: 1, end: 2, step: 1, lookbackDelta: 0.5) { resultType }
      c: query(query: "up", lookbackDelta: "0s") { resultType }
    } }`)
    expect(errors).toEqual([])
    const sent = service.journal.map(({ parameters }) =>
      [...parameters].filter(([parameter]) => parameter.includes('lookback')),
    )
    expect(sent).toEqual([[[name, '1m30s']], [[name, '0.5']], []])
  })
})
