/**
 * Opaque global ids: the type's name and the natural key, base64url. Unique over all types of the graph,
 * and the same for everybody, so that a client cache can hold them for good.
 */

const form = /^[A-Za-z0-9_-]+$/
const typeName = /^[A-Za-z][A-Za-z0-9]*$/

export interface GlobalId {
  readonly type: string
  readonly key: string
}

/** The global id of an object: opaque to clients, unique over all types, the same for every caller. */
export function toGlobalId(type: string, key: string): string {
  return Buffer.from(`${type}:${key}`, 'utf8').toString('base64url')
}

/** What the id names; undefined if it is no global id (only the one canonical spelling is taken). */
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

/** The natural key behind an id of this type; undefined for every other id. */
export function keyOfGlobalId(type: string, id: string): string | undefined {
  const global = fromGlobalId(id)
  return global?.type === type ? global.key : undefined
}
