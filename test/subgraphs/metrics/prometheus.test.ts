/** The metrics subgraph against a real Prometheus: what it scrapes, evaluates, fires and refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Prometheus, startPrometheus, withPrometheus } from '../../support/prometheus.ts'
import { codes, type Metrics, metricsAt, type Service, startService } from './kit.ts'
import { encodeNativeHistogram, exposition } from './native-histogram.ts'

const page = `
# TYPE demo_gauge gauge
demo_gauge{kind="nan"} NaN
demo_gauge{kind="up"} +Inf
demo_gauge{kind="down"} -Inf
demo_gauge{kind="tiny"} 1e-07
demo_gauge{kind="quoted",text="a\\"b\\\\c\\nd é 😀"} 42
# TYPE demo_seconds histogram
demo_seconds_bucket{le="0.1"} 3
demo_seconds_bucket{le="1"} 5
demo_seconds_bucket{le="+Inf"} 9007199254740991
demo_seconds_sum 12.5
demo_seconds_count 9007199254740991
`
const native = encodeNativeHistogram({
  name: 'demo_native',
  sum: 17.5,
  zeroThreshold: 0.001,
  zeroCount: 2,
  positive: [1, 0, 4],
  negative: [3],
})

const duplicates = 'up * on (job) group_left () {__name__=~"up|scrape_duration_seconds"}'

describe.skipIf(!withPrometheus('the metrics subgraph against a real Prometheus'))(
  'a real Prometheus',
  () => {
    let prometheus: Prometheus
    let metrics: Metrics
    let targets: Service[]

    beforeAll(async () => {
      targets = [
        await startService({ contentType: 'text/plain; version=0.0.4', text: page }),
        await startService({ contentType: exposition, text: native }),
      ]
      const [text, protobuf] = targets.map(({ url }) => new URL(url).host)
      prometheus = await startPrometheus({
        targets: { page: [text!], native: [protobuf!], absent: ['127.0.0.1:1'] },
        flags: ['--enable-feature=native-histograms', '--query.timeout=20s'],
        rules: {
          'a.yml': [
            {
              name: 'alerts',
              rules: [
                {
                  alert: 'TargetDown',
                  expr: 'up == 0',
                  labels: { severity: 'page' },
                  annotations: { summary: '{{ $labels.job }} is down' },
                },
                { alert: 'SlowPending', expr: 'up == 0', for: '1h', keep_firing_for: '5m' },
                { alert: 'NeverFires', expr: 'vector(0) > 1' },
              ],
            },
            {
              name: 'records',
              rules: [{ record: 'job:up:sum', expr: 'sum by (job) (up)', labels: { tier: 'gold' } }],
            },
          ],
          'b.yml': [
            {
              name: 'records',
              limit: 100,
              rules: [
                { record: 'demo:broken', expr: duplicates },
                { record: 'demo:one', expr: 'vector(1)' },
              ],
            },
          ],
        },
      })
      metrics = metricsAt(prometheus.url)
      const has = (name: string): Promise<void> =>
        prometheus.until(`/query?query=${name}`, (data: { result: unknown[] }) => data.result.length > 0)
      await Promise.all(['demo_gauge', 'demo_native', 'job:up:sum', 'demo:one'].map(has))
      await prometheus.until('/alerts', (data: { alerts: { state: string }[] }) =>
        ['firing', 'pending'].every((state) => data.alerts.some((alert) => alert.state === state)),
      )
      await prometheus.until('/rules', (data: { groups: { rules: { health: string }[] }[] }) =>
        data.groups.every(({ rules }) => rules.every(({ health }) => health !== 'unknown')),
      )
    })

    afterAll(async () => {
      await metrics?.subgraph.close()
      await prometheus?.close()
      for (const target of targets ?? []) await target[Symbol.asyncDispose]()
    })

    it('answers an instant query, typed and raw', async () => {
      const { data, errors } = await metrics.run(
        '{ metrics { query(query: "sort_desc(up)") { resultType series { name job: label(name: "job") sample { time value float } } warnings raw } } }',
      )
      expect(errors).toEqual([])
      const { series, raw, ...rest } = data.metrics.query
      expect(rest).toEqual({ resultType: 'vector', warnings: [] })
      expect(
        series.map((one: { job: string; sample: { float: number } }) => [one.job, one.sample.float]),
      ).toEqual([
        [expect.any(String), 1],
        [expect.any(String), 1],
        ['absent', 0],
      ])
      expect(raw.result).toHaveLength(3)
      expect(raw.result[2].value).toEqual([series[2].sample.time, series[2].sample.value])
    })

    it('keeps special floats, exact texts and labels of any characters', async () => {
      const { data } = await metrics.run(
        '{ metrics { query(query: "demo_gauge") { series { kind: label(name: "kind") text: label(name: "text") sample { value float } } } } }',
      )
      const byKind = Object.fromEntries(
        data.metrics.query.series.map(({ kind, ...rest }: { kind: string }) => [kind, rest]),
      )
      expect(byKind).toEqual({
        nan: { text: null, sample: { value: 'NaN', float: null } },
        up: { text: null, sample: { value: '+Inf', float: null } },
        down: { text: null, sample: { value: '-Inf', float: null } },
        tiny: { text: null, sample: { value: '1e-07', float: 1e-7 } },
        quoted: { text: 'a"b\\c\nd é 😀', sample: { value: '42', float: 42 } },
      })
    })

    it('gives scalars, strings and range selectors as what they are', async () => {
      const { data, errors } = await metrics.run(`{ metrics {
      scalar: query(query: "1.5", time: 1795206067.25) { resultType scalar { time value float } series { name } }
      string: query(query: "\\"hello\\"") { resultType string { value } scalar { value } }
      matrix: query(query: "up{job=\\"absent\\"}[1m]") { resultType series { sample { value } samples { value } } }
      nothing: query(query: "no_such_metric") { resultType series { name } }
    } }`)
      expect(errors).toEqual([])
      expect(data.metrics.scalar).toEqual({
        resultType: 'scalar',
        scalar: { time: 1795206067.25, value: '1.5', float: 1.5 },
        series: [],
      })
      expect(data.metrics.string).toEqual({ resultType: 'string', string: { value: 'hello' }, scalar: null })
      expect(data.metrics.matrix.resultType).toBe('matrix')
      expect(data.metrics.matrix.series[0].sample).toBeNull()
      expect(data.metrics.matrix.series[0].samples.length).toBeGreaterThan(0)
      expect(data.metrics.nothing).toEqual({ resultType: 'vector', series: [] })
    })

    it('answers a range query, with times in either form', async () => {
      const { data, errors } = await metrics.run(`{ metrics {
      seconds: queryRange(query: "7", start: 1795206056, end: 1795206068, step: 4) { ...R }
      dates: queryRange(query: "7", start: "2026-11-20T20:20:56Z", end: "2026-11-20T21:21:08+01:00", step: "4s") { ...R }
      one: queryRange(query: "vector(1) / 0", start: 5, end: 5, step: "1h30m") { ...R }
    } } fragment R on MetricsResult { resultType series { metric samples { time value } } }`)
      expect(errors).toEqual([])
      expect(data.metrics.seconds).toEqual({
        resultType: 'matrix',
        series: [
          { metric: {}, samples: [0, 4, 8, 12].map((offset) => ({ time: 1795206056 + offset, value: '7' })) },
        ],
      })
      expect(data.metrics.dates).toEqual(data.metrics.seconds)
      expect(data.metrics.one.series[0].samples).toEqual([{ time: 5, value: '+Inf' }])
    })

    it('gives classic histograms as series and native ones as histograms', async () => {
      const { data, errors } = await metrics.run(`{ metrics {
      classic: query(query: "demo_seconds_bucket") { series { le: label(name: "le") sample { value } } }
      instant: query(query: "demo_native") { series { ...H } }
      range: query(query: "demo_native[1m]") { series { name samples { value } histograms { time histogram { count } } } }
    } } fragment H on MetricsSeries { sample { value } histogram { histogram {
      count countFloat sum sumFloat buckets { boundaries left right count } } } }`)
      expect(errors).toEqual([])
      expect(data.metrics.classic.series).toContainEqual({
        le: '+Inf',
        sample: { value: '9007199254740991' },
      })
      expect(data.metrics.instant.series).toEqual([
        {
          sample: null,
          histogram: {
            histogram: {
              count: '10',
              countFloat: 10,
              sum: '17.5',
              sumFloat: 17.5,
              buckets: [
                { boundaries: 'OPEN_RIGHT', left: '-1', right: '-0.5', count: '3' },
                { boundaries: 'CLOSED_BOTH', left: '-0.001', right: '0.001', count: '2' },
                { boundaries: 'OPEN_LEFT', left: '0.5', right: '1', count: '1' },
                { boundaries: 'OPEN_LEFT', left: '2', right: '4', count: '4' },
              ],
            },
          },
        },
      ])
      const [series] = data.metrics.range.series
      expect(series.samples).toEqual([])
      expect(series.histograms[0].histogram.count).toBe('10')
    })

    it('takes an expression of 200 000 characters', async () => {
      const expression = `up{instance!~"${'0123456789'.repeat(20_000)}"}`
      const { data, errors } = await metrics.run(
        'query ($q: String!) { metrics { query(query: $q) { series { name } } } }',
        { q: expression },
      )
      expect(errors).toEqual([])
      expect(data.metrics.query.series).toHaveLength(3)
    })

    it('tells what a query cost', async () => {
      const { data } = await metrics.run(
        '{ metrics { query(query: "up") { stats { timings { execTotalTime } samples { totalQueryableSamples peakSamples } } } } }',
      )
      const { timings, samples } = data.metrics.query.stats
      expect(timings.execTotalTime).toBeGreaterThan(0)
      expect(samples.totalQueryableSamples).toBe(3)
    })

    it.each([
      ['query(query: "up{")', /parse error: unexpected end of input/],
      [`query(query: ${JSON.stringify(duplicates)})`, /many-to-many matching not allowed/],
      ['queryRange(query: "\\"s\\"", start: 1, end: 2, step: 1)', /invalid expression type "string"/],
      [
        'queryRange(query: "up", start: 0, end: 1795206068, step: 1)',
        /exceeded maximum resolution of 11,000 points/,
      ],
    ])('refuses %s in its own words', async (field, words) => {
      const { data, errors } = await metrics.run(`{ metrics { f: ${field} { raw } } }`)
      expect(data.metrics.f).toBeNull()
      expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
      expect(errors[0]?.message).toMatch(words)
      expect(errors[0]?.message).not.toContain('127.0.0.1')
    })

    it.each(['"1ms"', '0.001', '"0.000001"', '"0s"'])('gives up after a timeout of %s', async (timeout) => {
      // The server looks at its clock between the parts of an expression; each of these takes it long enough.
      const slow = Array(30).fill('count_over_time(vector(1)[5d:1s])').join(' + ')
      const { data, errors } = await metrics.run(
        `{ metrics { f: query(query: "${slow}", timeout: ${timeout}) { raw } } }`,
      )
      expect(data.metrics.f).toBeNull()
      expect(codes(errors)).toEqual(['UPSTREAM_TIMEOUT'])
      expect(errors[0]?.extensions.upstream).toEqual({ status: 503, reason: 'timeout' })
    })

    it('lists rules of both kinds, with their alerts and faults', async () => {
      const { data, errors } =
        await metrics.run(`{ metrics { ruleGroups { name file limit interval lastEvaluation rules {
      __typename name query label(name: "severity") tier: label(name: "tier") health lastError lastEvaluation
      ... on MetricsAlertingRule { state duration keepFiringFor annotation(name: "summary") alerts { state value float annotation(name: "summary") } }
    } } } }`)
      expect(errors).toEqual([])
      const groups = data.metrics.ruleGroups
      expect(groups.map(({ file, name }: { file: string; name: string }) => [file, name])).toEqual([
        [`${prometheus.folder}/a.yml`, 'alerts'],
        [`${prometheus.folder}/a.yml`, 'records'],
        [`${prometheus.folder}/b.yml`, 'records'],
      ])
      expect(groups[2]).toMatchObject({
        limit: 100,
        interval: 1,
        lastEvaluation: expect.stringMatching(/^20.*[Z0-9]$/),
      })
      expect(groups[0].rules).toMatchObject([
        {
          __typename: 'MetricsAlertingRule',
          name: 'TargetDown',
          label: 'page',
          state: 'FIRING',
          duration: 0,
          annotation: '{{ $labels.job }} is down',
          alerts: [{ state: 'FIRING', value: '0e+00', float: 0, annotation: 'absent is down' }],
        },
        {
          name: 'SlowPending',
          state: 'PENDING',
          duration: 3600,
          keepFiringFor: 300,
          alerts: [{ state: 'PENDING' }],
        },
        { name: 'NeverFires', state: 'INACTIVE', alerts: [] },
      ])
      expect(groups[1].rules).toMatchObject([
        { __typename: 'MetricsRecordingRule', name: 'job:up:sum', tier: 'gold' },
      ])
      expect(groups[2].rules[0]).toMatchObject({
        health: 'ERR',
        lastError: expect.stringMatching(/many-to-many/),
      })
      expect(groups[2].rules[1]).toMatchObject({ health: 'OK', lastError: null })
    })

    it('has every filter of rules, whatever its version', async () => {
      const { data, errors } = await metrics.run(
        `query ($b: [String!]) { metrics {
        alerting: ruleGroups(type: ALERT) { ...G } recording: ruleGroups(type: RECORD) { ...G }
        names: ruleGroups(ruleNames: ["demo:one", "NeverFires"]) { ...G } groups: ruleGroups(ruleGroups: ["records"]) { ...G }
        files: ruleGroups(files: $b) { ...G } all: ruleGroups(type: RECORD, ruleGroups: ["records"], files: $b, ruleNames: ["demo:one"]) { ...G }
        none: ruleGroups(ruleNames: ["nothing"]) { ...G }
      } } fragment G on MetricsRuleGroup { rules { name } }`,
        { b: [`${prometheus.folder}/b.yml`] },
      )
      expect(errors).toEqual([])
      const names = Object.fromEntries(
        Object.entries(data.metrics as Record<string, { rules: { name: string }[] }[]>).map(
          ([alias, groups]) => [alias, groups.map(({ rules }) => rules.map(({ name }) => name))],
        ),
      )
      const alerting = ['TargetDown', 'SlowPending', 'NeverFires']
      expect(names).toEqual({
        alerting: [alerting],
        recording: [['job:up:sum'], ['demo:broken', 'demo:one']],
        names: [['NeverFires'], ['demo:one']],
        groups: [['job:up:sum'], ['demo:broken', 'demo:one']],
        files: [['demo:broken', 'demo:one']],
        all: [['demo:one']],
        none: [],
      })
    })

    it('lists the alerts that are active', async () => {
      const { data } = await metrics.run(
        '{ metrics { alerts { name label(name: "job") state activeAt value float annotation(name: "summary") } } }',
      )
      const alerts = data.metrics.alerts.sort((a: { name: string }, b: { name: string }) =>
        a.name < b.name ? -1 : 1,
      )
      expect(alerts).toEqual([
        {
          name: 'SlowPending',
          label: 'absent',
          state: 'PENDING',
          activeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/),
          value: '0e+00',
          float: 0,
          annotation: null,
        },
        expect.objectContaining({ name: 'TargetDown', state: 'FIRING', annotation: 'absent is down' }),
      ])
    })

    it('tells its build, also below a path', async () => {
      await using below = await startPrometheus({ routePrefix: '/some/path' })
      await using other = metricsAt(below.url)
      const document =
        '{ metrics { buildInfo { version goVersion } query(query: "vector(1)") { resultType } } }'
      const here = await metrics.run(document)
      const there = await other.run(document)
      expect(here.errors).toEqual([])
      expect(here.data.metrics.buildInfo.version).toMatch(/^\d+\.\d+/)
      expect(there).toEqual(here)
      await using wrong = metricsAt(new URL(below.url).origin)
      expect(codes((await wrong.run('{ metrics { buildInfo { version } } }')).errors)).toEqual([
        'UPSTREAM_BAD_RESPONSE',
      ])
    })
  },
)
