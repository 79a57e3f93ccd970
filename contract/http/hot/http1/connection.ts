/**
 * The connection: opened when it is needed, kept while it is used, closed when it rests for longer than the service
 * keeps it, and opened again. Whatever goes wrong ends the exchange by its handler.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { type buildConnector, errors } from 'undici'
import { type PlainRequest, requestBytes } from './request-bytes.ts'
import { announcedIdleMs, type ResponseHead } from './response-head.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

/** The part of undici's that is used: one whose exchange is broken off closes its connection. */
export interface Abortable {
  abort(reason: Error): void
}

export interface ExchangeHandler {
  /** Before anything leaves. */
  onRequestStart(exchange: Abortable): void
  onResponseStart(exchange: Abortable, status: number, headers: IncomingHttpHeaders): void
  onResponseData(exchange: Abortable, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(exchange: Abortable | null, error: Error): void
}

export interface Http1Connection {
  /** Throws where another exchange is under way. */
  dispatch(request: PlainRequest, handler: ExchangeHandler): void
  /** Ends what is under way; resolves when the socket is closed. */
  destroy(): Promise<void>
}

/** What a socket reads into, in place of a buffer for each time (`onread` of `net.Socket`). */
export interface Reading {
  readonly buffer: Uint8Array
  /** Bytes have come, to the beginning of the buffer; false would stop the socket. */
  callback(bytes: number): boolean
}

/** Makes what opens connections, whose sockets read so where `reading` is given. */
export type CreateConnector = (reading?: Reading) => buildConnector.connector

/**
 * All sockets read into it, one after the other, and what they have read is copied. A buffer of its own for each
 * time would be 64 kB, of which most is given back at once, and a stream between would look at its state: Q1, Q3 and Q4
 * took 5 % less CPU time without (November 2026). Of 64 kB, a body of 72 kB came in two pieces, which are put together in
 * a third: Q2 took 4 % less with this size.
 */
const readInto = Buffer.allocUnsafeSlow(256 * 1024)

export interface LifeOptions {
  /** How long it rests, unless the service says for how long it keeps it. 4,000, as undici has it. */
  readonly idleMs?: number | undefined
  /** How long a socket is used; as long as it holds, unless given. */
  readonly lifeMs?: number | undefined
}

const usualIdleMs = 4000
/** As undici has them. */
const idleMarginMs = 2000
const mostIdleMs = 600_000

export function createHttp1Connection(
  origin: string,
  createConnector: CreateConnector,
  life: LifeOptions = {},
): Http1Connection {
  return new Connection(new URL(origin), createConnector, life)
}

class Connection implements Http1Connection, Abortable, ResponseSink {
  readonly #url: URL
  readonly #host: string
  readonly #createConnector: CreateConnector
  readonly #reader = new ResponseReader(this)
  #socket: Socket | undefined
  #isConnecting = false
  #handler: ExchangeHandler | undefined
  #method = ''
  #bytes: string | Buffer = ''
  /** Whether the request under way was written. */
  #isSent = false
  #isPersistent = false
  readonly #usualIdleMs: number
  readonly #lifeMs: number
  /** Since when there is this socket, since when it rests, and how long it may. */
  #openSince = 0
  #restingSince = 0
  #idleMs: number
  #idleTimer: NodeJS.Timeout | undefined
  #destroyed: PromiseWithResolvers<void> | undefined

  constructor(url: URL, createConnector: CreateConnector, { idleMs, lifeMs }: LifeOptions) {
    this.#usualIdleMs = idleMs ?? usualIdleMs
    this.#lifeMs = lifeMs ?? Number.POSITIVE_INFINITY
    this.#idleMs = this.#usualIdleMs
    this.#url = url
    this.#host = url.host
    this.#createConnector = createConnector
  }

  dispatch(request: PlainRequest, handler: ExchangeHandler): void {
    if (this.#handler !== undefined) throw new Error('another exchange is under way on this connection')
    try {
      if (this.#destroyed !== undefined) throw new errors.ClientDestroyedError()
      this.#bytes = requestBytes(request, this.#host)
    } catch (error) {
      handler.onResponseError(null, error as Error)
      return
    }
    this.#handler = handler
    this.#method = request.method
    this.#isSent = false
    const now = performance.now()
    if (now - this.#restingSince >= this.#idleMs || now - this.#openSince >= this.#lifeMs) this.#drop()
    if (this.#socket === undefined) this.#open()
    // The service may have closed it without a word, and then a write would have left for all one knows.
    else setImmediate(sendOnce, this)
  }

  /** Called a turn of the event loop later: by then a connection that was closed has been found to be. */
  sendOrOpen(): void {
    if (this.#handler === undefined || this.#isSent) return
    if (this.#socket === undefined) this.#open()
    else this.#send(this.#socket)
  }

  abort(_: Error): void {
    this.#handler = undefined
    this.#drop()
  }

  destroy(): Promise<void> {
    if (this.#destroyed !== undefined) return this.#destroyed.promise
    this.#destroyed = Promise.withResolvers<void>()
    const { promise, resolve } = this.#destroyed
    const socket = this.#socket
    if (socket !== undefined) socket.once('close', () => resolve())
    else if (!this.#isConnecting) resolve()
    this.#fail(new errors.ClientDestroyedError())
    return promise
  }

  head({ status, headers, persistent }: ResponseHead): void {
    const announced = announcedIdleMs(headers)
    this.#idleMs =
      announced === undefined ? this.#usualIdleMs : Math.min(announced - idleMarginMs, mostIdleMs)
    this.#isPersistent = persistent && this.#idleMs > 0
    this.#handler?.onResponseStart(this, status, headers)
  }

  data(bytes: Buffer): void {
    this.#handler?.onResponseData(this, bytes)
  }

  end(more: boolean): void {
    const handler = this.#handler
    const socket = this.#socket
    this.#handler = undefined
    // What of the request has not left could follow the next one.
    if (more || !this.#isPersistent || socket === undefined || socket.writableLength > 0) this.#drop()
    else {
      this.#restingSince = performance.now()
      socket.unref()
    }
    handler?.onResponseEnd()
  }

  #open(): void {
    // One that was given up while it was opened is used by the next request.
    if (this.#isConnecting) return
    this.#isConnecting = true
    const { host, hostname, protocol, port } = this.#url
    // An IPv6 address has its brackets in a URL alone.
    const name = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    let opened: Socket | undefined
    const callback = (bytes: number): boolean => {
      if (opened !== undefined) this.#read(opened, Buffer.from(readInto.subarray(0, bytes)))
      return true
    }
    // With TLS there is a stream between, which decrypts.
    const reading = protocol === 'http:' ? { buffer: readInto, callback } : undefined
    const connect = this.#createConnector(reading)
    // There is no second argument where there is an error, whatever the types say.
    connect({ host, hostname: name, protocol, port }, (error, socket?: Socket | null) => {
      this.#isConnecting = false
      if (socket == null) {
        this.#destroyed?.resolve()
        this.#fail(error ?? new errors.SocketError('no connection'))
      } else {
        opened = socket
        this.#opened(socket, reading === undefined)
      }
    })
  }

  #opened(socket: Socket, readsByEvents: boolean): void {
    socket.on('error', (error) => this.#lost(socket, error))
    if (this.#destroyed !== undefined || socket.destroyed) {
      if (socket.closed) this.#destroyed?.resolve()
      else socket.once('close', () => this.#destroyed?.resolve())
      socket.destroy()
      this.#fail(new errors.SocketError('destroyed'))
      return
    }
    this.#socket = socket
    if (readsByEvents) socket.on('data', (chunk: Buffer) => this.#read(socket, chunk))
    socket.on('end', () => {
      if (this.#socket === socket && this.#isSent && this.#reader.close()) return
      this.#lost(socket, new errors.SocketError('other side closed'))
    })
    socket.on('close', () => this.#lost(socket, new errors.SocketError('closed')))
    this.#openSince = performance.now()
    this.#restingSince = this.#openSince
    this.#watch(this.#usualIdleMs)
    if (this.#handler === undefined) socket.unref()
    else this.#send(socket)
  }

  #send(socket: Socket): void {
    const handler = this.#handler
    if (handler === undefined) return
    handler.onRequestStart(this)
    if (this.#handler !== handler) return
    this.#isSent = true
    this.#reader.expect(this.#method)
    socket.ref()
    socket.write(this.#bytes, 'latin1')
    this.#bytes = ''
  }

  #read(socket: Socket, chunk: Buffer): void {
    if (this.#socket !== socket) return
    if (this.#handler === undefined || !this.#isSent) {
      this.#lost(socket, new errors.SocketError('bytes came that were not asked for'))
      return
    }
    try {
      this.#reader.push(chunk)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** It is of no use any more; a request that was not sent goes on a new one. */
  #lost(socket: Socket, error: Error): void {
    if (this.#socket !== socket) return
    this.#drop()
    if (this.#handler !== undefined && this.#isSent) this.#fail(error)
  }

  #fail(error: Error): void {
    const handler = this.#handler
    this.#handler = undefined
    this.#drop()
    handler?.onResponseError(this, error)
  }

  #drop(): void {
    clearTimeout(this.#idleTimer)
    this.#reader.stop()
    this.#socket?.destroy()
    this.#socket = undefined
  }

  /** Looks again when it may have rested for long enough: a timer for each request would cost more. */
  #watch(ms: number): void {
    this.#idleTimer = setTimeout(lookAt, ms, this)
    this.#idleTimer.unref()
  }

  look(): void {
    const rested = this.#handler === undefined ? performance.now() - this.#restingSince : 0
    if (rested < this.#idleMs) this.#watch(this.#idleMs - rested)
    else this.#drop()
  }
}

const sendOnce = (connection: Connection): void => connection.sendOrOpen()
const lookAt = (connection: Connection): void => connection.look()
