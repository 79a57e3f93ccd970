/**
 * Every router that docs/federation.md names refuses a scoped field to a caller without a token, in the way
 * that the page says: by itself, from the directives of the supergraph, or because the subgraph services check. Each runs with the
 * configuration that deploy/ holds for it. Routers that are programs run if a variable names their binary.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import httpTransport from '@graphql-mesh/transport-http'
import { parse, print } from 'graphql'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { withoutScopes } from '../../gateway/auth/without-scopes.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { readDeployed } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'
import { type Listening, listen } from '../support/listen.ts'
import { lastingPort } from '../support/port.ts'
import { postJson } from '../support/post-json.ts'
import { type Services, serviceSecret, startServices } from '../support/services.ts'
import { temporaryFolder } from '../support/temporary.ts'

const issuer = 'https://id.example.com'
const audience = 'tessera'
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const keySet = JSON.stringify({
  keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: '1' }],
})

interface Router {
  readonly url: string
  close(): Promise<unknown>
}

/** What a router stands in front of. */
interface Behind {
  readonly services: Services
  readonly supergraph: string
}

let sandbox: Sandbox
let keys: Listening
let jwksUrl: string
/** Services that check nothing, with a supergraph that has the rules; and services that check, with one that has none. */
let guardedByRouter: Behind
let guardedByServices: Behind

function supergraphOf(services: Services, edit: (sdl: string) => string): string {
  const { supergraph, errors } = compose(
    subgraphNames.map((name) => ({
      name,
      url: services.urls[name],
      typeDefs: edit(readSchemaFile(name)),
    })),
  )
  if (errors !== undefined) throw new AggregateError(errors)
  return supergraph
}

beforeAll(async () => {
  sandbox = await startSandbox()
  keys = await listen(
    createServer((_request, response) => response.setHeader('content-type', 'application/json').end(keySet)),
  )
  jwksUrl = `${keys.url}/jwks`
  const open = await startServices(sandbox.url)
  const checking = await startServices(sandbox.url, {
    TESSERA_SUBGRAPH_SCOPES: 'true',
    TESSERA_JWT_JWKS_URL: jwksUrl,
    TESSERA_JWT_ISSUER: issuer,
    TESSERA_JWT_AUDIENCE: audience,
  })
  guardedByRouter = { services: open, supergraph: supergraphOf(open, (sdl) => sdl) }
  guardedByServices = {
    services: checking,
    supergraph: supergraphOf(checking, (sdl) => print(withoutScopes(parse(sdl)))),
  }
})

afterAll(async () => {
  await guardedByRouter?.services[Symbol.asyncDispose]()
  await guardedByServices?.services[Symbol.asyncDispose]()
  await sandbox?.close()
  await keys?.[Symbol.asyncDispose]()
})

async function startTessera({ supergraph }: Behind): Promise<Router> {
  const { url, gateway } = await startGraph({
    graph: { supergraph },
    env: {
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      TESSERA_JWT_JWKS_URL: jwksUrl,
      TESSERA_JWT_ISSUER: issuer,
      TESSERA_JWT_AUDIENCE: audience,
    },
  })
  return { url, close: () => gateway.stop() }
}

/** With the configuration of deploy/hive-gateway; `planner` is whose plans it runs. */
async function startHiveGateway({ supergraph }: Behind, planner: object): Promise<Router> {
  Object.assign(process.env, {
    TESSERA_SUBGRAPH_SECRET: serviceSecret,
    JWKS_URL: jwksUrl,
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: audience,
  })
  const { gatewayConfig } = await import('../../deploy/hive-gateway/gateway.config.ts')
  const runtime = createGatewayRuntime({
    ...gatewayConfig,
    ...planner,
    supergraph,
    transports: { http: httpTransport },
    logging: false,
    landingPage: false,
    graphiql: false,
  })
  const server = createServer(runtime)
  const listening = await listen(server)
  return {
    url: `${listening.url}/graphql`,
    async close() {
      await listening[Symbol.asyncDispose]()
      await runtime[Symbol.asyncDispose]()
    },
  }
}

async function startApolloGateway({ supergraph }: Behind): Promise<Router> {
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource<{ authorization?: string | undefined }>({
        url: url ?? '',
        willSendRequest({ request, context }) {
          request.http?.headers.set('router-authorization', `Bearer ${serviceSecret}`)
          if (context.authorization) request.http?.headers.set('authorization', context.authorization)
        },
      }),
  })
  const server = new ApolloServer<{ authorization?: string | undefined }>({ gateway })
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => ({ authorization: req.headers.authorization }),
  })
  return { url, close: () => server.stop() }
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
    },
  })
  const url = `http://127.0.0.1:${port}/graphql`
  await expect
    .poll(() =>
      fetch(`${url}?query=%7B__typename%7D`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  return {
    url,
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await gone
    },
  }
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
  {
    router: 'Hive Gateway',
    checks: 'router',
    start: () => startHiveGateway(guardedByRouter, {}),
  },
  {
    router: "Hive Gateway with its router's planner",
    checks: 'router',
    start: () => startHiveGateway(guardedByRouter, { unifiedGraphHandler }),
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
  { router: '@apollo/gateway', checks: 'services', start: () => startApolloGateway(guardedByServices) },
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
      const router = await start()
      try {
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
      } finally {
        await router.close()
      }
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
