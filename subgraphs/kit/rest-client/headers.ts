/**
 * The headers of a call: those that every call to the service has, the credential's, the trace's and the call's
 * own. Calls without headers of their own share one list as long as the credential stays the same.
 */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'

export type TraceHeaders = (
  request: SubgraphRequest,
  call: UpstreamCall,
) => Readonly<Record<string, string>> | undefined

export interface HeaderParts {
  readonly call: UpstreamCall
  readonly request: SubgraphRequest
  /** The credential's headers, as alternating names and values. */
  readonly proof: readonly string[]
  /** The ETag of the stale response. */
  readonly etag: string | undefined
}

/** Returns a function that makes the headers of a call, as alternating names and values. Names are lower case. */
export function createHeaders(
  common: readonly string[],
  trace: TraceHeaders,
): (parts: HeaderParts) => readonly string[] {
  let lastProof: readonly string[] = []
  let lastList = common

  return ({ call, request, proof, etag }) => {
    if (proof !== lastProof) {
      lastProof = proof
      lastList = [...common, ...proof]
    }
    const traced = trace(request, call)
    if (traced === undefined && etag === undefined && call.body === undefined && call.headers === undefined) {
      return lastList
    }
    const headers = new Map<string, string>()
    for (let i = 0; i < lastList.length; i += 2) headers.set(lastList[i] ?? '', lastList[i + 1] ?? '')
    if (call.body !== undefined) headers.set('content-type', call.contentType ?? 'application/json')
    if (etag !== undefined) headers.set('if-none-match', etag)
    for (const [name, value] of Object.entries(traced ?? {})) {
      // A header that is set already is our own, above all a credential.
      if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value)
    }
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name.toLowerCase(), value)
    return [...headers].flat()
  }
}

/** What must not be logged of a credential's headers: their values, with and without the scheme. */
export function secretsIn(proof: readonly string[]): string[] {
  const secrets: string[] = []
  for (let i = 1; i < proof.length; i += 2) {
    const value = proof[i] ?? ''
    secrets.push(value)
    const space = value.indexOf(' ')
    if (space > 0 && space < value.length - 1) secrets.push(value.slice(space + 1))
  }
  return secrets.filter((secret) => secret !== '')
}
