/** What traces are made with: their collector, which of them are kept, and what each says of its origin. */

/** Which traces are kept, as OpenTelemetry names it: `parentBased` leaves it to the caller that began one. */
export interface SamplerSettings {
  readonly parentBased: boolean
  /** The share that is kept of traces that begin here: 0 to 1. */
  readonly ratio: number
}

export interface TracesSettings {
  /** In OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. Undefined keeps none. */
  readonly url: string | undefined
  /** Sent along to the collector; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly sampler: SamplerSettings
  /** Of the resource, with `service.name`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Standard settings that are not followed, for the log. */
  readonly warnings: readonly string[]
}
