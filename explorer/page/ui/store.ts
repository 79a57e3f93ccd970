/** A value that the page has once, and that several of its parts show. It lives outside of the components. */
import { useSyncExternalStore } from 'react'

export function createStore<Value>(first: Value) {
  const listeners = new Set<() => void>()
  let value = first
  const current = (): Value => value
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    current,
    subscribe,
    set(next: Value): void {
      value = next
      for (const listener of listeners) listener()
    },
    /** The current value, for a component that shows it. */
    use: (): Value => useSyncExternalStore(subscribe, current),
  }
}
