/** Combines the state of many workers: their metrics as one scrape, their health as one report, and their number. */
import type { ServiceState } from '../telemetry/health.ts'
import { prometheusText } from '../telemetry/metrics/exposition.ts'
import { addedMetrics, MetricRegistry, type ProcessMetrics } from '../telemetry/metrics/registry.ts'

/**
 * All workers as one scrape. `past` are the metrics of workers that have ended: without them sums would decrease, which
 * Prometheus takes for a restart of everything.
 */
export async function addMetrics(present: readonly ProcessMetrics[], past: ProcessMetrics): Promise<string> {
  return prometheusText(await addedMetrics([...present, past]))
}

/** What remains of a worker that has ended: its counts, and nothing of its state. */
export const keepCounts = (past: ProcessMetrics, ended: ProcessMetrics): Promise<ProcessMetrics> =>
  addedMetrics([past, ended.filter(({ type }) => type === 'counter' || type === 'histogram')])

/** By service, the worst report of the workers; calls under way are summed. */
export function worstOf(reports: readonly (readonly ServiceState[])[]): readonly ServiceState[] {
  const order: readonly ServiceState['state'][] = [
    'unknown',
    'closed',
    'reachable',
    'half-open',
    'unreachable',
    'open',
  ]
  const found = new Map<string, ServiceState>()
  for (const state of reports.flat()) {
    const known = found.get(state.service)
    if (known === undefined) {
      found.set(state.service, state)
      continue
    }
    const worse = order.indexOf(state.state) > order.indexOf(known.state) ? state : known
    found.set(state.service, {
      ...worse,
      ready: known.ready && state.ready,
      ...sumOf('active', known, state),
      ...sumOf('waiting', known, state),
    })
  }
  return [...found.values()]
}

function sumOf(key: 'active' | 'waiting', a: ServiceState, b: ServiceState): Partial<ServiceState> {
  return a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) }
}

/** Metrics of the primary about its workers; those of its own process are not in the sum. */
export function createPrimaryMetrics(
  read: () => { readonly wanted: number; readonly ready: number; readonly restarted: number },
): MetricRegistry {
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
