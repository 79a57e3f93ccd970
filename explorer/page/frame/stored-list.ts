/**
 * A list that is stored in this browser (`localStorage`) and shared by all of its tabs. Stored values are checked,
 * because they may be anything.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import type { Json } from '../json.ts'
import { createStore } from './store.ts'

export function createStoredList<Item>(key: string, isItem: (value: unknown) => value is Item) {
  const read = (): readonly Item[] => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isItem) : []
    } catch {
      return []
    }
  }
  const { current, set, use } = createStore(read())
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) set(read())
  })
  return {
    current,
    use,
    /** Stores what `change` makes of the current list. Returns false if the browser has no more room. */
    update(change: (items: readonly Item[]) => readonly Item[]): boolean {
      const next = change(current())
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        return false
      }
      set(next)
      return true
    },
  }
}

/** Whether it is an object with a text under each of these names. */
export const hasTexts = (value: unknown, ...names: readonly string[]): value is Json =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

export const newId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-')
