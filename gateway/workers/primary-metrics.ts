/** Metrics of the primary itself, which are about its workers; those of its process are not in the sum. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { ProcessMetrics } from '../observe/metrics/index.ts'

export interface WorkerCounts {
  readonly wanted: number
  readonly ready: number
  readonly restarted: number
}

export function createPrimaryMetrics(read: () => WorkerCounts): {
  json(): Promise<ProcessMetrics>
  close(): void
} {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'tessera_workers',
    help: 'Workers of this process, by state: wanted, ready.',
    labelNames: ['state'],
    registers,
    collect() {
      const { wanted, ready } = read()
      this.set({ state: 'wanted' }, wanted)
      this.set({ state: 'ready' }, ready)
    },
  })
  new Counter({
    name: 'tessera_worker_restarts_total',
    help: 'Workers that ended by themselves and were replaced.',
    registers,
    collect() {
      this.reset()
      this.inc(read().restarted)
    },
  })
  return { json: () => registry.getMetricsAsJSON(), close: () => registry.clear() }
}
