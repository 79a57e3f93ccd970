/** The pipeline and its parts, as the configuration says. */
import type { Engine } from '../../engine/index.ts'
import type { Transport } from '../../engine/subgraphs/index.ts'
import type { Config } from '../config/index.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import { createPipeline, type Observing, type Pipeline, type PipelineOptions } from './index.ts'
import { type DocumentStore, type PersistedMode, readManifest, readManifestText } from './persisted/index.ts'

type PipelineParts = Omit<PipelineOptions, 'timeoutMs' | 'refusedStatus' | 'httpProfile' | 'onError'>

export function pipelineFrom(config: Config, parts: PipelineParts): Pipeline {
  return createPipeline({
    ...parts,
    timeoutMs: config.calls.requestTimeoutMs,
    refusedStatus: config.authorization.refusedStatus,
    httpProfile: config.http.profile,
    onError: config.graphql.onError,
  })
}

export function observingFrom({ log, telemetry, attributes }: Config): Observing {
  const { fields, headers } = log
  const { slowOperationMs } = telemetry
  return {
    accessLog: fields === undefined && headers === undefined ? undefined : { fields, headers },
    slowMs: slowOperationMs === 0 ? undefined : slowOperationMs,
    conventions: telemetry.otelConventions,
    attributes,
  }
}

export function sharesEqual(config: Config, subgraph: string): boolean {
  return config.calls.shareEqual && !config.calls.shareEqualExcept.includes(subgraph)
}

/** Equal operations under way. Labels of `@override` may decide differently for each request: then none are shared. */
export function inFlightFrom(
  config: Config,
  parts: {
    readonly engine: Engine
    readonly transports: ReadonlyMap<string, Transport>
    readonly metrics: Metrics
  },
): InFlight {
  const { engine, transports, metrics } = parts
  return createInFlight({
    enabled: config.calls.shareEqual && engine.planner.labels.length === 0,
    callerHeaders: (name) => (sharesEqual(config, name) ? transports.get(name)?.callerHeaders : undefined),
    timeoutMs: config.calls.requestTimeoutMs,
    joined: metrics.operationJoined,
  })
}

/** `manifest`: the text of trusted operations, if somebody has read it. */
export function persistedModeOf(
  config: Config,
  store: DocumentStore | undefined,
  manifest: string | undefined,
): PersistedMode {
  if (store !== undefined) return { kind: 'automatic', store }
  if (config.persisted.mode !== 'trusted') return { kind: 'off' }
  const place = config.persisted.manifest ?? ''
  if (manifest !== undefined)
    return {
      kind: 'trusted',
      manifest: readManifestText(manifest, place.includes('://') ? 'TESSERA_PERSISTED_MANIFEST' : place),
    }
  if (place.includes('://'))
    throw new Error(
      'TESSERA_PERSISTED_MANIFEST: addresses are read by `createReloadSource`: give its `manifest` to the gateway',
    )
  return { kind: 'trusted', manifest: readManifest(place) }
}
