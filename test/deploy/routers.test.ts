/**
 * The configurations of other routers in front of our subgraph services. The routers are not here; what a
 * configuration makes them send is read from it, and held against real subgraph services.
 */
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { readConfig, settings } from '../../gateway/config/index.ts'
import { routerHeader } from '../../shared/http/signature.ts'
import { defaultSubgraphPort, serviceNames, subgraphNames } from '../../subgraphs/index.ts'
import { readDeployed } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'
import { serviceSecret, startServices } from '../support/services.ts'

interface Rule {
  readonly insert?: { readonly name: string; readonly value?: string; readonly expression?: string }
  readonly propagate?: { readonly named: string | readonly string[] }
}

interface Headers {
  readonly all: { readonly request: readonly Rule[] }
  readonly subgraphs: Readonly<Record<string, { readonly request: readonly Rule[] }>>
}

// biome-ignore lint/suspicious/noExplicitAny: a configuration is looked at by path
type Configuration = any

const apollo: Configuration = parseYaml(readDeployed('apollo-router/router.yaml'))
const apolloWithoutPlan: Configuration = parseYaml(readDeployed('apollo-router/router-without-plan.yaml'))
const hive: Configuration = parseYaml(readDeployed('hive-router/router.config.yaml'))
const cosmoFile: Configuration = parseYaml(readDeployed('cosmo/config.yaml'))
const cosmoGraph: Configuration = parseYaml(readDeployed('cosmo/graph.yaml'))

interface CosmoRule {
  readonly op: 'set' | 'propagate'
  readonly name?: string
  readonly value?: string
  readonly named?: string
}

/** Cosmo's rules in the form of the others, which name a variable of the environment as `env.NAME`. */
const rulesOf = ({ request }: { readonly request: readonly CosmoRule[] }) => ({
  request: request.map(
    ({ op, name = '', value = '', named = '' }): Rule =>
      op === 'set'
        ? { insert: { name: name.toLowerCase(), value: value.replace('${', '${env.') } }
        : { propagate: { named: named.toLowerCase() } },
  ),
})

const cosmo: Configuration = {
  headers: {
    all: rulesOf(cosmoFile.headers.all),
    subgraphs: Object.fromEntries(
      Object.entries(cosmoFile.headers.subgraphs).map(([name, rules]: [string, Configuration]) => [
        name,
        rulesOf(rules),
      ]),
    ),
  },
  limits: cosmoFile.security.complexity_limits,
}

/** What a router puts into the header that it inserts, with this environment. */
function inserted({ value, expression }: NonNullable<Rule['insert']>, env: Record<string, string>): string {
  if (value !== undefined) return value.replace(/\$\{env\.(\w+)\}/g, (_all, name: string) => env[name] ?? '')
  const [, text, name] = /^"([^"]*)" \+ string!\(env\("(\w+)", ""\)\)$/.exec(expression ?? '') ?? []
  return `${text}${env[name ?? ''] ?? ''}`
}

const routers = [
  [
    'Apollo Router',
    apollo,
    'apollo-router/router.yaml',
    (config: Configuration) => config.override_subgraph_url,
  ],
  [
    'Apollo Router without a plan',
    apolloWithoutPlan,
    'apollo-router/router-without-plan.yaml',
    (config: Configuration) => config.override_subgraph_url,
  ],
  [
    'Hive Router',
    hive,
    'hive-router/router.config.yaml',
    (config: Configuration) =>
      Object.fromEntries(
        Object.entries(config.override_subgraph_urls.subgraphs).map(
          ([name, { url }]: [string, Configuration]) => [name, url],
        ),
      ),
  ],
  [
    'Cosmo',
    cosmo,
    'cosmo/config.yaml',
    () =>
      Object.fromEntries(
        cosmoGraph.subgraphs.map(({ name, routing_url }: Configuration) => [name, routing_url]),
      ),
  ],
] as const

describe.each(routers)('%s', (_name, config, file, urlsOf) => {
  const headers = config.headers as Headers
  const propagated = (rules: readonly Rule[]): string[] =>
    rules.flatMap(({ propagate }) => propagate?.named ?? [])

  test('proves itself to a subgraph service, which answers it, and not without the secret', async () => {
    await using graph = await startGraph()
    await using services = await startServices(graph.sandbox.url)
    const inserts = headers.all.request.flatMap(({ insert }) => (insert === undefined ? [] : [insert]))
    expect(inserts.map(({ name }) => name)).toEqual([routerHeader])
    const ask = async (env: Record<string, string>): Promise<number> => {
      const answer = await postJson(
        services.urls.nodes,
        '{"query":"{ __typename }"}',
        Object.fromEntries(inserts.map((insert) => [insert.name, inserted(insert, env)])),
      )
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await ask({ TESSERA_SUBGRAPH_SECRET: serviceSecret })).toBe(200)
    expect(await ask({ TESSERA_SUBGRAPH_SECRET: 'another secret of the same sort' })).toBe(401)
    expect(await ask({})).toBe(401)
    for (const [, name] of readDeployed(file).matchAll(/\b(TESSERA_[A-Z_]+)/g)) {
      expect(settings.map(({ env }) => env)).toContain(name)
    }
  })

  test("passes the caller's token on to all, and a service's own credential only to that service", () => {
    expect(propagated(headers.all.request)).toEqual([
      'authorization',
      'x-request-id',
      'traceparent',
      'tracestate',
    ])
    expect(
      Object.entries(headers.subgraphs).map(([name, { request }]) => [name, propagated(request)]),
    ).toEqual(serviceNames.map((name) => [name, [`x-${name}-authorization`]]))
  })

  test('knows the address of every subgraph', () => {
    const urls: Readonly<Record<string, string>> = urlsOf(config)
    expect(urls).toEqual(
      Object.fromEntries(
        subgraphNames.map((name) => [name, `http://tessera-${name}:${defaultSubgraphPort(name)}/graphql`]),
      ),
    )
    // The same addresses as the gateway's in Kubernetes.
    const settings = readDeployed('kubernetes/overlays/split/gateway.env')
    for (const url of Object.values(urls)) expect(settings).toContain(`=${url}\n`)
  })

  test('limits what an operation may be as the gateway does', () => {
    const { limits } = config
    const ours = readConfig({}).config?.limits
    // Cosmo limits neither tokens nor aliases below the root.
    if (config === cosmo) {
      const { depth, root_fields, root_field_aliases } = limits
      const allowed = [depth.limit, root_fields.limit, root_field_aliases.limit]
      expect(allowed).toEqual([ours?.depth, ours?.rootFields, ours?.aliases])
      return
    }
    expect(limits.max_tokens?.n ?? limits.parser_max_tokens).toBe(ours?.tokens)
    if (config === apolloWithoutPlan) return
    expect(limits.max_depth.n ?? limits.max_depth).toBe(ours?.depth)
    expect(limits.max_aliases.n ?? limits.max_aliases).toBe(ours?.aliases)
  })
})

test('all that hold the scopes let anonymous callers in, and check tokens', () => {
  expect(apollo.authorization).toEqual({
    require_authentication: false,
    directives: { enabled: true, reject_unauthorized: false },
  })
  expect(hive.authorization.directives).toEqual({ enabled: true, unauthorized: { mode: 'filter' } })
  expect(hive.jwt).toMatchObject({ enabled: true, require_authentication: false })
  const [provider] = apollo.authentication.router.jwt.jwks
  const [same] = hive.jwt.jwks_providers
  expect([same.url, hive.jwt.issuers, hive.jwt.audiences, hive.jwt.allowed_algorithms]).toEqual([
    provider.url,
    provider.issuers,
    provider.audiences,
    provider.algorithms,
  ])
  expect(cosmoFile.authorization).toEqual({
    require_authentication: false,
    reject_operation_if_unauthorized: false,
    enable_pre_fetch_field_authorization: true,
  })
  const { url, audiences, algorithms } = provider
  expect(cosmoFile.authentication.jwt.jwks).toEqual([{ url, audiences, algorithms }])
})

test('without a plan Apollo Router is configured with nothing that needs a licence, and passes tokens on', () => {
  expect(Object.keys(apolloWithoutPlan)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(authentication|authorization|demand_control)$/)]),
  )
  expect(apolloWithoutPlan.limits).not.toHaveProperty('max_depth')
  const { request } = apolloWithoutPlan.headers.all
  expect(request).toContainEqual({ propagate: { named: 'authorization' } })
})

test('Hive Router serves subscriptions, also by WebSockets, which are off by default', () => {
  expect([hive.subscriptions, hive.websocket]).toEqual([{ enabled: true }, { enabled: true }])
})
