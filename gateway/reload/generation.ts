/**
 * One generation of the graph: a supergraph with its engine, its transports and its prepared operations. It serves
 * until another one takes over. Work that it has begun ends on it, and after that its connections are closed.
 */
import { hash } from 'node:crypto'
import { type Assembly, assemble } from '../assemble.ts'
import {
  createGraphqlOverHttp,
  createResponseHead,
  type GraphqlOverHttpOptions,
} from '../graphql-http/graphql-over-http.ts'
import type { McpGraph } from '../mcp/index.ts'
import type { GatewayOptions } from '../options.ts'
import { observingFrom } from '../pipeline/from-config.ts'
import type { Observing } from '../pipeline/index.ts'
import type { ProcessResources } from '../process-resources.ts'
import type { ServedGraph, Subscriptions } from '../subscriptions/index.ts'
import { SubscriptionResponses } from '../subscriptions/responses.ts'
import type { EventStreams } from '../subscriptions/single-connection.ts'
import { createStartOperation } from '../subscriptions/start-operation.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import { coordinatesOf, type Usage } from '../telemetry/usage/index.ts'

export type Generation = ReturnType<typeof createGeneration>

/** The schema elements of an operation, computed when a client first requests it. */
function usedBy(usage: Usage | undefined, assembly: () => Assembly): Observing['used'] {
  if (usage === undefined) return undefined
  return (operation, client) =>
    usage.count(operation, client, () => coordinatesOf(operation.document, operation.name, assembly().schema))
}

export interface GenerationOptions {
  readonly number: number
  readonly options: GatewayOptions
  readonly resources: ProcessResources
  readonly traces: Traces | undefined
  readonly usage: Usage | undefined
  readonly challengeHead: GraphqlOverHttpOptions['challengeHead']
  /** Subscriptions and streams outlive generations. */
  readonly subscriptions: Subscriptions
  readonly streams: EventStreams
}

/** Throws if the supergraph cannot be served, or a subgraph has no address. */
export function createGeneration(given: GenerationOptions) {
  const { number, options, resources, traces } = given
  const { config } = options
  const httpProfile = config.http.profile
  let underWay = 0
  let whenQuiet: (() => void) | undefined
  const begun = (): void => {
    underWay += 1
  }
  const ended = (): void => {
    underWay -= 1
    if (underWay === 0) whenQuiet?.()
  }
  const assembly: Assembly = assemble(options, resources, {
    traces,
    observing: { ...observingFrom(config), used: usedBy(given.usage, () => assembly) },
    underWay: { begin: begun, end: ended },
  })
  const { authenticator, documents, operations, inFlight, pipeline, pricing, persisted, log } = assembly
  const timeoutMs = config.calls.requestTimeoutMs
  const served: ServedGraph = {
    documents,
    operations,
    inFlight,
    events: { pricing, demand: assembly.demand, timeoutMs, hooks: assembly.hooks, log, traces },
    hold() {
      begun()
      return ended
    },
  }
  const { subscriptions, streams } = given
  const startOperation = createStartOperation({ pipeline, subscriptions, graph: served })
  const agents: McpGraph = {
    schema: assembly.schema,
    isOwn: options.supergraph === undefined,
    showsSchema: config.graphql.introspection,
    manifest: persisted.kind === 'trusted' ? persisted.manifest : undefined,
    prepare: async (text, operationName) => operations.prepare(text, operationName, Number.POSITIVE_INFINITY),
    units: (operation, variables) => pricing.units({ operation, allowed: operation.normalised }, variables),
    run: pipeline,
    startOperation,
    hold: served.hold,
  }
  const heads = { nonce: authenticator.nonce, challengeHead: given.challengeHead }
  const headOf = createResponseHead(heads)
  const respond = createGraphqlOverHttp({
    mostIncrementalBytes: config.limits.responseBytes,
    pipeline,
    maxBatch: config.limits.batch,
    page: config.explorer.mode !== 'off',
    ...heads,
    ...{ log, httpProfile, callerHeaders: assembly.varyingHeaders },
    events: new SubscriptionResponses({
      ...{ startOperation, streams, authenticator, headOf, log, documents, httpProfile },
      settings: config.subscriptions,
    }),
  })
  return {
    /** Counts from 1. */
    number,
    /** The beginning of the SHA-256 of the supergraph's SDL: equal on all replicas that serve the same one. */
    hash: hash('sha256', assembly.supergraph.sdl, 'hex').slice(0, 16),
    since: new Date(),
    config,
    assembly,
    respond,
    startOperation,
    /** The graph in the form for agents. */
    agents,
    /** For subscriptions that began in another generation. */
    served,
    /** Closes it when its work has ended. */
    async retire(): Promise<void> {
      if (underWay > 0) await new Promise<void>((resolve) => (whenQuiet = resolve))
      await assembly.close()
    },
  }
}
