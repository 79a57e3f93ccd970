/** One answer of many workers: their metrics as one scrape, their health as one report. */
import { AggregatorRegistry } from 'prom-client'
import type { ServiceState } from '../observe/health.ts'
import type { ProcessMetrics } from '../observe/metrics/index.ts'

interface Typed {
  readonly type?: unknown
}

/**
 * Counters and histograms are summed; gauges by their sense, as each says. `past` are those of workers that have
 * ended: without them sums would go down, which Prometheus takes for a restart of everything.
 */
export function addMetrics(present: readonly ProcessMetrics[], past: ProcessMetrics): Promise<string> {
  return aggregate([...present, past]).metrics()
}

/** What stays of a worker that has ended: what it counted, and nothing of its state. */
export async function keepCounts(past: ProcessMetrics, ended: ProcessMetrics): Promise<ProcessMetrics> {
  const counts = ended.filter((metric) => {
    const { type } = metric as Typed
    return type === 'counter' || type === 'histogram'
  })
  return (await aggregate([past, counts]).getMetricsAsJSON()) as unknown as ProcessMetrics
}

const aggregate = (all: readonly ProcessMetrics[]) =>
  AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]) as never)

/** By service, the worst of what the workers say; calls under way are summed. */
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
