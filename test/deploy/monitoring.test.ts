/**
 * What watches over a deployment: the scrape configuration, the rules and the dashboard, each over the metrics of a
 * running gateway in a real Prometheus, and the alerts by `promtool test rules`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { copies } from '../../deploy/copies.ts'
import { defaultSubgraphPort, subgraphNames } from '../../subgraphs/index.ts'
import { readDeployed, root } from '../support/deploy.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { type RuleGroupDefinition, startPrometheus, withPrometheus } from '../support/prometheus.ts'
import { startServices } from '../support/services.ts'

const readTest = (file: string): string => readFileSync(join(root, 'test/deploy', file), 'utf8')

const rules = readDeployed('prometheus-rules.yml')
const groups = (parseYaml(rules) as { groups: RuleGroupDefinition[] }).groups
const measurePattern = /\b((?:tessera|process|nodejs)_[a-z0-9_]+)/g

interface Panel {
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

const dashboard = JSON.parse(readDeployed('grafana-dashboard.json')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}
const panels = dashboard.panels.filter(({ type }) => type !== 'row')

test('what Kubernetes and Helm have in common is what `npm run generate` makes', () => {
  for (const [path, text] of Object.entries(copies())) expect(readDeployed(path), path).toBe(text)
})

test('every alert is described, and its runbook is a section of docs/runbooks.md; every section has an alert', () => {
  const alerts = groups.flatMap((group) => group.rules).filter((rule) => 'alert' in rule) as unknown as {
    readonly alert: string
    readonly annotations: Readonly<Record<string, string>>
  }[]
  const sections = [...readFileSync(join(root, 'docs/runbooks.md'), 'utf8').matchAll(/^## (\w+)\n/gm)]
  expect(sections.map(([, title]) => title)).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, annotations } of alerts) {
    expect(annotations.description, alert).toMatch(/\.$/)
    expect(annotations.runbook_url, alert).toMatch(new RegExp(`/docs/runbooks\\.md#${alert.toLowerCase()}$`))
  }
})

describe('Prometheus', () => {
  interface Scrape {
    readonly job_name: string
    readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[]
  }
  const { scrape_configs: jobs } = parseYaml(readDeployed('prometheus.yml')) as { scrape_configs: Scrape[] }

  test('scrapes the gateways and every subgraph service', () => {
    const targets = jobs.flatMap(({ dns_sd_configs }) =>
      dns_sd_configs.flatMap(({ names, port }) => [[names[0], port]]),
    )
    expect(targets).toEqual([
      ['gateway', 4000],
      ...subgraphNames.map((name) => [name, defaultSubgraphPort(name)]),
    ])
  })

  test('has rules and a dashboard over metrics that there are', async () => {
    await using graph = await startGraph()
    await using services = await startServices(graph.sandbox.url)
    await graph.ask(
      '{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } nope: metrics { buildInfo { version } } }',
      {},
      { scope: null },
    )
    const text = await (await fetch(new URL('/metrics', graph.url))).text()
    const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
    for (const source of [rules, expressions]) {
      const used = [...source.matchAll(measurePattern)].map(([, name = '']) =>
        served.has(name) ? name : name.replace(/_(count|sum|bucket)$/, ''),
      )
      expect(used.length).toBeGreaterThan(6)
      for (const name of used) expect([...served]).toContain(name)
    }
    // The same of a subgraph service, whose job has the same rules.
    const other = await (await fetch(new URL('/metrics', services.urls.videos))).text()
    expect(other).toContain('# TYPE tessera_request_duration_seconds histogram')
    expect(other).toContain('tessera_build_info{')
  })

  test.skipIf(!withPrometheus("the rules over a running gateway's metrics"))(
    "gets a running gateway's metrics, and can work out every rule over them",
    async () => {
      await using graph = await startGraph()
      await using prometheus = await startPrometheus({
        targets: { 'tessera-gateway': [new URL(graph.url).host] },
        rules: { 'tessera.yml': groups.map((group) => ({ ...group, interval: '1s' })) },
      })
      await graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }')
      interface Groups {
        readonly groups: readonly {
          readonly rules: readonly { readonly name: string; readonly health: string }[]
        }[]
      }
      const known = ({ groups }: Groups) => groups.flatMap((group) => group.rules)
      await prometheus.until('/rules', (data: Groups) =>
        known(data).every(({ health }) => health !== 'unknown'),
      )
      const worked = known((await prometheus.data('/rules')) as Groups)
      expect(worked.length).toBe(groups.flatMap((group) => group.rules).length)
      expect(worked.filter(({ health }) => health !== 'ok')).toEqual([])
      const seen = (data: { result: readonly unknown[] }): boolean => data.result.length > 0
      await prometheus.until('/query?query=tessera:requests:rate5m', seen as never)
      await prometheus.until('/query?query=tessera:cpu:per_process', seen as never)
    },
  )
})

describe('the dashboard', () => {
  test('says what each panel shows, lets none lie over another, and goes by the chosen workload', () => {
    expect(panels.length).toBeGreaterThan(15)
    const taken = new Set<string>()
    for (const { title, description, targets = [], ...panel } of panels) {
      expect(description, title).toMatch(/\.$/)
      expect(targets.length, title).toBeGreaterThan(0)
      for (const { expr } of targets) expect(expr, title).toContain('job=~"$job"')
      const { x, y, w, h } = (panel as unknown as { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }).gridPos
      expect(x + w, title).toBeLessThanOrEqual(24)
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          expect(taken.has(`${column} ${line}`), title).toBe(false)
          taken.add(`${column} ${line}`)
        }
      }
    }
  })

  /** What callers do, good and bad, again and again until it is disposed. */
  function load(graph: Graph): AsyncDisposable {
    let over = false
    const round = async (): Promise<void> => {
      await graph.ask('query Chart { chartVideos(chart: MOST_POPULAR, first: 3) { nodes { videoId } } }')
      await graph.ask('query Missing { video(videoId: "nothing") { etag } }')
      await graph.ask('query Wrong { metrics { query(query: "sum(") { resultType } } }')
      await graph.ask('query Invalid { nonsense }')
      await graph.ask('query Message { message(messageId: "7700000000000019999") { text } }')
    }
    const running = (async () => {
      while (!over) {
        await round()
        await delay(20)
      }
    })()
    return {
      async [Symbol.asyncDispose]() {
        over = true
        await running
      },
    }
  }

  test.skipIf(!withPrometheus('the dashboard over a gateway under load'))(
    'has data in every panel, and workloads to choose from, while a gateway is under load',
    async () => {
      await using graph = await startGraph()
      await using prometheus = await startPrometheus({
        targets: { 'tessera-gateway': [new URL(graph.url).host] },
      })
      await using _load = load(graph)
      const asked = (expr: string): string =>
        expr.replaceAll('$__rate_interval', '10s').replaceAll('$job', 'tessera-.+')
      const numbers = ({ result }: { result: readonly { value: [number, string] }[] }): boolean =>
        result.length > 0 && result.every(({ value }) => Number.isFinite(Number(value[1])))
      for (const { title, targets = [] } of panels) {
        for (const { expr } of targets) {
          const path = `/query?query=${encodeURIComponent(asked(expr))}`
          await prometheus.until(path, numbers as never).catch((cause: unknown) => {
            throw new Error(`no data in the panel "${title}"`, { cause })
          })
        }
      }
      const { definition = '' } = dashboard.templating.list.find(({ name }) => name === 'job') ?? {}
      const [, measure, label] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? []
      expect(await prometheus.data(`/label/${label}/values?match[]=${measure}`)).toEqual(['tessera-gateway'])
    },
  )
})

describe.skipIf(!withPrometheus('the alerts by promtool'))('the alerts', () => {
  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: root, encoding: 'utf8' })

  test('and the scrape configuration are taken by promtool', () => {
    expect(promtool('check', 'config', 'deploy/prometheus.yml').status).toBe(0)
    expect(promtool('check', 'rules', 'deploy/prometheus-rules.yml').status).toBe(0)
    expect(promtool('check', 'config', 'deploy/compose.yaml').status).toBe(1)
  })

  test('fire when they should and not else, as test/deploy/alerts.yml has it', () => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'test/deploy/alerts.yml')
    expect(stdout + stderr).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  interface Cases {
    readonly tests: readonly {
      readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: unknown[] }[]
    }[]
  }
  const cases = (parseYaml(readTest('alerts.yml')) as Cases).tests.flatMap(
    ({ alert_rule_test }) => alert_rule_test,
  )
  const alerts = groups.flatMap((group) => group.rules).flatMap(({ alert }) => (alert ? [String(alert)] : []))

  test('have a case each that raises them and one that does not', () => {
    expect([...new Set(cases.map(({ alertname }) => alertname))].sort()).toEqual([...alerts].sort())
    for (const alert of alerts) {
      const raised = cases
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts }) => exp_alerts !== undefined)
      expect(raised, alert).toEqual(expect.arrayContaining([true, false]))
    }
  })

  test.each([
    [
      'asks for a target that does not answer',
      'absent(up{job="tessera-gateway"} == 1)',
      'up{job="tessera-gateway"} == 0',
    ],
    ['counts what the service rejects', 'outcome="failed"', 'outcome=~"failed|rejected"'],
    ['does not ask how long', 'for: 10m', 'for: 10s'],
  ])('would be found wanting with a rule that %s', (_what, right, wrong) => {
    expect(rules).toContain(right)
    const folder = mkdtempSync(join(tmpdir(), 'tessera-alerts-'))
    writeFileSync(join(folder, 'rules.yml'), rules.replaceAll(right, wrong))
    writeFileSync(
      join(folder, 'alerts.yml'),
      readTest('alerts.yml').replace('../../deploy/prometheus-rules.yml', 'rules.yml'),
    )
    expect(promtool('test', 'rules', join(folder, 'alerts.yml')).status).toBe(1)
  })
})
