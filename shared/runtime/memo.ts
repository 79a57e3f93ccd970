import { getOrInsert } from './maps.ts'
import type { Steps } from './steps.ts'

/** Memoizes a function of an object for as long as the object lives. */
export function memoByObject<Key extends object, Value extends {}>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => getOrInsert(known, key, read)
}

/** The same for work in steps. */
export function memoInSteps<Key extends object, Made>(
  work: (key: Key) => Steps<Made>,
): (key: Key) => Steps<Made> {
  const known = new WeakMap<Key, { readonly made: Made }>()
  return function* (key) {
    const before = known.get(key)
    if (before !== undefined) return before.made
    const made = yield* work(key)
    known.set(key, { made })
    return made
  }
}
