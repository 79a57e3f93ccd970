/**
 * Sends a query by GET with the hash of its document, so that caches before the subgraph can store the response. The
 * document is sent by POST if the subgraph does not know it, or if the URL would be too long.
 */

import { extensionsNaming, refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import type { Exchanged } from '../../../shared/http/exchange.ts'
import type { GatewayRequest } from '../../request.ts'

/** `extra`: headers of this request only. */
export type Send = (
  bodyOrPath: string,
  request: GatewayRequest,
  deadline: number,
  extra?: Readonly<Record<string, string>>,
) => Promise<Exchanged>

export interface PersistedQueryOptions {
  readonly text: string
  readonly operationName: string | undefined
  /** The path of the subgraph's address, with its query. */
  readonly path: string
  readonly send: Send
  readonly get: Send
  /** The value of `onError` for the subgraph. Undefined if it does not get it. */
  readonly onErrorOf: (request: GatewayRequest) => string | undefined
}

/** Servers and proxies refuse longer URLs. */
const longestPath = 4_096

export function createPersistedQuery(options: PersistedQueryOptions): Send {
  const { text, operationName, path, send, get, onErrorOf } = options
  const extensions = extensionsNaming(text)
  const name = operationName === undefined ? '' : `operationName=${encodeURIComponent(operationName)}&`
  const head = `${path}${path.includes('?') ? '&' : '?'}${name}extensions=${encodeURIComponent(extensions)}&variables=`
  /** Set when the subgraph reports that it accepts no hashes. */
  let unsupported = false
  return async (body, request, deadline, extra) => {
    const post = (whole: string): Promise<Exchanged> =>
      send(whole, request, deadline, withoutConditions(extra))
    const onError = onErrorOf(request)
    const onErrorParameter = onError === undefined ? '' : `&onError=${onError}`
    const at = unsupported ? '' : head + encodeURIComponent(variablesIn(body)) + onErrorParameter
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

/** Precedes the variables, which are last in the body that the transport writes. */
export const variablesLead = ',"variables":'
export const variablesIn = (body: string): string =>
  body.slice(body.indexOf(variablesLead) + variablesLead.length, -1)

/** A failed condition would end a POST with 412 (RFC 9110, section 13.1.2). */
function withoutConditions(extra: Readonly<Record<string, string>> | undefined): typeof extra {
  if (extra === undefined) return undefined
  const { 'if-none-match': _etag, 'if-modified-since': _lastModified, ...others } = extra
  return others
}
