/**
 * Sends the scraped metrics to a collector in OTLP over HTTP. Everything is counted once: the registry's data are
 * converted to OpenTelemetry's form when they are sent. Loaded only if an address is configured.
 */
import { randomUUID } from 'node:crypto'
import { type HrTime, ValueType } from '@opentelemetry/api'
import { JsonMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { Collector, closeInTime } from '../collector.ts'
import type { Logger } from '../log.ts'
import type { MetricsSettings } from '../settings.ts'
import { version } from '../version.ts'
import type { ReadMetric } from './exposition.ts'

const words = {
  lost: 'metrics cannot be sent: until they can, they can only be scraped',
  back: 'metrics are sent again',
}

export function exportMetrics(
  settings: MetricsSettings & { readonly url: string },
  readMetrics: () => Promise<readonly ReadMetric[]>,
  log: Logger,
): { close(): Promise<void> } {
  const { intervalMs, attributes, conventions } = settings
  const resource = resourceFromAttributes({
    'service.version': version,
    'service.instance.id': randomUUID(),
    ...attributes,
  })
  const startTime = hrTime(Date.now())
  const producer: MetricProducer = {
    async collect(): Promise<CollectionResult> {
      const read = await readMetrics()
      const endTime = hrTime(Date.now())
      const found = read.flatMap((metric) => metricData(metric, startTime, endTime, conventions))
      return {
        resourceMetrics: {
          resource,
          scopeMetrics: [{ scope: { name: 'tessera', version }, metrics: found }],
        },
        errors: [],
      }
    },
  }
  const reader = new PeriodicExportingMetricReader({
    exporter: new Collector<ResourceMetrics>({ ...settings, words }, JsonMetricsSerializer, log),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(5000, intervalMs),
    metricProducers: [producer],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return { close: () => closeInTime(provider) }
}

const hrTime = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  (milliseconds % 1000) * 1_000_000,
]

type Values = ReadMetric['values']

/** The names of durations in the semantic conventions, and their labels. */
const conventional: Readonly<Record<string, { name: string; labels: Readonly<Record<string, string>> }>> = {
  tessera_request_duration_seconds: {
    name: 'http.server.request.duration',
    labels: { operation: 'graphql.operation.name', status: 'http.response.status_code' },
  },
  tessera_upstream_duration_seconds: {
    name: 'http.client.request.duration',
    labels: { service: 'server.address', operation: 'tessera.operation', outcome: 'tessera.outcome' },
  },
}

function metricData(
  { name, help, type, values }: ReadMetric,
  startTime: HrTime,
  endTime: HrTime,
  conventions: boolean,
): MetricData[] {
  const known = conventions ? conventional[name] : undefined
  const attributesOf = (labels: Values[number]['labels']): Record<string, string | number> =>
    Object.fromEntries(
      Object.entries(labels).map(([label, value]) => {
        const attribute = known?.labels[label] ?? label
        return [attribute, attribute === 'http.response.status_code' ? Number(value) : value]
      }),
    )
  const descriptor = {
    name: known?.name ?? name,
    description: help,
    unit: name.includes('_seconds') ? 's' : name.includes('_bytes') ? 'By' : '',
    valueType: ValueType.DOUBLE,
  }
  const metric = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const point = <Value>(labels: Values[number]['labels'], value: Value) => ({
    startTime,
    endTime,
    attributes: attributesOf(labels),
    value,
  })
  if (type === 'histogram') {
    const dataPoints = histograms(values).map(({ labels, ...value }) => point(labels, value))
    return [{ ...metric, dataPointType: DataPointType.HISTOGRAM, dataPoints }]
  }
  // A mean of nothing is NaN, which would be null in JSON: collectors refuse all that comes with it.
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => point(labels, value))
  if (type === 'counter')
    return [{ ...metric, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
  return type === 'gauge' ? [{ ...metric, dataPointType: DataPointType.GAUGE, dataPoints }] : []
}

interface ReadHistogram {
  readonly labels: Values[number]['labels']
  readonly buckets: { boundaries: number[]; counts: number[] }
  sum: number
  count: number
}

/** Prometheus counts values up to each bound; OpenTelemetry counts those between two bounds. */
function histograms(values: Values): ReadHistogram[] {
  const found = new Map<string, ReadHistogram & { last: number }>()
  for (const { metricName = '', labels: all, value } of values) {
    const { le, ...labels } = all
    const buckets = { boundaries: [], counts: [] }
    const one = getOrInsert(found, JSON.stringify(labels), () => ({
      labels,
      buckets,
      sum: 0,
      count: 0,
      last: 0,
    }))
    if (metricName.endsWith('_sum')) one.sum = value
    else if (metricName.endsWith('_count')) one.count = value
    else if (le !== undefined) {
      if (le !== '+Inf') one.buckets.boundaries.push(Number(le))
      one.buckets.counts.push(value - one.last)
      one.last = value
    }
  }
  return [...found.values()].map(({ last: _, ...histogram }) => histogram)
}
