/**
 * What leads in from outside by each file of deploy/: the graph, uploads, and the documents that the gateway's own answers
 * point to; never health and measures. The addresses are taken from what a running gateway says.
 */
import { exportPKCS8, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { readDeployed } from '../support/deploy.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { charted, type Document, withTool } from '../support/kubernetes.ts'
import { postJson } from '../support/post-json.ts'

interface Route {
  readonly path: string
  readonly exact: boolean
}

const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)
const passes = (routes: readonly Route[], path: string): boolean =>
  routes.some((route) => (route.exact ? path === route.path : isUnder(path, route.path)))

const ofIngress = (document: Document): Route[] =>
  document.spec.rules[0].http.paths.map(({ path, pathType }: Document) => ({
    path,
    exact: pathType === 'Exact',
  }))

function ofNginx(text: string): Route[] {
  return [...text.matchAll(/^\s*location (= )?(\S+) \{ proxy_pass /gm)].map(([, exact, path = '']) => ({
    path,
    exact: exact !== undefined,
  }))
}

function ofCaddy(text: string): Route[] {
  const [, paths = ''] = /@graph path (.+)/.exec(text) ?? []
  return paths.split(' ').map((path) => ({ path: path.replace(/\/\*$/, ''), exact: !path.endsWith('/*') }))
}

function ofEnvoy(text: string): Route[] {
  const document: Document = parseYaml(text)
  const [chain] = document.static_resources.listeners[0].filter_chains
  const [host] = chain.filters[0].typed_config.route_config.virtual_hosts
  return host.routes.map(({ match }: Document) => ({
    path: match.path ?? match.path_separated_prefix,
    exact: match.path !== undefined,
  }))
}

/** HAProxy lets in everything but what it names. */
function ofHaproxy(text: string): (path: string) => boolean {
  const [, shut = ''] = /deny deny_status 404 if \{ path,url_dec -m beg (.+) \}/.exec(text) ?? []
  const beginnings = shut.split(' ')
  expect(beginnings.length).toBeGreaterThan(1)
  return (path) => !beginnings.some((beginning) => path.startsWith(beginning))
}

const withHelm = withTool('helm', 'the routes of the Helm chart')
const files: readonly (readonly [file: string, passes: () => (path: string) => boolean])[] = [
  [
    'kubernetes/components/ingress/ingress.yaml',
    () => {
      const routes = ofIngress(parseYaml(readDeployed('kubernetes/components/ingress/ingress.yaml')))
      return (path) => passes(routes, path)
    },
  ],
  ...(withHelm
    ? [
        [
          'helm/tessera',
          () => {
            const made = charted({ values: { 'ingress.enabled': true } })
            const routes = ofIngress(made.find(({ kind }) => kind === 'Ingress'))
            return (path: string) => passes(routes, path)
          },
        ] as const,
      ]
    : []),
  ['proxies/nginx.conf', () => (path) => passes(ofNginx(readDeployed('proxies/nginx.conf')), path)],
  ['proxies/Caddyfile', () => (path) => passes(ofCaddy(readDeployed('proxies/Caddyfile')), path)],
  ['proxies/envoy.yaml', () => (path) => passes(ofEnvoy(readDeployed('proxies/envoy.yaml')), path)],
  ['haproxy.cfg', () => ofHaproxy(readDeployed('haproxy.cfg'))],
]

let graph: Graph
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  graph = await startGraph({
    env: {
      TESSERA_JWT_SECRET: 'a secret of thirty-two characters',
      TESSERA_SUBGRAPH_CALLER: 'assertion',
      TESSERA_SUBGRAPH_ASSERTION_KEY: await exportPKCS8(privateKey),
    },
  })
})
afterAll(() => graph[Symbol.asyncDispose]())

describe.each(files)('%s', (_file, read) => {
  test('leads to the addresses of a challenge and of the key set, and to no health or measures', async () => {
    const isPassed = read()
    const refused = await postJson(`${graph.gateway.url}/graphql`, '{"query":"{ __typename }"}', {
      authorization: 'Bearer not.a.token',
    })
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    expect(refused.status).toBe(401)
    const served = ['/graphql', '/upload/1', new URL(metadata).pathname, '/.well-known/jwks.json']
    expect(served.filter((path) => !isPassed(path))).toEqual([])
    for (const path of served.slice(2))
      expect((await fetch(new URL(path, graph.gateway.url))).status).toBe(200)
    expect(['/metrics', '/health/ready', '/health/live'].filter(isPassed)).toEqual([])
  })
})
