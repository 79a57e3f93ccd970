/**
 * Sends a query by GET with the hash of its document, so that caches before the subgraph can store the response. The
 * document is sent by POST if the subgraph does not know it, or if the URL would be too long.
 */
import { extensionsNaming, refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import { headsFor, type NamedDocument, type SentFetch } from './document.ts'

interface PersistedQueryOptions extends NamedDocument {
  /** The path of the subgraph's address, with its query. */
  readonly path: string
  /** `head` is the beginning of the body. */
  post(head: string, fetch: SentFetch): Promise<HttpResult>
  get(path: string, fetch: SentFetch): Promise<HttpResult>
}

/** Servers and proxies refuse longer URLs. */
const longestPath = 4_096

export function createPersistedQuery(
  options: PersistedQueryOptions,
): (fetch: SentFetch) => Promise<HttpResult> {
  const { text, name, path, post, get } = options
  const { plain, whole } = headsFor(options)
  const extensions = encodeURIComponent(extensionsNaming(text))
  const named = name === undefined ? '' : `operationName=${encodeURIComponent(name)}&`
  const lead = `${path}${path.includes('?') ? '&' : '?'}${named}extensions=${extensions}&variables=`
  /** Set when the subgraph reports that it accepts no hashes. */
  let unsupported = false
  return async (fetch) => {
    const { variables, onError } = fetch
    const posted = { ...fetch, extra: withoutConditions(fetch.extra) }
    const at = `${lead}${encodeURIComponent(variables)}${onError === undefined ? '' : `&onError=${onError}`}`
    if (unsupported || at.length > longestPath) return post(plain, posted)
    const exchanged = await get(at, fetch)
    const refusal = refusalOfHash(exchanged)
    if (refusal === 'PERSISTED_QUERY_NOT_FOUND') return post(whole, posted)
    if (refusal !== undefined || (exchanged.loss === undefined && exchanged.status === 405)) {
      unsupported = true
      return post(plain, posted)
    }
    return exchanged
  }
}

/** A failed condition would end a POST with 412 (RFC 9110, section 13.1.2). */
function withoutConditions(extra: SentFetch['extra']): SentFetch['extra'] {
  if (extra === undefined) return undefined
  const { 'if-none-match': _etag, 'if-modified-since': _lastModified, ...others } = extra
  return others
}
