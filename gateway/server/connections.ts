/**
 * Limits on connections, so that no client holds one, or its resources, as long as it likes: their number, the time
 * until the headers and the body of a request have arrived, the time in which a client reads nothing of its response,
 * and the bytes of all arriving bodies.
 *
 * One timer checks all connections. A request costs an entry in a list while its body arrives, and its time begins when
 * the timer first sees it. Uploads may take as long as they make progress.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { z } from 'zod'
import { progressBytes, StallDetector } from '../../shared/http/stall-detector.ts'
import { IntrusiveSet, notInSet, type SetItem } from '../../shared/runtime/intrusive-set.ts'
import type { Logger } from '../telemetry/log.ts'
import { connectionClosed } from './active-requests.ts'
import type { connections } from './config.ts'

export type ConnectionLimits = Readonly<z.output<typeof connections>>

export type Connections = ReturnType<typeof createConnections>

class ArrivingBody implements SetItem {
  setIndex = notInSet
  readonly request: IncomingMessage
  readonly onLate: () => void
  readonly streamed: boolean
  /** The bytes read from the connection at `since`. */
  bytes = 0
  since: number | undefined = undefined

  constructor(request: IncomingMessage, onLate: () => void, streamed: boolean) {
    this.request = request
    this.onLate = onLate
    this.streamed = streamed
  }
}

/** `refused` is called for each connection beyond the maximum. */
export function createConnections(limits: ConnectionLimits, refused?: (reason: 'connections') => void) {
  const { bodyTimeoutMs, writeTimeoutMs, maxPendingBytes } = limits
  const sockets = new Set<Socket>()
  const arriving = new IntrusiveSet<ArrivingBody>()
  const writes = new StallDetector(writeTimeoutMs)
  let pendingBytes = 0

  const add = (request: IncomingMessage, onLate: () => void, streamed: boolean): ArrivingBody => {
    const body = new ArrivingBody(request, onLate, streamed)
    arriving.add(body)
    return body
  }

  function lookAtBodies(now: number): void {
    for (const body of arriving.items()) {
      const { request, since } = body
      if (request.complete || request.destroyed) arriving.delete(body)
      else if (since === undefined || (body.streamed && isProgress(body))) {
        body.bytes = request.socket.bytesRead
        body.since = now
      } else if (now - since > bodyTimeoutMs) {
        arriving.delete(body)
        body.onLate()
      }
    }
  }

  function lookAtResponses(now: number): void {
    for (const socket of sockets) if (writes.isStalled(socket, now)) socket.destroy()
  }

  // One function for all connections, because each further listener takes a quarter of a kilobyte.
  function closed(this: Socket): void {
    sockets.delete(this)
    connectionClosed(this)
  }

  return {
    limits,
    watch(server: Server): void {
      server.maxConnections = limits.maxConnections
      if (refused !== undefined) server.on('drop', () => refused('connections'))
      // With TLS, requests belong to the socket within the connection.
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
        if (socket.destroyed) return
        sockets.add(socket)
        socket.on('close', closed)
      })
      const everyMs = Math.max(20, Math.min(bodyTimeoutMs / 4, writes.everyMs))
      const timer = setInterval(() => {
        const now = performance.now()
        lookAtBodies(now)
        lookAtResponses(now)
      }, everyMs)
      timer.unref()
      server.once('close', () => clearInterval(timer))
    },
    /** Calls `onLate` once if the body is not complete in time. */
    awaitBody: (request: IncomingMessage, onLate: () => void): ArrivingBody => add(request, onLate, false),
    /** Calls `onLate` once if a body that is streamed stops arriving. */
    awaitProgress: (request: IncomingMessage, onLate: () => void): void => void add(request, onLate, true),
    /** The body is complete, or is no longer awaited. */
    bodyEnded: (body: ArrivingBody): void => arriving.delete(body),
    /** Counts kept bytes of bodies; false if they exceed the bound for all. */
    reserve(bytes: number): boolean {
      if (pendingBytes + bytes > maxPendingBytes) return false
      pendingBytes += bytes
      return true
    },
    release(bytes: number): void {
      pendingBytes -= bytes
    },
    count: (): number => sockets.size,
  }
}

/** Whether enough has arrived, or arrived data are not read yet: then the client is not the cause. */
function isProgress({ request, bytes }: ArrivingBody): boolean {
  return request.readableLength > 0 || request.socket.bytesRead - bytes >= progressBytes
}

/** Undefined if the system has no such file. */
function mostOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return most === undefined ? undefined : Number(most)
  } catch {
    return undefined
  }
}

/** Beyond its limit the system closes connections without a word, and none can be made to services. */
export function warnOfFiles(maxConnections: number, log: Logger): void {
  const openFiles = mostOpenFiles()
  if (openFiles !== undefined && maxConnections >= openFiles)
    log.warn(
      { maxConnections, openFiles },
      'clients may use up the files that this process may open: raise that limit (ulimit -n), or lower TESSERA_MAX_CONNECTIONS',
    )
}
