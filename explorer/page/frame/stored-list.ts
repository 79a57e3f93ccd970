/**
 * A list that is stored in this browser (`localStorage`) and shared by all of its tabs. Stored values are checked,
 * because they may be anything.
 */
import { useSyncExternalStore } from 'react'
import { isObject } from '../../../shared/json/is-object.ts'
import { type Json, jsonFrom } from '../json.ts'
import { recall, store } from './storage.ts'

type StoredList<Item> = ReturnType<typeof createStoredList<Item>>

export function createStoredList<Item>(key: string, isItem: (value: unknown) => value is Item) {
  const listeners = new Set<() => void>()
  const read = (): readonly Item[] => {
    const stored = jsonFrom(recall('localStorage', key) ?? '')
    return Array.isArray(stored) ? stored.filter(isItem) : []
  }
  let items = read()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    items = read()
    tell()
  })
  return {
    get items(): readonly Item[] {
      return items
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Stores what `change` makes of the current list. Returns false if the browser has no more room. */
    update(change: (items: readonly Item[]) => readonly Item[]): boolean {
      const next = change(items)
      if (!store('localStorage', key, JSON.stringify(next))) return false
      items = next
      tell()
      return true
    },
  }
}

export const useStoredList = <Item>(list: StoredList<Item>): readonly Item[] =>
  useSyncExternalStore(list.subscribe, () => list.items)

/** Whether it is an object with a text under each of these names. */
export const hasTexts = (value: unknown, ...names: readonly string[]): value is Json =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

export const newId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-')
