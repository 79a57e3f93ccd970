/** The value at a path of own members; undefined if there is none. */
export function valueAt(from: unknown, path: readonly PropertyKey[]): unknown {
  let at = from
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return at
}
