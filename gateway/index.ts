/**
 * `tessera-graph`: a gateway that listens. The assembled graph stands behind the HTTP server, with the explorer and
 * uploads beside it.
 *
 * @example
 * ```ts
 * import { readConfig, startGateway } from 'tessera-graph'
 *
 * const { config, faults } = readConfig({ PORT: '4000', TESSERA_METRICS_URL: 'http://127.0.0.1:9090' })
 * if (faults !== undefined) throw new Error(faults.join('\n'))
 * const gateway = await startGateway({ config })
 * console.log(gateway.url)
 * await gateway.stop()
 * ```
 */
import { type ScopeOffer, scopesOf } from './access/scope-offers.ts'
import { assemble, connectionLimitsOf, type GatewayOptions, resourceOf } from './assembly/index.ts'
import type { Config } from './config/index.ts'
import type { Engine } from './engine/index.ts'
import type { Supergraph } from './engine/supergraph/index.ts'
import type { Example } from './explorer/examples/example.ts'
import { examplesFrom } from './explorer/examples/from-schema.ts'
import { explorerRoutes } from './explorer/index.ts'
import { createGraphqlOverHttp } from './http/graphql-over-http.ts'
import { createOwnAddress } from './http/own-address.ts'
import { createHostCheck } from './http/own-host.ts'
import {
  createDocumentReader,
  createMemoryStore,
  type PersistedMode,
  readManifest,
} from './http/persisted/index.ts'
import { createRedisStore } from './http/persisted/redis-store.ts'
import { createPipeline } from './http/pipeline/index.ts'
import { createChallengeHead, metadataRoutes } from './http/resource-metadata.ts'
import { createFront } from './http/serve/index.ts'
import { uploadRoutes } from './http/uploads.ts'
import { createLogger, type Logger } from './observe/log.ts'
import type { Measures } from './observe/metrics/index.ts'
import { openTraces } from './observe/traces/index.ts'

export type { GatewayOptions } from './assembly/index.ts'
export { type Config, type ConfigResult, readConfig } from './config/index.ts'
export { createLogger, type Logger } from './observe/log.ts'

export interface Gateway {
  readonly url: string
  readonly supergraph: Supergraph
  readonly engine: Engine
  readonly measures: Measures
  /** Drains within the configured grace time and closes everything. */
  stop(): Promise<void>
}

export async function startGateway(given: GatewayOptions): Promise<Gateway> {
  const { config } = given
  const { values } = config
  const options = { ...given, log: given.log ?? createLogger({ level: values.TESSERA_LOG_LEVEL }) }
  const traces = await openTraces(config.traces, options.log)
  let url = ''
  const assembly = assemble(options, () => values.TESSERA_PUBLIC_URL ?? url, traces)
  const { supergraph, engine, operations, authenticator, limits, pricing, measures, log, upload } = assembly
  let scopes: readonly ScopeOffer[] | undefined
  let made: readonly Example[] | undefined
  const examples = (): readonly Example[] => {
    const offered = options.examples?.(Date.now())
    if (offered !== undefined) return offered
    made ??= examplesFrom(supergraph, assembly.schema)
    return made
  }
  const persisted = persistedModeOf(config, log)
  const close = async (): Promise<void> => {
    if (persisted.kind === 'automatic') persisted.store.close?.()
    await assembly.close()
    await traces?.close()
  }
  const publicUrl = values.TESSERA_PUBLIC_URL
  const addressOf = createOwnAddress({ publicUrl, names: ownNames(config), listening: () => url })
  const scopeOffers = (): readonly ScopeOffer[] => (scopes ??= scopesOf(supergraph, assembly.schema))
  const resource = {
    addressOf,
    prefix: publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    facts: () => ({ ...resourceOf(config), scopes: scopeOffers() }),
  }
  const front = await createFront({
    respond: createGraphqlOverHttp({
      pipeline: createPipeline({
        authenticator,
        documents: createDocumentReader(persisted),
        operations,
        limits,
        timeoutMs: values.TESSERA_REQUEST_TIMEOUT_MS,
        pricing,
        measures,
        traces,
        log,
      }),
      inFlight: assembly.inFlight,
      maxBatch: values.TESSERA_MAX_BATCH,
      page: values.TESSERA_EXPLORER !== 'off',
      challengeHead: createChallengeHead(resource),
      log,
    }),
    measures,
    log,
    maxBodyBytes: values.TESSERA_MAX_BODY_BYTES,
    corsOrigins: values.TESSERA_CORS_ORIGINS,
    csrf: values.TESSERA_CSRF,
    compression: values.TESSERA_COMPRESSION,
    connections: connectionLimitsOf(config),
    states: assembly.states,
    routes: async (app) => {
      explorerRoutes({
        mode: values.TESSERA_EXPLORER,
        scopes: scopeOffers,
        examples,
        mint: options.mintToken,
        isOwnHost: createHostCheck(ownNames(config)),
      })(app)
      metadataRoutes(resource)(app)
      if (upload !== undefined) await uploadRoutes(upload, log)(app)
    },
  })

  try {
    url = await front.listen(config.host, config.port)
  } catch (error) {
    await close()
    throw error
  }
  let stopping: Promise<void> | undefined
  return {
    url,
    supergraph,
    engine,
    measures,
    stop() {
      stopping ??= front.drain(values.TESSERA_SHUTDOWN_GRACE_MS, values.TESSERA_SHUTDOWN_DELAY_MS).then(close)
      return stopping
    },
  }
}

function persistedModeOf({ values }: Config, log: Logger): PersistedMode {
  switch (values.TESSERA_PERSISTED) {
    case 'off':
      return { kind: 'off' }
    case 'automatic':
      return {
        kind: 'automatic',
        store:
          values.TESSERA_REDIS_URL === undefined
            ? createMemoryStore()
            : createRedisStore({ url: values.TESSERA_REDIS_URL, log }),
      }
    case 'trusted':
      return { kind: 'trusted', manifest: readManifest(values.TESSERA_PERSISTED_MANIFEST ?? '') }
  }
}

/** Names that this server is configured to have. */
function ownNames({ host, values }: Config): readonly string[] {
  const publicUrl = values.TESSERA_PUBLIC_URL
  return publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname]
}
