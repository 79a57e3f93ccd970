/** How one remote subgraph is reached, as the configuration says: what is said of it, or else of all. */

import { createSecureContext } from 'node:tls'
import type { HttpTransportOptions, RemoteEventsSettings } from '../../engine/subgraphs/index.ts'
import { authoritiesFault } from '../../shared/http/authorities.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
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

/** Connections would fail one by one, after a reload that succeeded, so faults are found here. */
function tlsFrom(files: NonNullable<Traffic['tls']>): NonNullable<HttpTransportOptions['tls']> {
  const ca = pem('ca', files.ca)
  const cert = pem('certificate', files.certificate)
  const key = pem('key', files.key)
  const fault = ca === undefined ? undefined : authoritiesFault(ca)
  if (fault !== undefined)
    throw new Error(`traffic: the file of tls.ca cannot be used: ${files.ca}: ${fault}`)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`traffic: ${files.certificate} and ${files.key} of tls do not match: ${reason}`)
  }
  return { ca, cert, key }
}

/** A bundle of all authorities that a system trusts has a quarter of it. */
const mostPemBytes = 1024 * 1024

function pem(what: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readBoundedSync(file, mostPemBytes).toString('utf8')
  } catch (error) {
    throw new Error(`traffic: the file of tls.${what} cannot be read: ${file}: ${fileFault(error)}`)
  }
}
