/**
 * A graph as a function, without a server: for programs that embed it behind their own HTTP server, or call it
 * directly. Token check, scopes, limits, budgets and engine are those of `tessera serve`.
 */
import { randomUUID } from 'node:crypto'
import { assembleAlone } from '../assemble.ts'
import { createClientAddress } from '../auth/client-address.ts'
import { resourceOf } from '../auth/from-config.ts'
import { readConfig } from '../config/index.ts'
import { createGraphqlOverHttp } from '../graphql-http/graphql-over-http.ts'
import { paramsFrom } from '../graphql-http/negotiation.ts'
import type { GatewayOptions } from '../options.ts'
import { OperationContext, objectForm } from '../pipeline/index.ts'
import { createChallengeHead } from '../server/resource-metadata.ts'
import { createLogger } from '../telemetry/log.ts'
import { cancelledBy, endpointOver, type GraphHandler } from './endpoint.ts'
import { fetchOver, listenerOver } from './web.ts'

/**
 * The source of a handler: a supergraph; or, for Tessera's own graph, the addresses of its services, in `serviceUrls`
 * or a configuration.
 */
export type HandlerOptions = Partial<GatewayOptions> &
  (
    | Readonly<Record<'supergraph', string>>
    | Required<Pick<GatewayOptions, 'serviceUrls'>>
    | Pick<GatewayOptions, 'config'>
  )

/**
 * Makes a handler. Throws if the supergraph cannot be loaded, and, for Tessera's own graph, if a service has no address.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { createHandler } from 'tessera-graph/engine'
 *
 * const graph = createHandler({ supergraph: await readFile('supergraph.graphql', 'utf8') })
 * const { data, errors } = await graph.execute({ query: '{ products { name } }' })
 * await graph.close()
 * ```
 */
export function createHandler(options: HandlerOptions): GraphHandler {
  const config = options.config ?? defaultConfig()
  const { schema, pipeline, log, varyingHeaders, close } = assembleAlone(
    // A library writes to no stream of its host unless it is given a logger.
    { ...options, config, log: options.log ?? createLogger({ level: 'silent' }) },
    { publicUrl: () => config.server.publicUrl ?? '' },
  )
  const respond = endpointOver(
    createGraphqlOverHttp({
      pipeline,
      maxBatch: config.limits.batch,
      page: false,
      // The host's server must serve the document about the resource.
      challengeHead: createChallengeHead({ addressOf: () => undefined, facts: () => resourceOf(config) }),
      log,
      callerHeaders: varyingHeaders,
      httpProfile: config.http.profile,
    }),
  )
  const bounds = {
    maxBodyBytes: config.limits.bodyBytes,
    bodyTimeoutMs: config.connections.bodyTimeoutMs,
  }

  return {
    schema,
    async execute({ query, operationName, variables, onError, headers = {}, address, signal }) {
      const context = new OperationContext({
        id: headers['x-request-id'] ?? randomUUID(),
        header: (name) => headers[name],
        headers,
        address: () => address,
        params: () => paramsFrom({ query, operationName, variables: { ...variables }, onError }),
        queriesOnly: false,
        mediaType: 'application/graphql-response+json',
        form: objectForm,
      })
      const { result } = await cancelledBy(signal, (watch) => {
        watch(context)
        return pipeline(context)
      })
      return result
    },
    respond,
    fetch: fetchOver(respond, bounds),
    listener: listenerOver(respond, bounds, createClientAddress(config.server.trustedProxies)),
    close,
  }
}

function defaultConfig(): GatewayOptions['config'] {
  const { config, faults } = readConfig({})
  if (faults !== undefined) throw new Error(faults.join('\n'))
  return config
}
