/** Puts one graph together: supergraph, transports, engine, operations, pipeline. It listens nowhere. */
import { createCacheMemory } from '../engine/cache-memory.ts'
import { createEngine } from '../engine/index.ts'
import { labelsIn } from '../engine/planner/index.ts'
import type { Transport } from '../engine/subgraphs/index.ts'
import type { Supergraph } from '../engine/supergraph/index.ts'
import { ClosingStack } from '../shared/runtime/closing-stack.ts'
import { runToEnd, type Steps } from '../shared/runtime/steps.ts'
import type { Subgraph } from '../shared/subgraph.ts'
import { parseSchemaFile, readSchemaFile } from '../subgraphs/kit/subgraph.ts'
import { createAuthorizer, type PolicyHook } from './auth/authorize/index.ts'
import { demandFrom, pricingFrom, rateLimiterFrom } from './costs/from-config.ts'
import { createResponseHeaders, type ResponseHeaders } from './headers/index.ts'
import { stagesFrom } from './hooks/from-config.ts'
import type { Stages } from './hooks/index.ts'
import type { GatewayOptions } from './options.ts'
import { inFlightFrom, persistedModeOf, pipelineFrom } from './pipeline/from-config.ts'
import { createIdempotency } from './pipeline/idempotency/index.ts'
import { OperationContext, type PipelineOptions } from './pipeline/index.ts'
import { Operations } from './pipeline/operations.ts'
import { createDocumentReader, type PersistedMode } from './pipeline/persisted/index.ts'
import { PreparationQueue } from './pipeline/preparation-queue.ts'
import { createProcessResources, type ProcessResources } from './process-resources.ts'
import { reportCache } from './response-cache/index.ts'
import { logServed, type ServedSupergraph, servingSupergraph } from './sources/served-supergraph.ts'
import { measureStates, remoteState, type ServiceState, serviceState } from './telemetry/health.ts'
import type { Traces } from './telemetry/traces/index.ts'
import { isOwnService, Transports } from './transports/index.ts'

/** A graph that is wired together, and listens nowhere. */
export type Assembly = ReturnType<typeof assemble>

interface AssemblyParts extends Partial<Pick<PipelineOptions, 'observing' | 'underWay'>> {
  readonly traces?: Traces | undefined
  /** Which documents are executed, if the host decides that. */
  readonly persisted?: PersistedMode | undefined
}

/** The supergraph of these options in steps: our own if they name none. It is kept for `assemble`. */
export function servingGraph({
  supergraph,
  config,
}: Pick<GatewayOptions, 'supergraph' | 'config'>): Steps<ServedSupergraph> {
  const { stepUp } = config.authorization
  if (supergraph === undefined && config.supergraph.places !== undefined)
    throw new Error(
      'TESSERA_SUPERGRAPH is for `tessera serve`. Pass the text of the supergraph as `supergraph`.',
    )
  return supergraph === undefined
    ? servingSupergraph(readSchemaFile('supergraph'), stepUp, parseSchemaFile('supergraph'))
    : servingSupergraph(supergraph, stepUp)
}

/** A graph that shares its process with no other one. Closing it closes what belongs to the process, too. */
export function assembleAlone(
  options: GatewayOptions,
  { publicUrl, ...parts }: AssemblyParts & { readonly publicUrl: () => string },
): Assembly {
  const resources = createProcessResources(options, publicUrl, parts.traces)
  const closing = new ClosingStack()
  closing.add(() => resources.close())
  try {
    const assembly = assemble(options, resources, parts)
    closing.add(() => assembly.close())
    measureStates(resources.metrics, assembly.states)
    return { ...assembly, close: () => closing.close() }
  } catch (error) {
    void closing.abandon()
    throw error
  }
}

/**
 * A graph over what belongs to the process, which outlives it. Throws if the graph cannot be served; nothing of it is open
 * then.
 */
export function assemble(options: GatewayOptions, resources: ProcessResources, given: AssemblyParts) {
  const { traces } = given
  const { headers } = options.config
  const { log, metrics } = resources
  const served = runToEnd(() => servingGraph(options))
  const { supergraph } = served
  logServed(served, log)
  const answerHeaders = createResponseHeaders(headers.all, headers.subgraphs ?? {})
  const hooks = stagesFrom(options, { labels: labelsIn(supergraph.document), metrics, traces, log })
  const subgraphs = new Transports(options, { supergraph, resources, hooks, traces, answerHeaders })
  try {
    return graphOver(subgraphs, { ...given, options, resources, supergraph, answerHeaders, hooks })
  } catch (error) {
    void subgraphs.discard()
    throw error
  }
}

interface GraphParts extends AssemblyParts {
  readonly options: GatewayOptions
  readonly resources: ProcessResources
  readonly supergraph: Supergraph
  readonly answerHeaders: ResponseHeaders | undefined
  readonly hooks: Stages | undefined
}

/** Engine, operations and pipeline over the transports to subgraphs. */
function graphOver(subgraphs: Transports, parts: GraphParts) {
  const { options, resources, supergraph, answerHeaders, hooks, traces } = parts
  const { config } = options
  const { limits } = config
  const { log, metrics, quota, rates, local, authenticator, outcomes } = resources
  const persisted = parts.persisted ?? persistedModeOf(config, resources.documents(), options.manifest)
  const transports = subgraphs.byName
  const schema = supergraph.apiSchema
  const kept = createCacheMemory(config.kept.bytes, config.kept.operations)
  const preparations = new PreparationQueue(config.limits.preparing)
  const engine = createEngine({
    supergraph,
    transports,
    schema,
    aroundPlan: traces && ((make) => traces.step('plan', {}, make)),
    kept,
    hideSuggestions: !config.graphql.introspection,
    overrideLabels: hooks?.labels && hooks.holds,
    maxResponseBytes: config.limits.responseBytes,
    maxIntrospectionBytes: config.limits.introspectionBytes,
    prepare: () => preparations.joining(),
  })
  const inFlight = inFlightFrom(config, { engine, transports, metrics })
  const idempotency = createIdempotency({
    store: outcomes,
    keptMs: config.idempotency.seconds * 1000,
    settleMs: config.idempotency.settleMs,
    findsOut: (name) =>
      local.has(name) || (isOwnService(options, name) && config.subgraph.secret !== undefined),
    replayed: metrics.mutationReplayed,
  })
  const operations = new Operations({
    apiSchema: schema,
    engine,
    authorizer: createAuthorizer(supergraph.document, schema, {
      ...policiesOf(options.policies, hooks),
      mode: config.authorization.mode === 'dry-run' ? 'dryRun' : config.authorization.mode,
    }),
    limits,
    introspection: config.graphql.introspection,
    kept,
    preparations,
    onLookup: metrics.operationCache,
  })
  const states = (): readonly ServiceState[] => statesOf(supergraph, local, transports)
  const components = {
    authenticator,
    documents: createDocumentReader(persisted),
    operations,
    inFlight,
    idempotency,
    limits,
    pricing: pricingFrom(config, schema, quota),
    /** Undefined if costs are not measured. */
    demand: demandFrom(config, { supergraph, schema, metrics }),
    /** These are undefined if there are none. */
    hooks,
    rateLimits: rateLimiterFrom(config, { rates, metrics }),
    metrics,
    log,
  }
  const pipeline = pipelineFrom(config, {
    ...components,
    answerHead: answerHeaders?.headFor,
    reportCache: subgraphs.areCached ? reportCache : undefined,
    observing: parts.observing,
    underWay: parts.underWay,
    traces,
  })
  return {
    ...components,
    supergraph,
    schema,
    engine,
    pipeline,
    persisted,
    callerHeaders: subgraphs.callerHeaders(),
    varyingHeaders: subgraphs.varyingHeaders(),
    states,
    // Nothing fails after this, so that what is opened is closed.
    close: open(subgraphs, hooks),
  }
}

/** Opens what other assemblies may use as well. Returns the function that closes it, once. */
function open(subgraphs: Transports, hooks: Stages | undefined): () => Promise<void> {
  const closing = new ClosingStack()
  hooks?.open()
  closing.add(() => hooks?.close())
  subgraphs.open()
  closing.add(() => subgraphs.close())
  return () => closing.close()
}

/** Remote services as their transports met them, and those behind local subgraphs as these met them. */
function statesOf(
  supergraph: Supergraph,
  local: ReadonlyMap<string, Subgraph>,
  transports: ReadonlyMap<string, Transport>,
): readonly ServiceState[] {
  return supergraph.subgraphs.flatMap(({ name }): ServiceState[] => {
    const subgraph = local.get(name)
    if (subgraph === undefined) return [remoteState(name, transports.get(name))]
    const state = subgraph.state?.()
    return state === undefined ? [] : [serviceState(name, state)]
  })
}

/** Policies are decided by hooks if these do so, else by the option of the program around the gateway. */
function policiesOf(given: PolicyHook | undefined, hooks: Stages | undefined): { policies?: PolicyHook } {
  const decide = hooks?.policies
  if (decide === undefined) return given === undefined ? {} : { policies: given }
  return {
    policies: ({ policies, identity, context }) =>
      // What only explains an operation belongs to no request.
      context instanceof OperationContext ? decide(context, identity, policies) : [],
  }
}
