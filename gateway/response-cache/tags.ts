/**
 * The names by which answers are found again when something has changed: an answer has the tags of what is in it, and a
 * change those of what was changed.
 *
 * | tag | an answer with it |
 * |---|---|
 * | `~products` | is of this subgraph |
 * | `~products/Product` | is of root fields of this subgraph that can lead to objects of this type, or has a list of them |
 * | `Product` | has objects of this type or a list of them, or is of root fields that can lead to them |
 * | `Product/id="1"` | has this object |
 * | `Product/id=?` | has objects of this type whose key is not in it |
 * | `#name` | has this tag by `@cacheTag`, or by the header `Cache-Tag` |
 */
import { hash } from 'node:crypto'
import { itemsOf } from '../../shared/http/headers.ts'
import { valueAt } from '../../shared/json/value-at.ts'
import type { SchemaFacts, TagFormat, TypeFacts } from './schema-facts.ts'

/** Longer tags are replaced by their hash. If one response has more tags, only those of types are stored. */
const longestTag = 300
export const mostTags = 500

export const subgraphTag = (subgraph: string): string => bounded(`~${subgraph}`)
export const rootTag = (subgraph: string, type: string): string => bounded(`~${subgraph}/${type}`)
export const typeTag = (type: string): string => bounded(type)
/** The tags of a response that can lead to objects of these types. */
export const leadingTags = (subgraph: string, types: Iterable<string>): string[] =>
  [...types].flatMap((type) => [rootTag(subgraph, type), typeTag(type)])
export const namedTag = (name: string): string => bounded(`#${name}`)

function bounded(tag: string): string {
  return tag.length <= longestTag ? tag : `${tag.slice(0, 100)}…${hash('sha256', tag, 'base64url')}`
}

/** The values of some fields of an object; undefined if one is unknown. */
export type KeyValues = (field: string) => unknown

/** The tag of one object, made of a key with only known fields. */
export function objectTag(type: string, fields: readonly string[], values: KeyValues): string | undefined {
  let text = ''
  for (const field of fields) {
    const value = values(field)
    if (value === undefined || value === null) return undefined
    text += `${text === '' ? '' : ','}${field}=${JSON.stringify(plain(value))}`
  }
  return bounded(`${type}/${text}`)
}

/** Ids come as texts and as numbers. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return String(value)
  // A number whose digits are kept, and other scalars that are objects here.
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null)
    return String(value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename')
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, plain(each)]),
  )
}

export const unknownTag = (type: string, fields: readonly string[]): string =>
  bounded(`${type}/${fields.join(',')}=?`)

/** The type and its interfaces, as far as they have keys. */
function keyed(
  facts: SchemaFacts,
  type: string,
): readonly { readonly name: string; readonly keys: TypeFacts['keys'] }[] {
  const { interfaces = [] } = facts.type(type) ?? {}
  return [type, ...interfaces].flatMap((name) => {
    const keys = facts.type(name)?.keys ?? []
    return keys.length === 0 ? [] : [{ name, keys }]
  })
}

export function addObjectTags(facts: SchemaFacts, type: string, values: KeyValues, into: Set<string>): void {
  for (const { name, keys } of keyed(facts, type)) {
    into.add(typeTag(name))
    for (const fields of keys)
      into.add(
        (into.size < mostTags ? objectTag(name, fields, values) : undefined) ?? unknownTag(name, fields),
      )
  }
}

/** The tags of responses with a changed object: with its key, or with none; all of its type if no key is known. */
export function addChangedTags(
  facts: SchemaFacts,
  type: string,
  values: KeyValues,
  into: Set<string>,
): boolean {
  const entities = keyed(facts, type)
  for (const { name, keys } of entities) {
    let isKnown = false
    for (const fields of keys) {
      const tag = into.size < mostTags ? objectTag(name, fields, values) : undefined
      if (tag === undefined) continue
      isKnown = true
      into.add(tag).add(unknownTag(name, fields))
    }
    if (!isKnown) into.add(typeTag(name))
  }
  return entities.length > 0
}

/** Replaces `{$key.id}` and `{$args.id}`; undefined if a value is unknown. */
export function filled(
  { format }: TagFormat,
  values: { readonly key?: KeyValues; readonly args?: Readonly<Record<string, unknown>> },
): string | undefined {
  let isWhole = true
  const text = format.replace(/\{\$(key|args)\.([\w.]{1,200})\}/g, (_, kind: string, path: string) => {
    const [first = '', ...rest] = path.split('.')
    const value = valueAt(kind === 'key' ? values.key?.(first) : values.args?.[first], rest)
    if (value === undefined || value === null) isWhole = false
    return String(typeof value === 'object' ? JSON.stringify(plain(value)) : value)
  })
  return isWhole ? namedTag(text) : undefined
}

export const tagsOfHeader = (value: string | readonly string[] | undefined): string[] =>
  itemsOf(String(value ?? '').slice(0, 16_384))
    .slice(0, mostTags)
    .map(namedTag)
