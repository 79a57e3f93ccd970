import { getOrInsert } from '../../shared/runtime/maps.ts'

/** An equal call is made once in a request. `key` has everything that the response depends on. */
export function memoized<T>(
  answers: Map<string, Promise<T>>,
  key: unknown,
  call: () => Promise<T>,
): Promise<T> {
  return getOrInsert(answers, JSON.stringify(key), call)
}
