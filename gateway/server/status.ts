/** The routes for operators: whether the gateway is alive, whether it is ready, and its metrics. */
import type { ServiceState } from '../telemetry/health.ts'
import { type Metrics, openMetricsType } from '../telemetry/metrics/index.ts'
import type { Route } from './routes.ts'

export interface StatusOptions {
  readonly metrics: Metrics
  readonly states: () => readonly ServiceState[]
  readonly generation?: (() => object) | undefined
  /** The figures of all processes that serve this port, if there are several. */
  readonly cluster?:
    | {
        metrics(): Promise<string>
        health(): Promise<{
          readonly services: readonly ServiceState[]
          readonly workers: object | undefined
        }>
      }
    | undefined
}

export function statusRoutes(
  { metrics, states, generation, cluster }: StatusOptions,
  isLeaving: () => boolean,
): readonly Route[] {
  return [
    { method: 'GET', path: '/health/live', answer: () => ({ json: { live: true } }) },
    {
      method: 'GET',
      path: '/health/ready',
      async answer() {
        const health = cluster === undefined ? { services: states() } : await cluster.health()
        const ready = !isLeaving()
        return { status: ready ? 200 : 503, json: { ready, ...health, generation: generation?.() } }
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      async answer({ raw }) {
        // Prometheus' own format has no exemplars, and those of several processes cannot be combined.
        if (cluster === undefined && raw.headers.accept?.includes('application/openmetrics-text'))
          return { headers: { 'content-type': openMetricsType }, text: await metrics.openMetrics() }
        return {
          headers: { 'content-type': metrics.contentType },
          text: await (cluster?.metrics() ?? metrics.text()),
        }
      },
    },
  ]
}
