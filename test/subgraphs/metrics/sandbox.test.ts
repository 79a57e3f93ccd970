/** The metrics subgraph in front of the sandbox's stand-in: every kind of result, every filter, calls counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { sampleExpressions, sampleRuleFiles } from '../../../sandbox/metrics/index.ts'
import { codes, type Metrics, metricsAt } from './kit.ts'

describe('the sandbox', () => {
  let sandbox: Sandbox
  let metrics: Metrics

  beforeAll(async () => {
    sandbox = await startSandbox()
    metrics = metricsAt(sandbox.url)
  })
  afterAll(async () => {
    await metrics.subgraph.close()
    await sandbox.close()
  })

  it('answers each kind of result by its type', async () => {
    const kinds = [
      'vector',
      'scalar',
      'string',
      'matrix',
      'empty',
      'specialFloats',
      'nativeHistogram',
    ] as const
    const document = `query (${kinds.map((kind) => `$${kind}: String!`).join(', ')}) { metrics {
      ${kinds.map((kind) => `${kind}: query(query: $${kind}) { ...R }`).join('\n')}
    } } fragment R on MetricsResult { resultType raw warnings
      series { metric sample { value float } samples { value } histogram { histogram { count buckets { boundaries } } } }
      scalar { value float } string { value } }`
    const { data, errors } = await metrics.run(document, { ...sampleExpressions })
    expect(errors).toEqual([])
    const results = data.metrics
    expect(kinds.map((kind) => results[kind].resultType)).toEqual([
      'vector',
      'scalar',
      'string',
      'matrix',
      'vector',
      'vector',
      'vector',
    ])
    expect(results.vector.series.length).toBeGreaterThan(0)
    expect(results.scalar.scalar).toEqual({ value: '3', float: 3 })
    expect(results.string.string).toEqual({ value: 'text' })
    expect(results.matrix.series[0].samples.length).toBeGreaterThan(1)
    expect(results.empty.series).toEqual([])
    const special = results.specialFloats.series.map(
      ({ sample }: { sample: { value: string; float: number | null } }) => sample,
    )
    expect(special).toEqual(
      expect.arrayContaining(['NaN', '+Inf', '-Inf'].map((value) => ({ value, float: null }))),
    )
    const histograms = results.nativeHistogram.series.map(
      ({ histogram }: { histogram: unknown }) => histogram,
    )
    expect(histograms).not.toContain(null)
    for (const kind of kinds) expect(results[kind].raw.resultType).toBe(results[kind].resultType)
  })

  it('answers ranges, with as many samples as the steps that fit', async () => {
    const { data, errors } = await metrics.run(
      `{ metrics { queryRange(query: "sum(up)", start: 1795206000, end: 1795206060, step: "15s") {
        resultType series { samples { time } } } } }`,
    )
    expect(errors).toEqual([])
    expect(
      data.metrics.queryRange.series[0].samples.map(({ time }: { time: number }) => time - 1795206000),
    ).toEqual([0, 15, 30, 45, 60])
  })

  it('adds warnings and remarks without failing', async () => {
    const { data, errors } = await metrics.run(
      'query ($w: String!, $r: String!) { metrics { w: query(query: $w) { warnings series { name } } r: query(query: $r) { infos } } }',
      { w: sampleExpressions.warned, r: sampleExpressions.annotated },
    )
    expect(errors).toEqual([])
    expect(data.metrics.w.warnings.length).toBe(1)
    expect(data.metrics.w.series.length).toBeGreaterThan(0)
    expect(data.metrics.r.infos.length).toBe(1)
  })

  it.each(['malformed', 'ambiguous', 'unsupported'] as const)(
    'refuses a %s expression in words',
    async (kind) => {
      const { data, errors } = await metrics.run(
        'query ($q: String!) { metrics { query(query: $q) { raw } } }',
        {
          q: sampleExpressions[kind],
        },
      )
      expect(data.metrics.query).toBeNull()
      expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
      expect(errors[0]?.message).not.toContain('127.0.0.1')
    },
  )

  it('gives for every filter the rules that pass it, in one call each', async () => {
    const all = await metrics.run('{ metrics { ruleGroups { file name rules { __typename name } } } }')
    expect(all.errors).toEqual([])
    interface Group {
      file: string
      name: string
      rules: { __typename: string; name: string }[]
    }
    const groups: Group[] = all.data.metrics.ruleGroups
    expect(new Set(groups.map(({ file }) => file)).size).toBe(Object.keys(sampleRuleFiles).length)
    const [group] = groups
    const rule = group!.rules[0]!
    sandbox.reset()
    const { data, errors } = await metrics.run(
      `query ($name: [String!], $group: [String!], $file: [String!]) { metrics {
        alerting: ruleGroups(type: ALERT) { ...G } recording: ruleGroups(type: RECORD) { ...G }
        names: ruleGroups(ruleNames: $name) { ...G } groups: ruleGroups(ruleGroups: $group) { ...G }
        files: ruleGroups(files: $file) { ...G } none: ruleGroups(ruleNames: ["none"]) { ...G }
      } } fragment G on MetricsRuleGroup { file name rules { __typename name } }`,
      { name: [rule.name], group: [group!.name], file: [group!.file] },
    )
    expect(errors).toEqual([])
    const keep = (passes: (rule: Group['rules'][number], group: Group) => boolean): Group[] =>
      groups
        .map((one) => ({ ...one, rules: one.rules.filter((each) => passes(each, one)) }))
        .filter(({ rules }) => rules.length > 0)
    expect(data.metrics).toEqual({
      alerting: keep(({ __typename }) => __typename === 'MetricsAlertingRule'),
      recording: keep(({ __typename }) => __typename === 'MetricsRecordingRule'),
      names: keep(({ name }) => name === rule.name),
      groups: keep((_, { name }) => name === group!.name),
      files: keep((_, { file }) => file === group!.file),
      none: [],
    })
    expect(sandbox.calls('metrics.rules')).toHaveLength(6)
  })

  it('lists its alerts and its build', async () => {
    const { data, errors } = await metrics.run(
      '{ metrics { alerts { name state activeAt value float } buildInfo { version revision branch buildUser buildDate goVersion } } }',
    )
    expect(errors).toEqual([])
    expect(data.metrics.alerts.map(({ state }: { state: string }) => state)).toContain('FIRING')
    for (const { float, value } of data.metrics.alerts) expect(float).toBe(Number(value))
    expect(Object.values(data.metrics.buildInfo)).not.toContain(null)
  })

  it('is called once for one expression, however often it is selected', async () => {
    sandbox.reset()
    await metrics.run(
      '{ metrics { a: query(query: "up") { raw } b: query(query: "up") { series { name } } } }',
    )
    expect(sandbox.calls('metrics.query')).toHaveLength(1)
  })
})
