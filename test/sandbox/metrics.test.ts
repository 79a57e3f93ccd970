import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  downTarget,
  sampleExpressions,
  sampleRuleFiles,
  sandboxBuildInfo,
} from '../../sandbox/metrics/index.ts'
import { postJson } from '../support/post-json.ts'
import { type Envelope, noon, startMetrics } from './metrics-kit.ts'
import { keepForFile } from '../support/keep.ts'

interface Element {
  metric: Record<string, string>
  value?: [number, string]
  histogram?: [number, { count: string; sum: string; buckets?: [number, string, string, string][] }]
}

function resultOf<Item = Element>({ data }: Envelope): Item[] {
  return (data?.result ?? []) as Item[]
}

const metrics = keepForFile(await startMetrics())
beforeEach(() => metrics.sandbox.reset())

describe('queries', () => {
  test('every kind of result has its own shape', async () => {
    const { vector, scalar, string, matrix, empty } = sampleExpressions
    const ask = async (query: string) => (await metrics.ask('query', { query })).body.data
    expect(await ask(scalar)).toEqual({ resultType: 'scalar', result: [noon / 1000, '3'] })
    expect(await ask(string)).toEqual({ resultType: 'string', result: [noon / 1000, 'text'] })
    expect(await ask(empty)).toEqual({ resultType: 'vector', result: [] })
    const up = (await ask(vector)) as { resultType: string; result: Element[] }
    expect(up.resultType).toBe('vector')
    expect(up.result).toContainEqual({ metric: { __name__: 'up', ...downTarget }, value: [noon / 1000, '0'] })
    const windows = (await ask(matrix)) as { resultType: string; result: { values: [number, string][] }[] }
    expect(windows.resultType).toBe('matrix')
    expect(windows.result[0]?.values).toHaveLength(4)
    expect(windows.result[0]?.values.every(([time]) => time > noon / 1000 - 60 && time <= noon / 1000)).toBe(
      true,
    )
  })

  test('special floats are words, and large and small ones have exponents as in Go', async () => {
    const { body } = await metrics.ask('query', { query: sampleExpressions.specialFloats })
    const values = resultOf(body).map(({ metric, value }) => [metric.kind, value?.[1]])
    expect(Object.fromEntries(values)).toEqual({
      nan: 'NaN',
      positive_infinity: '+Inf',
      negative_infinity: '-Inf',
      negative_zero: '-0',
      tiny: '1e-07',
      huge: '1.5e+21',
      past_2_53: '9007199254740994',
      fraction: '0.30000000000000004',
    })
  })

  test('a native histogram replaces the value, at one moment and over a range', async () => {
    const query = sampleExpressions.nativeHistogram
    const { body } = await metrics.ask('query', { query })
    const [first] = resultOf(body)
    expect(first).not.toHaveProperty('value')
    const { count, buckets = [] } = first?.histogram?.[1] ?? { count: '' }
    const total = buckets.reduce((sum, [, , , each]) => sum + Number(each), 0)
    expect(Number(count)).toBe(total)
    expect(buckets.map(([rule]) => rule)).toEqual([1, 3, 0, 0, 0, 0])
    const range = { start: String(noon / 1000 - 60), end: String(noon / 1000), step: '30' }
    const over = (await metrics.ask('query_range', { query, ...range })).body
    expect(resultOf(over)[0]).toHaveProperty('histograms')
    expect(resultOf(over)[0]).not.toHaveProperty('values')
    const rate = (await metrics.ask('query', { query: `rate(${query}[5m])` })).body
    expect(resultOf(rate)[0]).toHaveProperty('histogram')
  })

  test('labels may hold quotes, backslashes, line ends and any letters', async () => {
    const { body } = await metrics.ask('query', { query: sampleExpressions.unusualLabels })
    expect(resultOf(body)[0]?.metric).toEqual({
      __name__: 'text_labels',
      quote: 'say "hi"',
      path: 'C:\\temp',
      lines: 'a\nb',
      'größe.cm': 'ü 🙂',
    })
  })

  test('a scalar over a range is one nameless series of steps with both ends', async () => {
    const { body } = await metrics.ask('query_range', { query: '42', start: '100', end: '130.5', step: '10' })
    const values = [100, 110, 120, 130].map((time) => [time, '42'])
    expect(body.data).toEqual({ resultType: 'matrix', result: [{ metric: {}, values }] })
  })

  test('a form in the body is read with the URL, a JSON body is not read', async () => {
    const url = `${metrics.sandbox.url}/api/v1/query?time=60`
    const form = await fetch(url, { method: 'POST', body: new URLSearchParams({ query: '1 + 1' }) })
    expect(await form.json()).toMatchObject({ data: { result: [60, '2'] } })
    const json = await postJson(url, '{"query":"1"}')
    expect(json.status).toBe(400)
  })

  test('a limit truncates with a warning, and does not affect scalars', async () => {
    const cut = await metrics.ask('query', { query: 'up', limit: '2' })
    expect(cut.body.data?.result).toHaveLength(2)
    expect(cut.body.warnings).toEqual(['results truncated due to limit'])
    const whole = await metrics.ask('query', { query: '1', limit: '1' })
    expect(whole.body).not.toHaveProperty('warnings')
  })

  test('warnings and infos name the place in the expression, and a clean answer has neither', async () => {
    const warned = (await metrics.ask('query', { query: sampleExpressions.warned })).body
    expect(warned.warnings).toEqual([
      'PromQL warning: quantile value should be between 0 and 1, got 2 (1:10)',
    ])
    expect(warned.data?.result).toHaveLength(1)
    const remarked = (await metrics.ask('query', { query: sampleExpressions.annotated })).body
    expect(remarked.infos).toEqual([
      'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "queue_length" (1:6)',
    ])
    expect(Object.keys((await metrics.ask('query', { query: 'up' })).body)).toEqual(['status', 'data'])
  })

  test('recorded series hold what their rule says', async () => {
    const ask = async (query: string) => resultOf((await metrics.ask('query', { query })).body)
    const [recorded, computed] = [await ask('job:up:sum'), await ask('sum by (job) (up)')]
    const byJob = (elements: Element[]) =>
      Object.fromEntries(elements.map(({ metric, value }) => [metric.job, value?.[1]]))
    expect(byJob(recorded)).toEqual(byJob(computed))
    expect(recorded.every(({ metric }) => metric.tier === 'gold')).toBe(true)
  })

  test('the same query has the same result, and counters rise unless they are reset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }), async (time) => {
        const ask = () => metrics.ask('query', { query: 'http_requests_total[30m]', time: String(time) })
        const [one, two] = [await ask(), await ask()]
        expect(one).toEqual(two)
        for (const { values } of resultOf<{ values: [number, string][] }>(one.body)) {
          const falls = values.filter(([, text], i) => i > 0 && Number(text) < Number(values[i - 1]?.[1]))
          expect(falls.length).toBeLessThanOrEqual(1)
          for (const [, text] of falls) expect(Number(text)).toBeLessThan(2000)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('a hundred series for benchmarks exist if configured, with a thousand points each', async () => {
    await using synthetic = await startMetrics({ synthetic: true })
    const range = { start: String(noon / 1000 - 999 * 15), end: String(noon / 1000), step: '15' }
    const first = await synthetic.ask('query_range', { query: 'bench_series', ...range })
    const result = first.body.data?.result as { values: unknown[] }[]
    expect(result).toHaveLength(100)
    expect(result.every(({ values }) => values.length === 1000)).toBe(true)
    expect(await synthetic.ask('query_range', { query: 'bench_series', ...range })).toEqual(first)
    expect((await metrics.ask('query', { query: 'bench_series' })).body.data?.result).toEqual([])
  })
})

describe('refusals', () => {
  // metrics-recorded.test.ts has those that were recorded from the real service.
  const badData = [
    ['query', { query: 'up', limit: '-1' }, 'invalid parameter "limit": limit must be non-negative'],
    [
      'query_range',
      { query: 'up[5m]', start: '1', end: '2', step: '1' },
      'invalid expression type "range vector" for range query, must be Scalar or instant Vector',
    ],
    [
      'query_range',
      { query: 'up', start: '0', end: '11001', step: '1' },
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
    ],
  ] as const
  const timeout = [['query', { query: 'up', timeout: '0' }, 'query timed out in query queue']] as const
  const execution = [
    ['query', { query: sampleExpressions.unsupported }, 'subqueries are not supported by this server'],
    [
      'query',
      { query: 'label_replace(up, "a", "b", "c", "d")' },
      'function "label_replace" is not supported by this server',
    ],
    // Also without samples, although an empty result would be right then.
    [
      'query',
      { query: 'count_values("x", no_such_metric)' },
      'aggregation operator "count_values" is not supported by this server',
    ],
    [
      'query',
      { query: 'up[90y]' },
      'query processing would load too many samples into memory in query execution',
    ],
  ] as const

  test.each([
    ...badData.map((row) => [400, 'bad_data', ...row] as const),
    ...execution.map((row) => [422, 'execution', ...row] as const),
    ...timeout.map((row) => [503, 'timeout', ...row] as const),
  ])('with %i %s: %s with %o is refused in the words of the real service', async (...row) => {
    const [status, errorType, path, parameters, error] = row
    const body = { status: 'error', errorType, error }
    expect(await metrics.ask(path, parameters)).toEqual({ status, body })
  })

  test('a match that is not unique fails when it is evaluated', async () => {
    const { status, body } = await metrics.ask('query', { query: sampleExpressions.ambiguous })
    expect(status).toBe(422)
    expect(body.error).toMatch(
      /^found duplicate series for the match group .*many-to-many matching not allowed/,
    )
  })

  test('with basic authentication every call needs its user and password', async () => {
    await using metrics = await startMetrics({ metrics: { basic: { user: 'me', password: 'se:cret' } } })
    const ask = (authorization?: string) =>
      fetch(
        `${metrics.sandbox.url}/api/v1/status/buildinfo`,
        authorization === undefined ? {} : { headers: { authorization } },
      )
    const refused = await ask()
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic'])
    expect((await ask(`Basic ${btoa('me:wrong')}`)).status).toBe(401)
    expect((await ask(`Basic ${btoa('me:se:cret')}`)).status).toBe(200)
  })

  test('hostile regular expressions do not take exponential time', async () => {
    const query = `up{instance=~"${'(a|a)*'.repeat(20)}(.|.|.)+x"}`
    expect((await metrics.ask('query', { query, timeout: '5s' })).status).toBe(200)
    const bomb = await metrics.ask('query', { query: 'up{instance=~"((a{1000}){1000}){1000}"}' })
    expect([bomb.status, bomb.body.errorType]).toEqual([400, 'bad_data'])
  })
})

describe('rules, alerts and build information', () => {
  interface Group {
    name: string
    file: string
    rules: {
      type: string
      name: string
      alerts?: unknown
      state?: string
      health: string
      lastError?: string
    }[]
  }
  interface Alert {
    labels: Record<string, string>
    state: string
  }
  type Metrics = Awaited<ReturnType<typeof startMetrics>>
  const alertsOf = async (metrics: Metrics) => (await metrics.ask('alerts')).body.data?.alerts as Alert[]
  const groupsOf = (body: { data?: Record<string, unknown> }) => body.data?.groups as Group[]
  const namesOf = (groups: Group[]) => groups.flatMap(({ rules }) => rules.map(({ name }) => name))

  test('groups of two files are listed, two of them with the same name', async () => {
    const groups = groupsOf((await metrics.ask('rules')).body)
    expect(groups.map(({ file, name }) => `${file} ${name}`)).toEqual([
      `${sampleRuleFiles[1]} availability`,
      `${sampleRuleFiles[1]} recording`,
      `${sampleRuleFiles[0]} latency`,
      `${sampleRuleFiles[0]} recording`,
    ])
    const broken = groups.flatMap(({ rules }) => rules).find(({ health }) => health === 'err')
    expect(broken?.lastError).toContain('many-to-many')
  })

  test('filters keep matching rules and remove groups without any', async () => {
    const ask = async (...filters: string[]) => {
      const response = await fetch(`${metrics.sandbox.url}/api/v1/rules?${filters.join('&')}`)
      return groupsOf((await response.json()) as { data: Record<string, unknown> })
    }
    expect((await ask('type=ALERT')).map(({ name }) => name)).toEqual(['availability', 'latency'])
    const names = ['rule_name[]=Watchdog', 'rule_name[]=job:up:sum']
    expect(namesOf(await ask(...names))).toEqual(['Watchdog', 'job:up:sum'])
    expect(namesOf(await ask(...names, 'type=record'))).toEqual(['job:up:sum'])
    const recording = 'rule_group[]=recording'
    expect((await ask(recording)).map(({ file }) => file).sort()).toEqual([...sampleRuleFiles].sort())
    expect(await ask(recording, `file[]=${sampleRuleFiles[0]}`)).toHaveLength(1)
    const selected = await ask('match[]={tier="gold"}', 'match[]={severity="info"}')
    expect(namesOf(selected)).toEqual(['NeverFires', 'job:up:sum'])
    expect(await ask('rule_name[]=none')).toEqual([])
    expect(await ask('rule_name[]=')).toHaveLength(4)
  })

  test('groups can be paged; a token of a deleted group is refused', async () => {
    const seen: string[] = []
    let token: string | undefined
    do {
      const page: Record<string, string> = {
        group_limit: '1',
        ...(token === undefined ? {} : { group_next_token: token }),
      }
      const { body } = await metrics.ask('rules', page)
      seen.push(...groupsOf(body).map(({ file, name }) => `${file} ${name}`))
      token = body.data?.groupNextToken as string | undefined
    } while (token !== undefined)
    expect(new Set(seen).size).toBe(4)
    expect((await metrics.ask('rules', { group_limit: '1', group_next_token: 'stale' })).status).toBe(400)
    expect((await metrics.ask('rules', { group_next_token: 'alone' })).status).toBe(400)
  })

  test('the alerts of rules are those of the alerts endpoint, in every state', async () => {
    const groups = groupsOf((await metrics.ask('rules')).body)
    const ofRules = groups.flatMap(({ rules }) =>
      rules.flatMap(({ alerts }) => (alerts as object[] | undefined) ?? []),
    )
    const alerts = await alertsOf(metrics)
    expect(alerts).toEqual(ofRules)
    const states = Object.fromEntries(alerts.map(({ labels, state }) => [labels.alertname, state]))
    expect(states).toMatchObject({ TargetDown: 'firing', TargetDownForLong: 'pending', Watchdog: 'firing' })
    expect(alerts.find(({ labels }) => labels.alertname === 'TargetDown')).toMatchObject({
      labels: { alertname: 'TargetDown', ...downTarget, severity: 'page' },
      annotations: { summary: `${downTarget.instance} of ${downTarget.job} is down` },
      value: '0e+00',
    })
    const without = groupsOf((await metrics.ask('rules', { exclude_alerts: 'true', type: 'alert' })).body)
    expect(
      without.flatMap(({ rules }) => rules.map(({ alerts }) => alerts)).every((alerts) => alerts === null),
    ).toBe(true)
  })

  test('a pending alert fires after its duration, and ends when its expression no longer holds', async () => {
    let now = Date.UTC(2026, 5, 1, 12, 55)
    await using metrics = await startMetrics({ now: () => now })
    const stateOf = async (wanted: Record<string, string>) =>
      (await alertsOf(metrics)).find(({ labels }) =>
        Object.entries(wanted).every(([name, value]) => labels[name] === value),
      )?.state
    const down = { alertname: 'TargetDown', instance: 'worker-2:9100' }
    const long = { alertname: 'TargetDownForLong' }
    expect(await stateOf(down)).toBeUndefined()
    now += 8 * 60_000
    expect(await stateOf(down)).toBe('firing')
    now += 10 * 60_000
    expect(await stateOf(down)).toBeUndefined()
    now += 7 * 86_400_000 - 2 * 3_600_000
    expect(await stateOf(long)).toBe('pending')
    now += 2 * 3_600_000
    expect(await stateOf(long)).toBe('firing')
  })

  test('build information is six strings', async () => {
    expect((await metrics.ask('status/buildinfo')).body).toEqual({
      status: 'success',
      data: sandboxBuildInfo,
    })
    expect(Object.keys(sandboxBuildInfo)).toHaveLength(6)
  })

  test('the journal names the operation of every call', async () => {
    await metrics.ask('query', { query: 'up' })
    await metrics.ask('rules')
    expect(metrics.sandbox.journal.map(({ operation }) => operation)).toEqual([
      'metrics.query',
      'metrics.rules',
    ])
  })
})
