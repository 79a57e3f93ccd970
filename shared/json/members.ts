/**
 * Members of objects whose keys come from clients (aliases) and subgraphs, so `__proto__` is a key like any other and
 * never changes a prototype.
 */
type JsonObject = Record<string, unknown>

export function readMember(object: Readonly<JsonObject>, key: string): unknown {
  const value = object[key]
  // Objects inherit only functions, which data never contains, and `__proto__`.
  if (typeof value !== 'function' && key !== '__proto__') return value
  return Object.hasOwn(object, key) ? value : undefined
}

export function writeMember(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else object[key] = value
}
