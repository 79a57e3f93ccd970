/** The collector of metrics, from our variables and OpenTelemetry's standard ones, as those of traces are read. */
import type { MetricsSettings } from '../telemetry/metrics/settings.ts'
import type { Values } from './config.ts'
import { endpointOf, pairs, resourceOf } from './traces.ts'

const usualIntervalMs = 60_000
const leastIntervalMs = 100

export function metricsFrom(values: Values): MetricsSettings {
  const warnings: string[] = []
  const off = values.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || values.OTEL_METRICS_EXPORTER === 'none'
  const url = off ? undefined : (values.TESSERA_OTLP_METRICS_URL ?? endpointOf('METRICS', values, warnings))
  const attributes = pairs('OTEL_RESOURCE_ATTRIBUTES', values.OTEL_RESOURCE_ATTRIBUTES, [])
  return {
    url,
    headers: {
      // Faults in the variables of all signals are reported with the traces.
      ...pairs('OTEL_EXPORTER_OTLP_HEADERS', values.OTEL_EXPORTER_OTLP_HEADERS, []),
      ...pairs('OTEL_EXPORTER_OTLP_METRICS_HEADERS', values.OTEL_EXPORTER_OTLP_METRICS_HEADERS, warnings),
    },
    intervalMs: intervalFrom(values.OTEL_METRIC_EXPORT_INTERVAL, warnings),
    attributes: resourceOf(values, attributes),
    conventions: values.TESSERA_OTEL_CONVENTIONS,
    warnings,
  }
}

function intervalFrom(text: string | undefined, warnings: string[]): number {
  if (text === undefined) return usualIntervalMs
  const interval = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (interval >= leastIntervalMs) return interval
  warnings.push(`OTEL_METRIC_EXPORT_INTERVAL: expected milliseconds, at least ${leastIntervalMs}`)
  return usualIntervalMs
}
