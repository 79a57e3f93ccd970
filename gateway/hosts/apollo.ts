/**
 * The graph inside Apollo Server: `new ApolloServer({ gateway: tesseraGateway(options) })`, for servers that use its
 * plugins. Apollo Server parses, validates and responds; every operation goes through the same pipeline as in `tessera
 * serve`. The context value of Apollo Server may be anything: it is not used.
 */
import type { ApolloServerOptions, ApolloServerPlugin, BaseContext } from '@apollo/server'
import { type Assembly, assemble } from '../assemble.ts'
import { resourceOf } from '../auth/from-config.ts'
import { withFileHooks } from '../hooks/from-config.ts'
import type { GatewayOptions } from '../options.ts'
import { persistedModeOf } from '../pipeline/from-config.ts'
import { createChallengeHead } from '../server/resource-metadata.ts'
import { answerTo, onErrorIn, operationIn } from './apollo-requests.ts'

/** The type of Apollo Server's option `gateway`. */
export type ApolloGateway = NonNullable<ApolloServerOptions<BaseContext>['gateway']>

export interface TesseraGateway extends ApolloGateway {
  /** The metrics of this gateway in Prometheus' format, for a route of the host; empty before it is loaded. */
  metrics(): Promise<string>
  /**
   * For the option `plugins`: with it the request parameter `onError` is taken, which Apollo Server hands to no gateway.
   * The context value of each request must then be an object of its own, as it is by default.
   */
  readonly plugin: ApolloServerPlugin<BaseContext>
}

/** Apollo Server loads it when it starts, and closes it when it stops. */
export function tesseraGateway(options: GatewayOptions): TesseraGateway {
  let assembly: Assembly | undefined
  const challengeHead = createChallengeHead({
    // The host's server must serve the document about the resource.
    addressOf: () => undefined,
    facts: () => ({ ...resourceOf(options.config), scopes: [] }),
  })
  const asked = new WeakMap<BaseContext, unknown>()
  const listeners = new Set<Parameters<ApolloGateway['onSchemaLoadOrUpdate']>[0]>()
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      assembly ??= assemble(await withFileHooks(options), {
        publicUrl: () => options.config.server.publicUrl ?? '',
        // Apollo Server has read the document, persisted or not, before it calls the executor. Whether it is trusted is
        // decided here.
        persisted: persistedModeOf(options.config, undefined, options.manifest),
      })
      const { schema, supergraph, pipeline } = assembly
      for (const listener of listeners) listener({ apiSchema: schema, coreSupergraphSdl: supergraph.sdl })
      return {
        executor: async (request) =>
          answerTo(request, await pipeline(operationIn(request, asked.get(request.context))), challengeHead),
      }
    },
    plugin: {
      async requestDidStart({ request: { http }, contextValue }) {
        if (http !== undefined) asked.set(contextValue, onErrorIn(http))
      },
    },
    metrics: async () => (await assembly?.metrics.text()) ?? '',
    async stop() {
      await assembly?.close()
    },
  }
}
