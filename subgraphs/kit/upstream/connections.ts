/**
 * Kept-alive connections to one origin, with one exchange at a time on each. The last that was used is used
 * first; undici closes those that stay idle. Its `Pool` would look through all of them for a free one, and hear
 * of each that it is free again: nearly a microsecond a call, and who calls has counted them already (concurrency.ts).
 */
import { buildConnector, Client } from 'undici'

export interface Connections {
  /** One that nobody uses. */
  take(): Client
  /** Back from who took it; another is made in place of one whose exchange did not end as it should. */
  give(connection: Client, sound: boolean): void
  /** Breaks off what still runs, and leaves no socket. */
  close(): Promise<void>
}

export function createConnections(origin: string, connectTimeoutMs: number): Connections {
  // One for all, so that they share TLS sessions. With one connection for all calls, as in HTTP/2, one loss would
  // take every call along.
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false })
  const idle: Client[] = []
  const all = new Set<Client>()

  return {
    take() {
      const connection = idle.pop()
      if (connection !== undefined) return connection
      // Every call has its own deadline; undici's would only be a second one.
      const fresh = new Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0 })
      all.add(fresh)
      return fresh
    },
    give(connection, sound) {
      if (sound) {
        idle.push(connection)
        return
      }
      // Until its socket is gone, `close` waits for this one, too.
      void connection.destroy().then(() => all.delete(connection))
    },
    async close() {
      await Promise.all([...all].map((connection) => connection.destroy()))
    },
  }
}
