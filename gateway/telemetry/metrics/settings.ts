/** The collector to which metrics are sent, in addition to scraping. */
export interface MetricsSettings {
  /** In OTLP over HTTP: `http://127.0.0.1:4318/v1/metrics`. Undefined sends none. */
  readonly url: string | undefined
  /** They are sent to the collector, and may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly intervalMs: number
  /** Attributes of the resource, with `service.name`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Whether durations of requests and calls have the names of OpenTelemetry's semantic conventions. */
  readonly conventions: boolean
  /** Ignored standard settings, for the log. */
  readonly warnings: readonly string[]
}

export interface MetricsExport {
  /** Sends the counts so far. */
  close(): Promise<void>
}
