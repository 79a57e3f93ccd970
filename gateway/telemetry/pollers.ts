/** The pollers behind subscriptions, for metrics and traces. Labels are services and fields, never values. */
import type { LiveObserver } from '../../shared/polling.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { Metrics } from './metrics/index.ts'
import type { Traces } from './traces/index.ts'

export function observePollers(metrics: Metrics, traces: Traces | undefined): LiveObserver {
  const counts = new Map<string, { readonly service: string; readonly field: string; value: number }>()
  metrics.gauge('tessera_pollers', 'Pollers behind subscriptions, by service and field.', () =>
    [...counts.values()].map(({ service, field, value }) => ({ labels: { service, field }, value })),
  )
  return {
    poller(service, field, change) {
      getOrInsert(counts, `${service}.${field}`, () => ({ service, field, value: 0 })).value += change
    },
    polled: metrics.polled,
    around(service, field, run) {
      if (traces === undefined) return run()
      return traces.request(
        () => undefined,
        (span) => {
          span.rename(`poll ${field}`)
          span.set({ 'tessera.service': service })
          return run()
        },
      )
    },
  }
}
