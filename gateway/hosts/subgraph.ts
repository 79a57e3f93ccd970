/** A subgraph as a service of its own: the gateway's server and pipeline, over an engine for one subgraph. */
import type { IncomingMessage } from 'node:http'
import { tesseraError } from '../../shared/errors.ts'
import { forwardedHeaders, routerHeader, signatureHeader } from '../../shared/http/signature.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import type { Config } from '../config/index.ts'
import { createWatchedGate } from '../overload/index.ts'
import { HttpServer, type Serving } from '../server/index.ts'
import type { Tls } from '../server/tls.ts'
import { uploadRoute } from '../server/uploads.ts'
import { createAdmission } from '../subgraph-service/admission.ts'
import { subgraphGraphFrom } from '../subgraph-service/from-config.ts'
import { guardSubgraph } from '../subgraph-service/guard.ts'
import type { ServeFramed } from '../subgraph-service/index.ts'
import { measureStates, type ServiceState, serviceState } from '../telemetry/health.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'

export interface SubgraphServiceOptions {
  readonly subgraph: Subgraph
  /**
   * `subgraph.secret`: by which a gateway proves itself; without one every request is served, which is only for the
   * sandbox. `authorization.stepUp`: checked if callers are.
   */
  readonly config: Config
  readonly port: number
  /** Checks the caller's own token against the subgraph's rules, in addition to the gateway's check. */
  readonly authenticator?: Authenticator | undefined
  /** Undefined serves plain HTTP. */
  readonly tls?: Tls | undefined
  /** Serves gateways that use frames instead of HTTP; without it all of them use HTTP. */
  readonly frames?: ServeFramed | undefined
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
}

export async function startSubgraphService(options: SubgraphServiceOptions) {
  const { config, metrics, log, tls, frames } = options
  const { connections, calls, http, server } = config
  const { secret } = config.subgraph
  const { bodyBytes: maxBodyBytes } = config.limits
  const subgraph =
    options.authenticator === undefined
      ? options.subgraph
      : guardSubgraph(options.subgraph, config.authorization.stepUp)
  const { name, upload } = subgraph
  const introspection = config.subgraph.introspection || secret === undefined
  const admission = createAdmission({ audience: name, secret, introspection, httpProfile: http.profile })
  const gate = createWatchedGate(Math.min(server.maxWaitMs, calls.requestTimeoutMs), metrics, log)
  const { pipeline, respond, startOperation, subscriptionServer, authenticator, close } = subgraphGraphFrom(
    config,
    { ...options, subgraph },
  )
  const webSockets = subscriptionServer.webSockets({
    ...{ startOperation, gate, authenticator },
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
  const httpServer = new HttpServer({
    ...{ metrics, log, maxBodyBytes, connections, tls, gate, states, webSockets },
    ...{ corsOrigins: [], csrf: false, compression: server.compression, atRoot: true },
    respond: admission.before(respond),
    drainSubscriptions: (mostMs) => subscriptionServer.drain(mostMs),
    protocol: frames && withFrames(frames),
    routes: upload === undefined ? [] : [uploadRoute(upload, log, checkProof)],
  })
  const origin = await httpServer.listen(server.host, options.port)
  return {
    url: `${origin}/graphql`,
    /** New connections use the current certificate. */
    renewCertificate: (): void => tls?.reload(httpServer.server),
    /** Drains as `HttpServer.drain` does, and closes everything. */
    async stop(graceMs: number, delayMs?: number): Promise<void> {
      await httpServer.drain(graceMs, delayMs)
      await close()
    },
  }
}
