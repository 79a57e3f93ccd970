/** Errors of the agent service: `google.rpc.Status` values, and their form over HTTP. */
import type { StandInAnswer } from '../stand-in.ts'

const codes = {
  INVALID_ARGUMENT: { number: 3, http: 400 },
  NOT_FOUND: { number: 5, http: 404 },
  PERMISSION_DENIED: { number: 7, http: 403 },
  RESOURCE_EXHAUSTED: { number: 8, http: 429 },
  FAILED_PRECONDITION: { number: 9, http: 400 },
  UNIMPLEMENTED: { number: 12, http: 501 },
  UNAVAILABLE: { number: 14, http: 503 },
  UNAUTHENTICATED: { number: 16, http: 401 },
} as const
export type StatusName = keyof typeof codes

/** Thrown below the routes, which turn it into a response. */
export class StatusError extends Error {
  readonly status: StatusName
  readonly details: readonly object[]

  constructor(status: StatusName, message: string, details: readonly object[] = []) {
    super(message)
    this.status = status
    this.details = details
  }
}

export function invalidArgument(message: string, field?: string): StatusError {
  const fieldViolations = [{ field, description: message }]
  const violations = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }
  return new StatusError('INVALID_ARGUMENT', message, field === undefined ? [] : [violations])
}

export function check(holds: boolean, message: string, field: string): void {
  if (!holds) throw invalidArgument(message, field)
}

export function notFound(message: string): StatusError {
  return new StatusError('NOT_FOUND', `com.google.apps.framework.request.NotFoundException: ${message}`)
}

/** In an HTTP response, `code` is the HTTP status. Within other messages it is the number of the gRPC status. */
export function answerOf({ status, message, details }: StatusError): StandInAnswer {
  const { http } = codes[status]
  const error = { code: http, message, status, details: details.length === 0 ? undefined : details }
  return { status: http, body: { error } }
}

export function statusMessage(status: StatusName, message: string): { code: number; message: string } {
  return { code: codes[status].number, message }
}
