/**
 * Scripted faults: for a number of matching calls, a failure of a kind that real services have. Tests script them
 * directly or over HTTP (`POST /__control/faults`).
 */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

export const faultKinds = [
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
] as const
/** How a call fails; docs/sandbox.md describes each. */
export type FaultKind = (typeof faultKinds)[number]

/** A scripted fault. */
export interface Fault {
  readonly kind: FaultKind
  /** The calls to which it applies: those of a service, of an operation, or all. */
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** To how many calls it applies. The default is 1. */
  readonly times?: number | undefined
  /** After so many milliseconds it is removed, applied or not. By default it stays until it is applied. */
  readonly withinMs?: number | undefined
  /** For `status`. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** In milliseconds. `late` waits before the whole response, and `slow` before each byte. */
  readonly delayMs?: number | undefined
  /** For `redirect`. */
  readonly location?: string | undefined
  /** For `huge` and `gzip-bomb`: the unpacked bytes of the body. The default is 200 MiB. */
  readonly bytes?: number | undefined
}

/** Reads a fault from JSON, or from a program without types. The error says what was expected. */
export function faultFrom(value: unknown): Fault {
  const fault = value as Partial<Fault> | null
  if (typeof fault !== 'object' || fault === null || !faultKinds.includes(fault.kind as FaultKind)) {
    throw new Error(`a fault needs a kind: one of ${faultKinds.join(', ')}`)
  }
  const { status = 500, times = 1 } = fault
  if (!(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new Error(`a fault's status is from 200 to 599, not ${status}`)
  if (!(times >= 0)) throw new Error(`a fault's times are a number of 0 or more, not ${times}`)
  return fault as Fault
}

/** Whether the service performs the call before its response fails. */
export function isAfterWork({ kind }: Fault): boolean {
  return ['lost-answer', 'late', 'slow', 'truncated'].includes(kind)
}

export function isFor(fault: Fault, service: string, operation: string): boolean {
  return (fault.service ?? service) === service && (fault.operation ?? operation) === operation
}

interface Scripted {
  readonly fault: Fault
  left: number
  readonly until: number
}

/** The scripted faults that are not applied yet. Without any, every call succeeds. */
export class Faults {
  #scripted: Scripted[] = []

  add(fault: Fault): void {
    const { times: left = 1, withinMs = Number.POSITIVE_INFINITY } = fault
    if (left > 0) this.#scripted.push({ fault, left, until: performance.now() + withinMs })
  }

  /** The fault for this call; undefined if there is none. Its count is lowered. */
  take(service: string, operation: string): Fault | undefined {
    if (this.#scripted.length === 0) return undefined
    const now = performance.now()
    const found = this.#scripted.find(({ fault, until }) => until >= now && isFor(fault, service, operation))
    if (found !== undefined) found.left -= 1
    // Expired faults are removed, because a run of hours has many.
    this.#scripted = this.#scripted.filter(({ left, until }) => left > 0 && until >= now)
    return found?.fault
  }

  clear(): void {
    this.#scripted = []
  }
}

const chunkBytes = 64 * 1024
const defaultBytes = 200 * 1024 * 1024
const json = { 'content-type': 'application/json' }

/** A response without a body consists of its head, so the head is what comes slowly or is cut. */
const bareHead = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')

/** Responds with the fault. `answer` is the service's response, if it performed the call. */
export function injectFault(
  fault: Fault,
  response: ServerResponse,
  answer: { status: number; headers: Record<string, string>; body: Buffer } | undefined,
): void {
  const { socket } = response
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status ?? 500, { ...json, ...fault.headers })
      response.end(fault.body ?? '{}')
      return
    case 'hang':
      return
    case 'reset':
    case 'lost-answer':
      socket?.resetAndDestroy()
      return
    case 'garbage':
      response.writeHead(200, json)
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
      response.writeHead(answer?.status ?? 200, json)
      response.end(body.subarray(0, Math.max(1, Math.floor(body.length / 2))))
      return
    }
    case 'slow': {
      const body = answer?.body ?? Buffer.from('{}')
      const bare = body.length === 0
      const bytes = bare ? bareHead : body
      if (!bare) {
        response.writeHead(answer?.status ?? 200, json)
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
    case 'huge':
      response.writeHead(200, json)
      pour(response, fault.bytes ?? defaultBytes)
      return
    case 'gzip-bomb':
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' })
      response.end(bombOf(fault.bytes ?? defaultBytes))
      return
  }
}

const bombPart = 1024 * 1024
let packedPart: Buffer | undefined

/** Gzip members can be concatenated, so one packed part is repeated, and packing takes no time. */
function bombOf(bytes: number): Buffer {
  packedPart ??= gzipSync(Buffer.alloc(bombPart, 0x20), { level: 9 })
  const parts: Buffer[] = Array(Math.floor(bytes / bombPart)).fill(packedPart)
  if (bytes % bombPart > 0) parts.push(gzipSync(Buffer.alloc(bytes % bombPart, 0x20)))
  return Buffer.concat(parts)
}

/** Writes a JSON text of this many bytes, as fast as the client reads. */
function pour(stream: ServerResponse, total: number): void {
  const chunk = Buffer.alloc(chunkBytes, 0x20)
  let left = total
  stream.write('[')
  const more = (): void => {
    while (left > 0 && !stream.destroyed) {
      left -= chunk.length
      if (!stream.write(chunk)) {
        stream.once('drain', more)
        return
      }
    }
    if (!stream.destroyed) stream.end(']')
  }
  stream.on('error', () => {})
  more()
}
