/**
 * How a request names its document. Every server accepts the document itself. Our own services also accept its
 * SHA-256 as an automatic persisted operation: a query is sent with its document and hash once, and by its hash from
 * then on, which saves writing, reading and parsing the document. Mutations are always sent with the document: the
 * response to an unknown hash must never cause one to run twice.
 */
import type { ErrorBehavior } from '../../../shared/graphql/error-behavior.ts'
import { extensionsNaming } from '../../../shared/graphql/persisted-operation.ts'
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

export type NamedDocument = Pick<SubgraphOperation, 'text' | 'name'>

/** The beginnings of bodies: with the document, with document and hash, and with the hash. */
export function headsFor({ text, name }: NamedDocument) {
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
