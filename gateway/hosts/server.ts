/** The gateway as a server of its own: GraphQL, agents, the explorer and uploads on one port. */
import { explorerRoutes } from '../../explorer/index.ts'
import { assertionKeySet } from '../auth/assertion.ts'
import { createClientAddress } from '../auth/client-address.ts'
import { assertionSigningKeyOf, explorerSignInOf } from '../auth/from-config.ts'
import type { ExplorerOffers } from '../explorer-offers.ts'
import { failureBody, llmsRoute, type McpServer } from '../mcp/index.ts'
import { createWatchedGate } from '../overload/index.ts'
import type { OpenedProcess } from '../process-resources.ts'
import type { Reloader } from '../reload/index.ts'
import { createHostCheck } from '../server/host-check.ts'
import { HttpServer } from '../server/index.ts'
import { keySetRoute, metadataRoutes } from '../server/resource-metadata.ts'
import { uploadRoute } from '../server/uploads.ts'
import type { SubscriptionServer } from '../subscriptions/subscription-server.ts'
import type { ServiceState } from '../telemetry/health.ts'

interface ServedParts {
  /** The document about this graph as an OAuth resource. */
  readonly resource: Parameters<typeof metadataRoutes>[0]
  readonly subscriptionServer: SubscriptionServer
  /** Undefined if agents are not served. */
  readonly agents: McpServer | undefined
  readonly reloader: Reloader
  readonly offers: ExplorerOffers
  readonly states: () => readonly ServiceState[]
}

/** The server. It uses the current generation for each request. */
export function serverFrom(
  { config, options, tls, resources, addressOf, names }: OpenedProcess,
  { resource, subscriptionServer, agents, reloader, offers, states }: ServedParts,
): HttpServer {
  const { metrics, log, upload, authenticator } = resources
  const keySet = assertionKeySet(assertionSigningKeyOf(config))
  const maxWaitMs = Math.min(config.server.maxWaitMs, config.calls.requestTimeoutMs)
  const clientAddress = createClientAddress(config.server.trustedProxies)
  const gate = createWatchedGate(maxWaitMs, metrics, log)
  return new HttpServer({
    respond: (request, watch) => reloader.current.respond(request, watch),
    agents: agents && { respond: agents.respond, failureBody },
    metrics,
    log,
    maxBodyBytes: config.limits.bodyBytes,
    corsOrigins: config.server.corsOrigins,
    csrf: config.server.csrf,
    compression: config.server.compression,
    connections: config.connections,
    tls,
    gate,
    clientAddress,
    webSockets: subscriptionServer.webSockets({
      startOperation: (input) => reloader.current.startOperation(input),
      // What a proxy says of the certificate is for services as well.
      payloadHeaders: () =>
        reloader.current.assembly.callerHeaders.filter((name) => name !== config.clientCertificate.header),
      gate,
      authenticator,
      clientAddress,
    }),
    drainSubscriptions: async (mostMs) => {
      await Promise.all([subscriptionServer.drain(mostMs), agents?.drain()])
    },
    states,
    cluster: options.shared,
    generation: reloader.state,
    routes: [
      ...explorerRoutes({
        mode: config.explorer.mode,
        ...offers,
        owners: config.graphql.introspection ? offers.owners : undefined,
        mint: options.mintToken,
        signIn: explorerSignInOf(config),
        isOwnHost: createHostCheck(names),
      }),
      ...metadataRoutes(resource),
      ...(agents === undefined ? [] : [llmsRoute(addressOf)]),
      ...(keySet.keys.length > 0 ? [keySetRoute(keySet)] : []),
      ...(upload === undefined ? [] : [uploadRoute(upload, log)]),
    ],
  })
}
