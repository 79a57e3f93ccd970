/**
 * HTTP to one origin, over kept-alive connections of undici. Every client that serving and the commands use is made
 * here: for services, subgraphs, token endpoints, introspection, key sets, coprocessors, supergraphs, uploads and
 * streams of events.
 *
 * A client promises that an exchange ends by its deadline, that so many run at the same time at most, that others wait
 * for their turn (requests take turns, see `concurrency.ts`), and that nothing is left when it is closed. The head of a
 * response, the connections, how long they are kept and what is read of an answer are bounded.
 */
import { Client, type Dispatcher, Pool } from 'undici'
import { type Cancellation, cancelReason, notCancelled } from './cancellation.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { beginExchange, type Exchanged, type HttpRequest, nothingSent } from './exchange.ts'

export type { Exchanged, HttpRequest, Loss } from './exchange.ts'

export interface HttpClient {
  /**
   * Sends as soon as it is this request's turn. Never rejects. `deadline`: in the time of `performance.now()`;
   * `cancellation`: of the request that it is sent for.
   */
  send(request: HttpRequest, deadline: number, cancellation?: Cancellation): Promise<Exchanged>
  /** Sends at once, and hands the answer over as it comes: it is for the handler to bound it in bytes and time. */
  stream(request: Omit<HttpRequest, 'maxBytes'>, handler: StreamHandler): void
  /** Breaks off what still runs, and leaves no socket. */
  close(): Promise<void>
}

export type StreamHandler = Dispatcher.DispatchHandler
export type StreamController = Dispatcher.DispatchController

export interface HttpClientOptions {
  /** The most connections, and the most exchanges at the same time; over HTTP/2 of connections alone. */
  readonly connections: number
  readonly connectTimeoutMs: number
  /** How long a connection without an exchange is kept, unless the server says it. 4,000. */
  readonly idleMs?: number | undefined
  /** How long a connection is used: then another is opened, which may lead to a replica that is new. As long as it holds. */
  readonly lifeMs?: number | undefined
  /**
   * How long the other side may take no bytes, or send none. Any time by default: then the deadline of each exchange
   * counts alone.
   */
  readonly stalledMs?: number | undefined
  /** Whether a connection is used again. True by default. */
  readonly keepAlive?: boolean | undefined
  /** HTTP/2, many exchanges on one connection: agreed on by TLS, and taken for granted without it. */
  readonly http2?: boolean | undefined
  /** What the server's certificate is checked with, and how we prove ourselves; PEM. */
  readonly tls?: TlsOptions | undefined
}

export interface TlsOptions {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** As Node bounds it. */
const mostHeadBytes = 16 * 1024
/** However long a server says that it keeps a connection. */
const longestIdleMs = 600_000

/** `address`: only its origin counts. */
export function createHttpClient(address: string | URL, options: HttpClientOptions): HttpClient {
  const { origin, protocol } = new URL(address)
  const { connections, http2 = false } = options
  const pool = new Pool(origin, poolOptions(options, protocol))
  // Over HTTP/2 exchanges share connections, and the pool decides.
  const turns = http2 ? undefined : createConcurrencyLimit(connections, Number.POSITIVE_INFINITY)

  const begin = (request: HttpRequest, deadline: number, cancellation: Cancellation): Promise<Exchanged> =>
    new Promise((resolve) => {
      beginExchange(pool, request, deadline, cancellation, (end) => {
        turns?.release()
        resolve(end)
      })
    })

  async function beginInTurn(
    limit: NonNullable<typeof turns>,
    request: HttpRequest,
    deadline: number,
    cancellation: Cancellation,
  ): Promise<Exchanged> {
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
      pool.dispatch(sent as Dispatcher.DispatchOptions, handler)
    },
    close: () => pool.destroy(),
  }
}

/**
 * undici's pool takes a client for busy that refuses a request which is no HTTP, and never asks it again: as many such
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
    // One exchange at a time on each connection: with more, one loss would take others along.
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

/** The other side may take no bytes, or send none, for so long where nothing else bounds the time. */
const usualStalledMs = 300_000

/** One exchange with whatever is at `url`, on a connection of its own. `timeoutMs` may be infinite, for a long body. */
export async function sendOnce(
  url: string | URL,
  request: Omit<HttpRequest, 'path'>,
  timeoutMs: number,
  cancellation?: Cancellation,
): Promise<Exchanged> {
  const { pathname, search } = new URL(url)
  const client = createHttpClient(url, {
    connections: 1,
    connectTimeoutMs: Math.min(10_000, timeoutMs),
    stalledMs: Math.min(usualStalledMs, timeoutMs),
    keepAlive: false,
  })
  try {
    const sent = { ...request, path: pathname + search }
    return await client.send(sent, performance.now() + timeoutMs, cancellation)
  } finally {
    await client.close()
  }
}
