/**
 * The one place that wires a gateway together. The CLI and the tests call it; what it is made of knows
 * nothing of services, only SDL, plans and transports.
 */
import { randomBytes } from 'node:crypto'
import type { GraphQLSchema } from 'graphql'
import {
  createSubgraphByName,
  meteredService,
  type ServiceName,
  type SubgraphName,
  serviceCalls,
  serviceNames,
  subgraphNames,
} from '../subgraphs/index.ts'
import { openCredential } from '../subgraphs/lib/credential.ts'
import { createSigner, signatureHeader } from '../subgraphs/lib/signature.ts'
import { readSchemaFile, type ServiceOptions, type Subgraph } from '../subgraphs/lib/subgraph.ts'
import type { UpstreamEvent, UpstreamTuning } from '../subgraphs/lib/upstream.ts'
import { createAnswerer } from './answer.ts'
import { type Authenticator, createAuthenticator } from './authenticate.ts'
import { createAuthorizer, type PolicyHook } from './authorize.ts'
import type { Config } from './config.ts'
import { describeSchema } from './describe.ts'
import { createEngine, type Engine } from './engine.ts'
import { type ScopeOffer, scopesOf } from './explorer/scopes.ts'
import { explorerRoutes, type MintToken } from './explorer.ts'
import type { Limits } from './limits.ts'
import { createLogger, type Logger } from './log.ts'
import { createMeasures, type Measures } from './measures.ts'
import { createOperations, type Operations } from './operations.ts'
import { createRedisStore } from './persisted/redis-store.ts'
import { createDocumentReader, createMemoryStore, type PersistedMode, readManifest } from './persisted.ts'
import { createPricing, type Pricing } from './pricing.ts'
import { createEstimator } from './quota/estimate.ts'
import { createMemoryLedger } from './quota/ledger.ts'
import { createRedisLedger } from './quota/redis-ledger.ts'
import { createQuota, type Quota, type QuotaSnapshot } from './quota.ts'
import type { GatewayRequest } from './request.ts'
import { createFront } from './serve.ts'
import { measureStates, remoteState, type ServiceState, serviceState } from './states.ts'
import { loadSupergraph, type Supergraph } from './supergraph.ts'
import { openTraces, type Traces, traceTransport } from './traces.ts'
import { createHttpTransport, createInProcessTransport, type Transport } from './transport.ts'
import { createRemoteUploads, type UploadHandler, uploadRoutes } from './uploads.ts'

export interface GatewayOptions {
  readonly config: Config
  /** Where each service is reached; the caller puts the sandbox where the configuration says nothing. */
  readonly serviceUrls: Readonly<Record<ServiceName, string>>
  /** Another supergraph, whose subgraphs are all remote; ours unless said. */
  readonly supergraph?: string | undefined
  /** Checks tokens in place of the configured key: the sandbox's own. */
  readonly authenticator?: Authenticator | undefined
  /** Makes tokens for the explorer page; only where every service is the sandbox. */
  readonly mintToken?: MintToken | undefined
  /** Answers which policies a caller meets (`@policy`); without it every policy is refused. */
  readonly policies?: PolicyHook | undefined
  /** How each service is called, where that is not as usual; on top of the configuration. */
  readonly tuning?: Readonly<Partial<Record<ServiceName, UpstreamTuning>>> | undefined
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

export interface LocalSubgraphOptions extends Pick<GatewayOptions, 'config' | 'serviceUrls' | 'tuning'> {
  /** Where clients reach us; asked when an address is made. */
  readonly publicUrl: () => string
  readonly observe: (event: UpstreamEvent) => void
  readonly traceHeaders?: ServiceOptions['traceHeaders']
  readonly admit?: ServiceOptions['admit']
  readonly settle?: ServiceOptions['settle']
  /** Answers `mediaQuota`. */
  readonly quota: (credentialKey: string) => Promise<QuotaSnapshot>
}

/** Seals upload addresses where the configuration names no secret: good for one process, for as long as it runs. */
const ownUploadSecret = randomBytes(32).toString('base64url')

/** One subgraph in this process, as the configuration wants it. */
export function localSubgraph(name: SubgraphName, options: LocalSubgraphOptions): Subgraph {
  const { config, serviceUrls, publicUrl, observe } = options
  const { values } = config
  const serviceOf = (service: ServiceName): ServiceOptions => ({
    baseUrl: serviceUrls[service],
    credential: config.services[service].credential,
    share: values.TESSERA_SHARE_CALLS,
    tuning: {
      timeoutMs: values.TESSERA_UPSTREAM_TIMEOUT_MS,
      ...(values.TESSERA_CACHE_SECONDS > 0 && service === 'videos'
        ? { cache: { freshMs: values.TESSERA_CACHE_SECONDS * 1000 } }
        : {}),
      ...options.tuning?.[service],
    },
    observe,
    traceHeaders: options.traceHeaders,
    ...(service === meteredService ? { admit: options.admit, settle: options.settle } : {}),
  })
  const services = Object.fromEntries(serviceNames.map((service) => [service, serviceOf(service)])) as Record<
    ServiceName,
    ServiceOptions
  >
  return createSubgraphByName(name, {
    services,
    videosNamespace: values.TESSERA_VIDEOS_NAMESPACE,
    messagesVocabulary: values.TESSERA_MESSAGES_VOCABULARY,
    uploads: { secret: values.TESSERA_UPLOAD_SECRET ?? ownUploadSecret, publicUrl },
    quota: { read: options.quota },
    prices: values.TESSERA_QUOTA_PRICES,
  })
}

/** The budgets of the service that sells units, with the ledger that the configuration names. */
export function quotaFrom({ config }: Pick<GatewayOptions, 'config'>, log: Logger): Quota {
  const { values } = config
  const credential = openCredential(config.services[meteredService].credential, meteredService)
  return createQuota({
    service: meteredService,
    ledger:
      values.TESSERA_REDIS_URL === undefined
        ? createMemoryLedger()
        : createRedisLedger({ url: values.TESSERA_REDIS_URL, log }),
    perOperation: values.TESSERA_QUOTA_PER_OPERATION,
    daily: values.TESSERA_QUOTA_DAILY,
    timeZone: values.TESSERA_QUOTA_TIME_ZONE,
    cached: values.TESSERA_CACHE_SECONDS > 0,
    credentialKey: (request) => credential.key(request),
  })
}

/** Checks callers' tokens with the configured key; without one every token is refused. */
export function authenticatorFrom({ jwt, values }: Config): Authenticator {
  return createAuthenticator({
    key: jwt?.key,
    issuer: jwt?.issuer,
    audience: jwt?.audience,
    algorithms: jwt?.algorithms,
    aliases: values.TESSERA_SCOPE_ALIASES,
  })
}

/** Headers that a remote subgraph needs of the caller's request. */
const forwardedHeaders = [
  'x-videos-authorization',
  'x-agents-authorization',
  'x-messages-authorization',
  'x-metrics-authorization',
  'traceparent',
  'tracestate',
] as const

/** What goes to a remote subgraph beside the operation: the gateway's proof, and what is passed on of the caller. */
function remoteHeaders(
  { values }: Config,
  traces: Traces | undefined,
): (request: GatewayRequest, body: string) => Record<string, string> {
  const secret = values.TESSERA_SUBGRAPH_SECRET
  const sign = secret === undefined ? undefined : createSigner(secret)
  return (request, body) => {
    const headers: Record<string, string> = { 'x-request-id': request.id }
    if (sign !== undefined) {
      headers[signatureHeader] = sign(body)
      // The caller's token and credentials go only to services that share our secret.
      for (const name of ['authorization', ...forwardedHeaders]) {
        const value = request.header(name)
        if (value !== undefined) headers[name] = value
      }
    }
    return Object.assign(headers, traces?.headers())
  }
}

/** A graph that is wired together, and listens nowhere. */
export interface Assembly {
  readonly supergraph: Supergraph
  readonly schema: GraphQLSchema
  readonly engine: Engine
  readonly operations: Operations
  readonly authenticator: Authenticator
  readonly limits: Limits
  readonly pricing: Pricing
  readonly measures: Measures
  readonly log: Logger
  /** What takes the bytes of uploads; undefined where no subgraph does. */
  readonly upload: UploadHandler | undefined
  /** How the services do, as far as this process knows. */
  states(): readonly ServiceState[]
  close(): Promise<void>
}

/** `publicUrl` is where clients reach us; asked when an address is made. */
export function assemble(options: GatewayOptions, publicUrl: () => string, traces?: Traces): Assembly {
  const { config } = options
  const { values } = config
  const log = options.log ?? createLogger({ level: values.TESSERA_LOG_LEVEL })
  const measures = createMeasures()
  const supergraph = loadSupergraph(options.supergraph ?? readSchemaFile('supergraph'))

  const quota = quotaFrom(options, log)
  const local = new Map<string, Subgraph>()
  if (options.supergraph === undefined) {
    const parts: LocalSubgraphOptions = {
      ...options,
      publicUrl,
      observe(event) {
        measures.upstream(event)
        quota.observe(event)
        traces?.called(event)
      },
      traceHeaders: traces?.callHeaders,
      admit: (call, _credentialKey, request) => quota.allow(call.units ?? 0, request),
      quota: quota.snapshot,
    }
    for (const name of subgraphNames) {
      if (!Object.hasOwn(config.remoteSubgraphs, name)) local.set(name, localSubgraph(name, parts))
    }
  }
  const remoteVideos = config.remoteSubgraphs.videos
  const remoteUploads =
    remoteVideos === undefined ? undefined : createRemoteUploads(remoteVideos, values.TESSERA_SUBGRAPH_SECRET)
  const upload = remoteUploads?.handler ?? local.get('videos')?.upload
  const transports = new Map<string, Transport>()
  for (const { name, url } of supergraph.subgraphs) {
    const subgraph = local.get(name)
    const transport =
      subgraph === undefined
        ? createHttpTransport({
            name,
            url: config.remoteSubgraphs[name] ?? url,
            headers: remoteHeaders(config, traces),
          })
        : createInProcessTransport(subgraph)
    transports.set(name, traces === undefined ? transport : traceTransport(transport, traces))
  }

  const schema = describeSchema(supergraph)
  const engine = createEngine({
    supergraph,
    transports,
    schema,
    aroundPlan: traces && (async (make) => traces.step('plan', {}, make)),
  })
  const authenticator = options.authenticator ?? authenticatorFrom(config)
  const limits = limitsOf(config)
  const operations = createOperations({
    apiSchema: schema,
    engine,
    authorizer: createAuthorizer(supergraph.document, schema, {
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      mode: values.TESSERA_AUTHORIZATION === 'dry-run' ? 'dryRun' : values.TESSERA_AUTHORIZATION,
    }),
    limits,
    introspection: values.TESSERA_INTROSPECTION,
    keptDocuments: values.TESSERA_KEPT_OPERATIONS,
    onLookup: measures.operationCache,
  })
  const pricing = createPricing({
    schema,
    quota,
    estimator: createEstimator({ schema, services: serviceCalls, prices: values.TESSERA_QUOTA_PRICES }),
  })
  const states = (): ServiceState[] =>
    supergraph.subgraphs.flatMap(({ name }): ServiceState[] => {
      const subgraph = local.get(name)
      if (subgraph === undefined) return [remoteState(name, transports.get(name)?.reachable)]
      const state = subgraph.state?.()
      return state === undefined ? [] : [serviceState(name, state)]
    })
  measureStates(measures, states)
  const close = async (): Promise<void> => {
    await Promise.all([...transports.values()].map((transport) => transport.close()))
    await Promise.all([...local.values()].map((subgraph) => subgraph.close()))
    await remoteUploads?.close()
    await quota.close()
    if (options.authenticator === undefined) await authenticator.close()
    measures.close()
  }
  return {
    supergraph,
    schema,
    engine,
    operations,
    authenticator,
    limits,
    pricing,
    measures,
    log,
    upload,
    states,
    close,
  }
}

export async function startGateway(given: GatewayOptions): Promise<Gateway> {
  const { config } = given
  const { values } = config
  const options = { ...given, log: given.log ?? createLogger({ level: values.TESSERA_LOG_LEVEL }) }
  const traces = await openTraces({
    url: values.TESSERA_TRACES_URL,
    ratio: values.TESSERA_TRACES_RATIO,
    log: options.log,
  })
  let url = ''
  const assembly = assemble(options, () => values.TESSERA_PUBLIC_URL ?? url, traces)
  const { supergraph, engine, operations, authenticator, limits, pricing, measures, log, upload } = assembly
  let scopes: readonly ScopeOffer[] | undefined
  const persisted = persistedModeOf(config, log)
  const close = async (): Promise<void> => {
    if (persisted.kind === 'automatic') persisted.store.close?.()
    await assembly.close()
    await traces?.close()
  }
  const front = await createFront({
    answer: createAnswerer({
      authenticator,
      readDocument: createDocumentReader(persisted),
      operations,
      limits,
      maxBatch: values.TESSERA_MAX_BATCH,
      timeoutMs: values.TESSERA_REQUEST_TIMEOUT_MS,
      pricing,
      measures,
      traces,
      log,
    }),
    measures,
    log,
    maxBodyBytes: values.TESSERA_MAX_BODY_BYTES,
    corsOrigins: values.TESSERA_CORS_ORIGINS,
    csrf: values.TESSERA_CSRF,
    states: assembly.states,
    routes: async (app) => {
      explorerRoutes({
        mode: values.TESSERA_EXPLORER,
        scopes: () => (scopes ??= scopesOf(supergraph, assembly.schema)),
        mint: options.mintToken,
      })(app)
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
