/** Kept-alive connections to one origin, with one exchange at a time on each. */
import { buildConnector, Pool } from 'undici'
import type { Exchanger } from '../../../contract/http/exchange.ts'
import type { CreateConnector } from '../../../contract/http/hot/http1/index.ts'

export interface Connections {
  /** A connection that is not in use; the caller bounds how many are in use. */
  take(): Exchanger
  /** Back from its user. `sound` says whether the exchange ended as it should. */
  give(connection: Exchanger, sound: boolean): void
  /** Breaks off what still runs, and leaves no socket. */
  close(): Promise<void>
}

/** The deadline of each call counts, undici's own would only be a second one. */
export const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * One for all connections, so that they share TLS sessions. With one connection for all calls, as in HTTP/2, one loss
 * would take every call along.
 */
export function connector(
  connectTimeoutMs: number,
  reading?: Parameters<CreateConnector>[0],
): buildConnector.connector {
  const onread = reading === undefined ? {} : { onread: reading }
  return buildConnector({ timeout: connectTimeoutMs, allowH2: false, ...onread })
}

export function createConnections(
  origin: string,
  connectTimeoutMs: number,
  concurrency: number,
): Connections {
  const pool = new Pool(origin, {
    connect: connector(connectTimeoutMs),
    connections: concurrency,
    ...noTimeouts,
  })
  return {
    take: () => pool,
    give() {},
    close: () => pool.destroy(),
  }
}
