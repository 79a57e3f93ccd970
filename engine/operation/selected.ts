/**
 * The fields that are selected at one position: the selections of one response key join if they have the same object
 * types, conditions and directives.
 */
import { type ArgumentNode, print } from 'graphql'
import { streamedListOf } from '../executor/incremental/delivery-groups.ts'
import type { Graph } from '../planner/graph/graph.ts'
import { and, type Conjunction } from './conditions.ts'
import type { Selection } from './normalised.ts'
import type { TypeSet, TypeSets } from './type-sets.ts'

export interface Selected {
  /** Whether it is selected under a type condition that the declared type does not imply. */
  readonly typed: boolean
  readonly key: string
  readonly name: string
  readonly arguments: readonly ArgumentNode[]
  /** The name of the streamed list, if it is one. */
  readonly list: string | undefined
  readonly directives: string
  readonly wraps: readonly string[]
  readonly types: TypeSet
  readonly when: Conjunction
  /** What each of its selections selects below. */
  readonly below: (readonly Selection[])[]
}

interface SelectionSource {
  readonly graph: Graph
  readonly sets: TypeSets
}

/** `declared` are the declared types at this place if there is an interface or union among them. */
export function collect(
  { graph, sets }: SelectionSource,
  selections: readonly Selection[],
  at: Pick<Selected, 'types' | 'when'>,
  declared: ReadonlySet<string> | undefined,
  into: Map<string, Selected>,
): void {
  let on = noTypes
  let types = at.types
  let typed = false
  for (const { field, when: own, on: named, wraps } of selections) {
    const { name, arguments: given } = field
    // The type of an object is known without selecting `__typename` here.
    if (name === '__schema' || name === '__type' || (name === '__typename' && declared === undefined))
      continue
    const when = own === undefined ? undefined : join(at.when, own)
    if (when === undefined) continue
    if (named !== on) {
      on = named
      types = narrowed(graph, sets, at.types, on)
      typed = declared !== undefined && on.some((type) => !isImpliedBy(graph, declared, type))
    }
    if (types.names.length === 0) continue
    const isTypename = name === '__typename'
    const key = isTypename ? name : field.key
    const directives = isTypename ? '' : field.directives.map((each) => print(each)).join(' ')
    const id = `${key} ${types.id} ${typed} ${when.key} ${directives} ${wraps.join(' ')}`
    const known = into.get(id)
    const below = field.selections === undefined ? [] : [field.selections]
    if (known === undefined) {
      const list = streamedListOf(field)?.name
      into.set(id, { typed, key, name, arguments: given, list, directives, wraps, types, when, below })
    } else known.below.push(...below)
  }
}

const noTypes: readonly string[] = []

function join(some: Conjunction, more: Conjunction): Conjunction | undefined {
  return some.all.length === 0 ? more : and(some, more.all)
}

function narrowed(graph: Graph, sets: TypeSets, types: TypeSet, on: readonly string[]): TypeSet {
  let left = types
  for (const type of on) {
    const possible = graph.type(type)?.possible
    if (possible !== undefined) left = sets.within(left, possible)
  }
  return left
}

/** Whether every object of the declared types also has this type. */
function isImpliedBy(graph: Graph, declared: ReadonlySet<string>, type: string): boolean {
  return [...declared].every((name) => name === type || graph.type(name)?.interfaces.has(type) === true)
}

export function typenameOf(types: TypeSet, when: Conjunction): Selected {
  const name = '__typename'
  return {
    typed: false,
    key: name,
    name,
    arguments: [],
    list: undefined,
    directives: '',
    wraps: [],
    types,
    when,
    below: [],
  }
}
