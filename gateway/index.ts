/**
 * The one place that wires a gateway together. The CLI and the tests call it; what it is made of knows
 * nothing of services, only SDL, plans and transports.
 */
import { createSubgraphByName, type ServiceName, serviceNames, subgraphNames } from '../subgraphs/index.ts'
import { readSchemaFile, type ServiceOptions, type Subgraph } from '../subgraphs/lib/subgraph.ts'
import type { UpstreamEvent } from '../subgraphs/lib/upstream.ts'
import { createAnswerer } from './answer.ts'
import { type Authenticator, createAuthenticator } from './authenticate.ts'
import { createAuthorizer } from './authorize.ts'
import type { Config } from './config.ts'
import { describeSchema } from './describe.ts'
import { createEngine, type Engine } from './engine.ts'
import type { Limits } from './limits.ts'
import { createLogger, type Logger } from './log.ts'
import { createMeasures, type Measures } from './measures.ts'
import { createOperations } from './operations.ts'
import { createDocumentReader, createMemoryStore, type PersistedMode, readManifest } from './persisted.ts'
import { createFront } from './serve.ts'
import { loadSupergraph, type Supergraph } from './supergraph.ts'
import { createHttpTransport, createInProcessTransport, type Transport } from './transport.ts'

export interface GatewayOptions {
  readonly config: Config
  /** Where each service is reached; the caller puts the sandbox where the configuration says nothing. */
  readonly serviceUrls: Readonly<Record<ServiceName, string>>
  /** Another supergraph, whose subgraphs are all remote; ours unless said. */
  readonly supergraph?: string | undefined
  /** Checks tokens in place of the configured key: the sandbox's own. */
  readonly authenticator?: Authenticator | undefined
  readonly log?: Logger | undefined
}

export interface Gateway {
  readonly url: string
  readonly supergraph: Supergraph
  readonly engine: Engine
  readonly measures: Measures
  /** Drains within the configured grace time and closes everything. */
  stop(): Promise<void>
}

function limitsOf({ values }: Config): Limits {
  return {
    tokens: values.TESSERA_MAX_TOKENS,
    depth: values.TESSERA_MAX_DEPTH,
    aliases: values.TESSERA_MAX_ALIASES,
    rootFields: values.TESSERA_MAX_ROOT_FIELDS,
    directives: values.TESSERA_MAX_DIRECTIVES,
    fields: values.TESSERA_MAX_FIELDS,
    listItems: values.TESSERA_MAX_LIST_ITEMS,
  }
}

function persistedModeOf({ values }: Config): PersistedMode {
  switch (values.TESSERA_PERSISTED) {
    case 'off':
      return { kind: 'off' }
    case 'automatic':
      return { kind: 'automatic', store: createMemoryStore() }
    case 'trusted':
      return { kind: 'trusted', manifest: readManifest(values.TESSERA_PERSISTED_MANIFEST ?? '') }
  }
}

/** The subgraphs that run in this process, by name. */
function localSubgraphs(
  options: GatewayOptions,
  observe: (event: UpstreamEvent) => void,
): Map<string, Subgraph> {
  const { config, serviceUrls } = options
  const { values } = config
  const serviceOf = (name: ServiceName): ServiceOptions => ({
    baseUrl: serviceUrls[name],
    credential: config.services[name].credential,
    share: values.TESSERA_SHARE_CALLS,
    tuning: {
      timeoutMs: values.TESSERA_UPSTREAM_TIMEOUT_MS,
      ...(values.TESSERA_CACHE_SECONDS > 0 && name === 'videos'
        ? { cache: { freshMs: values.TESSERA_CACHE_SECONDS * 1000 } }
        : {}),
    },
    observe,
  })
  const services = Object.fromEntries(serviceNames.map((name) => [name, serviceOf(name)])) as Record<
    ServiceName,
    ServiceOptions
  >
  const subgraphs = new Map<string, Subgraph>()
  for (const name of subgraphNames) {
    if (Object.hasOwn(config.remoteSubgraphs, name)) continue
    subgraphs.set(
      name,
      createSubgraphByName(name, { services, videosNamespace: values.TESSERA_VIDEOS_NAMESPACE }),
    )
  }
  return subgraphs
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config } = options
  const { values } = config
  const log = options.log ?? createLogger({ level: values.TESSERA_LOG_LEVEL })
  const measures = createMeasures()
  const supergraph = loadSupergraph(options.supergraph ?? readSchemaFile('supergraph'))

  const local =
    options.supergraph === undefined
      ? localSubgraphs(options, measures.upstream)
      : new Map<string, Subgraph>()
  const transports = new Map<string, Transport>()
  for (const { name, url } of supergraph.subgraphs) {
    const subgraph = local.get(name)
    transports.set(
      name,
      subgraph === undefined
        ? createHttpTransport({ name, url: config.remoteSubgraphs[name] ?? url })
        : createInProcessTransport(subgraph),
    )
  }

  const schema = describeSchema(supergraph)
  const engine = createEngine({ supergraph, transports, schema })
  const authenticator =
    options.authenticator ??
    createAuthenticator({
      key: config.jwt?.key,
      issuer: config.jwt?.issuer,
      audience: config.jwt?.audience,
      algorithms: config.jwt?.algorithms,
      aliases: values.TESSERA_SCOPE_ALIASES,
    })
  const limits = limitsOf(config)
  const operations = createOperations({
    apiSchema: schema,
    engine,
    authorizer: createAuthorizer(supergraph.document, schema, {
      mode: values.TESSERA_AUTHORIZATION === 'dry-run' ? 'dryRun' : values.TESSERA_AUTHORIZATION,
    }),
    limits,
    introspection: values.TESSERA_INTROSPECTION,
    keptDocuments: 2000,
    onLookup: measures.operationCache,
  })
  const front = await createFront({
    answer: createAnswerer({
      authenticator,
      readDocument: createDocumentReader(persistedModeOf(config)),
      operations,
      limits,
      maxBatch: values.TESSERA_MAX_BATCH,
      timeoutMs: values.TESSERA_REQUEST_TIMEOUT_MS,
      measures,
      log,
    }),
    measures,
    log,
    maxBodyBytes: values.TESSERA_MAX_BODY_BYTES,
    corsOrigins: values.TESSERA_CORS_ORIGINS,
    csrf: values.TESSERA_CSRF,
    states: () => [],
  })

  const closeAll = async (): Promise<void> => {
    await Promise.all([...transports.values()].map((transport) => transport.close()))
    await Promise.all([...local.values()].map((subgraph) => subgraph.close()))
    measures.close()
  }
  let url: string
  try {
    url = await front.listen(config.host, config.port)
  } catch (error) {
    await closeAll()
    throw error
  }
  let stopping: Promise<void> | undefined
  return {
    url,
    supergraph,
    engine,
    measures,
    stop() {
      stopping ??= front.drain(values.TESSERA_SHUTDOWN_GRACE_MS).then(closeAll)
      return stopping
    },
  }
}
