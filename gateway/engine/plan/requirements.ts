/**
 * What a look-up needs of the objects that it looks up: the fields of the key, what the wanted field `@requires`, and
 * values of `@fromContext` arguments, which stand further up. All of it hangs on the tree alone.
 */
import { deadEnd } from './cost.ts'
import type { Graph, SubgraphField } from './graph.ts'
import type { ContextArgument, FieldSet } from './join.ts'
import type { LookupOption } from './options.ts'
import type { Field, Position } from './position.ts'
import type { Tree } from './tree.ts'
import type { TypeSet, TypeSets } from './type-sets.ts'

/** An argument that is taken from fields of an object further up. */
export interface ContextSource {
  readonly of: SubgraphField
  readonly argument: ContextArgument
  readonly from: Position
  readonly fields: readonly Field[]
}

/** Objects of these types are named by the same key, with the same requirements. */
export interface KeyGroup {
  readonly names: readonly string[]
  readonly types: TypeSet
  readonly fields: readonly Field[]
}

export interface Requirements {
  readonly keys: readonly KeyGroup[]
  /** `__typename`, where the objects' own types have to be known. */
  readonly typename: readonly Field[]
  readonly contexts: readonly ContextSource[]
}

/** They hang on the tree alone, so that they are found once for all attempts. */
export interface RequirementsFinder {
  /** Throws `deadEnd` where no object further up sets a context. */
  of(field: Field, option: LookupOption): Requirements
}

export interface RequirementsSource {
  readonly graph: Graph
  readonly tree: Tree
  readonly sets: TypeSets
}

export function createRequirements(source: RequirementsSource): RequirementsFinder {
  const known = new Map<LookupOption, Requirements>()
  return {
    of(field, option) {
      let found = known.get(option)
      if (found === undefined) {
        found = {
          keys: keyGroups(source, field, option),
          typename: option.named ? source.tree.typename(field.at, field.types) : [],
          contexts: contextSources(source, field.at, option),
        }
        known.set(option, found)
      }
      return found
    },
  }
}

function keyGroups({ tree, sets }: RequirementsSource, field: Field, option: LookupOption): KeyGroup[] {
  const byText = new Map<string, string[]>()
  for (const [type, key] of option.keys) {
    const text = `${key.text}\n${option.requires.get(type)?.text ?? ''}`
    const names = byText.get(text)
    if (names === undefined) byText.set(text, [type])
    else names.push(type)
  }
  return [...byText.values()].map((names) => {
    const [first = ''] = names
    // Some of the objects may not tell their type: then the key is read of all of them.
    const types = option.hidden
      ? field.at.types
      : names.length === field.types.names.length
        ? field.types
        : sets.of(names)
    const sent: (FieldSet | undefined)[] = [option.keys.get(first), option.requires.get(first)]
    const fields = sent.flatMap((set) =>
      set === undefined ? [] : tree.requirement(field.at, types, set.selectionSet),
    )
    return { names, types, fields }
  })
}

function contextSources({ graph, tree }: RequirementsSource, at: Position, option: LookupOption) {
  return option.contexts.flatMap((of) =>
    of.contextArguments.map((argument): ContextSource => {
      const setBy = graph.contextTypes.get(argument.context)
      let from: Position | undefined = at
      while (from !== undefined && !from.types.names.some((type) => setBy?.has(type))) from = from.field?.at
      if (from === undefined) throw deadEnd
      const fields = tree.requirement(from, from.types, argument.selection.selectionSet)
      return { of, argument, from, fields }
    }),
  )
}
