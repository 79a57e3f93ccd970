/** Errors of the protocol (JSON-RPC 2.0), and the bodies of HTTP responses to requests that are refused before the protocol. */
import { jsonText } from '../../../shared/json/byte-string.ts'
import type { HttpResponse } from '../../graphql-http/graphql-over-http.ts'

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  missingCapability: -32021,
  /** Our own. The protocol allocates -32020 to -32099, and no new code may be from -32000 to -32019. */
  refused: -31000,
} as const

const jsonType = 'application/json; charset=utf-8'

/** `id`: of the message that it answers; null if that is not known. */
export function rpcFailure(
  status: number,
  code: number,
  message: string,
  more: { readonly id?: unknown; readonly data?: unknown; readonly head?: readonly string[] } = {},
): HttpResponse {
  const { id, data, head = [] } = more
  return {
    status,
    head: ['content-type', jsonType, ...head],
    body: jsonText({
      jsonrpc: '2.0',
      error: { code, message, ...(data === undefined ? {} : { data }) },
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
    }),
  }
}

/** The body of a refusal that comes before the message was looked at: too large, too late, too much at once. */
export const failureBody = ({ message }: Error): object => ({
  jsonrpc: '2.0',
  error: { code: rpcCodes.refused, message },
  id: null,
})

/** A fault of the client in how it speaks the protocol, answered as its error with a sentence. */
export class ProtocolFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'ProtocolFault'
    this.code = code
    this.data = data
  }
}
