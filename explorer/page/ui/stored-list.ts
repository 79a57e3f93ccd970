/**
 * A list that is stored in this browser (`localStorage`) and shared by all of its tabs. Stored values are checked,
 * because they may be anything.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import { type Json, jsonFrom } from '../json.ts'
import { recall, store } from './storage.ts'
import { createStore } from './store.ts'

export function createStoredList<Item>(key: string, isItem: (value: unknown) => value is Item) {
  const read = (): readonly Item[] => {
    const stored = jsonFrom(recall('localStorage', key) ?? '')
    return Array.isArray(stored) ? stored.filter(isItem) : []
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
      if (!store('localStorage', key, JSON.stringify(next))) return false
      set(next)
      return true
    },
  }
}

/** Whether it is an object with a text under each of these names. */
export const hasTexts = (value: unknown, ...names: readonly string[]): value is Json =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

export const newId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-')
