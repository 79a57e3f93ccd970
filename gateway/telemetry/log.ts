/**
 * Structured logs. One line for each event, with the request's id, and without variable values, headers or tokens. The
 * details of an error are logged without the upstream's body.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type DestinationStream, type Logger, pino } from 'pino'
import { headerOf } from '../../shared/http/headers.ts'
import { callerContext } from '../../shared/http/trace-context.ts'
import { systemCodeOf } from '../../shared/runtime/thrown.ts'
import { isReaderGone, whenReaderGone } from './standard-output.ts'

export type { Logger }

export interface LogOptions {
  readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug'
  /** The destination of lines; standard output by default. */
  readonly destination?: DestinationStream | undefined
  /** The worker that writes these lines, if several share one destination. */
  readonly worker?: number | undefined
}

/** Makes a logger of JSON lines. Credentials in fields are redacted. Throws if `level` is not one of the levels. */
export function createLogger(options: LogOptions): Logger {
  const settings = {
    level: options.level,
    base: options.worker === undefined ? null : { worker: options.worker },
    redact: {
      paths: ['authorization', 'headers', 'token', 'secret'].flatMap((key) => [key, `*.${key}`]),
      censor: '[redacted]',
    },
    serializers: { err: describeError },
  }
  return pino(settings, options.destination ?? standardOutput(options.worker !== undefined))
}

type BufferedLines = ReturnType<typeof pino.destination>

/** Lines on standard output, by whether other processes write to it as well: all loggers of the process share them. */
const onStandardOutput = new Map<boolean, BufferedLines>()

/**
 * If the reader has gone, the lines that still wait are dropped: the buffer of pino would try for ever to write them when
 * the process exits. A process that ends by itself writes them before, and so learns of it. Other faults, such as a
 * full disk, may pass: the lines wait within `mostWaiting`, and are dropped only if the fault is still there at the end.
 */
function standardOutput(isShared: boolean): BufferedLines {
  const known = onStandardOutput.get(isShared)
  if (known !== undefined) return known
  const lines = pino.destination(isShared ? sharedPipe : buffered)
  onStandardOutput.set(isShared, lines)
  const flushSync = lines.flushSync.bind(lines)
  let isFailing = false
  lines.flushSync = () => (isFailing ? undefined : flushSync())
  lines.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) drop(lines)
    else if (!isFailing) process.stderr.write(`tessera: the log cannot be written: ${error.message}\n`)
    isFailing = true
  })
  lines.on('write', () => {
    isFailing = false
  })
  tellDropped(lines)
  whenReaderGone(() => drop(lines))
  process.once('beforeExit', () => lines.flush())
  return lines
}

/** Says how many lines found no room, as soon as those before them are written. */
function tellDropped(lines: BufferedLines): void {
  let dropped = 0
  lines.on('drop', () => {
    dropped += 1
  })
  lines.on('drain', () => {
    if (dropped === 0) return
    const line = { level: pino.levels.values.warn, time: Date.now(), dropped }
    dropped = 0
    lines.write(`${JSON.stringify({ ...line, msg: 'lines of the log found no room' })}\n`)
  })
}

function drop(lines: BufferedLines): void {
  lines.write = () => true
  lines.flushSync = () => undefined
  lines.end = () => undefined
}

/** The most bytes of lines that wait while standard output takes none: its reader is held up, or the disk is full. */
const mostWaiting = 4 * 1024 * 1024

/**
 * Lines are written together, twice a second and when the process ends: one system call for each would cost more than
 * the lines.
 */
const buffered = { sync: false, minLength: 4096, maxLength: mostWaiting, periodicFlush: 500 } as const

/** The same for processes that write to one pipe: a write of up to this size is not mixed with those of others. */
const sharedPipe = { ...buffered, minLength: 2048, maxWrite: 4096 } as const

/** The same log for lines whose fields are all known: searching them for secrets costs more than writing them. */
export function withoutRedaction(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** The fields of a request's line by which its trace is found; none if there is no trace. */
export function traceField(traceId: string | undefined): { readonly trace_id?: string } {
  return traceId === undefined ? {} : { trace_id: traceId }
}

/** The same for a request that is not examined further: the trace of its caller. */
export function callerTrace(headers: IncomingHttpHeaders): { readonly trace_id?: string } {
  return traceField(callerContext(headerOf(headers, 'traceparent'))?.traceId)
}

interface ErrorDescription {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: ErrorDescription
}

/** An error in the log: its chain of causes, without the objects attached to them. */
function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) }
  const { name, message, stack } = error
  const code = systemCodeOf(error)
  const cause = error.cause ?? ('originalError' in error ? error.originalError : undefined)
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined || depth > 0 ? {} : { stack }),
    ...(cause === undefined || cause === null || depth >= 4
      ? {}
      : { cause: describeError(cause, depth + 1) }),
  }
}
