/** A collector of OpenTelemetry that takes traces and metrics in OTLP's JSON, and ends with the test. */
import { expect } from 'vitest'
import { keep } from './keep.ts'
import { startScripted } from './scripted-service.ts'

interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
}

export interface Span extends Attributed {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
}

export interface Point extends Attributed {
  readonly asDouble?: number
  readonly count?: number | string
  readonly bucketCounts?: readonly (number | string)[]
  readonly explicitBounds?: readonly number[]
}

export const attributesOf = (of: Attributed | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(of?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])

export async function startCollector(status = 200) {
  const { url, arrived } = keep(await startScripted({ status, body: {} }))
  const traces = () => arrived.flatMap(({ body }) => body.resourceSpans ?? [])
  const spans = (): Span[] =>
    traces().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope: { spans: Span[] }) => scope.spans))
  return {
    url,
    arrived,
    spans,
    resources: (): Attributed[] => traces().map(({ resource }) => resource),
    /** The spans of a name, once there are as many. */
    async named(name: string, count = 1): Promise<Span[]> {
      const all = (): Span[] => spans().filter((span) => span.name === name)
      await expect.poll(() => all().length).toBeGreaterThanOrEqual(count)
      return all()
    },
    /** The last points of a metric. */
    points(name: string): Point[] | undefined {
      const metrics = arrived
        .flatMap(({ body }) => body.resourceMetrics?.[0].scopeMetrics[0].metrics ?? [])
        .findLast((metric) => metric.name === name)
      return (metrics?.sum ?? metrics?.gauge ?? metrics?.histogram)?.dataPoints
    },
  }
}
