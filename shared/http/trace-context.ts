/** The W3C Trace Context of a caller, if it is well-formed: https://www.w3.org/TR/trace-context/ */
import type { SubgraphRequest } from '../request.ts'

interface CallerContext {
  readonly traceId: string
  readonly spanId: string
  /** Whether the caller says that the trace is recorded. */
  readonly isSampled: boolean
}

/** Version, trace id, parent id and flags of a `traceparent`. The version ff and ids of zeros are invalid. */
const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

export function callerContext(traceparent: string | undefined): CallerContext | undefined {
  if (traceparent === undefined) return undefined
  const [, traceId, spanId, flags] = traceparentForm.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The caller's trace context as headers for a call on its behalf. */
export function traceOfRequest(request: SubgraphRequest): Readonly<Record<string, string>> | undefined {
  const traceparent = request.header('traceparent')
  if (traceparent === undefined || !traceparentForm.test(traceparent)) return undefined
  const tracestate = request.header('tracestate')
  return tracestate === undefined || !/^[\x20-\x7e]{1,512}$/.test(tracestate)
    ? { traceparent }
    : { traceparent, tracestate }
}
