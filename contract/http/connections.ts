/** Kept-alive connections to one origin, with one exchange at a time on each. */
import { buildConnector, Pool } from 'undici'
import type { Exchanger } from './exchange.ts'
import type { CreateConnector } from './hot/http1/index.ts'

export interface Connections {
  /** A connection that is not in use; the caller bounds how many are in use. */
  take(): Exchanger
  /** Back from its user. `sound` says whether the exchange ended as it should. */
  give(connection: Exchanger, sound: boolean): void
  /** Breaks off what still runs, and leaves no socket. */
  close(): Promise<void>
}

export interface ConnectionsOptions {
  readonly connectTimeoutMs: number
  /** The most that are in use at the same time. */
  readonly most: number
  /** How long one without an exchange is kept, unless the server says it. 4,000. */
  readonly idleMs?: number | undefined
  /** How long one is used: then another is opened, which may lead to a replica that is new. As long as it holds. */
  readonly lifeMs?: number | undefined
  /** What the server's certificate is checked with, and how we prove ourselves; PEM. */
  readonly tls?: TlsOptions | undefined
}

export interface TlsOptions {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

export type CreateConnections = (origin: string, options: ConnectionsOptions) => Connections

/** The deadline of each call counts, undici's own would only be a second one. */
export const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * One for all connections, so that they share TLS sessions. With one connection for all calls, as in HTTP/2, one loss
 * would take every call along.
 */
export function connector(
  { connectTimeoutMs, tls }: ConnectionsOptions,
  reading?: Parameters<CreateConnector>[0],
): buildConnector.connector {
  const onread = reading === undefined ? {} : { onread: reading }
  return buildConnector({ timeout: connectTimeoutMs, allowH2: false, ...tls, ...onread })
}

/** The options of a `Pool` but for how it connects. */
export const poolOptions = ({ most, idleMs, lifeMs }: ConnectionsOptions): Pool.Options => ({
  connections: most,
  ...noTimeouts,
  ...(lifeMs === undefined ? {} : { clientTtl: lifeMs }),
  ...(idleMs === undefined ? {} : { keepAliveTimeout: idleMs }),
})

export const createConnections: CreateConnections = (origin, options) => {
  const pool = new Pool(origin, { ...poolOptions(options), connect: connector(options) })
  return {
    take: () => pool,
    give() {},
    close: () => pool.destroy(),
  }
}
