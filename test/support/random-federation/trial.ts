/**
 * The engine over a random graph, through its public surface, one operation after the other. Subgraphs are asked as
 * over the wire, operations as text that is parsed and validated and answers as JSON, or really over HTTP.
 */
import { type ExecutionResult, parse } from 'graphql'
import { createEngine, type Engine, responseBody } from '../../../engine/index.ts'
import { createHttpTransport, type SubgraphResult, type Transport } from '../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../federation.ts'
import { type HttpSubgraph, operationIn, serveSubgraph } from '../http-subgraph.ts'
import type { RandomOperation } from '../random-operation.ts'
import { textOf } from '../sent-json.ts'
import type { RandomGraph } from './graph.ts'
import {
  type Answer,
  answerFrom,
  type Finding,
  judgeData,
  judgeErrors,
  rightAnswer,
  type TrialFaults,
} from './judge.ts'
import { faultsOf, type WorldSubgraph } from './subgraph.ts'
import { canonical } from './values.ts'

/** What the subgraphs do during one operation, and what is done to them. */
interface Setting {
  faults: TrialFaults
  order: string[]
}

/** A request with so much time that a busy machine makes no difference, neither to the plan nor to the answer. */
const unhurried = () => testGatewayRequest({ timeoutMs: 3_600_000 })

export interface Trial extends AsyncDisposable {
  readonly graph: RandomGraph
  readonly engine: Engine
  /** Undefined if the engine is right. Does not reject. */
  run(operation: RandomOperation, faults?: TrialFaults): Promise<Finding | undefined>
  /** What goes wrong if the engine is used without `run`. */
  setFaults(faults: TrialFaults): void
}

/** Puts something around the transports of a graph. */
export type AroundTransports = (graph: RandomGraph) => (transport: Transport) => Transport

export async function startTrial(
  graph: RandomGraph,
  way: 'in process' | 'over HTTP' = 'in process',
  around?: AroundTransports,
): Promise<Trial> {
  const setting: Setting = { faults: {}, order: [] }
  const servers: HttpSubgraph[] = []
  const transports = new Map<string, Transport>()
  for (const subgraph of graph.subgraphs.values()) {
    const { name } = subgraph
    if (way === 'over HTTP') {
      const server = await serve(subgraph, setting)
      servers.push(server)
      transports.set(name, createHttpTransport({ name, url: server.url }))
    } else transports.set(name, createTransport(subgraph, setting))
  }
  const placed = around?.(graph)
  if (placed !== undefined)
    for (const [name, transport] of transports) transports.set(name, placed(transport))
  const engine = createEngine({ supergraph: graph.supergraph, transports, absentNodes: false })

  const attempt = async (
    operation: RandomOperation,
  ): Promise<{ readonly got: Answer; readonly order: readonly string[]; readonly json: Answer }> => {
    const { variables } = operation
    setting.order = []
    const compiled = engine.compile({ document: parse(operation.query) })
    const result = await compiled.execute(variables, unhurried())
    const { order } = setting
    setting.order = []
    const body = textOf(responseBody(await compiled.executeToJson(variables, unhurried())))
    return { got: answerFrom(result), order, json: answerFrom(JSON.parse(body) as Answer) }
  }

  return {
    graph,
    engine,
    setFaults(faults) {
      setting.faults = faults
    },
    async run(operation, faults = {}) {
      setting.faults = faults
      const document = parse(operation.query)
      const { variables } = operation
      try {
        const { got, order, json } = await attempt(operation)
        const expected = await rightAnswer(graph, document, variables, faults)
        const found =
          judgeData(got, expected, faults) ??
          (await judgeErrors(graph, document, variables, got, expected, faults))
        if (found !== undefined) return found
        // If a mutation that must not be null fails, the specification leaves open whether later ones still run.
        const ran = expected.data === null ? order.slice(0, expected.order.length) : order
        if (faults.away === undefined && canonical(ran) !== canonical(expected.order))
          return { fault: 'other order', message: 'of mutations', got: order, expected: expected.order }
        if (canonical(json.data) !== canonical(got.data) || json.errors.length !== got.errors.length)
          return {
            fault: 'other JSON',
            message: 'where the answer is made as JSON',
            got: json,
            expected: got,
          }
        return undefined
      } catch (error) {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
        return { fault: 'refused', message, got: undefined, expected: undefined }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const transport of transports.values()) await transport.close()
      for (const server of servers) await server[Symbol.asyncDispose]()
    },
  }
}

function ask(
  subgraph: WorldSubgraph,
  setting: Setting,
  text: string,
): (variables: Readonly<Record<string, unknown>>) => Promise<ExecutionResult> {
  const document = parse(text)
  const errors = faultsOf(subgraph, document)
  return async (variables) =>
    errors.length > 0
      ? { errors }
      : subgraph.execute(document, variables, {
          faults: setting.faults,
          mutated: (field, given) => setting.order.push(`${field}${canonical(given)}`),
        })
}

const asSent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

function createTransport(subgraph: WorldSubgraph, setting: Setting): Transport {
  const { name } = subgraph
  return {
    name,
    prepare({ text }) {
      const run = ask(subgraph, setting, text)
      return async (variables) =>
        setting.faults.away?.has(name) === true
          ? { data: null, errors: [{ message: `${name} is away` }] }
          : (asSent(await run(asSent(variables))) as SubgraphResult)
    },
    close: () => Promise.resolve(),
  }
}

async function serve(subgraph: WorldSubgraph, setting: Setting): Promise<HttpSubgraph> {
  const served = await serveSubgraph(async (asked, response) => {
    if (setting.faults.away?.has(subgraph.name) === true) {
      response.destroy()
      return undefined
    }
    const { query, variables = {} } = operationIn(asked)
    return ask(subgraph, setting, query)(variables)
  })
  // Idle connections stay open: on a busy machine one would be closed in the moment in which it is used again.
  served.server.keepAliveTimeout = 0
  return served
}
