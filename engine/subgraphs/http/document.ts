/**
 * How a request names its document. Every server accepts the document itself. Our own services also accept its
 * SHA-256 as an automatic persisted operation: a query is sent with its document and hash once, and by its hash from
 * then on, which saves writing, reading and parsing the document. Mutations are always sent with the document: the
 * response to an unknown hash must never cause one to run twice.
 */
import type { ErrorBehavior } from '../../../shared/graphql/error-behavior.ts'
import { extensionsNaming, refusalOfHash } from '../../../shared/graphql/persisted-operation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import type { GatewayRequest } from '../../request.ts'
import type { SubgraphOperation } from '../subgraph-fetch.ts'

export interface SentFetch {
  /** As JSON. */
  readonly variables: string
  /** Undefined if the subgraph does not get it. */
  readonly onError: ErrorBehavior | undefined
  readonly request: GatewayRequest
  readonly deadline: number
  /** Headers of this fetch only. */
  readonly extra: Readonly<Record<string, string>> | undefined
}

export function bodyOf(head: string, { variables, onError }: SentFetch): string {
  return `${head}${onError === undefined ? '' : `,"onError":"${onError}"`},"variables":${variables}}`
}

type NamedDocument = Pick<SubgraphOperation, 'text' | 'name'>

/** The beginnings of bodies: with the document, with document and hash, and with the hash. */
function headsFor({ text, name }: NamedDocument) {
  const named = name === undefined ? '' : `,"operationName":${JSON.stringify(name)}`
  const query = `"query":${JSON.stringify(text)}`
  const persisted = `"extensions":${extensionsNaming(text)}`
  return {
    plain: `{${query}${named}`,
    whole: `{${query},${persisted}${named}`,
    byHash: `{${persisted}${named}`,
  }
}

/** Each replica needs a document once. If a service forgets it more often than this, the document is sent each time. */
const mostMisses = 50

export class SentDocument {
  readonly whole: string
  /** Constant for the life of the operation. */
  readonly key: string
  #isKnown = false
  #misses = 0

  /** Without `hashes` it is always sent whole. */
  constructor(document: NamedDocument, hashes: boolean) {
    const { plain, whole, byHash } = headsFor(document)
    this.whole = hashes ? whole : plain
    this.key = hashes ? byHash : plain
  }

  get head(): string {
    return this.#isKnown && this.#misses < mostMisses ? this.key : this.whole
  }

  /** A request with the document succeeded. */
  sent(): void {
    this.#isKnown = true
  }

  /** The hash was unknown. */
  unknown(): void {
    this.#misses += 1
  }
}

interface PersistedQueryOptions extends NamedDocument {
  /** The path of the subgraph's address, with its query. */
  readonly path: string
  /** `head` is the beginning of the body. */
  post(head: string, fetch: SentFetch): Promise<HttpResult>
  get(path: string, fetch: SentFetch): Promise<HttpResult>
}

/** Servers and proxies refuse longer URLs. */
const longestPath = 4_096

/**
 * Sends a query by GET with the hash of its document, so that caches before the subgraph can store the response. The
 * document is sent by POST if the subgraph does not know it, or if the URL would be too long.
 */
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
