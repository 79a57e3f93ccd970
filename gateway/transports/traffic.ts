/** How one remote subgraph is reached, as the configuration says: what is said of it, or else of all. */
import type { HttpTransportOptions, RemoteEventsSettings } from '../../engine/subgraphs/index.ts'
import { readTlsFiles } from '../../shared/http/tls-files.ts'
import type { Config } from '../config/index.ts'

type Traffic = NonNullable<NonNullable<Config['traffic']['subgraphs']>[string]>

export function trafficOf({ traffic }: Config, name: string): Traffic {
  const { all, subgraphs = {} } = traffic
  const own = Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined
  return { ...all, ...own, subscriptions: { ...all?.subscriptions, ...own?.subscriptions } }
}

/** Our own services send a comment whenever nothing else was sent for so long; so many of them may be missing. */
const missingHeartbeats = 4

/** How a subgraph is subscribed to; `own` says that it is one of our services. */
export function eventsOf(config: Config, name: string, own: boolean): RemoteEventsSettings {
  const given = trafficOf(config, name).subscriptions ?? {}
  if (!own) return given
  const heartbeatMs = config.subscriptions.heartbeatMs
  return { protocol: 'sse', idleMs: Math.max(60_000, missingHeartbeats * heartbeatMs), ...given }
}

/** The same for a transport. Throws if a file of TLS cannot be used. */
export function transportTrafficOf(traffic: Traffic): Partial<HttpTransportOptions> {
  const { url: _url, timeoutMs: _ms, subscriptions: _events, ...own } = traffic
  const { retries, breaker, concurrency, tls, ...others } = own
  const guarded = retries !== undefined || breaker !== undefined || concurrency !== undefined
  return {
    ...others,
    ...(guarded ? { guard: { retries, breaker, concurrency } } : {}),
    ...(tls === undefined ? {} : { tls: tlsFrom(tls) }),
  }
}

/** Faults are found here, because connections would fail after a reload that succeeded. */
const tlsFrom = ({
  ca,
  certificate,
  key,
}: NonNullable<Traffic['tls']>): NonNullable<HttpTransportOptions['tls']> =>
  readTlsFiles(
    { ca, certificate, key },
    {
      unusable: (what, file, how, reason) =>
        `traffic: the file of tls.${what} cannot be ${how}: ${file}: ${reason}`,
      mismatch: (reason) => `traffic: ${certificate} and ${key} of tls do not match: ${reason}`,
    },
  )
