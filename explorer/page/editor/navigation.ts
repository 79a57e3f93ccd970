/** The current view: the part on a narrow screen, the panel beside the operation, and the page of the schema. */

import type { SchemaCoordinate } from '../schema/search.ts'
import { createStore } from '../ui/store.ts'

/** The panels beside the operation. */
export const shelves = [
  { id: 'examples', title: 'Examples' },
  { id: 'schema', title: 'Schema' },
  { id: 'builder', title: 'Build' },
  { id: 'history', title: 'History' },
  { id: 'saved', title: 'Saved' },
] as const

type Shelf = (typeof shelves)[number]['id']

export const panel = createStore<'library' | 'operation' | 'result'>('operation')
export const shelf = createStore<Shelf>('examples')
/** The visited pages of the schema, the current one last. */
export const schemaHistory = createStore<readonly SchemaCoordinate[]>([])
/** The text of a search in the schema, whose results are shown instead of a page. */
export const schemaSearch = createStore('')

export function showShelf(next: Shelf): void {
  shelf.set(next)
  panel.set('library')
}

/** Shows a page of the schema, if that is the panel. */
export function visit(place: SchemaCoordinate): void {
  schemaSearch.set('')
  schemaHistory.set([...schemaHistory.current(), place])
}

export function goTo(place: SchemaCoordinate): void {
  showShelf('schema')
  visit(place)
}
