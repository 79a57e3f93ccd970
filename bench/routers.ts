/**
 * Routers by others, as binaries. Each runs if an environment variable names its binary; otherwise it is listed as
 * absent. They listen on the loopback interface, and their telemetry is off.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lastingPort } from '../test/support/port.ts'
import { type Started, startProgram } from './processes.ts'

export const routerNames = ['hive-router', 'cosmo', 'apollo-router'] as const
export type RouterName = (typeof routerNames)[number]

const binaries: Readonly<Record<RouterName, string>> = {
  'hive-router': 'TESSERA_BENCH_HIVE_ROUTER',
  cosmo: 'TESSERA_BENCH_COSMO',
  'apollo-router': 'TESSERA_BENCH_APOLLO_ROUTER',
}

/** One subgraph of the supergraph that a router serves. */
export interface RoutedSubgraph {
  readonly name: string
  readonly url: string
  readonly typeDefs: string
}

export interface RouterSetting {
  readonly supergraph: string
  /** The sources of the supergraph, because Cosmo needs the output of its own composer. */
  readonly subgraphs: readonly RoutedSubgraph[]
  /** A header of every request to a subgraph. */
  readonly proof?: { readonly name: string; readonly value: string }
  /** Whether it runs equal work once at the same time, if that can be configured. */
  readonly shares: boolean
}

/** Throws an Error for the report if there is no binary. */
export async function startRouter(name: RouterName, setting: RouterSetting): Promise<Started> {
  const binary = givenPath(binaries[name])
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-router-'))
  const write = (file: string, text: string): string => {
    const path = join(folder, file)
    writeFileSync(path, text)
    return path
  }
  const port = await lastingPort()
  const url = `http://127.0.0.1:${port}/graphql`
  const supergraph = write('supergraph.graphql', setting.supergraph)
  const program = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Started> =>
    startProgram({ command: binary, args, env, cwd: folder, url })
  switch (name) {
    case 'hive-router': {
      const file = write('router.config.yaml', JSON.stringify(hiveConfig(supergraph, port, setting)))
      return program([], { ROUTER_CONFIG_FILE_PATH: file, RUST_LOG: 'error' })
    }
    case 'apollo-router': {
      const file = write('router.yaml', JSON.stringify(apolloConfig(port, setting)))
      return program(['--supergraph', supergraph, '--config', file], {
        APOLLO_TELEMETRY_DISABLED: 'true',
        APOLLO_ROUTER_LOG: 'error',
      })
    }
    case 'cosmo': {
      const file = write('cosmo.yaml', JSON.stringify(cosmoConfig(setting)))
      const graph = write('graph.yaml', JSON.stringify(cosmoGraph(setting, write)))
      const composed = join(folder, 'cosmo.json')
      composeForCosmo(graph, composed)
      return program([], {
        LOG_LEVEL: 'fatal',
        LISTEN_ADDR: `127.0.0.1:${port}`,
        TRACING_ENABLED: 'false',
        METRICS_ENABLED: 'false',
        METRICS_OTLP_ENABLED: 'false',
        GRAPHQL_METRICS_ENABLED: 'false',
        PROMETHEUS_ENABLED: 'false',
        CONFIG_PATH: file,
        ENGINE_ENABLE_SINGLE_FLIGHT: String(setting.shares),
        ROUTER_CONFIG_PATH: composed,
      })
    }
  }
}

function givenPath(variable: string): string {
  const path = process.env[variable]
  if (path === undefined || path === '') throw new Error(`${variable} names no file`)
  if (!existsSync(path)) throw new Error(`${variable} names a file that is not there`)
  return resolve(path)
}

function hiveConfig(supergraph: string, port: number, { proof, shares }: RouterSetting): object {
  return {
    supergraph: { source: 'file', path: supergraph },
    http: { host: '127.0.0.1', port },
    log: { level: 'error' },
    traffic_shaping: {
      router: { dedupe: { enabled: shares } },
      all: { dedupe_enabled: shares },
    },
    ...(proof === undefined
      ? {}
      : { headers: { all: { request: [{ insert: { name: proof.name, value: proof.value } }] } } }),
  }
}

function apolloConfig(port: number, { proof, shares }: RouterSetting): object {
  return {
    supergraph: { listen: `127.0.0.1:${port}`, path: '/graphql' },
    traffic_shaping: { all: { deduplicate_query: shares } },
    ...(proof === undefined ? {} : { headers: { all: { request: [{ insert: proof }] } } }),
  }
}

function cosmoConfig({ proof }: RouterSetting): object {
  return {
    version: '1',
    ...(proof === undefined ? {} : { headers: { all: { request: [{ op: 'set', ...proof }] } } }),
  }
}

/** The input of Cosmo's composer. JSON is valid YAML. */
function cosmoGraph({ subgraphs }: RouterSetting, write: (file: string, text: string) => string): object {
  return {
    version: 1,
    subgraphs: subgraphs.map(({ name, url, typeDefs }) => ({
      name,
      routing_url: url,
      schema: { file: write(`${name}.graphql`, typeDefs) },
    })),
  }
}

/** Runs `wgc router compose`, from the package `wgc`. */
function composeForCosmo(graph: string, out: string): void {
  const composer = givenPath('TESSERA_BENCH_COSMO_COMPOSER')
  execFileSync(process.execPath, [composer, 'router', 'compose', '-i', graph, '-o', out], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
}
