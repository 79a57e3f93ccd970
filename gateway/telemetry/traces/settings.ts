/** The settings of traces: their collector, their sampling, and the description of their origin. */

/** The sampler, by OpenTelemetry's names: `parentBased` leaves the decision to the caller that began the trace. */
export interface SamplerSettings {
  readonly parentBased: boolean
  /** The sampled share of traces that begin here: 0 to 1. */
  readonly ratio: number
}

export interface TracesSettings {
  /** In OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. Undefined samples none. */
  readonly url: string | undefined
  /** They are sent to the collector, and may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly sampler: SamplerSettings
  /** Attributes of the resource, with `service.name`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Ignored standard settings, for the log. */
  readonly warnings: readonly string[]
}
