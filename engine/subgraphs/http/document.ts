/**
 * How a request to a subgraph names the document to execute. Everybody takes the document itself. Our own services take its
 * SHA-256 as well, in the form of automatic persisted operations: then a query is sent whole with its hash once, and by
 * its hash from then on, which neither side has to write, read or look through again. Mutations are always sent whole:
 * what says that a hash is unknown must never make one run twice.
 */
import { extensionsNaming } from '../../../shared/graphql/persisted-operation.ts'

/** The beginnings of a body, up to its variables. */
export interface SentDocument {
  /** For the next request. */
  readonly head: string
  /** With the document in it. */
  readonly whole: string
  /** The same for as long as the operation lives. */
  readonly key: string
  /** A request with the document was answered. */
  sent(): void
  /** The hash was not known. */
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

/** Each replica gets a document once. A service that forgets more often than there are replicas gets the document each time. */
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
