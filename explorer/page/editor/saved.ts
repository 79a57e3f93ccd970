/**
 * Saved operations in folders, stored in this browser. Headers are not stored, because they may contain
 * credentials.
 */
import { readOperationFile, writeOperationFile } from '../../examples/operation-file.ts'
import { formatJson } from '../json.ts'
import { createStoredList, hasTexts, newId } from '../ui/stored-list.ts'
import { type OperationText, titleOf } from './workspace.ts'

export interface Saved extends OperationText {
  readonly id: string
  readonly title: string
  /** Empty for no folder. */
  readonly folder: string
}

export const mostSaved = 500
const longestName = 80
/** The most characters of an imported file. */
export const longestFile = 2_000_000

const isSaved = (value: unknown): value is Saved =>
  hasTexts(value, 'id', 'title', 'folder', 'query', 'variables')

export const saved = createStoredList<Saved>('tessera:saved', isSaved)

const titled = (text: string): string => named(text) || 'Untitled'
const named = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, longestName)

/** The operation that saving another one under this title in this folder replaces. */
export const savedAs = (items: readonly Saved[], title: string, folder: string): Saved | undefined =>
  items.find((each) => each.title === titled(title) && each.folder === named(folder))

/** Replaces an operation with the same title in the same folder. Returns false if there is no room. */
export function save({ query, variables }: OperationText, title: string, folder: string): boolean {
  const entry = { id: newId(), title: titled(title), folder: named(folder), query, variables }
  return add([entry])
}

function add(entries: readonly Saved[]): boolean {
  const isSame = (a: Saved, b: Saved): boolean => a.title === b.title && a.folder === b.folder
  const rest = saved.current().filter((each) => !entries.some((entry) => isSame(each, entry)))
  if (rest.length + entries.length > mostSaved) return false
  return saved.update(() => [...rest, ...entries].sort(byPlace))
}

const byPlace = (a: Saved, b: Saved): number =>
  a.folder.localeCompare(b.folder) || a.title.localeCompare(b.title)

export const removeSaved = (id: string): void =>
  void saved.update((items) => items.filter((each) => each.id !== id))

export const moveSaved = (id: string, title: string, folder: string): void =>
  void saved.update((items) =>
    items
      .map((each) =>
        each.id === id ? { ...each, title: named(title) || each.title, folder: named(folder) } : each,
      )
      .sort(byPlace),
  )

/** Folders in the order of their names, after the operations without a folder. */
export const foldersOf = (items: readonly Saved[]): readonly (readonly [string, readonly Saved[]])[] =>
  [...Map.groupBy(items, ({ folder }) => folder)].sort(([a], [b]) => a.localeCompare(b))

export const fileOf = (items: readonly Saved[]): string =>
  writeOperationFile(
    items.map(({ title, folder, query, variables }) => ({ title, folder, variables, document: query })),
  )

/** Returns how many operations of the file were added; undefined if there is no room for them. */
export function importFile(name: string, text: string): number | undefined {
  const entries = readOperationFile(text.slice(0, longestFile), mostSaved).map(
    ({ title, folder, variables, document }): Saved => {
      const own = titleOf({ query: document })
      const fallback = own === 'Untitled' ? name.replace(/\.\w+$/, '') : own
      return {
        id: newId(),
        title: titled(title ?? fallback),
        folder: named(folder ?? ''),
        query: document,
        variables: formatJson(variables),
      }
    },
  )
  // If two have the same name, the second one counts, as if they had been saved one after the other.
  const byName = new Map(entries.map((entry) => [`${entry.folder}\n${entry.title}`, entry]))
  return add([...byName.values()]) ? byName.size : undefined
}
