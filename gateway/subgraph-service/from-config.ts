/**
 * The graph of a subgraph service, as the configuration says: the gateway's pipeline and subscriptions over an engine for
 * this subgraph only. The gateway in front enforces limits, prices and, by default, scopes.
 */
import { createCacheMemory } from '../../engine/cache-memory.ts'
import { routerHeader } from '../../shared/http/signature.ts'
import { unchecked } from '../../shared/identity.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { openAuthorizer } from '../auth/authorize/index.ts'
import type { Config } from '../config/index.ts'
import type { Limits } from '../costs/limits/index.ts'
import { createGraphqlOverHttp, createResponseHead } from '../graphql-http/graphql-over-http.ts'
import { createPipeline, type Report } from '../pipeline/index.ts'
import { Operations } from '../pipeline/operations.ts'
import { createDocumentReader, createDocumentStore } from '../pipeline/persisted/index.ts'
import { PreparationQueue } from '../pipeline/preparation-queue.ts'
import { statusOf } from '../pipeline/result-status.ts'
import { memoryStores } from '../stores/index.ts'
import { SubscriptionResponses } from '../subscriptions/responses.ts'
import { createStartOperation } from '../subscriptions/start-operation.ts'
import { SubscriptionServer } from '../subscriptions/subscription-server.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import { createSubgraphEngine } from './engine.ts'

/** If callers are not checked here, the gateway in front has checked them. */
const checkedBefore: Authenticator = { authenticate: () => unchecked, close: () => Promise.resolve() }

/**
 * The levels that a gateway's fetch adds around the client's selection: `_entities`, its representations and their
 * type.
 */
const fetchNesting = 8
/** Rounds long numbers: representations have those of other subgraphs, which must not fail the whole fetch. */
const parse = JSON.parse
const mostKeptBytes = 100_000_000

interface SubgraphGraphParts {
  readonly subgraph: Subgraph
  /** Checks callers; undefined if the gateway in front has checked them. */
  readonly authenticator?: Authenticator | undefined
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
}

export function subgraphGraphFrom(
  config: Config,
  { subgraph, metrics, log, traces, authenticator = checkedBefore }: SubgraphGraphParts,
) {
  const { requestTimeoutMs: timeoutMs } = config.calls
  const { profile: httpProfile } = config.http
  const engine = createSubgraphEngine(subgraph, log)
  const limits = limitsWith(config.limits.nesting + fetchNesting)
  const operations = new Operations({
    ...{ apiSchema: subgraph.schema, engine, authorizer: openAuthorizer, limits, introspection: true },
    kept: createCacheMemory(mostKeptBytes, config.kept.operations),
    preparations: new PreparationQueue(config.limits.preparing),
    onLookup: metrics.operationCache,
  })
  const documents = createDocumentReader({ kind: 'automatic', store: createDocumentStore(memoryStores) })
  const report: Report = ({ codes, status, span }, milliseconds) => {
    metrics.request({ operationName: undefined, status, milliseconds, codes })
    span?.rename(subgraph.name)
    span?.set({ 'http.response.status_code': status })
  }
  const pipeline = createPipeline({
    ...{ authenticator, documents, operations, limits, timeoutMs, metrics, traces, log, report, httpProfile },
    // Routers treat a failure status as a failure of HTTP, and ignore the result.
    statusOf: (result, type, profile) =>
      result.data === undefined || profile === '2026' ? statusOf(result, type, profile) : 200,
  })
  const subscriptionServer = new SubscriptionServer(
    { ...config.subscriptions, mostOfCaller: Number.POSITIVE_INFINITY },
    { maxMessageBytes: config.limits.bodyBytes, parse, metrics, log },
  )
  const { subscriptions } = subscriptionServer
  const events = { timeoutMs, log, traces }
  const inFlight = { callerHeaders: () => undefined }
  const graph = { documents, operations, inFlight, events, hold: () => () => {} }
  const startOperation = createStartOperation({ pipeline, subscriptions, graph })
  const heads = { challengeHead: () => [] }
  const headOf = createResponseHead(heads)
  const respond = createGraphqlOverHttp({
    ...{ pipeline, maxBatch: 0, page: false, log, httpProfile, parse, ...heads },
    events: new SubscriptionResponses({
      startOperation,
      settings: config.subscriptions,
      authenticator,
      log,
      documents,
      headOf,
      httpProfile,
      parse,
      // Other routers take a failure status for a failure of HTTP, and tell their clients nothing of its body.
      refusesByEvent: ({ headers }) => headers[routerHeader] !== undefined,
    }),
  })
  const close = (): Promise<void> => {
    subscriptionServer.close()
    return engine.close()
  }
  return { pipeline, respond, startOperation, subscriptionServer, authenticator, close }
}

/** The gateway enforces the other limits: its lists of representations are longer than what a client may send. */
function limitsWith(nesting: number): Limits {
  const none = Number.POSITIVE_INFINITY
  return {
    nesting,
    ...{ tokens: none, depth: none, aliases: none, rootFields: none, directives: none },
    ...{ fields: none, listItems: none, values: none },
  }
}
