/**
 * The state of the services, as this process has observed it: for `/health/ready` and `/metrics`. A service that is
 * down makes no gateway unready, because the graph still answers everything else, and a load balancer must not remove
 * all gateways because of it.
 */
import type { UpstreamState } from '../../shared/upstream.ts'
import type { Metrics } from './metrics/index.ts'

export interface ServiceState {
  readonly service: string
  /** Whether it is called; a service that failed too often is not, for a while. */
  readonly ready: boolean
  /**
   * The state of its circuit breaker: `closed` is healthy, `open` refuses, `half-open` tries. For a remote subgraph:
   * `reachable`, `unreachable`, or `unknown` before the first request.
   */
  readonly state: UpstreamState['breaker'] | 'reachable' | 'unreachable' | 'unknown'
  /** Calls under way, and calls that wait for their turn. */
  readonly active?: number
  readonly waiting?: number
}

export function serviceState(service: string, { breaker, active, waiting }: UpstreamState): ServiceState {
  return { service, ready: breaker !== 'open', state: breaker, active, waiting }
}

/** For a remote subgraph: its circuit breaker while that refuses, else whether it was reached. */
export function remoteState(
  service: string,
  transport:
    | { readonly reachable?: boolean | undefined; readonly guarded?: UpstreamState | undefined }
    | undefined,
): ServiceState {
  const { reachable, guarded } = transport ?? {}
  if (guarded !== undefined && (guarded.breaker !== 'closed' || guarded.active + guarded.waiting > 0))
    return serviceState(service, guarded)
  const state = reachable === undefined ? 'unknown' : reachable ? 'reachable' : 'unreachable'
  return { service, ready: reachable !== false, state }
}

const levels: Readonly<Record<ServiceState['state'], number>> = {
  closed: 0,
  reachable: 0,
  unknown: 0,
  'half-open': 0.5,
  open: 1,
  unreachable: 1,
}

/** The same as gauges, read at each scrape. */
export function measureStates(metrics: Metrics, states: () => readonly ServiceState[]): void {
  metrics.gauge(
    'tessera_service_broken',
    'Whether a service is refused or unreachable: 0 no, 1 yes, 0.5 while its breaker tries.',
    () => states().map(({ service, state }) => ({ labels: { service }, value: levels[state] })),
    'max',
  )
  const counts = (read: (state: ServiceState) => number | undefined) => () =>
    states().flatMap((state) => {
      const value = read(state)
      return value === undefined ? [] : [{ labels: { service: state.service }, value }]
    })
  metrics.gauge(
    'tessera_upstream_active',
    'Calls to a service that are under way.',
    counts(({ active }) => active),
  )
  metrics.gauge(
    'tessera_upstream_waiting',
    'Calls to a service that wait for their turn.',
    counts(({ waiting }) => waiting),
  )
}
