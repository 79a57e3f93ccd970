/** Rules, alerts and build information: what both kinds of server give, with what each leaves out. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../support/subgraph.ts'
import { codes, metricsAt, type Recorded, recorded, startService } from './kit.ts'

const fields = `
  name file interval limit evaluationTime lastEvaluation
  rules {
    __typename name query labels { name value } label(name: "severity") health lastError evaluationTime lastEvaluation
    ... on MetricsAlertingRule {
      state duration keepFiringFor annotations { name value } annotation(name: "summary") alerts { ...A }
    }
  }`
const alert = `fragment A on MetricsAlert {
  name labels { name value } label(name: "severity") annotations { name value } annotation(name: "summary")
  state activeAt keepFiringSince value float }`

async function replay(answer: Recorded | { body: unknown }, document: string): Promise<Outcome> {
  await using service = await startService(answer)
  await using metrics = metricsAt(service.url)
  return metrics.run(document)
}

const groupsOf = (
  result: Outcome,
): { name: string; file: string; rules: { name: string; __typename: string }[] }[] =>
  result.data.metrics.ruleGroups

describe('rule groups', () => {
  it('of Prometheus have everything that it tells', async () => {
    const result = await replay(
      recorded('prometheus-2.42.rules'),
      `{ metrics { ruleGroups { ${fields} } } } ${alert}`,
    )
    expect(result.errors).toEqual([])
    const groups = groupsOf(result)
    expect(groups.map(({ file, name }) => `${file} ${name}`)).toEqual([
      '/etc/prometheus/rules-a.yml alerts',
      '/etc/prometheus/rules-a.yml recording',
      '/etc/prometheus/rules-b.yml mixed',
      '/etc/prometheus/rules-b.yml recording',
    ])
    expect(groups[0]).toMatchObject({
      interval: 2,
      limit: 0,
      evaluationTime: 0.00049139,
      lastEvaluation: '2026-11-20T20:21:07.389266372Z',
    })
    expect(groups[0]?.rules[1]).toEqual({
      __typename: 'MetricsAlertingRule',
      name: 'SlowPending',
      query: 'up == 0',
      labels: [{ name: 'severity', value: 'warn' }],
      label: 'warn',
      health: 'OK',
      lastError: null,
      evaluationTime: 0.000130453,
      lastEvaluation: '2026-11-20T20:21:07.389586258Z',
      state: 'PENDING',
      duration: 3600,
      keepFiringFor: 300,
      annotations: [{ name: 'summary', value: 'pending for an hour' }],
      annotation: 'pending for an hour',
      alerts: [
        {
          name: 'SlowPending',
          labels: [
            { name: 'alertname', value: 'SlowPending' },
            { name: 'instance', value: '127.0.0.1:1' },
            { name: 'job', value: 'absent' },
            { name: 'severity', value: 'warn' },
          ],
          label: 'warn',
          annotations: [{ name: 'summary', value: 'pending for an hour' }],
          annotation: 'pending for an hour',
          state: 'PENDING',
          activeAt: '2026-11-20T20:17:59.394218616Z',
          keepFiringSince: null,
          value: '0e+00',
          float: 0,
        },
      ],
    })
    expect(groups[3]?.rules[0]).toEqual({
      __typename: 'MetricsRecordingRule',
      name: 'const:one',
      query: 'vector(1)',
      labels: [],
      label: null,
      health: 'OK',
      lastError: null,
      evaluationTime: 0.000209962,
      lastEvaluation: '2026-11-20T20:21:08.084397062Z',
    })
  })

  it('of VictoriaMetrics have null for what it does not tell', async () => {
    const result = await replay(
      recorded('victoriametrics-1.79.rules'),
      `{ metrics { ruleGroups { ${fields} } } } ${alert}`,
    )
    expect(result.errors).toEqual([])
    const groups = groupsOf(result)
    expect(groups[0]).toMatchObject({ limit: null, evaluationTime: null, interval: 2 })
    expect(groups[0]?.rules.map((rule) => rule.__typename)).toEqual(Array(3).fill('MetricsAlertingRule'))
    expect(groups[0]?.rules[2]).toMatchObject({
      keepFiringFor: null,
      annotations: [],
      alerts: [],
      lastError: null,
    })
    expect(groups[1]?.rules[0]).toMatchObject({ __typename: 'MetricsRecordingRule', labels: [] })
  })

  it('have the time for which vmalert keeps an alert firing, and no address in their errors', async () => {
    const rules = [
      {
        type: 'alerting',
        name: 'a',
        query: '1',
        keep_firing_for: 90,
        lastError: 'dial tcp 10.1.2.3:9090: connect: connection refused',
      },
    ]
    const result = await replay(
      { body: { status: 'success', data: { groups: [{ name: 'g', file: 'f', rules }] } } },
      `{ metrics { ruleGroups { ${fields} } } } ${alert}`,
    )
    expect(groupsOf(result)[0]?.rules[0]).toMatchObject({
      keepFiringFor: 90,
      lastError: 'dial tcp …: connect: connection refused',
    })
  })

  it.each([{ warnings: ['ruler 10.1.2.3:9090 is away'] }, { isPartial: true }])(
    'with a part from the service, by %j, are there with an error',
    async (note) => {
      const result = await replay(
        { body: { status: 'success', data: { groups: [], alerts: [] }, ...note } },
        '{ metrics { ruleGroups { name } alerts { name } } }',
      )
      expect(result.data.metrics).toEqual({ ruleGroups: [], alerts: [] })
      expect(codes(result.errors)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'])
      expect(result.errors[0]?.extensions.upstream).toEqual({ reason: 'partial' })
      expect(result.errors[0]?.message).toMatch(/incomplete: (?:ruler … is away|The result is partial)/)
    },
  )

  it('of vmalert come in numbered pages, of the size with which a walk began', async () => {
    await using service = await startService(({ parameters }) =>
      recorded(`victoriametrics-1.150.rules-page-${parameters.get('page_num') ?? 1}`),
    )
    await using metrics = metricsAt(service.url)
    const page = async (args: string) => {
      const { data, errors } = await metrics.run(
        `{ metrics { list: ruleGroupsConnection(${args}, ruleGroups: ["extra1", "extra2", "extra3"]) {
           nodes { name } edges { cursor } totalCount pageInfo { hasNextPage endCursor } } } }`,
      )
      return { list: data.metrics.list, errors }
    }
    const first = (await page('first: 2')).list
    expect(first.nodes).toEqual([{ name: 'extra1' }, { name: 'extra2' }])
    expect(first).toMatchObject({ totalCount: null, pageInfo: { hasNextPage: true } })
    // Another size would make another page of the same number.
    const second = (await page(`first: 50, after: "${first.pageInfo.endCursor}"`)).list
    expect(second.nodes).toEqual([{ name: 'extra3' }])
    expect(second.pageInfo.hasNextPage).toBe(false)
    const inside = (await page(`first: 1, after: "${first.edges[0].cursor}"`)).list
    expect(inside.nodes).toEqual([{ name: 'extra2' }])
    expect(
      service.journal.map(({ parameters }) => [parameters.get('group_limit'), parameters.get('page_num')]),
    ).toEqual([
      ['2', null],
      ['2', '2'],
      ['2', null],
    ])
    expect(service.journal.some(({ parameters }) => parameters.has('group_next_token'))).toBe(false)
  })

  it('of vmalert keep the size with which a walk began on every page', async () => {
    await using service = await startService(({ parameters }) => {
      const name = `page ${parameters.get('page_num') ?? 1}`
      const groups = [{ name, file: 'f', rules: [] }]
      return { body: { status: 'success', total_pages: 3, data: { groups } } }
    })
    await using metrics = metricsAt(service.url)
    let after = ''
    for (const [first, name] of [
      [1, 'page 1'],
      [50, 'page 2'],
      [20, 'page 3'],
    ] as const) {
      const { data, errors } = await metrics.run(
        `{ metrics { list: ruleGroupsConnection(first: ${first}, after: "${after}") { nodes { name } pageInfo { hasNextPage endCursor } } } }`,
      )
      expect(errors).toEqual([])
      expect(data.metrics.list.nodes).toEqual([{ name }])
      expect(data.metrics.list.pageInfo.hasNextPage).toBe(name !== 'page 3')
      after = data.metrics.list.pageInfo.endCursor
    }
    expect(service.journal.map(({ parameters }) => parameters.get('group_limit'))).toEqual(['1', '1', '1'])
  })

  it('that are gone from the pages of vmalert are an error', async () => {
    await using service = await startService(({ parameters }) => {
      const number = parameters.get('page_num')
      return recorded(`victoriametrics-1.150.rules-page-${number === null ? 1 : 3}`)
    })
    await using metrics = metricsAt(service.url)
    const first = await metrics.run(
      '{ metrics { list: ruleGroupsConnection(first: 2) { pageInfo { endCursor } } } }',
    )
    const { errors } = await metrics.run(
      `{ metrics { list: ruleGroupsConnection(first: 2, after: "${first.data.metrics.list.pageInfo.endCursor}") { nodes { name } } } }`,
    )
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
    expect(errors[0]?.message).toBe('page_num exceeds total amount of pages')
  })

  it('that never ran, or are known to fail, say so', async () => {
    const never = '0001-01-01T00:00:00Z'
    const rules = [
      { type: 'recording', name: 'a', query: '1', health: 'unknown', lastEvaluation: never },
      {
        type: 'alerting',
        name: 'b',
        query: '1',
        health: 'err',
        lastError: 'oops',
        alerts: null,
        state: 'unknown',
      },
      { type: 'alerting', name: 'c', query: '1', health: 'sick', state: 'dreaming', labels: null },
    ]
    const result = await replay(
      {
        body: {
          status: 'success',
          data: { groups: [{ name: 'g', file: 'f', rules, lastEvaluation: never }] },
        },
      },
      `{ metrics { ruleGroups { ${fields} } } } ${alert}`,
    )
    expect(result.errors).toEqual([])
    const [group] = groupsOf(result)
    expect(group).toMatchObject({ lastEvaluation: null, interval: null })
    expect(group?.rules).toMatchObject([
      { health: 'UNKNOWN', lastEvaluation: null },
      { health: 'ERR', lastError: 'oops', alerts: [], state: 'UNKNOWN', duration: 0 },
      { health: 'UNKNOWN', state: 'UNKNOWN', labels: [] },
    ])
  })

  it('have no labels that are null', async () => {
    const rules = [{ type: 'recording', name: 'a', query: '1', labels: { severity: null, team: 'b' } }]
    const result = await replay(
      { body: { status: 'success', data: { groups: [{ name: 'g', file: 'f', rules }] } } },
      `{ metrics { ruleGroups { ${fields} } } } ${alert}`,
    )
    expect(groupsOf(result)[0]?.rules).toMatchObject([
      { labels: [{ name: 'team', value: 'b' }], label: null },
    ])
  })

  it.each([
    ['no groups', {}],
    ['groups that are no list', { groups: {} }],
    ['a list', []],
  ])('with %s are UPSTREAM_BAD_RESPONSE', async (_, data) => {
    const result = await replay({ body: { status: 'success', data } }, '{ metrics { ruleGroups { name } } }')
    expect(codes(result.errors)).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })

  it('that the service writes as null are none', async () => {
    const result = await replay(
      { body: { status: 'success', data: { groups: null } } },
      '{ metrics { ruleGroups { name } } }',
    )
    expect(groupsOf(result)).toEqual([])
  })
})

describe('filters of rules', () => {
  async function filtered(variables: Record<string, unknown>): Promise<{ got: string[]; sent: string }> {
    // This server ignores every filter by name, as those before 2.44 do.
    await using service = await startService(recorded('prometheus-2.42.rules'))
    await using metrics = metricsAt(service.url)
    const result = await metrics.run(
      `query ($type: MetricsRuleType, $names: [String!], $groups: [String!], $files: [String!]) {
        metrics { ruleGroups(type: $type, ruleNames: $names, ruleGroups: $groups, files: $files) {
          name file rules { name } } } }`,
      variables,
    )
    expect(result.errors).toEqual([])
    const got = groupsOf(result).flatMap(({ file, name, rules }) =>
      rules.map((rule) => `${file.slice(-5, -4)} ${name} ${rule.name}`),
    )
    expect(groupsOf(result).every(({ rules }) => rules.length > 0)).toBe(true)
    return { got, sent: decodeURIComponent(service.journal[0]?.url ?? '') }
  }

  it('are sent as the service names them, repeated', async () => {
    const { sent } = await filtered({
      type: 'ALERT',
      names: ['a b', 'c&d'],
      groups: ['g'],
      files: ['/etc/x.yml', '/etc/y.yml'],
    })
    expect(sent).toBe(
      '/api/v1/rules?type=alert&rule_name[]=a+b&rule_name[]=c&d&rule_group[]=g&file[]=/etc/x.yml&file[]=/etc/y.yml',
    )
  })

  it('hold also if the service ignores them', async () => {
    const a = '/etc/prometheus/rules-a.yml'
    expect((await filtered({ type: 'RECORD' })).got).toEqual([
      'a recording job:up:sum',
      'b mixed prom:samples:rate1m',
      'b recording const:one',
      'b recording broken:div',
    ])
    expect((await filtered({ names: ['Watchdog', 'const:one'] })).got).toEqual([
      'b mixed Watchdog',
      'b recording const:one',
    ])
    expect((await filtered({ groups: ['recording'], files: [a] })).got).toEqual(['a recording job:up:sum'])
    expect((await filtered({ type: 'ALERT', groups: ['recording'] })).got).toEqual([])
    expect((await filtered({ files: ['rules-a.yml'] })).got).toEqual([])
  })

  it.each([{}, { names: [], groups: null }, { names: [''], files: [''] }])(
    'of %j filter nothing',
    async (variables) => {
      const { got, sent } = await filtered(variables)
      expect(got).toHaveLength(8)
      expect(sent).toBe('/api/v1/rules')
    },
  )

  it('give for any combination exactly the rules that pass each of them', async () => {
    const body = recorded('prometheus-2.42.rules').body as {
      data: { groups: { name: string; file: string; rules: { name: string; type: string }[] }[] }
    }
    const all = body.data.groups.flatMap(({ name, file, rules }) =>
      rules.map((rule) => ({ group: name, file, name: rule.name, type: rule.type })),
    )
    const some = (values: string[]): fc.Arbitrary<string[] | null> =>
      fc.option(fc.subarray([...new Set([...values, 'none'])]))
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          type: fc.option(fc.constantFrom('ALERT', 'RECORD')),
          names: some(all.map(({ name }) => name)),
          groups: some(all.map(({ group }) => group)),
          files: some(all.map(({ file }) => file)),
        }),
        async (wanted) => {
          const passes = (list: string[] | null, value: string): boolean =>
            !list?.length || list.includes(value)
          const expected = all
            .filter(
              (rule) =>
                (wanted.type === null || (wanted.type === 'ALERT') === (rule.type === 'alerting')) &&
                passes(wanted.names, rule.name) &&
                passes(wanted.groups, rule.group) &&
                passes(wanted.files, rule.file),
            )
            .map((rule) => `${rule.file.slice(-5, -4)} ${rule.group} ${rule.name}`)
          expect((await filtered(wanted)).got).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('alerts', () => {
  it.each([
    ['prometheus-2.42.alerts', ['0e+00', '0e+00', '1e+00']],
    ['victoriametrics-1.79.alerts', ['0', '1', '0']],
  ])('of %s keep their value as it was written', async (name, values) => {
    const result = await replay(recorded(name), `{ metrics { alerts { ...A } } } ${alert}`)
    expect(result.errors).toEqual([])
    const alerts: { name: string; value: string; float: number; state: string; activeAt: string }[] =
      result.data.metrics.alerts
    expect(alerts.map(({ value }) => value)).toEqual(values)
    expect(alerts.map(({ float }) => float)).toEqual(values.map(Number))
    expect(alerts.map(({ name }) => name).sort()).toEqual(['SlowPending', 'TargetDown', 'Watchdog'])
    for (const { activeAt } of alerts) expect(activeAt).toMatch(/\.\d{9}Z$/)
  })

  it('may lack nearly everything', async () => {
    const result = await replay(
      {
        body: {
          status: 'success',
          data: { alerts: [{}, { value: '+Inf', keepFiringSince: '2026-11-20T20:20:54.1Z' }] },
        },
      },
      `{ metrics { alerts { ...A } } } ${alert}`,
    )
    expect(result.errors).toEqual([])
    expect(result.data.metrics.alerts).toEqual([
      {
        name: null,
        labels: [],
        label: null,
        annotations: [],
        annotation: null,
        state: 'UNKNOWN',
        activeAt: null,
        keepFiringSince: null,
        value: null,
        float: null,
      },
      expect.objectContaining({ value: '+Inf', float: null, keepFiringSince: '2026-11-20T20:20:54.1Z' }),
    ])
  })
})

describe('build information', () => {
  const document = '{ metrics { buildInfo { version revision branch buildUser buildDate goVersion } } }'

  it('has what the service says', async () => {
    const { data } = await replay(recorded('prometheus-2.42.buildinfo'), document)
    const { body } = recorded('prometheus-2.42.buildinfo')
    expect(data.metrics.buildInfo).toEqual((body as { data: unknown }).data)
  })

  it('is all null if the service says nothing', async () => {
    const { data, errors } = await replay(recorded('victoriametrics-1.79.buildinfo'), document)
    expect(errors).toEqual([])
    expect(new Set(Object.values(data.metrics.buildInfo))).toEqual(new Set([null]))
  })
})
