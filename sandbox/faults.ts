/**
 * Scripted failures: for a matching call, the next n times, something that services do on a bad day. Tests
 * script them directly or over HTTP (`POST /__control/faults`); without being asked for there are none.
 */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

export type FaultKind =
  | 'status'
  | 'hang'
  | 'reset'
  | 'slow'
  | 'garbage'
  | 'truncated'
  | 'wrong-type'
  | 'redirect'
  | 'huge'
  | 'gzip-bomb'
  | 'late'
  | 'lost-answer'

export const faultKinds: readonly FaultKind[] = [
  'status',
  'hang',
  'reset',
  'slow',
  'garbage',
  'truncated',
  'wrong-type',
  'redirect',
  'huge',
  'gzip-bomb',
  'late',
  'lost-answer',
]

export interface Fault {
  readonly kind: FaultKind
  /** Calls that it meets: by service, by operation, or all. */
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** How many calls; 1 unless said. */
  readonly times?: number | undefined
  /** Forgotten after so many milliseconds, whether it met its calls or not. It waits for them unless said. */
  readonly withinMs?: number | undefined
  /** `status`: what is answered. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** `late` and `slow`: milliseconds; `late` waits so long before the whole answer, `slow` between bytes. */
  readonly delayMs?: number | undefined
  /** `redirect`: where to. */
  readonly location?: string | undefined
  /** `huge` and `gzip-bomb`: bytes of the body; 200 MiB unless said. */
  readonly bytes?: number | undefined
}

export interface Faults {
  add(fault: Fault): void
  /** The fault that this call meets, counted down; undefined for a good day. */
  take(service: string, operation: string): Fault | undefined
  clear(): void
}

export function createFaults(): Faults {
  const scripted: { fault: Fault; left: number; until: number }[] = []
  return {
    add(fault) {
      const left = fault.times ?? 1
      const until = performance.now() + (fault.withinMs ?? Number.POSITIVE_INFINITY)
      if (left > 0) scripted.push({ fault, left, until })
    },
    take(service, operation) {
      if (scripted.length === 0) return undefined
      const now = performance.now()
      // What is over is forgotten: in a run of hours there are many.
      for (let i = scripted.length - 1; i >= 0; i--) {
        if ((scripted[i]?.until ?? now) < now) scripted.splice(i, 1)
      }
      const at = scripted.findIndex(
        ({ fault }) =>
          (fault.service === undefined || fault.service === service) &&
          (fault.operation === undefined || fault.operation === operation),
      )
      const found = scripted[at]
      if (found === undefined) return undefined
      found.left -= 1
      if (found.left <= 0) scripted.splice(at, 1)
      return found.fault
    },
    clear() {
      scripted.length = 0
    },
  }
}

/** Reads a fault from JSON; the message says what was expected. */
export function faultFrom(value: unknown): Fault {
  const fault = value as Partial<Fault> | null
  if (typeof fault !== 'object' || fault === null || !faultKinds.includes(fault.kind as FaultKind)) {
    throw new Error(`a fault needs a kind: one of ${faultKinds.join(', ')}`)
  }
  return fault as Fault
}

/** Whether the service does its work before things go wrong. */
export function isAfterWork({ kind }: Fault): boolean {
  return kind === 'lost-answer' || kind === 'late' || kind === 'slow' || kind === 'truncated'
}

const chunkBytes = 64 * 1024

/** An answer without a body is all head: that is what is slow, or cut. */
const bareHead = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')

/** Lets things go wrong. `answer` is what the service would have said, where it did its work. */
export function inflict(
  fault: Fault,
  response: ServerResponse,
  answer: { status: number; headers: Record<string, string>; body: Buffer } | undefined,
): void {
  const { socket } = response
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status ?? 500, { 'content-type': 'application/json', ...fault.headers })
      response.end(fault.body ?? '{}')
      return
    case 'hang':
      return
    case 'reset':
    case 'lost-answer':
      if (socket !== null && 'resetAndDestroy' in socket) socket.resetAndDestroy()
      else response.destroy()
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('\u0000\u0001 this is not JSON {]')
      return
    case 'wrong-type':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html><body>It works!</body></html>')
      return
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.location ?? '/elsewhere' })
      response.end()
      return
    case 'truncated': {
      const body = answer?.body ?? Buffer.from('{"items":[{"id":"a"},{"id":')
      if (body.length === 0) {
        socket?.end(bareHead.subarray(0, bareHead.length / 2))
        return
      }
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' })
      response.end(body.subarray(0, Math.max(1, Math.floor(body.length / 2))))
      return
    }
    case 'slow': {
      const body = answer?.body ?? Buffer.from('{}')
      const bare = body.length === 0
      const bytes = bare ? bareHead : body
      if (!bare) {
        response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' })
        response.flushHeaders()
      }
      let at = 0
      const timer = setInterval(() => {
        if (response.destroyed || at >= bytes.length) {
          clearInterval(timer)
          if (!bare) response.end()
          return
        }
        const byte = bytes.subarray(at, at + 1)
        if (bare) socket?.write(byte)
        else response.write(byte)
        at += 1
      }, fault.delayMs ?? 50)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'late': {
      const timer = setTimeout(() => {
        response.writeHead(answer?.status ?? 200, answer?.headers ?? {})
        response.end(answer?.body ?? '{}')
      }, fault.delayMs ?? 1000)
      response.on('close', () => clearTimeout(timer))
      return
    }
    case 'huge': {
      response.writeHead(200, { 'content-type': 'application/json' })
      pour(response, fault.bytes ?? 200 * 1024 * 1024)
      return
    }
    case 'gzip-bomb': {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bombOf(fault.bytes ?? 200 * 1024 * 1024))
      return
    }
  }
}

const bombPart = 1024 * 1024
let packedPart: Buffer | undefined

/** Parts that are packed one by one are one packed text: packing itself must keep nobody busy. */
function bombOf(bytes: number): Buffer {
  packedPart ??= gzipSync(Buffer.alloc(bombPart, 0x20), { level: 9 })
  const parts: Buffer[] = Array(Math.floor(bytes / bombPart)).fill(packedPart)
  if (bytes % bombPart > 0) parts.push(gzipSync(Buffer.alloc(bytes % bombPart, 0x20)))
  return Buffer.concat(parts)
}

/** Writes so many bytes of a JSON text that never ends, as fast as they are taken. */
function pour(stream: NodeJS.WritableStream & { destroyed?: boolean }, total: number): void {
  const chunk = Buffer.alloc(chunkBytes, 0x20)
  let left = total
  stream.write('[')
  const more = (): void => {
    while (left > 0 && stream.destroyed !== true) {
      left -= chunk.length
      if (!stream.write(chunk)) {
        stream.once('drain', more)
        return
      }
    }
    if (stream.destroyed !== true) stream.end(']')
  }
  stream.on('error', () => {})
  more()
}
