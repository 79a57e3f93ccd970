/**
 * An HTTP client for one origin, over persistent connections of undici. All clients of the product are made here: for
 * services, subgraphs, token endpoints, introspection, key sets, coprocessors, supergraphs, uploads and event
 * streams.
 *
 * An exchange ends by its deadline. The number of concurrent exchanges is limited, others wait for their turn (see
 * `concurrency.ts`), and nothing remains after the client is closed. The response head, the connections, their
 * lifetime and the body of a response are bounded.
 */
import { Client, type Dispatcher, Pool } from 'undici'
import { type Cancellation, cancelReason, notCancelled } from './cancellation.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { dispatchRequest, type HttpRequest, type HttpResult, nothingSent } from './dispatch-request.ts'

export type { HttpRequest, HttpResult, LossReason } from './dispatch-request.ts'

export interface HttpClient {
  /**
   * Sends when it is this request's turn. Never rejects. `deadline` is in milliseconds of `performance.now()`, and
   * `cancellation` is that of the request that it is sent for.
   */
  send(request: HttpRequest, deadline: number, cancellation?: Cancellation): Promise<HttpResult>
  /** Sends at once. The handler gets the response in chunks, and must bound it in bytes and time. */
  stream(request: Omit<HttpRequest, 'maxBytes'>, handler: StreamHandler): void
  /** Aborts all exchanges and closes all sockets. */
  close(): Promise<void>
}

export type StreamHandler = Dispatcher.DispatchHandler
export type StreamController = Dispatcher.DispatchController

interface HttpClientOptions {
  /** The most connections, and without HTTP/2 also the most concurrent exchanges. */
  readonly connections: number
  readonly connectTimeoutMs: number
  /** How long an idle connection is kept, unless the server sends a time. 4,000 by default. */
  readonly idleMs?: number | undefined
  /** How long a connection is used. A new one may lead to a new replica. Unlimited by default. */
  readonly lifeMs?: number | undefined
  /** How long the server may read or send nothing. Unlimited by default: then only the deadlines of exchanges apply. */
  readonly stalledMs?: number | undefined
  /** Whether connections are reused. True by default. */
  readonly keepAlive?: boolean | undefined
  /** Whether to use HTTP/2, with many exchanges on one connection. TLS negotiates it; without TLS it is assumed. */
  readonly http2?: boolean | undefined
  /** The authorities for the server's certificate, and our own certificate. PEM. */
  readonly tls?: TlsOptions | undefined
}

export interface TlsOptions {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Node's own bound. */
const mostHeadBytes = 16 * 1024
/** The most, whatever time a server sends. */
const longestIdleMs = 600_000

/** Only the origin of `address` is used. */
export function createHttpClient(address: string | URL, options: HttpClientOptions): HttpClient {
  const { origin, protocol } = new URL(address)
  const { connections, http2 = false } = options
  // A supergraph may have hundreds of subgraphs, most of which are not called soon.
  let opened: Pool | undefined
  const pool = (): Pool => {
    if (opened === undefined) {
      opened = new Pool(origin, poolOptions(options, protocol))
      if (isClosed) void opened.destroy()
    }
    return opened
  }
  let isClosed = false
  // With HTTP/2 exchanges share connections, and the pool schedules them.
  const turns = http2 ? undefined : createConcurrencyLimit(connections, Number.POSITIVE_INFINITY)

  const begin = (request: HttpRequest, deadline: number, cancellation: Cancellation): Promise<HttpResult> =>
    new Promise((resolve) => {
      dispatchRequest(pool(), request, deadline, cancellation, (end) => {
        turns?.release()
        resolve(end)
      })
    })

  async function beginInTurn(
    limit: NonNullable<typeof turns>,
    request: HttpRequest,
    deadline: number,
    cancellation: Cancellation,
  ): Promise<HttpResult> {
    const turn = await limit.wait(deadline, cancellation)
    if (turn === 'acquired') return begin(request, deadline, cancellation)
    return { ...nothingSent, loss: turn === 'timeout' ? turn : cancelReason(cancellation) }
  }

  return {
    send(request, deadline, cancellation = notCancelled) {
      if (cancellation.cancelled) return Promise.resolve({ ...nothingSent, loss: cancelReason(cancellation) })
      return turns === undefined || turns.acquire()
        ? begin(request, deadline, cancellation)
        : beginInTurn(turns, request, deadline, cancellation)
    },
    stream({ method, path, headers, body }, handler) {
      const sent = { method, path, headers: headers as string[], body: body ?? null }
      pool().dispatch(sent as Dispatcher.DispatchOptions, handler)
    },
    async close() {
      isClosed = true
      await opened?.destroy()
    },
  }
}

/**
 * A client that rejects an invalid request counts as busy for undici's pool, and is never used again. As many such
 * requests as there are connections would stop everything.
 */
class SteadyClient extends Client {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, handler) || this.stats.size === 0
  }
}

function poolOptions(options: HttpClientOptions, protocol: string): Pool.Options {
  const { connections, connectTimeoutMs, idleMs, lifeMs, stalledMs = 0, tls } = options
  const { keepAlive = true, http2 = false } = options
  return {
    connections,
    factory: (origin, clientOptions) => new SteadyClient(origin, clientOptions),
    connectTimeout: connectTimeoutMs,
    // Each connection carries one exchange at a time: with more, one failure would affect others.
    pipelining: keepAlive ? 1 : 0,
    maxHeaderSize: mostHeadBytes,
    headersTimeout: stalledMs,
    bodyTimeout: stalledMs,
    keepAliveMaxTimeout: longestIdleMs,
    allowH2: http2,
    ...(http2 && protocol === 'http:' ? { useH2c: true } : {}),
    ...(idleMs === undefined ? {} : { keepAliveTimeout: idleMs }),
    ...(lifeMs === undefined ? {} : { clientTtl: lifeMs }),
    ...(tls === undefined ? {} : { connect: { ...tls } }),
  }
}

/** The longest time without progress if nothing else bounds it. */
const defaultStalledMs = 300_000

/** Makes one exchange with `url` on its own connection. `timeoutMs` may be infinite, for a long body. */
export async function sendOnce(
  url: string | URL,
  request: Omit<HttpRequest, 'path'>,
  timeoutMs: number,
  cancellation?: Cancellation,
): Promise<HttpResult> {
  const { pathname, search } = new URL(url)
  const client = createHttpClient(url, {
    connections: 1,
    connectTimeoutMs: Math.min(10_000, timeoutMs),
    stalledMs: Math.min(defaultStalledMs, timeoutMs),
    keepAlive: false,
  })
  try {
    const sent = { ...request, path: pathname + search }
    return await client.send(sent, performance.now() + timeoutMs, cancellation)
  } finally {
    await client.close()
  }
}
