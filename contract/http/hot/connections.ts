/**
 * Kept-alive connections to one origin, with one exchange at a time on each. The last that was used is used
 * first; those that stay idle are closed.
 *
 * The plain way is undici's `Pool` (`../connections.ts`), which looks through all of its connections for a free one,
 * and hears of each that it is free again: nearly a microsecond a call, and who uses them has counted them already
 * (`../concurrency.ts`). Q1 took 8 % less CPU time when it was replaced, and 10 % in November 2026, under load; a
 * gateway over plain GraphQL subgraphs (`bench -- --federated`), with the connections themselves, 15 %.
 * `npm run bench -- --only ceiling,tessera --operations Q1,Q4`.
 */
import { Client } from 'undici'
import { runsPlainly } from '../../hot/switch.ts'
import { type CreateConnections, connector, noTimeouts } from '../connections.ts'
import type { Exchanger } from '../exchange.ts'
import { type CreateConnector, createHttp1Connection } from './http1/index.ts'

/** Where `http1` runs plainly, connections live as long as they hold: undici's `Client` has no option for `lifeMs`. */
export const createOwnConnections: CreateConnections = (origin, options) => {
  const { idleMs, lifeMs } = options
  const connect = connector(options)
  const createConnector: CreateConnector = (reading) =>
    reading === undefined ? connect : connector(options, reading)
  const plain = runsPlainly('http1')
  const open = (): Exchanger =>
    plain
      ? new Client(origin, {
          connect,
          ...noTimeouts,
          ...(idleMs === undefined ? {} : { keepAliveTimeout: idleMs }),
        })
      : createHttp1Connection(origin, createConnector, { idleMs, lifeMs })
  const idle: Exchanger[] = []
  const all = new Set<Exchanger>()

  return {
    take() {
      const connection = idle.pop()
      if (connection !== undefined) return connection
      const fresh = open()
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
