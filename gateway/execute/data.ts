/**
 * Response data under way: reading, writing and merging objects whose keys come from clients and from
 * services, so that no key (`__proto__`, `constructor`) is ever taken for something else.
 */

export type Data = Record<string, unknown>

export function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keys that a plain object has without anybody having put them there. */
function isInherited(key: string): boolean {
  return key in Object.prototype
}

/** How the value under a key is read: safely where the key is an inherited one, else the fast way. */
export function readerOf(key: string): (object: Data) => unknown {
  if (isInherited(key)) return (object) => (Object.hasOwn(object, key) ? object[key] : undefined)
  return (object) => object[key]
}

export function readKey(object: Data, key: string): unknown {
  return isInherited(key) && !Object.hasOwn(object, key) ? undefined : object[key]
}

export function writeKey(object: Data, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[key] = value
  }
}

function isPlain(value: unknown): value is Data {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Lays `source` over `target`, in place; lists are merged item by item. A null never wipes out what is there. */
export function mergeInto(target: Data, source: Data): void {
  for (const key of Object.keys(source)) {
    const value = source[key]
    const present = readKey(target, key)
    if (present === undefined || present === null) writeKey(target, key, value)
    else if (value !== undefined && value !== null) {
      if (Array.isArray(present) && Array.isArray(value)) mergeLists(present, value)
      else if (isPlain(present) && isPlain(value)) mergeInto(present, value)
      else writeKey(target, key, value)
    }
  }
}

function mergeLists(target: unknown[], source: readonly unknown[]): void {
  for (let i = 0; i < source.length; i++) {
    const present = target[i]
    const value = source[i]
    if (Array.isArray(present) && Array.isArray(value)) mergeLists(present, value)
    else if (isPlain(present) && isPlain(value)) mergeInto(present, value)
    else if (present === undefined || present === null) target[i] = value
  }
}
