/**
 * What is prepared of documents, by their text and the name of the operation in them: of those that were used last.
 * Giants count for as many as would fit into them.
 */
import { LRUCache } from 'lru-cache'
import { Latest } from './latest.ts'

export interface DocumentCache<Prepared> {
  get(text: string, operationName: string | undefined): Prepared | undefined
  set(text: string, operationName: string | undefined, prepared: Prepared): void
}

/** Of a document. */
const usualCharacters = 2000

export function createDocumentCache<Prepared>(most: number): DocumentCache<Prepared> {
  const documents = new LRUCache<string, Map<string, Prepared>>({
    max: most,
    maxSize: most * usualCharacters,
    sizeCalculation: (_, text) => Math.max(usualCharacters, text.length),
  })
  const latest = new Latest<Map<string, Prepared>>()
  return {
    get(text, operationName = '') {
      const prepared = latest.find(text)?.get(operationName)
      if (prepared !== undefined) return prepared
      const named = documents.get(text)
      if (named !== undefined) latest.note(text, named)
      return named?.get(operationName)
    },
    set(text, operationName = '', prepared) {
      const named = documents.get(text)
      if (named === undefined) documents.set(text, new Map([[operationName, prepared]]))
      else named.set(operationName, prepared)
    },
  }
}
