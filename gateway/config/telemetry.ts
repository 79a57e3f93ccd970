/**
 * The settings of traces and metrics from our variables and from OpenTelemetry's standard ones. Ours win, then those for
 * one signal, then those for all signals. As the standard requires, a standard variable that cannot be used stops
 * nothing: it is ignored with a warning, which names the variable and never its value.
 */
import type { Compression, MetricsSettings, SamplerSettings, TracesSettings } from '../telemetry/settings.ts'
import type { Settings } from './sections.ts'

type Signal = 'Traces' | 'Metrics'

export function tracesFrom(settings: Settings): TracesSettings {
  const warnings: string[] = []
  const collector = collectorFrom('Traces', settings, warnings, warnings)
  return { ...collector, sampler: samplerFrom(settings, warnings), warnings }
}

export function metricsFrom(settings: Settings): MetricsSettings {
  const { otel, telemetry } = settings
  const warnings: string[] = []
  return {
    // Faults in the variables of all signals are reported with the traces.
    ...collectorFrom('Metrics', settings, warnings, []),
    intervalMs:
      millisecondsFrom('OTEL_METRIC_EXPORT_INTERVAL', otel.metricExportInterval, leastIntervalMs, warnings) ??
      defaultIntervalMs,
    conventions: telemetry.otelConventions,
    warnings,
  }
}

/** `warningsOfAll` gets the faults in the variables of all signals. */
function collectorFrom(signal: Signal, settings: Settings, warnings: string[], warningsOfAll: string[]) {
  const { otel, telemetry } = settings
  const [exporter, ours] =
    signal === 'Traces'
      ? [otel.tracesExporter, telemetry.tracesUrl]
      : [otel.metricsExporter, telemetry.otlpMetricsUrl]
  const off = otel.sdkDisabled?.toLowerCase() === 'true' || exporter === 'none'
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}`
  const coding = codingFrom('OTEL_EXPORTER_OTLP_COMPRESSION', otel.exporterOtlpCompression, warningsOfAll)
  const timeoutMs = millisecondsFrom('OTEL_EXPORTER_OTLP_TIMEOUT', otel.exporterOtlpTimeout, 1, warningsOfAll)
  checkProtocol(`${own}_PROTOCOL`, otel[`exporterOtlp${signal}Protocol`], warnings)
  // A variable that neither signal uses is not a fault.
  if (otel.exporterOtlpTracesProtocol === undefined || otel.exporterOtlpMetricsProtocol === undefined)
    checkProtocol('OTEL_EXPORTER_OTLP_PROTOCOL', otel.exporterOtlpProtocol, warningsOfAll)
  return {
    url: off ? undefined : (ours ?? endpointOf(signal, settings, warnings)),
    headers: {
      ...pairs('OTEL_EXPORTER_OTLP_HEADERS', otel.exporterOtlpHeaders, warningsOfAll),
      ...pairs(`${own}_HEADERS`, otel[`exporterOtlp${signal}Headers`], warnings),
    },
    compression:
      codingFrom(`${own}_COMPRESSION`, otel[`exporterOtlp${signal}Compression`], warnings) ?? coding,
    timeoutMs:
      millisecondsFrom(`${own}_TIMEOUT`, otel[`exporterOtlp${signal}Timeout`], 1, warnings) ?? timeoutMs,
    attributes: {
      'service.name': 'tessera',
      ...pairs('OTEL_RESOURCE_ATTRIBUTES', otel.resourceAttributes, warningsOfAll),
      ...(otel.serviceName === undefined ? {} : { 'service.name': otel.serviceName }),
    },
  }
}

/** An address for one signal is used as it is; `v1/traces` or `v1/metrics` is appended to one for all signals. */
function endpointOf(signal: Signal, { otel }: Settings, warnings: string[]): string | undefined {
  const own = otel[`exporterOtlp${signal}Endpoint`]
  if (own !== undefined) {
    if (isHttpUrl(own)) return own
    warnings.push(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT: expected an http or https address`)
  }
  const common = otel.exporterOtlpEndpoint
  if (common === undefined) return undefined
  if (isHttpUrl(common))
    return new URL(`v1/${signal.toLowerCase()}`, common.endsWith('/') ? common : `${common}/`).href
  warnings.push('OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https address')
  return undefined
}

function codingFrom(variable: string, text: string | undefined, warnings: string[]): Compression | undefined {
  if (text === undefined || text === 'gzip' || text === 'none') return text
  warnings.push(`${variable}: expected gzip or none`)
  return undefined
}

function checkProtocol(variable: string, protocol: string | undefined, warnings: string[]): void {
  if (protocol === undefined || protocol === 'http/json') return
  warnings.push(`${variable}: http/json is sent, which collectors take on port 4318`)
}

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const defaultSampler: SamplerSettings = { parentBased: true, ratio: 1 }

/** By the names of the standard. The argument of a sampler, if it takes one, is the share. */
const samplers = new Map<string, (share: () => number) => SamplerSettings>([
  ['always_on', () => ({ parentBased: false, ratio: 1 })],
  ['always_off', () => ({ parentBased: false, ratio: 0 })],
  ['traceidratio', (share) => ({ parentBased: false, ratio: share() })],
  ['parentbased_always_on', () => defaultSampler],
  ['parentbased_always_off', () => ({ parentBased: true, ratio: 0 })],
  ['parentbased_traceidratio', (share) => ({ parentBased: true, ratio: share() })],
])

function samplerFrom({ otel, telemetry }: Settings, warnings: string[]): SamplerSettings {
  const { tracesSampler: name, tracesSamplerArg: argument } = otel
  const { tracesRatio: ratio } = telemetry
  if (ratio !== undefined) return { parentBased: true, ratio }
  if (name === undefined) return defaultSampler
  const sampler = samplers.get(name)
  if (sampler === undefined) {
    warnings.push(`OTEL_TRACES_SAMPLER: expected one of ${[...samplers.keys()].join(', ')}`)
    return defaultSampler
  }
  return sampler(() => {
    if (argument === undefined) return 1
    const share = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e-\d+)?$/i.test(argument) ? Number(argument) : Number.NaN
    if (share >= 0 && share <= 1) return share
    warnings.push('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1')
    return 1
  })
}

/** `key=value,key=value`, percent-encoded; all of it is ignored if a part is invalid. */
function pairs(variable: string, text: string | undefined, warnings: string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const pair of (text ?? '').split(',').filter((part) => part.trim() !== '')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(equals, 0)).trim()
    const [key, value] = name === '' || /\s/.test(name) ? [] : [name, pair.slice(equals + 1).trim()]
    try {
      if (key === undefined || value === undefined) throw new URIError()
      found[decodeURIComponent(key)] = decodeURIComponent(value)
    } catch {
      warnings.push(`${variable}: expected key=value,key=value, percent-encoded`)
      return {}
    }
  }
  return found
}

const defaultIntervalMs = 60_000
const leastIntervalMs = 100

function millisecondsFrom(
  variable: string,
  text: string | undefined,
  least: number,
  warnings: string[],
): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (milliseconds >= least) return milliseconds
  warnings.push(`${variable}: expected milliseconds, at least ${least}`)
  return undefined
}
