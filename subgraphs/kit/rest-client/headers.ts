/**
 * The headers of a call: those that every call to the service has, the credential's, the trace's, the call's own, and
 * those that the configuration adds, such as that of a tenant. Calls without headers of their own share one list as
 * long as the credential stays the same.
 *
 * Responses can depend on configured headers, so they are part of the key by which responses, loaders, calls and polls
 * are shared. They never replace headers that the client sends itself. Units belong to the account of the credential,
 * whatever the headers are.
 */
import { hash } from 'node:crypto'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import type { CallHeaders, UpstreamOptions } from './client-options.ts'

export interface HeaderParts {
  readonly call: UpstreamCall
  readonly request: SubgraphRequest
  /** The credential's headers, as alternating names and values. */
  readonly proof: readonly string[]
  /** The ETag of the stale response. */
  readonly etag: string | undefined
}

/**
 * Returns a function that makes the headers of a call, as alternating names and values. Names are lower case. The
 * headers of the trace win over configured ones.
 */
export function createHeaders(
  common: readonly string[],
  trace: NonNullable<UpstreamOptions['traceHeaders']>,
  configured: CallHeaders | undefined,
): (parts: HeaderParts) => readonly string[] {
  let lastProof: readonly string[] = []
  let lastList = common

  return ({ call, request, proof, etag }) => {
    if (proof !== lastProof) {
      lastProof = proof
      lastList = [...common, ...proof]
    }
    const traced = trace(request, call)
    const added = configured === undefined ? traced : { ...configured(request), ...traced }
    if (added === undefined && etag === undefined && call.body === undefined && call.headers === undefined) {
      return lastList
    }
    const headers = new Map<string, string>()
    for (let i = 0; i < lastList.length; i += 2) headers.set(lastList[i] ?? '', lastList[i + 1] ?? '')
    if (call.body !== undefined) headers.set('content-type', call.contentType ?? 'application/json')
    if (etag !== undefined) headers.set('if-none-match', etag)
    for (const [name, value] of Object.entries(added ?? {})) {
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

/** Separates the two parts of a key. No credential's own key contains it. */
const mark = '#'

/** The key of a credential, with a digest of the headers if there are any. */
export function keyWith(
  key: (request: SubgraphRequest) => string,
  headersOf: CallHeaders | undefined,
): (request: SubgraphRequest) => string {
  if (headersOf === undefined) return key
  return (request) => {
    const headers = Object.entries(headersOf(request)).sort(([a], [b]) => (a < b ? -1 : 1))
    if (headers.length === 0) return key(request)
    return `${key(request)}${mark}${hash('sha256', JSON.stringify(headers), 'base64url').slice(0, 22)}`
  }
}

/** The part of the key that names the credential. Units are counted by it. */
export function accountOf(key: string): string {
  const at = key.indexOf(mark)
  return at === -1 ? key : key.slice(0, at)
}
