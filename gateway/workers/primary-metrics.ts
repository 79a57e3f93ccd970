/** What the primary metrics itself: its workers. Its own process has no metrics of its own in the sum. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { ProcessMeasures } from '../observe/metrics/index.ts'

export interface WorkerCounts {
  readonly wanted: number
  readonly ready: number
  readonly restarted: number
}

export function createPrimaryMeasures(read: () => WorkerCounts): {
  json(): Promise<ProcessMeasures>
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
