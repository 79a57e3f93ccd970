import { getOrInsert } from '../../shared/runtime/maps.ts'

/**
 * The answer to a call of one request: an equal call is made once, however often its answer is needed. `key` has
 * everything that the answer depends on.
 */
export function once<T>(answers: Map<string, Promise<T>>, key: unknown, call: () => Promise<T>): Promise<T> {
  return getOrInsert(answers, JSON.stringify(key), call)
}
