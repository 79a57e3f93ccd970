/**
 * `npm run bench -- --federated`: gateways over four plain subgraphs, as in public comparisons. Each takes turns
 * with a server that only writes the same response from one buffer (`bare`), which is the upper bound of
 * `node:http`.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { dataOf } from '../answers.ts'
import type { LoadResult, LoadTask } from '../load.ts'
import { median } from '../median.ts'
import { bodyOf, type Operation } from '../operations.ts'
import { start, startWorker } from '../processes.ts'
import { type Figures, table } from '../report.ts'
import { type RouterName, type RouterSetting, routerNames, startRouter } from '../routers.ts'
import { type Comparison, compareInTurns } from '../turns.ts'
import { subgraphsAt, supergraphAt } from './graph.ts'
import { federatedOperations } from './operations.ts'

export const federatedNames = [
  'tessera',
  'tessera-apart',
  'hive-router',
  'hive-router-apart',
  'cosmo',
  'apollo-router',
  'hive-gateway',
  'apollo-gateway',
] as const
export type FederatedName = (typeof federatedNames)[number]

const descriptions: Readonly<Record<FederatedName, string>> = {
  tessera: '`tessera serve --supergraph`; equal work under way is done once',
  'tessera-apart': 'the same with TESSERA_SHARE_EQUAL=false',
  'hive-router': 'Hive Router, which does equal work under way once',
  'hive-router-apart': 'the same without that',
  cosmo: 'Cosmo Router, as it comes',
  'apollo-router': 'Apollo Router with `deduplicate_query`',
  'hive-gateway': 'Hive Gateway with its native planner',
  'apollo-gateway': '@apollo/gateway in Apollo Server',
}

interface Server {
  readonly url: string
  readonly pids: readonly number[]
}

export interface FederatedOptions {
  readonly rounds: number
  readonly seconds: number
  readonly candidates: readonly FederatedName[]
  readonly machine: string
}

export async function compareFederated(options: FederatedOptions): Promise<string> {
  const services = startWorker('./federated/services.ts')
  const { url: origin } = await services.hear<{ url: string }>()
  const clients = startWorker('./load.ts')
  const supergraph = supergraphAt(origin)
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'))
  const file = join(folder, 'supergraph.graphql')
  writeFileSync(file, supergraph)

  const absent: string[] = []
  const servers = new Map<FederatedName, Server>()
  for (const name of options.candidates) {
    try {
      servers.set(name, await startCandidate(name, file, { supergraph, subgraphs: subgraphsAt(origin) }))
      console.log(`started ${name}`)
    } catch (error) {
      absent.push(`- ${name} did not start: ${messageOf(error).slice(0, 300)}`)
    }
  }
  const bareFor = await startBare(folder, servers)
  const load = (server: Server, operation: Operation, seconds: number, from: number): Promise<LoadResult> => {
    const task: LoadTask = { url: server.url, headers: {}, operation: operation.name, seconds, from }
    return clients.ask<LoadResult>({ ...task })
  }

  const comparisons = new Map<string, Comparison[]>()
  const wrong: string[] = []
  for (const operation of federatedOperations) {
    const bare = await bareFor(operation)
    const expected = dataOf(await answerOf(bare, operation, 0))
    for (const [name, server] of servers) {
      if (dataOf(await answerOf(server, operation, 0)) !== expected) {
        wrong.push(`- ${name} answers ${operation.name} otherwise than the first`)
        servers.delete(name)
        continue
      }
      for (let pass = 0; pass < 3; pass++) await load(server, operation, 1, pass * 1000)
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const [name, server] of servers) {
        const comparison = await compareInTurns(bare, server, options.seconds, (one, seconds) =>
          load(one, operation, seconds, round * 5000),
        )
        const key = `${name} ${operation.name}`
        comparisons.set(key, [...(comparisons.get(key) ?? []), comparison])
        if (comparison.candidate.failures > 0)
          wrong.push(
            `- ${key}: ${comparison.candidate.failures} failures: ${comparison.candidate.firstFailure ?? ''}`,
          )
      }
      console.log(`${operation.name}: round ${round + 1} of ${options.rounds}`)
    }
  }

  const parts = [
    '# Gateways over four plain subgraphs',
    `${new Date().toISOString().slice(0, 10)}. ${options.machine}. ${options.rounds} rounds of ${options.seconds} s, in which each gateway and \`bare\` take turns; medians. Clients, subgraphs and gateways share the machine. CPU is the gateway's alone.`,
  ]
  for (const { name: operation, what } of federatedOperations) {
    const rows = [...servers.keys()].map((name) => rowOf(name, comparisons.get(`${name} ${operation}`) ?? []))
    const bare = options.candidates.flatMap((name) =>
      (comparisons.get(`${name} ${operation}`) ?? []).map(
        ({ ceiling }): Comparison => ({ ceiling, candidate: ceiling }),
      ),
    )
    parts.push(`## ${operation}: ${what}`)
    parts.push(
      table(
        ['gateway', 'req/s', 'of bare', 'p50 ms', 'p99 ms', 'CPU µs', 'of bare'],
        [rowOf('bare', bare), ...rows],
      ),
    )
  }
  const missing = [...absent, ...new Set(wrong)]
  if (missing.length > 0) parts.push('## Not measured', missing.join('\n'))
  parts.push(
    '## Candidates',
    [
      '- bare: a `node:http` server that writes this response from one buffer',
      ...options.candidates.map((name) => `- ${name}: ${descriptions[name]}`),
    ].join('\n'),
  )
  return `${parts.join('\n\n')}\n`
}

/** `file` contains the supergraph. */
async function startCandidate(
  name: FederatedName,
  file: string,
  graph: Pick<RouterSetting, 'supergraph' | 'subgraphs'>,
): Promise<Server> {
  const isApart = name.endsWith('-apart')
  const router = name.replace(/-apart$/, '')
  if (isRouter(router)) {
    const { pid, found } = await startRouter(router, { ...graph, shares: !isApart })
    return { url: found, pids: [pid] }
  }
  const { pid, found } =
    router === 'tessera'
      ? await start(
          ['gateway/main.ts', 'serve', '--supergraph', file, '--port', '0'],
          {
            TESSERA_LOG_LEVEL: 'error',
            // A closed loop of more clients than a busy machine can serve in time. The other candidates do not shed
            // load here.
            TESSERA_MAX_WAIT_MS: '0',
            TESSERA_SHARE_EQUAL: String(!isApart),
          },
          /graph +(http\S+)/,
        )
      : await start([`bench/candidates/${router}.ts`], { SUPERGRAPH: file }, /ready (http\S+)/)
  return { url: found, pids: [pid] }
}

const isRouter = (name: string): name is RouterName => routerNames.some((router) => router === name)

/** A bare server for each operation, with the response of the candidate that started first. */
async function startBare(
  folder: string,
  servers: ReadonlyMap<FederatedName, Server>,
): Promise<(operation: Operation) => Promise<Server>> {
  const [first] = servers.values()
  if (first === undefined) throw new Error('no candidate started')
  return async (operation) => {
    const answer = join(folder, `${operation.name}.json`)
    writeFileSync(answer, await answerOf(first, operation, 0))
    const { pid, found } = await start(['bench/federated/bare.ts'], { ANSWER: answer }, /ready (http\S+)/)
    return { url: found, pids: [pid] }
  }
}

async function answerOf({ url }: Server, operation: Operation, index: number): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: bodyOf(operation, index),
    signal: AbortSignal.timeout(30_000),
  })
  return response.text()
}

function rowOf(name: string, comparisons: readonly Comparison[]): readonly string[] {
  const of = (figure: keyof Figures): number =>
    median(comparisons.map(({ candidate }) => candidate.figures[figure]))
  const ratio = (figure: keyof Figures): number =>
    median(comparisons.map(({ candidate, ceiling }) => candidate.figures[figure] / ceiling.figures[figure]))
  return [
    name,
    of('rps').toFixed(0),
    ratio('rps').toFixed(2),
    of('p50').toFixed(1),
    of('p99').toFixed(1),
    of('cpu').toFixed(0),
    ratio('cpu').toFixed(2),
  ]
}
