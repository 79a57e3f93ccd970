import { getOrInsert } from '../../shared/runtime/maps.ts'

/**
 * The response to a call of one request. An equal call is made once, however often its response is needed. `key` has
 * everything that the response depends on.
 */
export function memoized<T>(
  answers: Map<string, Promise<T>>,
  key: unknown,
  call: () => Promise<T>,
): Promise<T> {
  return getOrInsert(answers, JSON.stringify(key), call)
}
