/**
 * The candidates, and how each is started: its processes, its address, and the headers of requests. Subgraphs that
 * several candidates share are started once, and counted for each candidate that uses them.
 */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { compose } from '../engine/supergraph/compose/index.ts'
import type { FastParts } from '../gateway/fast.ts'
import { type SubgraphName, serviceNames, subgraphNames } from '../subgraphs/index.ts'
import { readSchemaFile } from '../subgraphs/kit/subgraph.ts'
import { isRunning, type Started, start } from './processes.ts'
import { type RoutedSubgraph, type RouterName, routerNames, startRouter } from './routers.ts'

export interface Candidate {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly pids: readonly number[]
  readonly startMs: number
}

export const candidateNames = [
  'ceiling',
  'tessera',
  'tessera-sharing',
  'tessera-http',
  'tessera-apollo',
  'graphql-js',
  'apollo-gateway',
  'apollo-stack',
  'hive-gateway',
  'hive-stack',
  'mercurius',
  ...routerNames,
] as const
export type CandidateName = (typeof candidateNames)[number]

export const descriptions: Readonly<Record<CandidateName, string>> = {
  ceiling: 'hand-written node:http handler that makes the same calls by undici',
  tessera: 'tessera serve with token, scopes, limits and metrics, without call sharing',
  'tessera-sharing': 'the same with call sharing (the default)',
  'tessera-http': 'tessera serve over five `tessera subgraph` processes',
  'tessera-apollo': 'tesseraGateway() in Apollo Server, in one process',
  'graphql-js': 'graphql-js over the same response, for typed samples',
  'apollo-gateway': '@apollo/gateway in Apollo Server, over our HTTP subgraphs, no token, no scopes',
  'apollo-stack': 'the same over the same subgraphs in Apollo Server, as without Tessera',
  'hive-gateway': 'Hive Gateway with its native planner, over our HTTP subgraphs, no token, no scopes',
  'hive-stack': 'the same over the same subgraphs in Apollo Server',
  'hive-router': 'Hive Router over our HTTP subgraphs, no token, no scopes',
  cosmo: 'Cosmo Router over our HTTP subgraphs, no token, no scopes',
  'apollo-router': 'Apollo Router over our HTTP subgraphs, no token, no scopes',
  mercurius: 'mercurius gateway with JIT over mercurius subgraphs with JIT, no token, no scopes',
}

export const secret = 'a secret of the benchmark, shared by all of it'
const allScopes =
  'media.read media.owner media.upload media.write agents.read agents.write agents.detect tweet.read users.read like.read like.write metrics.read rules.read'

export function token(subject = 'bench'): Promise<string> {
  return new SignJWT({ scope: allScopes })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(new TextEncoder().encode(secret))
}

interface Fleet {
  readonly pids: readonly number[]
  /** By the subgraph's name. */
  readonly urls: ReadonlyMap<string, string>
}

export interface Starter {
  start(name: CandidateName): Promise<Candidate>
}

/** Clients, services and candidates share the machine, so a late event loop says nothing about its own load. */
export const refusingNone = { TESSERA_MAX_WAIT_MS: '60000' } as const

/**
 * All candidates call the services at this address. `env` is for the candidates that are Tessera, and `without` is
 * a part of `fast/` that the gateway does without.
 */
export function createStarter(
  upstreamUrl: string,
  env: Readonly<Record<string, string>> = refusingNone,
  nodeOptions: readonly string[] = [],
  without?: keyof FastParts,
): Starter {
  const services = {
    TESSERA_VIDEOS_URL: upstreamUrl,
    TESSERA_AGENTS_URL: upstreamUrl,
    TESSERA_MESSAGES_URL: upstreamUrl,
    TESSERA_METRICS_URL: upstreamUrl,
    TESSERA_LOG_LEVEL: 'error',
    ...env,
  }
  const serving = { TESSERA_JWT_SECRET: secret, TESSERA_SHARE_CALLS: 'false', PORT: '0', ...services }
  const ours =
    without === undefined
      ? [...nodeOptions, 'gateway/main.ts', 'serve', '--port', '0']
      : [...nodeOptions, 'bench/candidates/without.ts', without]
  const graph = /graph +(http\S+)/
  const ready = /ready (http\S+)/

  /** All subgraphs over HTTP, started when they are first needed, and again if they were ended with a candidate. */
  const fleet = (startOne: (name: SubgraphName) => Promise<Started>): (() => Promise<Fleet>) => {
    let started: Promise<Fleet> | undefined
    return async () => {
      if (started !== undefined && !(await started).pids.every(isRunning)) started = undefined
      started ??= (async () => {
        const pids: number[] = []
        const urls = new Map<string, string>()
        for (const name of subgraphNames) {
          const { pid, found } = await startOne(name)
          pids.push(pid)
          urls.set(name, found)
        }
        return { pids, urls }
      })()
      return started
    }
  }
  const ourSubgraphs = fleet((name) =>
    start(
      [...nodeOptions, 'gateway/main.ts', 'subgraph', name, '--port', '0'],
      { ...services, TESSERA_SUBGRAPH_SECRET: secret, TESSERA_SHARE_CALLS: 'false' },
      new RegExp(`${name} +(http\\S+)`),
    ),
  )
  const apolloSubgraphs = fleet((name) =>
    start(['bench/candidates/apollo-subgraph.ts', name], { UPSTREAM: upstreamUrl }, ready),
  )

  /** The same graph without scopes, because not every gateway supports them. */
  const scopeFreeSubgraphs = ({ urls }: Fleet): RoutedSubgraph[] =>
    subgraphNames.map((name) => ({
      name,
      url: urls.get(name) ?? '',
      typeDefs: readSchemaFile(name)
        .replaceAll(/ *@requiresScopes\(scopes: \[(?:\[[^\]]*\][, ]*)*\]\)/g, '')
        .replaceAll(/"@requiresScopes",? ?/g, ''),
    }))
  function scopeFreeText(fleet: Fleet): string {
    const { supergraph, errors } = compose(scopeFreeSubgraphs(fleet))
    if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'))
    return supergraph
  }
  function scopeFree(fleet: Fleet): string {
    const file = join(mkdtempSync(join(tmpdir(), 'tessera-bench-')), 'supergraph.graphql')
    writeFileSync(file, scopeFreeText(fleet))
    return file
  }

  const peer = async (script: string, subgraphs: () => Promise<Fleet>): Promise<Candidate> => {
    const fleet = await subgraphs()
    const { pid, found, milliseconds } = await start(
      [`bench/candidates/${script}`],
      { SUPERGRAPH: scopeFree(fleet), ROUTER_AUTHORIZATION: `Bearer ${secret}` },
      ready,
    )
    return { name: '', url: found, headers: {}, pids: [pid, ...fleet.pids], startMs: milliseconds }
  }
  const tessera = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    pattern = graph,
    also: readonly number[] = [],
  ): Promise<Candidate> => {
    const { pid, found, milliseconds } = await start(args, env, pattern)
    const headers = { authorization: `Bearer ${await token()}` }
    return { name: '', url: found, headers, pids: [pid, ...also], startMs: milliseconds }
  }

  const byHand = async (path: string): Promise<Candidate> => {
    const { pid, found, milliseconds } = await start(
      [...nodeOptions, 'bench/candidates/ceiling.ts'],
      { UPSTREAM: upstreamUrl },
      ready,
    )
    return { name: '', url: new URL(path, found).href, headers: {}, pids: [pid], startMs: milliseconds }
  }

  const router = async (name: RouterName): Promise<Candidate> => {
    const fleet = await ourSubgraphs()
    const { pid, found, milliseconds } = await startRouter(name, {
      supergraph: scopeFreeText(fleet),
      subgraphs: scopeFreeSubgraphs(fleet),
      proof: { name: 'router-authorization', value: `Bearer ${secret}` },
      // Q1 to Q6 differ from request to request, so that no candidate wins by chance.
      shares: false,
    })
    return { name: '', url: found, headers: {}, pids: [pid, ...fleet.pids], startMs: milliseconds }
  }

  const starters: Readonly<Record<CandidateName, () => Promise<Candidate>>> = {
    ceiling: () => byHand('/graphql'),
    'graphql-js': () => byHand('/graphql-js'),
    tessera: () => tessera(ours, serving),
    'tessera-sharing': () => tessera(ours, { ...serving, TESSERA_SHARE_CALLS: 'true' }),
    async 'tessera-http'() {
      const { pids, urls } = await ourSubgraphs()
      const env: Record<string, string> = { ...serving, TESSERA_SUBGRAPH_SECRET: secret }
      for (const [name, url] of urls) env[`TESSERA_${name.toUpperCase()}_SUBGRAPH_URL`] = url
      return tessera(ours, env, graph, pids)
    },
    'tessera-apollo': () => tessera([...nodeOptions, 'bench/candidates/tessera-apollo.ts'], serving, ready),
    'apollo-gateway': () => peer('apollo-gateway.ts', ourSubgraphs),
    'apollo-stack': () => peer('apollo-gateway.ts', apolloSubgraphs),
    'hive-gateway': () => peer('hive-gateway.ts', ourSubgraphs),
    'hive-stack': () => peer('hive-gateway.ts', apolloSubgraphs),
    'hive-router': () => router('hive-router'),
    cosmo: () => router('cosmo'),
    'apollo-router': () => router('apollo-router'),
    async mercurius() {
      const script = 'bench/candidates/mercurius.ts'
      const parts: Started[] = []
      const urls: { name: string; url: string }[] = []
      for (const name of serviceNames) {
        const part = await start([script, name], { UPSTREAM: upstreamUrl }, ready)
        parts.push(part)
        urls.push({ name, url: part.found })
      }
      const { pid, found, milliseconds } = await start([script], { SERVICES: JSON.stringify(urls) }, ready)
      const pids = [pid, ...parts.map((part) => part.pid)]
      return { name: '', url: found, headers: {}, pids, startMs: milliseconds }
    },
  }
  return { start: async (name) => ({ ...(await starters[name]()), name }) }
}
