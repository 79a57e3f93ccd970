/**
 * One world of data behind any set of subgraph SDLs: every field of every object has a value that is a function of
 * the seed, the object, the field and its arguments, so that each subgraph can answer its part of it and the
 * oracle all of it. Entities come from a small pool for each type and are found by their keys; objects of value
 * types are named by the place that they stand at. A field that `@requires` others, or takes an argument from a
 * context, has a value that depends on them: who computes it from wrong input gets a wrong value.
 */
import { Kind, type SelectionSetNode, type TypeNode, valueFromASTUntyped } from 'graphql'
import { readServices, type Service, type Services } from './services.ts'
import { canonical, hashOf, scalarValue } from './values.ts'
import { type FieldFacts, namedType, WorldTypes } from './world-types.ts'

/** An object of the world. The id of an entity is its number in the pool of its type. */
export interface WorldObject {
  readonly type: string
  readonly id: string
  /** The object that it was reached from; only the oracle knows. */
  readonly up?: WorldObject | undefined
}

type Arguments = Readonly<Record<string, unknown>>

/** What goes wrong, in all subgraphs and in the oracle alike. */
export interface Faults {
  /** Whether the field fails for this object. */
  readonly throws?: ((type: string, field: string, id: string) => boolean) | undefined
}

export interface World {
  readonly seed: number
  readonly services: ReadonlyMap<string, Service>
  readonly entities: ReadonlySet<string>
  /** The value of a field: leaves as they are serialized, objects, lists. Throws if it is to fail. */
  resolve(object: WorldObject, field: string, given: Arguments, faults?: Faults): unknown
  /** What an object has of a selection, as a representation carries it. */
  gather(object: WorldObject, selection: SelectionSetNode): Record<string, unknown>
  /** The entity that has these values in these fields, among those of the object types behind a type. */
  find(type: string, selection: SelectionSetNode, representation: unknown): WorldObject | undefined
  /** The object types that a type of a subgraph stands for. */
  possibleIn(service: Service, type: string): ReadonlySet<string>
}

/** How many entities there are of each type. */
const poolSize = 4

export function createWorld(sdls: Services, seed: number): World {
  const services = readServices(sdls)
  const types = new WorldTypes([...services.values()])
  const { entities, objectTypes } = types

  const leaf = (name: string, key: string): unknown => {
    const values = types.enumValues(name)
    return values.length > 0 ? values[hashOf(key) % values.length] : scalarValue(name, key)
  }

  const build = (
    type: TypeNode,
    key: string,
    { possible }: FieldFacts,
    up: WorldObject,
    mayBeNull: boolean,
  ): unknown => {
    if (type.kind === Kind.NON_NULL_TYPE) return build(type.type, key, { possible } as FieldFacts, up, false)
    if (mayBeNull && hashOf(`${key}?`) % 9 === 0) return null
    if (type.kind === Kind.LIST_TYPE) {
      const items = Array.from({ length: hashOf(`${key}#`) % 4 })
      return items.map((_, i) => build(type.type, `${key}.${i}`, { possible } as FieldFacts, up, true))
    }
    if (possible === undefined) return leaf(type.name.value, key)
    const concrete = possible[hashOf(`${key}:`) % possible.length]
    if (concrete === undefined) return null
    if (concrete === 'Query') return { type: 'Query', id: '', up }
    const hash = hashOf(key)
    return { type: concrete, id: entities.has(concrete) ? String(hash % poolSize) : hash.toString(36), up }
  }

  /** Keys tell the entities of all types apart, so that the keys of an interface do as well. */
  const keyValue = (object: WorldObject, field: string, type: TypeNode): unknown => {
    const number = objectTypes.indexOf(object.type) * 100 + Number(object.id)
    switch (namedType(type)) {
      case 'Int':
        return number
      case 'Float':
        return number + 0.25
      case 'String':
      case 'ID':
        return `${field}-${object.type}-${object.id}`
      default:
        return undefined
    }
  }

  const contextValues = (object: WorldObject, { contextArguments }: FieldFacts): Arguments =>
    Object.fromEntries(
      contextArguments.flatMap(({ name, holders, selection }) => {
        let holder = object.up
        while (holder !== undefined && !holders.has(holder.type)) holder = holder.up
        return holder === undefined ? [] : [[name, leafOf(world.gather(holder, selection))]]
      }),
    )

  const world: World = {
    seed,
    services,
    entities,
    possibleIn: (service, type) => types.possibleIn(service, type),
    resolve(object, field, given, faults) {
      if (faults?.throws?.(object.type, field, object.id) === true)
        throw new Error(`${object.type}.${field} of ${object.id} fails`)
      const known = types.field(object.type, field)
      const isEntity = entities.has(object.type)
      if (known.isKey && isEntity && Object.keys(given).length === 0) {
        const value = keyValue(object, field, known.type)
        if (value !== undefined && known.type.kind !== Kind.LIST_TYPE) return value
      }
      const args: Record<string, unknown> = { ...given }
      for (const [name, value] of known.defaults)
        if (value !== undefined && args[name] === undefined) args[name] = value
      if (object.up !== undefined) Object.assign(args, contextValues(object, known))
      for (const { name } of known.contextArguments) if (args[name] === null) delete args[name]
      const inputs = known.requires.map((selection) => world.gather(object, selection))
      const key = `${seed}/${object.type}/${object.id}/${field}/${canonical(args)}/${canonical(inputs)}`
      return build(known.type, key, known, object, !known.isKey)
    },
    gather(object, selection) {
      const gathered: Record<string, unknown> = {}
      for (const node of selection.selections) {
        if (node.kind === Kind.FIELD) {
          const name = node.name.value
          const args = Object.fromEntries(
            (node.arguments ?? []).map((argument) => [
              argument.name.value,
              valueFromASTUntyped(argument.value),
            ]),
          )
          if (name === '__typename') continue
          // What is gathered is the subgraphs' business: contexts play no part in it.
          const value = world.resolve({ type: object.type, id: object.id }, name, args)
          gathered[name] = node.selectionSet === undefined ? value : below(value, node.selectionSet)
        } else if (
          node.kind === Kind.INLINE_FRAGMENT &&
          types.isA(object.type, node.typeCondition?.name.value)
        ) {
          for (const [name, value] of Object.entries(world.gather(object, node.selectionSet)))
            gathered[name] = together(gathered[name], value)
        }
      }
      return gathered
    },
    find(type, selection, representation) {
      for (const concrete of objectTypes.filter((each) => entities.has(each) && types.isA(each, type))) {
        for (let id = 0; id < poolSize; id++) {
          const object = { type: concrete, id: String(id) }
          if (covers(representation, world.gather(object, selection))) return object
        }
      }
      return undefined
    },
  }

  const below = (value: unknown, selection: SelectionSetNode): unknown => {
    if (Array.isArray(value)) return value.map((each) => below(each, selection))
    return value === null ? null : world.gather(value as WorldObject, selection)
  }

  return world
}

function together(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((each, i) => together(each, b[i]))
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) return { ...a, ...b }
  return b
}

/** Whether a value holds all of another one. */
export function covers(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(value) && value.length === part.length && part.every((each, i) => covers(value[i], each))
    )
  if (typeof part !== 'object' || part === null) return value === part
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(part).every(([key, each]) => covers((value as Record<string, unknown>)[key], each))
  )
}

/** The one leaf of what a context's selection gives. */
function leafOf(gathered: unknown): unknown {
  if (typeof gathered !== 'object' || gathered === null || Array.isArray(gathered)) return gathered
  return leafOf(Object.values(gathered)[0] ?? null)
}
