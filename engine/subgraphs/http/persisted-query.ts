/**
 * A query as a GET with the hash of its document, which caches between here and the subgraph can keep; the document
 * follows by POST if the subgraph does not know it yet, or the address would be too long.
 */

import { extensionsNaming, refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import type { Exchanged } from '../../../shared/http/exchange.ts'
import type { GatewayRequest } from '../../request.ts'

/** `extra`: headers of this request alone. */
export type Send = (
  bodyOrPath: string,
  request: GatewayRequest,
  deadline: number,
  extra?: Readonly<Record<string, string>>,
) => Promise<Exchanged>

export interface PersistedQueryOptions {
  readonly text: string
  readonly operationName: string | undefined
  /** Where the subgraph is, with the query of its address. */
  readonly path: string
  readonly send: Send
  readonly get: Send
  /** What the subgraph is told of fields that fail; undefined if nothing. */
  readonly onErrorOf: (request: GatewayRequest) => string | undefined
}

/** Longer addresses are refused by servers and proxies. */
const longestPath = 4_096

export function createPersistedQuery(options: PersistedQueryOptions): Send {
  const { text, operationName, path, send, get, onErrorOf } = options
  const extensions = extensionsNaming(text)
  const name = operationName === undefined ? '' : `operationName=${encodeURIComponent(operationName)}&`
  const head = `${path}${path.includes('?') ? '&' : '?'}${name}extensions=${encodeURIComponent(extensions)}&variables=`
  /** Set once the subgraph says that it takes none. */
  let unsupported = false
  return async (body, request, deadline, extra) => {
    const post = (whole: string): Promise<Exchanged> =>
      send(whole, request, deadline, withoutConditions(extra))
    const onError = onErrorOf(request)
    const told = onError === undefined ? '' : `&onError=${onError}`
    const at = unsupported ? '' : head + encodeURIComponent(variablesIn(body)) + told
    if (unsupported || at.length > longestPath) return post(body)
    const exchanged = await get(at, request, deadline, extra)
    const refusal = refusalOfHash(exchanged)
    if (refusal === 'PERSISTED_QUERY_NOT_FOUND')
      return post(`${body.slice(0, -1)},"extensions":${extensions}}`)
    if (refusal !== undefined || (exchanged.loss === undefined && exchanged.status === 405)) {
      unsupported = true
      return post(body)
    }
    return exchanged
  }
}

/** The variables stand last in the body that the transport writes. */
const mark = ',"variables":'
const variablesIn = (body: string): string => body.slice(body.indexOf(mark) + mark.length, -1)

/** A condition that fails ends a POST with 412 (RFC 9110, section 13.1.2). */
function withoutConditions(extra: Readonly<Record<string, string>> | undefined): typeof extra {
  if (extra === undefined) return undefined
  const { 'if-none-match': _etag, 'if-modified-since': _lastModified, ...others } = extra
  return others
}
