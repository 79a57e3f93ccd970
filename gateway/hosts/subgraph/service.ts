/** Assembles a subgraph service: the gateway's own server and pipeline, over an engine for one subgraph. */
import type { IncomingMessage } from 'node:http'
import { createKeptMemory } from '../../../engine/kept-memory.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { forwardedHeaders, routerHeader, signatureHeader } from '../../../shared/http/signature.ts'
import { unchecked } from '../../../shared/identity.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import type { Authenticator } from '../../auth/authenticate/index.ts'
import { openAuthorizer } from '../../auth/authorize/index.ts'
import type { Limits } from '../../costs/limits/index.ts'
import { createGraphqlOverHttp, createResponseHead } from '../../graphql-http/graphql-over-http.ts'
import { createWatchedGate } from '../../overload/index.ts'
import { createPipeline, type Report } from '../../pipeline/index.ts'
import { createOperations } from '../../pipeline/operations.ts'
import { createDocumentReader, createDocumentStore } from '../../pipeline/persisted/index.ts'
import { createPreparations } from '../../pipeline/preparation.ts'
import { statusOf } from '../../pipeline/result-status.ts'
import { createHttpServer, type Serving } from '../../server/index.ts'
import { uploadRoute } from '../../server/uploads.ts'
import { memoryStores } from '../../stores/index.ts'
import { createBegin } from '../../subscriptions/begin.ts'
import { createEventResponses } from '../../subscriptions/responses.ts'
import { createSubscriptionServer } from '../../subscriptions/subscription-server.ts'
import { measureStates, type ServiceState, serviceState } from '../../telemetry/health.ts'
import { createAdmission } from './admission.ts'
import { createSubgraphEngine } from './engine.ts'
import type { ServeFramed } from './framed.ts'
import { guardSubgraph } from './guard.ts'
import type { SubgraphServiceOptions } from './service-options.ts'

export interface SubgraphService {
  readonly url: string
  /**
   * Sets `ready` to false and continues to respond for `delayMs`; then lets running requests finish within `graceMs`,
   * and closes everything.
   */
  stop(graceMs: number, delayMs?: number): Promise<void>
}

/** If callers are not checked here, the gateway in front has checked them. */
const checkedBefore: Authenticator = { authenticate: () => unchecked, close: () => Promise.resolve() }

/**
 * The levels that a gateway's fetch adds around the client's selection: `_entities`, its representations and their
 * type.
 */
const fetchNesting = 8
/** The most bytes of prepared operations. */
const mostKeptBytes = 100_000_000

export async function startSubgraphService(options: SubgraphServiceOptions): Promise<SubgraphService> {
  const { secret, metrics, log, maxBodyBytes, connections, tls, frames } = options
  const subgraph =
    options.authenticator === undefined ? options.subgraph : guardSubgraph(options.subgraph, options.stepUp)
  const { name, upload } = subgraph
  const admission = createAdmission({
    ...{ audience: name, secret, introspection: options.introspection, httpProfile: options.httpProfile },
  })
  const gate = createWatchedGate(options.maxWaitMs, metrics, log)
  const { pipeline, respond, begin, live, authenticator, close } = createGraph(subgraph, options)
  const webSockets = live.webSockets({
    ...{ begin, gate, authenticator },
    admit(raw, payload) {
      const isProven = admission.isProven(raw, '')
      // The headers are signed, so none of them is taken from a later source.
      if (raw.headers[signatureHeader] !== undefined) return isProven ? { payload: false } : undefined
      const given = payload?.[routerHeader]
      const isRouter = typeof given === 'string' && admission.isRouter(given)
      return isProven || isRouter ? { payload: true } : undefined
    },
    payloadHeaders: () => [...forwardedHeaders(name), 'x-request-id', 'traceparent', 'tracestate'],
  })
  const states = (): ServiceState[] => {
    const state = subgraph.state?.()
    return state === undefined ? [] : [serviceState(name, state)]
  }
  measureStates(metrics, states)
  const checkProof = (raw: IncomingMessage): void => {
    if (admission.isProven(raw, '')) return
    const expected = `expected ${signatureHeader} or ${routerHeader}`
    throw tesseraError('UNAUTHENTICATED', `Uploads are accepted only from a gateway (${expected}).`)
  }
  const withFrames = (serve: ServeFramed) => (server: Serving) =>
    serve({
      ...{ name, secret, admission, pipeline, gate, maxBodyBytes, metrics, log },
      ...server,
    })
  const httpServer = createHttpServer({
    ...{ metrics, log, maxBodyBytes, connections, tls, gate, states, webSockets },
    ...{ corsOrigins: [], csrf: false, compression: options.compression ?? 'off', atRoot: true },
    respond: admission.before(respond),
    drainSubscriptions: live.drain,
    protocol: frames && withFrames(frames),
    routes: upload === undefined ? [] : [uploadRoute(upload, log, checkProof)],
  })
  const origin = await httpServer.listen(options.host, options.port)
  return {
    url: `${origin}/graphql`,
    async stop(graceMs, delayMs) {
      await httpServer.drain(graceMs, delayMs)
      await close()
    },
  }
}

/** A gateway's pipeline with an engine for this subgraph only. */
function createGraph(subgraph: Subgraph, options: SubgraphServiceOptions) {
  const { metrics, log, traces, timeoutMs, httpProfile, authenticator = checkedBefore } = options
  const engine = createSubgraphEngine(subgraph, options)
  const limits = limitsWith(options.nesting + fetchNesting)
  const operations = createOperations({
    ...{ apiSchema: subgraph.schema, engine, authorizer: openAuthorizer, limits, introspection: true },
    kept: createKeptMemory(mostKeptBytes, options.keptDocuments),
    preparations: createPreparations(options.mostPreparing),
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
  const { maxBodyBytes: maxMessageBytes } = options
  const live = createSubscriptionServer(
    { ...options.subscriptions, mostOfCaller: Number.POSITIVE_INFINITY, maxMessageBytes },
    { metrics, log },
  )
  const { subscriptions, settings } = live
  const events = { timeoutMs, log, traces }
  const graph = { operations, inFlight: { callerHeaders: () => undefined }, events, hold: () => () => {} }
  const begin = createBegin({ pipeline, subscriptions, graph })
  const heads = { challengeHead: () => [] }
  const headOf = createResponseHead(heads)
  const respond = createGraphqlOverHttp({
    ...{ pipeline, maxBatch: 0, page: false, log, httpProfile, ...heads },
    events: createEventResponses({ begin, settings, authenticator, log, documents, headOf, httpProfile }),
  })
  const close = (): Promise<void> => {
    live.close()
    return engine.close()
  }
  return { pipeline, respond, begin, live, authenticator, close }
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
