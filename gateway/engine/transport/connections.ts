/**
 * HTTP to a remote subgraph: the connections, of which there are so many at most, and the turn of each exchange on one
 * of them. With HTTP/2 many exchanges share a connection, and undici's pool decides.
 */
import { Pool } from 'undici'
import { runsPlainly } from '../../../contract/hot/switch.ts'
import { type Cancellation, cancelReason } from '../../../contract/http/cancellation.ts'
import { createConcurrencyLimit } from '../../../contract/http/concurrency.ts'
import {
  type ConnectionsOptions,
  createConnections,
  poolOptions,
} from '../../../contract/http/connections.ts'
import {
  beginExchange,
  type Exchanged,
  exchange,
  nothingSent,
  type Sending,
} from '../../../contract/http/exchange.ts'
import { createOwnConnections } from '../../../contract/http/hot/connections.ts'

export interface SubgraphConnections {
  /** Sends, as soon as a connection is free. */
  exchange(sending: Sending, request: Cancellation): Promise<Exchanged>
  close(): Promise<void>
}

export function openConnections(url: URL, options: ConnectionsOptions, http2: boolean): SubgraphConnections {
  return http2 ? overHttp2(url, options) : overHttp1(url, options)
}

function overHttp1({ origin }: URL, options: ConnectionsOptions): SubgraphConnections {
  const create = runsPlainly('connections') ? createConnections : createOwnConnections
  const connections = create(origin, options)
  // Nothing is refused here: how many requests there are is bounded before.
  const turns = createConcurrencyLimit(options.most, Number.POSITIVE_INFINITY)

  const send = (sending: Sending, request: Cancellation): Promise<Exchanged> =>
    new Promise((resolve) => {
      const connection = connections.take()
      beginExchange(connection, sending, request, (end) => {
        connections.give(connection, end.loss === undefined)
        turns.release()
        resolve(end)
      })
    })

  async function sendInTurn(sending: Sending, request: Cancellation): Promise<Exchanged> {
    const turn = await turns.wait(sending.deadline, request)
    if (turn === 'acquired') return send(sending, request)
    return { ...nothingSent, loss: turn === 'timeout' ? turn : cancelReason(request) }
  }

  return {
    exchange(sending, request) {
      // A connection would be closed with it.
      if (request.cancelled) return Promise.resolve({ ...nothingSent, loss: cancelReason(request) })
      return turns.acquire() ? send(sending, request) : sendInTurn(sending, request)
    },
    close: () => connections.close(),
  }
}

function overHttp2({ origin, protocol }: URL, options: ConnectionsOptions): SubgraphConnections {
  const { connectTimeoutMs, tls } = options
  const pool = new Pool(origin, {
    ...poolOptions(options),
    connectTimeout: connectTimeoutMs,
    allowH2: true,
    ...(protocol === 'http:' ? { useH2c: true } : {}),
    ...(tls === undefined ? {} : { connect: { ...tls } }),
  })
  return {
    exchange: (sending, request) => exchange(pool, sending, request),
    close: () => pool.destroy(),
  }
}
