/** The settings of traces, and of metrics that are sent in addition to scraping. */

/** By OpenTelemetry's names. */
export type Compression = 'gzip' | 'none'

interface CollectorSettings {
  /** In OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. Undefined sends nothing. */
  readonly url: string | undefined
  /** They are sent to the collector, and may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** Not compressed by default. */
  readonly compression?: Compression | undefined
  /** The timeout of sending, retries included; 5 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** Attributes of the resource, with `service.name`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Ignored standard settings, for the log. */
  readonly warnings: readonly string[]
}

/** The sampler, by OpenTelemetry's names: `parentBased` leaves the decision to the caller that began the trace. */
export interface SamplerSettings {
  readonly parentBased: boolean
  /** The sampled share of traces that begin here: 0 to 1. */
  readonly ratio: number
}

export interface TracesSettings extends CollectorSettings {
  readonly sampler: SamplerSettings
}

export interface MetricsSettings extends CollectorSettings {
  readonly intervalMs: number
  /** Whether durations of requests and calls have the names of OpenTelemetry's semantic conventions. */
  readonly conventions: boolean
}
