/**
 * Every router that docs/federation.md names refuses a scoped field to a caller without a token, in the way
 * that the page says: by itself, from the directives of the supergraph, or because the subgraph services check. Each runs with the
 * configuration that deploy/ holds for it. Routers that are programs run if a variable names their binary.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import { parse, print } from 'graphql'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { withoutScopes } from '../../gateway/auth/without-scopes.ts'
import { startSandbox } from '../../sandbox/index.ts'
import type { SubgraphName } from '../../subgraphs/index.ts'
import { readDeployed, root } from '../support/deploy.ts'
import { json, startFaultyServer } from '../support/faulty-server.ts'
import { startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { type Router, startApolloGateway, startHiveGateway, supergraphOf } from '../support/other-routers.ts'
import { lastingPort } from '../support/port.ts'
import { postJson } from '../support/post-json.ts'
import { type Services, serviceSecret, startServices } from '../support/services.ts'
import { temporaryFolder } from '../support/temporary.ts'

const issuer = 'https://id.example.com'
const audience = 'tessera'
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const keySet = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: '1' }] }

// Files that a worker runs afterwards see the environment, too.
afterAll(() => vi.unstubAllEnvs())

/** What a router stands in front of. */
interface Behind {
  readonly services: Services
  readonly supergraph: string
}

const sandbox = keepForFile(await startSandbox())
const keys = keepForFile(await startFaultyServer(json(keySet)))
const jwksUrl = `${keys.url}/jwks`

async function startBehind(
  edit: (sdl: string) => string,
  env?: Readonly<Record<string, string>>,
): Promise<Behind> {
  const services = keepForFile(await startServices(sandbox.url, env))
  return { services, supergraph: supergraphOf(services, edit) }
}

/** Services that check nothing, with a supergraph that has the rules; and services that check, with one that has none. */
const guardedByRouter = await startBehind((sdl) => sdl)
const guardedByServices = await startBehind((sdl) => print(withoutScopes(parse(sdl))), {
  TESSERA_SUBGRAPH_SCOPES: 'true',
  TESSERA_JWT_JWKS_URL: jwksUrl,
  TESSERA_JWT_ISSUER: issuer,
  TESSERA_JWT_AUDIENCE: audience,
})

const startTessera = ({ supergraph }: Behind): Promise<Router> =>
  startGraph({
    graph: { supergraph },
    env: {
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      TESSERA_JWT_JWKS_URL: jwksUrl,
      TESSERA_JWT_ISSUER: issuer,
      TESSERA_JWT_AUDIENCE: audience,
    },
  })

/** With the configuration of deploy/hive-gateway; `planner` is whose plans it runs. */
async function startHive({ supergraph }: Behind, planner: object): Promise<Router> {
  vi.stubEnv('TESSERA_SUBGRAPH_SECRET', serviceSecret)
  vi.stubEnv('JWKS_URL', jwksUrl)
  vi.stubEnv('JWT_ISSUER', issuer)
  vi.stubEnv('JWT_AUDIENCE', audience)
  const { gatewayConfig } = await import('../../deploy/hive-gateway/gateway.config.ts')
  return startHiveGateway({ ...gatewayConfig, ...planner, supergraph })
}

// biome-ignore lint/suspicious/noExplicitAny: a configuration is changed by path
type Configuration = any

/** A router that is a program, with its file of deploy/, of which only addresses are changed. */
async function startProgram(
  variable: string,
  file: string,
  { supergraph }: Behind,
  change: (config: Configuration, port: number, supergraph: string) => void,
  argv: (config: string, supergraph: string) => readonly string[],
): Promise<Router> {
  const folder = temporaryFolder()
  const port = await lastingPort()
  const config: Configuration = parseYaml(readDeployed(file))
  const [graphFile, configFile] = [join(folder, 'supergraph.graphql'), join(folder, 'config.yaml')]
  writeFileSync(graphFile, supergraph)
  change(config, port, graphFile)
  writeFileSync(configFile, JSON.stringify(config))
  const child = spawn(process.env[variable] ?? '', [...argv(configFile, graphFile)], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      ROUTER_CONFIG_FILE_PATH: configFile,
      APOLLO_TELEMETRY_DISABLED: 'true',
      COSMO_TELEMETRY_DISABLED: 'true',
    },
  })
  const url = `http://127.0.0.1:${port}/graphql`
  // Cosmo listens before it has its graph.
  await expect
    .poll(() =>
      fetch(`${url}?query=%7B__typename%7D`).then(
        ({ status }) => status !== 404,
        () => false,
      ),
    )
    .toBe(true)
  return {
    url,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await gone
    },
  }
}

/** Cosmo's own composition of the file in deploy/, of which only addresses are changed. */
function composedForCosmo({ urls }: Services): string {
  const folder = temporaryFolder()
  const graph: Configuration = parseYaml(readDeployed('cosmo/graph.yaml'))
  for (const subgraph of graph.subgraphs) {
    subgraph.routing_url = urls[subgraph.name as SubgraphName]
    subgraph.schema.file = join(root, 'deploy/cosmo', subgraph.schema.file)
  }
  const [input, out] = [join(folder, 'graph.yaml'), join(folder, 'cosmo.json')]
  writeFileSync(input, JSON.stringify(graph))
  const composer = process.env.TESSERA_TEST_COSMO_COMPOSER ?? ''
  execFileSync(process.execPath, [composer, 'router', 'compose', '--input', input, '--out', out])
  return out
}

function named(variable: string, router: string): boolean {
  const path = process.env[variable]
  if (path !== undefined && existsSync(path)) return true
  process.stdout.write(`skipped: what ${router} refuses (${variable} names no binary)\n`)
  return false
}

interface Case {
  /** As the first column of the table names it. */
  readonly router: string
  readonly start: () => Promise<Router>
  /** Whether nothing of a refused field is fetched from the subgraph. */
  readonly checks: 'router' | 'services'
  readonly skipped?: boolean
}

const cases: readonly Case[] = [
  { router: 'Tessera', checks: 'router', start: () => startTessera(guardedByRouter) },
  { router: 'Hive Gateway', checks: 'router', start: () => startHive(guardedByRouter, {}) },
  {
    router: "Hive Gateway with its router's planner",
    checks: 'router',
    start: () => startHive(guardedByRouter, { unifiedGraphHandler }),
  },
  {
    router: 'Hive Router',
    checks: 'router',
    skipped: !named('TESSERA_TEST_HIVE_ROUTER', 'Hive Router'),
    start: () =>
      startProgram(
        'TESSERA_TEST_HIVE_ROUTER',
        'hive-router/router.config.yaml',
        guardedByRouter,
        (config, port, supergraph) => {
          config.supergraph.path = supergraph
          config.http = { ...config.http, host: '127.0.0.1', port }
          delete config.override_subgraph_urls
          config.jwt.jwks_providers[0].url = jwksUrl
        },
        () => [],
      ),
  },
  {
    router: 'Cosmo',
    checks: 'services',
    skipped: !(named('TESSERA_TEST_COSMO', 'Cosmo') && named('TESSERA_TEST_COSMO_COMPOSER', 'Cosmo')),
    start: () =>
      startProgram(
        'TESSERA_TEST_COSMO',
        'cosmo/config.yaml',
        guardedByServices,
        (config, port) => {
          config.listen_addr = `127.0.0.1:${port}`
          config.execution_config.file.path = composedForCosmo(guardedByServices.services)
          config.authentication.jwt.jwks[0].url = jwksUrl
          const off = { enabled: false }
          config.telemetry = { tracing: off, metrics: { otlp: off, prometheus: off } }
        },
        (config) => ['-config', config],
      ),
  },
  {
    router: 'Apollo Router without a plan',
    checks: 'services',
    skipped: !named('TESSERA_TEST_APOLLO_ROUTER', 'Apollo Router'),
    start: () =>
      startProgram(
        'TESSERA_TEST_APOLLO_ROUTER',
        'apollo-router/router-without-plan.yaml',
        guardedByServices,
        (config, port) => {
          config.supergraph.listen = `127.0.0.1:${port}`
          config.health_check = { enabled: false }
          delete config.override_subgraph_url
        },
        (config, supergraph) => ['--config', config, '--supergraph', supergraph],
      ),
  },
  {
    router: '@apollo/gateway',
    checks: 'services',
    start: () => startApolloGateway(guardedByServices.supergraph),
  },
]

interface Answer {
  readonly data?: {
    readonly metrics?: { readonly query?: { readonly resultType: string } | null } | null
  } | null
  readonly errors?: readonly object[]
}

async function ask(url: string, query: string, token?: string): Promise<Answer> {
  const response = await postJson(
    url,
    { query },
    { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  )
  return (await response.json()) as Answer
}

const tokenWith = (scope: string): Promise<string> =>
  new SignJWT({ scope, sub: 'somebody' })
    .setProtectedHeader({ alg: 'ES256', kid: '1' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)

describe.each(cases)('$router', ({ start, skipped = false }) => {
  test.skipIf(skipped)(
    'refuses a scoped field without a token, and opens it to callers with the scope',
    async () => {
      await using router = await start()
      const query = '{ metrics { query(query: "up") { resultType } } }'
      for (const token of [undefined, await tokenWith('media.read'), 'a.b.c']) {
        sandbox.journal.length = 0
        const { data, errors = [] } = await ask(router.url, query, token)
        expect(data?.metrics?.query ?? null).toBeNull()
        expect(errors.length).toBeGreaterThan(0)
        expect(sandbox.journal).toEqual([])
      }
      expect(await ask(router.url, query, await tokenWith('metrics.read'))).toEqual({
        data: { metrics: { query: { resultType: 'vector' } } },
      })
      expect(await ask(router.url, '{ video(videoId: "u62wyH56M7e") { videoId } }')).toEqual({
        data: { video: { videoId: 'u62wyH56M7e' } },
      })
    },
  )
})

test('the subgraph services refuse it to a router that passes no token on, whatever that router does itself', async () => {
  sandbox.journal.length = 0
  const response = await postJson(
    guardedByServices.services.urls.metrics,
    { query: '{ metrics { query(query: "up") { resultType } } }' },
    { 'router-authorization': `Bearer ${serviceSecret}` },
  )
  const { data, errors } = (await response.json()) as Answer
  expect(data?.metrics?.query ?? null).toBeNull()
  expect(errors?.length).toBeGreaterThan(0)
  expect(sandbox.journal).toEqual([])
})

test('every router in the table of docs/federation.md is among these, or leaves the check to the services', () => {
  const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| ([^|]+) \| [^|]+ \| (the gateway|the router|the services)[^|]* \| /gm)]
  expect(rows.length).toBeGreaterThan(5)
  for (const [, router = '', who = ''] of rows) {
    // A licence of GraphOS is needed to start Apollo Router with the rules.
    if (who === 'the services' || router === 'Apollo Router 2.x') continue
    const checks = cases.find((each) => each.router === router)?.checks
    expect({ router, checks }).toEqual({ router, checks: 'router' })
  }
})
