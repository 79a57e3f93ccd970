/** The pipeline, as the configuration says. */
import type { Config } from '../config/index.ts'
import { createPipeline, type Observing, type Pipeline, type PipelineOptions } from './index.ts'

export type PipelineParts = Omit<PipelineOptions, 'timeoutMs' | 'refusedStatus' | 'httpProfile' | 'onError'>

export function pipelineFrom(config: Config, parts: PipelineParts): Pipeline {
  return createPipeline({
    ...parts,
    timeoutMs: config.calls.requestTimeoutMs,
    refusedStatus: config.authorization.refusedStatus,
    httpProfile: config.http.profile,
    onError: config.graphql.onError,
  })
}

/** How requests are reported to log and traces. */
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
