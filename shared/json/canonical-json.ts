import { isObject, isPlain } from './is-object.ts'

/** JSON that is the same for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isObject(each) && isPlain(each) && !JSON.isRawJSON(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
}
