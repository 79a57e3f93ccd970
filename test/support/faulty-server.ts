/**
 * A real HTTP server that misbehaves as told: one script a request, by path or for all. It records every
 * request that arrived whole.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGunzip, gzipSync } from 'node:zlib'
import { listen } from './listen.ts'
import { lastingPort } from './port.ts'

export interface Arrived {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers one request; `number` counts the requests from 0. */
export type Script = (
  response: ServerResponse,
  arrived: Arrived,
  number: number,
  request: IncomingMessage,
) => void | Promise<void>

export interface FaultyServer extends AsyncDisposable {
  readonly url: string
  readonly arrived: Arrived[]
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>
  /** Resolves when so many requests have arrived in all. */
  reached(count: number): Promise<void>
  /** Resolves when a connection was closed by the other side while it waited for an answer. */
  readonly aborted: Promise<void>
  script: Script
}

export async function startFaultyServer(script: Script = json({ ok: true })): Promise<FaultyServer> {
  const arrived: Arrived[] = []
  const waiting = new Set<() => void>()
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abort()
    })
    const isGzip = request.headers['content-encoding'] === 'gzip'
    const body = await text(isGzip ? request.pipe(createGunzip()) : request)
    const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    const number = arrived.push(entry) - 1
    for (const look of [...waiting]) look()
    await kit.script(response, entry, number, request)
  })
  const kit: FaultyServer = {
    ...(await listen(server)),
    arrived,
    aborted,
    script,
    reached: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (arrived.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
  return kit
}

/** A listener that takes connections and never says a word. */
export async function startSilence(): Promise<
  AsyncDisposable & { readonly url: string; readonly connected: Promise<void> }
> {
  const server = createTcpServer()
  const connected = new Promise<void>((resolve) => server.once('connection', () => resolve()))
  return { ...(await listen(server)), connected }
}

/** An address at which nothing listens. */
export const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await lastingPort()}`

export const json =
  (value: unknown, status = 200, headers: OutgoingHttpHeaders = {}): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }

export const status =
  (code: number, headers: OutgoingHttpHeaders = {}): Script =>
  (response) => {
    response.writeHead(code, headers)
    response.end()
  }

/** A body as it is. */
export const raw =
  (
    body: string | Buffer,
    headers: OutgoingHttpHeaders = { 'content-type': 'application/json' },
    code = 200,
  ): Script =>
  (response) => {
    response.writeHead(code, headers)
    response.end(body)
  }

/** Never answers. */
export const hang: Script = () => {}

/** Takes the request and breaks the connection: work done, answer lost. */
export const reset: Script = (response) => {
  response.socket?.resetAndDestroy()
}

/** Sends the head and then one byte after the other, without end. */
export const drip: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000 })
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => clearInterval(timer))
}

/** Promises more than it sends, and closes. */
export const shorter: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  response.write('{"items":[')
  setImmediate(() => response.socket?.destroy())
}

/** Breaks off a chunked body. */
export const brokenChunks: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"items":[')
  setImmediate(() => response.socket?.destroy())
}

/** Bytes that are not HTTP. */
export const noise: Script = (response) => {
  response.socket?.end('\u0000\u0001 this is no HTTP at all\r\n\r\n')
}

export const redirect =
  (location: string, code = 302): Script =>
  (response) => {
    response.writeHead(code, { location })
    response.end()
  }

/** `megabytes` of JSON without saying how long it is. */
export const huge =
  (megabytes: number): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const block = Buffer.alloc(1024 * 1024, ' ')
    for (let i = 0; i < megabytes && !response.destroyed; i++) {
      if (!response.write(block)) {
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    }
    response.end('{}')
  }

/** `megabytes` of JSON in a few kilobytes. */
export const bomb = (megabytes: number): Script => {
  const packed = gzipSync(Buffer.alloc(megabytes * 1024 * 1024, ' '))
  return raw(packed, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
}

/** The first script for the first request, and so on; the last one for all that follow. */
export const inTurn =
  (...scripts: readonly Script[]): Script =>
  (response, arrived, number, request) =>
    (scripts[Math.min(number, scripts.length - 1)] ?? hang)(response, arrived, number, request)
