/**
 * Long answers of a subgraph elsewhere, with the values of the schema's own scalars left as they came: such a
 * value may be any JSON, is handed to the client as it is, and can be most of an answer. Only those that stand
 * alone: of many in a list each would be looked at for itself, which costs more than it saves.
 */
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { readObject, readRaw, readValue, readWhole } from '../../subgraphs/lib/raw-json.ts'

/** By response key, what lies below it; undefined is an opaque value. */
export type Opaque = ReadonlyMap<string, Opaque | undefined>

/** Shorter answers are parsed whole, which is quicker. */
export const longAnswerBytes = 64 * 1024

/** Where the data of this operation has opaque values; undefined where it has none. */
export function opaqueIn(schema: GraphQLSchema, document: DocumentNode): Opaque | undefined {
  if (document.definitions.some(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)) return undefined
  const types = new TypeInfo(schema)
  const path: string[] = []
  const opaque = new Set<string>()
  const others = new Set<string>()
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter({ alias, name, selectionSet }) {
          path.push((alias ?? name).value)
          const type = getNamedType(types.getType())
          const isOpaque = selectionSet === undefined && isScalarType(type) && !isSpecifiedScalarType(type)
          const places = isOpaque ? opaque : others
          places.add(path.join('.'))
        },
        leave() {
          path.pop()
        },
      },
    }),
  )
  const root = new Map<string, Opaque | undefined>()
  for (const place of opaque) {
    // Objects of another type may have something else under the same key.
    if (others.has(place)) continue
    const keys = place.split('.')
    const last = keys.pop() ?? ''
    let at = root
    for (const key of keys) {
      const below = (at.get(key) as Map<string, Opaque | undefined> | undefined) ?? new Map()
      at.set(key, below)
      at = below
    }
    at.set(last, undefined)
  }
  return root.size === 0 ? undefined : root
}

const openObject = 0x7b
const openList = 0x5b

/**
 * What `JSON.parse` gives, with a `RawJson` for each opaque object or list. Undefined where it cannot be told:
 * then parse it.
 */
export function parseAround(bytes: Buffer, opaque: Opaque): unknown {
  let value: unknown
  const take = (taken: unknown): void => {
    value = taken
  }

  const opaqueAt = (at: number): number =>
    (bytes[at] === openObject || bytes[at] === openList ? readRaw : readValue)(bytes, at, take)
  const objectAt = (at: number, around: Opaque): number => {
    if (bytes[at] !== openObject) return readValue(bytes, at, take)
    const object: Record<string, unknown> = {}
    const end = readObject(bytes, at, (key, member) => {
      // JSON.parse makes a key of it like any other.
      if (key === '__proto__') return -1
      const below = around.get(key)
      let end: number
      if (below !== undefined) end = objectAt(member, below)
      else end = around.has(key) ? opaqueAt(member) : readValue(bytes, member, take)
      object[key] = value
      return end
    })
    value = object
    return end
  }

  return readWhole(bytes, (at) => objectAt(at, opaque)) ? value : undefined
}
