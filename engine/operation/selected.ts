/**
 * Expands a selection: fragments are spread and literal conditions decided. Each field has the object types and the
 * conditions for which it is selected.
 */
import { type FieldNode, type FragmentDefinitionNode, Kind, print, type SelectionSetNode } from 'graphql'
import { conditionsOf } from '../../shared/graphql/conditions.ts'
import type { Graph } from '../planner/graph/graph.ts'
import { and, type Conjunction } from './conditions.ts'
import type { TypeSet, TypeSets } from './type-sets.ts'

export interface Selected {
  /** Whether it is selected under a type condition that the declared type does not imply. */
  readonly typed: boolean
  readonly key: string
  readonly name: string
  readonly node: FieldNode
  readonly directives: string
  readonly wraps: readonly string[]
  readonly types: TypeSet
  readonly when: Conjunction
  readonly sets: SelectionSetNode[]
}

export interface SelectionSource {
  readonly graph: Graph
  readonly sets: TypeSets
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/** `declared` are the declared types at this place if there is an interface or union among them. */
export function collect(
  source: SelectionSource,
  set: SelectionSetNode,
  at: Pick<Selected, 'types' | 'when' | 'wraps' | 'typed'>,
  declared: ReadonlySet<string> | undefined,
  into: Map<string, Selected>,
): void {
  const { graph, sets, fragments } = source
  for (const selection of set.selections) {
    const conditions = conditionsOf(selection)
    const when = conditions === undefined ? undefined : and(at.when, conditions)
    if (when === undefined) continue
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value
      // The type of an object is known without selecting `__typename` here.
      if (name === '__schema' || name === '__type' || (name === '__typename' && declared === undefined))
        continue
      const key = name === '__typename' ? name : (selection.alias ?? selection.name).value
      const directives = name === '__typename' ? '' : directivesOf(selection)
      const id = `${key} ${at.types.id} ${at.typed} ${when.key} ${directives} ${at.wraps.join(' ')}`
      const known = into.get(id)
      const below = selection.selectionSet === undefined ? [] : [selection.selectionSet]
      if (known === undefined)
        into.set(id, { ...at, when, key, name, node: selection, directives, sets: below })
      else known.sets.push(...below)
      continue
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (fragment === undefined) continue
    const condition = fragment.typeCondition?.name.value
    const possible = condition === undefined ? undefined : graph.type(condition)?.possible
    const types = possible === undefined ? at.types : sets.within(at.types, possible)
    if (types.names.length === 0) continue
    const wrap = directivesOf(selection)
    const wraps = wrap === '' ? at.wraps : [...at.wraps, wrap]
    const typed =
      at.typed ||
      (declared !== undefined && condition !== undefined && !isImpliedBy(graph, declared, condition))
    collect(source, fragment.selectionSet, { types, when, wraps, typed }, declared, into)
  }
}

/** Whether every object of the declared types also has this type. */
function isImpliedBy(graph: Graph, declared: ReadonlySet<string>, type: string): boolean {
  return [...declared].every((name) => name === type || graph.type(name)?.interfaces.has(type) === true)
}

const typenameNode: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

export function typenameOf(types: TypeSet, when: Conjunction): Selected {
  const name = '__typename'
  return {
    typed: false,
    key: name,
    name,
    node: typenameNode,
    directives: '',
    wraps: [],
    types,
    when,
    sets: [],
  }
}

function directivesOf({ directives }: { readonly directives?: FieldNode['directives'] }): string {
  if (directives === undefined || directives.length === 0) return ''
  return directives
    .filter(({ name }) => name.value !== 'skip' && name.value !== 'include')
    .map((each) => print(each))
    .join(' ')
}
