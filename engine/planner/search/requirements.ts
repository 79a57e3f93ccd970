/**
 * The fields that a lookup needs of its objects: those of the key, those of `@requires`, and values of
 * `@fromContext` arguments from objects further up. They depend only on the tree.
 */

import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { TypeSet, TypeSets } from '../../operation/type-sets.ts'
import type { ContextArgument, FieldSet } from '../../supergraph/join.ts'
import type { Graph, SubgraphField } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import type { Tree } from '../graph/tree.ts'
import type { LookupOption } from './field-options.ts'

/** A `@fromContext` argument with the fields of the object further up. */
interface ContextSource {
  readonly of: SubgraphField
  readonly argument: ContextArgument
  readonly from: Position
  readonly fields: readonly Field[]
}

/** Object types with the same key and the same requirements. */
interface KeyGroup {
  readonly names: readonly string[]
  readonly types: TypeSet
  readonly key: readonly Field[]
  /** The fields of `@requires`. */
  readonly others: readonly Field[]
}

interface Requirements {
  readonly keys: readonly KeyGroup[]
  /** `__typename`, if the objects' own types must be known. */
  readonly typename: readonly Field[]
  readonly contexts: readonly ContextSource[]
  /** Every field that is needed. */
  readonly all: readonly Field[]
}

/** Undefined if no object further up sets a context. */
export type FindRequirements = (field: Field, option: LookupOption) => Requirements | undefined

interface RequirementsSource {
  readonly graph: Graph
  readonly tree: Tree
  readonly sets: TypeSets
}

/** They depend only on the tree, and are computed once for all attempts. */
export function createRequirements(source: RequirementsSource): FindRequirements {
  const known = new Map<LookupOption, Requirements>()
  return (field, option) => {
    const before = known.get(option)
    if (before !== undefined) return before
    const contexts = contextSources(source, field, option)
    if (contexts === undefined) return undefined
    const isNamed = option.named || (option.hidden && isOfTypes(option))
    const keys = keyGroups(source, field, option)
    const typename = isNamed ? source.tree.typename(field.at, field.types) : []
    const ofKeys = keys.flatMap(({ key, others }) => [...key, ...others])
    const ofContexts = contexts.flatMap(({ fields }) => fields)
    const found = { keys, typename, contexts, all: [...ofKeys, ...typename, ...ofContexts] }
    known.set(option, found)
    return found
  }
}

function keyGroups({ tree, sets }: RequirementsSource, field: Field, option: LookupOption): KeyGroup[] {
  const groups = new Map<string, { names: string[]; key: FieldSet; required: FieldSet | undefined }>()
  for (const [type, key] of option.keys) {
    const required = option.requires.get(type)
    const text = `${key.text}\n${required?.text ?? ''}`
    getOrInsert(groups, text, () => ({ names: [], key, required })).names.push(type)
  }
  return [...groups.values()].map(({ names, key, required }) => {
    const own = names.length === field.types.names.length ? field.types : sets.of(names)
    // The key is requested of all objects if some do not tell their type.
    const types = option.hidden ? field.at.types : own
    return {
      names,
      types,
      key: tree.requirement(field.at, types, key.selectionSet),
      others:
        required === undefined
          ? []
          : tree.requirement(field.at, isOfTypes(option) ? own : types, required.selectionSet),
    }
  })
}

/** Whether the object types themselves require the fields, and not an interface object. */
function isOfTypes({ requires, views }: LookupOption): boolean {
  for (const type of requires.keys()) if (views.get(type)?.interfaceObject !== true) return true
  return false
}

function contextSources({ graph, tree, sets }: RequirementsSource, field: Field, option: LookupOption) {
  const sources: ContextSource[] = []
  for (const of of option.contexts) {
    for (const argument of of.contextArguments) {
      const setBy = graph.contextTypes.get(argument.context)
      if (setBy === undefined) return undefined
      // The objects further up are those of the fields on the way. Other fields at the same place may have none.
      let way: Field | undefined = field
      while (way !== undefined && !way.types.names.some((type) => setBy.has(type))) way = way.at.field
      if (way === undefined) return undefined
      const from = way.at
      const fields = tree.requirement(from, sets.within(way.types, setBy), argument.selection.selectionSet)
      sources.push({ of, argument, from, fields })
    }
  }
  return sources
}
