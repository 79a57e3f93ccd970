/**
 * How a request names its document. Every server accepts the document itself. Our own services also accept its
 * SHA-256 as an automatic persisted operation: a query is sent with its document and hash once, and by its hash from
 * then on, which saves writing, reading and parsing the document. Mutations are always sent with the document: the
 * response to an unknown hash must never cause one to run twice.
 */
import { extensionsNaming } from '../../../shared/graphql/persisted-operation.ts'

/** The beginnings of a request body, up to its variables. */
export interface SentDocument {
  /** For the next request. */
  readonly head: string
  /** With the document. */
  readonly whole: string
  /** Constant for the life of the operation. */
  readonly key: string
  /** A request with the document succeeded. */
  sent(): void
  /** The hash was unknown. */
  unknown(): void
}

export function documentFor(
  operation: { readonly text: string; readonly operationName: string | undefined; readonly kind: string },
  hashes: boolean,
): SentDocument {
  const { text, operationName, kind } = operation
  const named = operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`
  const query = `"query":${JSON.stringify(text)}`
  const plain = `{${query}${named}`
  if (!hashes || kind !== 'query')
    return { head: plain, whole: plain, key: plain, sent: nothing, unknown: nothing }
  const persisted = `"extensions":${extensionsNaming(text)}`
  return new HashedDocument(`{${query},${persisted}${named}`, `{${persisted}${named}`)
}

/** Each replica needs a document once. If a service forgets it more often than this, the document is sent each time. */
const mostMisses = 50

class HashedDocument implements SentDocument {
  readonly whole: string
  readonly key: string
  #isKnown = false
  #misses = 0

  constructor(whole: string, byHash: string) {
    this.whole = whole
    this.key = byHash
  }

  get head(): string {
    return this.#isKnown && this.#misses < mostMisses ? this.key : this.whole
  }

  sent(): void {
    this.#isKnown = true
  }

  unknown(): void {
    this.#misses += 1
  }
}

function nothing(): void {}
