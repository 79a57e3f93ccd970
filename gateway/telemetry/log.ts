/**
 * Structured logs. One line an event, with the request's id; no variable values, no header, no token.
 * What an error knew goes to the log without the upstream's body.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type DestinationStream, type Logger, pino } from 'pino'
import { headerOf } from '../../shared/http/headers.ts'
import { callerContext } from '../../shared/http/trace-context.ts'

export type { Logger }

export interface LogOptions {
  readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug'
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream | undefined
  /** The worker whose lines these are, where several write to one place. */
  readonly worker?: number | undefined
}

export function createLogger(options: LogOptions): Logger {
  const settings = {
    level: options.level,
    base: options.worker === undefined ? null : { worker: options.worker },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        'headers',
        '*.headers',
        'token',
        '*.token',
        'secret',
        '*.secret',
      ],
      censor: '[redacted]',
    },
    serializers: { err: describeError },
  }
  const destination = options.worker === undefined ? buffered : sharedPipe
  return pino(settings, options.destination ?? pino.destination(destination))
}

/** Lines leave together, twice a second and when the process ends: one system call each would cost more than they do. */
const buffered = { sync: false, minLength: 4096, periodicFlush: 500 } as const

/** The same for processes that write to one pipe: up to this size a write is not mixed with those of others. */
const sharedPipe = { ...buffered, minLength: 2048, maxWrite: 4096 } as const

/** The same log for lines of which every field is known: to look for secrets in them costs more than to write them. */
export function withoutRedaction(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** What a line of a request carries, so that its trace is found: nothing if there is none. */
export function traceField(traceId: string | undefined): { readonly trace_id?: string } {
  return traceId === undefined ? {} : { trace_id: traceId }
}

/** The same of a request that is not looked at any further: the trace that its caller began. */
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

/** An error as the log keeps it: its chain of causes, without whatever objects hang on them. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause ?? ('originalError' in error ? error.originalError : undefined)
  return {
    name,
    message,
    ...code,
    ...(stack === undefined || depth > 0 ? {} : { stack }),
    ...(cause === undefined || cause === null || depth >= 4
      ? {}
      : { cause: describeError(cause, depth + 1) }),
  }
}
