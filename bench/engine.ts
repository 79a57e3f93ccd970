/**
 * `npm run bench -- --engine`: the time of the engine alone for the query of the federated comparison, over
 * subgraph responses in memory, without sockets, HTTP or other processes. The first figure is the shortest time of
 * many, which depends little on the load of the machine.
 */
import { createRequire } from 'node:module'
import type { GraphQLSchema } from 'graphql'
import { createEngine } from '../engine/index.ts'
import { createGatewayRequest } from '../engine/request.ts'
import type { SubgraphResult, Transport } from '../engine/subgraphs/index.ts'
import { loadSupergraph } from '../engine/supergraph/index.ts'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  createSubgraphCaching,
} from '../gateway/response-cache/index.ts'
import { parseExactly } from '../shared/json/exact-number.ts'
import { link, services, supergraphAt } from './federated/graph.ts'
import { federatedOperations } from './federated/operations.ts'
import { table } from './report.ts'

// The product's own copy, because the benchmark's packages bring another graphql.
const ofProduct = createRequire(new URL('../package.json', import.meta.url))
const { buildSubgraphSchema } = ofProduct('@apollo/subgraph') as typeof import('@apollo/subgraph')
const { execute, parse } = ofProduct('graphql') as typeof import('graphql')

/**
 * With the response cache: not configured, configured for no subgraph, enabled if nothing is cacheable, and
 * enabled.
 */
const cacheWays = ['off', 'for no subgraph', 'nothing may be kept', 'on'] as const

const rounds = 60
const inTurn = 25
/** Runs before each turn, without being measured. */
const leadIn = 5
const warmUp = 2000

/** Returns the table as Markdown. */
export async function measureEngine(machine: string): Promise<string> {
  const transports = new Map(
    Object.entries(services).map(([name, { sdl, resolvers }]) => [
      name,
      remembered(name, buildSubgraphSchema([{ typeDefs: parse(link + sdl), resolvers }])),
    ]),
  )
  const supergraph = loadSupergraph(supergraphAt('http://127.0.0.1:9'))
  const [operation] = federatedOperations
  if (operation === undefined) throw new Error('the federated comparison has no operation')
  const { operationName, text } = operation
  const compiled = createEngine({ supergraph, transports }).compile({ document: parse(text), operationName })
  const once = async (): Promise<void> => {
    const deadline = performance.now() + 60_000
    const request = createGatewayRequest({ id: 'bench', deadline, header: () => undefined })
    const { data, errors } = await compiled.executeToJson({}, request)
    if (data == null || errors !== undefined) throw new Error('the query was not answered')
  }
  for (let n = 0; n < warmUp; n++) await once()
  const times: number[] = []
  for (let n = 0; n < rounds * inTurn; n++) {
    const began = performance.now()
    await once()
    times.push((performance.now() - began) * 1000)
  }
  times.sort((a, b) => a - b)
  const part = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(0)
  const cacheTable = await measureCache(transports, supergraph)
  return `${[
    '# The engine alone',
    `${machine}. ${operation.what}: from subgraph responses in memory to the JSON of the response, without HTTP. Microseconds, ${rounds * inTurn} executions.`,
    table(['least', 'a tenth', 'half'], [[part(0), part(0.1), part(0.5)]]),
    cacheTable,
  ].join('\n\n')}\n`
}

/** The same with the response cache: its cost if it is disabled, and its gain, each as a ratio to `off`. */
async function measureCache(
  transports: ReadonlyMap<string, Transport>,
  supergraph: ReturnType<typeof loadSupergraph>,
): Promise<string> {
  const [operation] = federatedOperations
  if (operation === undefined) throw new Error('the federated comparison has no operation')
  const ways = cacheWays.map((way) => {
    const keep =
      way === 'off'
        ? undefined
        : createSubgraphCaching({
            cache: createResponseCache(createMemoryStore(256_000_000, Date.now), createChanges()),
            supergraph,
            rulesFor: () =>
              way === 'for no subgraph'
                ? undefined
                : {
                    freshMs: way === 'on' ? 3_600_000 : undefined,
                    revalidateMs: 0,
                    errorMs: 0,
                    quotaMs: 0,
                  },
            addressOf: (name) => name,
            timeoutMs: 60_000,
            count: () => {},
          })
    const around = new Map(
      [...transports].map(([name, transport]) => [
        name,
        keep === undefined ? transport : keep({ ...transport, callerHeaders: [] }),
      ]),
    )
    const compiled = createEngine({ supergraph, transports: around }).compile({
      document: parse(operation.text),
      operationName: operation.operationName,
    })
    return async (): Promise<void> => {
      const deadline = performance.now() + 60_000
      const request = createGatewayRequest({ id: 'bench', deadline, header: () => undefined })
      const { data, errors } = await compiled.executeToJson({}, request)
      if (data == null || errors !== undefined) throw new Error('the query was not answered')
    }
  })
  const times = ways.map(() => [] as number[])
  for (const once of ways) for (let n = 0; n < warmUp / 4; n++) await once()
  for (let round = 0; round < rounds; round++)
    for (const [at, once] of ways.entries()) {
      for (let n = 0; n < leadIn; n++) await once()
      for (let n = 0; n < inTurn; n++) {
        const began = performance.now()
        await once()
        times[at]?.push((performance.now() - began) * 1000)
      }
    }
  const parts = times.map((each) => {
    const sorted = each.sort((a, b) => a - b)
    return [0, 0.1, 0.5].map((share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  })
  const rows = parts.map((own, at) => [
    cacheWays[at] ?? '',
    ...own.map((time, n) => `${time.toFixed(0)} (${(time / (parts[0]?.[n] ?? Number.NaN)).toFixed(2)})`),
  ])
  return `The same with the response cache; in brackets the ratio to that without it.\n\n${table(['cache', 'least', 'a tenth', 'half'], rows)}`
}

/** A subgraph that executes each fetch once and then returns the same bytes again. */
function remembered(name: string, schema: GraphQLSchema): Transport {
  const known = new Map<string, Buffer>()
  return {
    name,
    prepare:
      ({ text }) =>
      async (variables) => {
        const key = text + JSON.stringify(variables)
        let body = known.get(key)
        if (body === undefined) {
          const answer = await execute({ schema, document: parse(text), variableValues: variables })
          body = Buffer.from(JSON.stringify(answer))
          known.set(key, body)
        }
        return parseExactly(body.toString('utf8')) as SubgraphResult
      },
    async close() {},
  }
}
