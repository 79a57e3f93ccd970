/**
 * Opaque global ids: the type name and the natural key in base64url. They are unique over all types of the graph and
 * equal for all callers, so that clients can cache by them.
 */
import { badInput } from '../errors.ts'

const form = /^[A-Za-z0-9_-]+$/
const typeName = /^[A-Za-z][A-Za-z0-9]*$/

interface GlobalId {
  readonly type: string
  readonly key: string
}

/** The global id of an object. */
export function toGlobalId(type: string, key: string): string {
  return Buffer.from(`${type}:${key}`, 'utf8').toString('base64url')
}

/** The type and key of a global id. Undefined for anything but its one canonical spelling. */
export function fromGlobalId(id: string): GlobalId | undefined {
  if (!form.test(id)) return undefined
  const text = Buffer.from(id, 'base64url').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1 || colon === text.length - 1) return undefined
  const type = text.slice(0, colon)
  const key = text.slice(colon + 1)
  if (!typeName.test(type) || toGlobalId(type, key) !== id) return undefined
  return { type, key }
}

/** The natural key in an id of this type. Undefined for every other id. */
export function keyOfGlobalId(type: string, id: string): string | undefined {
  const global = fromGlobalId(id)
  return global?.type === type ? global.key : undefined
}

/** The natural key of a reference, which may have either key. */
export function keyOfReference(
  reference: object,
  type: string,
  natural: string,
  isKey: (key: string) => boolean,
): string {
  const { id, [natural]: own } = reference as Readonly<Record<string, string | undefined>>
  const key = own ?? keyOfGlobalId(type, id ?? '')
  if (key !== undefined && isKey(key)) return key
  throw badInput(`This is not the id of ${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type.toLowerCase()}.`)
}
