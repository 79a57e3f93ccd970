/**
 * Headers that the configuration adds to the calls of a service, such as that of a tenant. Responses can depend on
 * them, so they are part of the key by which responses, loaders, calls and polls are shared. They never replace
 * headers that the client sends itself. Units belong to the account of the credential, whatever the headers are.
 */
import { hash } from 'node:crypto'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { TraceHeaders } from './headers.ts'

/** The headers for a request, with names in lower case. */
export type CallHeaders = (request: SubgraphRequest) => Readonly<Record<string, string>>

const none: Readonly<Record<string, string>> = Object.freeze({})

/** Separates the two parts of a key. No credential's own key contains it. */
const mark = '#'

/** Computes the headers once for each request. */
export function onceEach(make: CallHeaders): CallHeaders {
  const made = new WeakMap<SubgraphRequest, Readonly<Record<string, string>>>()
  return (request) => {
    let headers = made.get(request)
    if (headers === undefined) {
      headers = make(request)
      made.set(request, headers)
    }
    return headers
  }
}

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

/** Joins these headers with those of the trace, which win. */
export function withCallHeaders(trace: TraceHeaders, headersOf: CallHeaders = () => none): TraceHeaders {
  return (request, call) => {
    const headers = headersOf(request)
    const traced = trace(request, call)
    return headers === none ? traced : { ...headers, ...traced }
  }
}
