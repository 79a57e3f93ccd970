/** Metrics of the primary about its workers; those of its own process are not in the sum. */
import { MetricRegistry } from '../telemetry/metrics/registry.ts'

export interface WorkerCounts {
  readonly wanted: number
  readonly ready: number
  readonly restarted: number
}

export function createPrimaryMetrics(read: () => WorkerCounts): MetricRegistry {
  const registry = new MetricRegistry()
  registry.gauge('tessera_workers', 'Workers of this process, by state: wanted, ready.', () => {
    const { wanted, ready } = read()
    return [
      { labels: { state: 'wanted' }, value: wanted },
      { labels: { state: 'ready' }, value: ready },
    ]
  })
  const help = 'Workers that ended by themselves and were replaced.'
  const restarted = (): number => read().restarted
  registry.readCounter('tessera_worker_restarts_total', help, () => [{ labels: {}, value: restarted() }])
  return registry
}
