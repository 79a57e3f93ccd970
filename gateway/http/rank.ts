/**
 * In which order requests begin where not all of them can: mutations first, then queries by the values that they
 * ask for. An operation that is not prepared is dearer than all others, as it has to be read and planned. What this
 * costs for a refused request is a parse of its body, less where the same body came before, and no more for one that is
 * large.
 */
import { LRUCache } from 'lru-cache'
import { type OperationParams, paramsFrom, paramsFromUrl, readBody } from './negotiation.ts'
import type { Operations } from './operations.ts'
import type { DocumentReader } from './persisted/index.ts'
import { mutation } from './shedding/index.ts'

export interface RankedRequest {
  readonly method: string
  readonly url: string
  readonly body: Buffer
}

export type Rank = (request: RankedRequest) => number

/** Larger bodies are not parsed for it. */
const mostBytes = 16 * 1024
const dearest = Number.POSITIVE_INFINITY
/** The bodies whose ranks are remembered, with about what the memory of each takes besides. */
const mostRememberedBytes = 1024 * 1024
const rememberedEntryBytes = 200

export function createRank(operations: Operations, documents: DocumentReader): Rank {
  const rankOf = (params: OperationParams): number => {
    const text = documents.known(params)
    if (text === undefined) return dearest
    const operation = operations.known(text, params.operationName)
    if (operation === undefined) return mayMutate(text) ? mutation : dearest
    return operation.definition.operation === 'query'
      ? operation.countValues(params.variables ?? {})
      : mutation
  }
  const rankOfBody = (body: string): number => {
    const parsed = readBody(body)
    if (!Array.isArray(parsed)) return rankOf(paramsFrom(parsed))
    const ranks = parsed.map((entry) => rankOf(paramsFrom(entry)))
    return ranks.includes(mutation) ? mutation : ranks.reduce((sum, rank) => sum + rank, 0)
  }
  /** By the body as Latin-1. Of the same graph the rank of an operation that is prepared does not change. */
  const remembered = new LRUCache<string, number>({
    maxSize: mostRememberedBytes,
    sizeCalculation: (_, body) => body.length + rememberedEntryBytes,
  })
  return ({ method, url, body }) => {
    try {
      if (method === 'GET') return rankOf(paramsFromUrl(url))
      if (body.length > mostBytes) return body.includes('mutation') ? mutation : dearest
      const bytes = body.toString('latin1')
      let rank = remembered.get(bytes)
      if (rank === undefined) {
        rank = rankOfBody(body.toString('utf8'))
        // Of what is not prepared it is a guess.
        if (rank !== dearest && rank !== mutation) remembered.set(bytes, rank)
      }
      return rank
    } catch {
      // It is no request at all.
      return dearest
    }
  }
}

/** Whether a document that is not parsed yet may hold a mutation. */
const mayMutate = (text: string): boolean => /\bmutation\b/.test(text)

/** The same for a subgraph service, whose operations are a gateway's: by the size of what is asked. */
export function rankOfText({ method, body }: RankedRequest): number {
  if (method === 'GET') return 0
  return body.includes('"query":"mutation') ? mutation : body.length
}
