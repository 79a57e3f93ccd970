/** The collector of metrics, from our variables and OpenTelemetry's standard ones, as those of traces are read. */
import type { MetricsSettings } from '../telemetry/metrics/settings.ts'
import type { Settings } from './sections.ts'
import { endpointOf, pairs, resourceOf } from './traces.ts'

const defaultIntervalMs = 60_000
const leastIntervalMs = 100

export function metricsFrom(settings: Settings): MetricsSettings {
  const { otel, telemetry } = settings
  const warnings: string[] = []
  const off = otel.sdkDisabled?.toLowerCase() === 'true' || otel.metricsExporter === 'none'
  const url = off ? undefined : (telemetry.otlpMetricsUrl ?? endpointOf('Metrics', settings, warnings))
  const attributes = pairs('OTEL_RESOURCE_ATTRIBUTES', otel.resourceAttributes, [])
  return {
    url,
    headers: {
      // Faults in the variables of all signals are reported with the traces.
      ...pairs('OTEL_EXPORTER_OTLP_HEADERS', otel.exporterOtlpHeaders, []),
      ...pairs('OTEL_EXPORTER_OTLP_METRICS_HEADERS', otel.exporterOtlpMetricsHeaders, warnings),
    },
    intervalMs: intervalFrom(otel.metricExportInterval, warnings),
    attributes: resourceOf(settings, attributes),
    conventions: telemetry.otelConventions,
    warnings,
  }
}

function intervalFrom(text: string | undefined, warnings: string[]): number {
  if (text === undefined) return defaultIntervalMs
  const interval = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (interval >= leastIntervalMs) return interval
  warnings.push(`OTEL_METRIC_EXPORT_INTERVAL: expected milliseconds, at least ${leastIntervalMs}`)
  return defaultIntervalMs
}
