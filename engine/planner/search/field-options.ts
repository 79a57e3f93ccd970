/**
 * The ways to request a field from one subgraph at its position: below a field further up, by a key, by a key
 * together with the fields that it requires, or at the root.
 */
import { Kind } from 'graphql'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { FieldSet } from '../../supergraph/join.ts'
import type { Graph, Entry as KeyEntry, SubgraphField, SubgraphType } from '../graph/graph.ts'
import type { Candidate, Field, Position } from '../graph/position.ts'
import { isResolvedLocally } from '../graph/reachability.ts'
import { isSelectable, resolvedAt } from './sources.ts'

/** A lookup, with the key for each object type. */
export interface LookupOption {
  readonly kind: 'lookup'
  /** Equal for lookups that would need each other in a circle. */
  readonly key: string
  readonly graph: number
  /** The type that representations name. Undefined: the objects' own types. */
  readonly as: SubgraphType | undefined
  readonly keys: ReadonlyMap<string, FieldSet>
  readonly views: ReadonlyMap<string, SubgraphType>
  /** Whether the objects' own types must be known. */
  readonly named: boolean
  /** The field sets of `@requires`, by object type. */
  readonly requires: ReadonlyMap<string, FieldSet>
  /** Whether the key is requested of all objects at the position, because some do not tell their type. */
  readonly hidden: boolean
  /** The fields with `@fromContext` arguments. */
  readonly contexts: readonly SubgraphField[]
}

export type Option =
  | LookupOption
  /** The subgraph resolves the field above as well. */
  | { readonly kind: 'above'; readonly key: string; readonly graph: number; readonly above: Field }
  | { readonly kind: 'root'; readonly key: string; readonly graph: number }

/** What a candidate offers at every position with these objects. The keys of its lookups name no position yet. */
interface Offer {
  readonly fromAbove: boolean
  readonly keyed: readonly LookupOption[]
  /** What its lookups require in addition. Undefined if nothing. */
  readonly more: Pick<LookupOption, 'requires' | 'contexts'> | undefined
}

const noLookups: readonly LookupOption[] = []

/** The options in all subgraphs. They depend only on the tree, and are computed once for all attempts. */
export class Options {
  readonly #graph: Graph
  readonly #known = new Map<Field, readonly Option[]>()
  /** Positions whose objects are alike share their candidates. */
  readonly #offers = new Map<Candidate, Offer>()
  readonly #keyed = new Map<Position['resolvedIn'], Map<string, readonly LookupOption[]>>()
  /** Lookups by position, shared by the fields of a position. */
  readonly #placed = new Map<Position, Map<readonly LookupOption[], readonly LookupOption[]>>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  of(field: Field): readonly Option[] {
    return getOrInsert(this.#known, field, () =>
      field.candidates.flatMap((candidate) => this.#find(field, candidate)),
    )
  }

  #find(field: Field, candidate: Candidate): readonly Option[] {
    const { at } = field
    const { graph: index } = candidate
    const root: Option = { kind: 'root', key: `root ${at.id} ${index}`, graph: index }
    if (at.field === undefined) return [root]
    const offer = getOrInsert(this.#offers, candidate, () => this.#offer(field, candidate))
    const options: Option[] = []
    if (offer.fromAbove && at.field.candidates.some((each) => each.graph === index))
      options.push({ kind: 'above', key: `above ${at.id} ${index}`, graph: index, above: at.field })
    const isRootType = at.types.names.length === 1 && at.types.names[0] === this.#graph.roots.query
    return isRootType ? [...options, root] : [...options, ...this.#lookups(at, offer)]
  }

  #offer(field: Field, candidate: Candidate): Offer {
    const { at } = field
    const fromAbove = isSelectable(this.#graph, field, (type) => resolvedAt(at, candidate.graph, type), {
      types: at.types,
      lookup: undefined,
    })
    const requires = new Map<string, FieldSet>()
    const contexts = new Set<SubgraphField>()
    for (const [type, view] of candidate.views) {
      const own = view.fields.get(field.name)
      if (own === undefined) continue
      // An external field cannot be looked up by a key.
      if (own.external) return { fromAbove, keyed: noLookups, more: undefined }
      if (own.requires !== undefined) requires.set(type, own.requires)
      if (own.contextArguments.length > 0) contexts.add(own)
    }
    const more =
      requires.size === 0 && contexts.size === 0 ? undefined : { requires, contexts: [...contexts] }
    return { fromAbove, keyed: this.#keyedLookups(field, candidate), more }
  }

  #keyedLookups({ at, types }: Field, candidate: Candidate): readonly LookupOption[] {
    const known = getOrInsert(this.#keyed, at.resolvedIn, () => new Map())
    const key = `${types.id} ${types.names.map((type) => candidate.views.get(type)?.id).join()}`
    return getOrInsert(known, key, () => keyedLookups(this.#graph, at, types, candidate))
  }

  #lookups(at: Position, { keyed, more }: Offer): readonly LookupOption[] {
    const placed = getOrInsert(
      getOrInsert(this.#placed, at, () => new Map()),
      keyed,
      () => keyed.map((each) => ({ ...each, key: `${at.id} ${each.key}` })),
    )
    if (more === undefined) return placed
    const texts = [...more.requires.values()].map(({ text }) => text).join()
    return placed.map((each) => ({ ...each, ...more, key: `${each.key} ${texts}` }))
  }
}

const nothingRequired: ReadonlyMap<string, FieldSet> = new Map()

function keyedLookups(graph: Graph, at: Position, types: TypeSet, { graph: index, views }: Candidate) {
  const isSubset = types !== at.types
  const isHidden = at.types.names.some((type) =>
    at.resolvedIn.get(type)?.some(({ view }) => view.interfaceObject),
  )
  const byName = new Map<SubgraphType | undefined, Map<string, KeyEntry[]>>()
  for (const type of types.names) {
    for (const entry of graph.entries(type)) {
      if (entry.view !== views.get(type)) continue
      const as = entry.as.name === type ? undefined : entry.as
      // An interface's name is used if objects do not tell their type, or if the subgraph knows only the interface.
      if (as !== undefined && !as.interfaceObject && !(isHidden && hasTypes(as, at.types.names))) continue
      append(
        getOrInsert(byName, as, () => new Map()),
        type,
        entry,
      )
    }
  }
  const options: LookupOption[] = []
  for (const [as, entries] of byName) {
    if (entries.size !== types.names.length) continue
    for (const keys of keyChoices(entries, (type, key) => isKeyResolved(graph, at, type, key))) {
      options.push({
        kind: 'lookup',
        key: `${index} ${as?.name ?? ''}`,
        graph: index,
        as,
        keys,
        views: as === undefined || as.interfaceObject ? views : membersOf(as),
        named: as === undefined || (as.interfaceObject && isSubset),
        hidden: as !== undefined && isHidden,
        requires: nothingRequired,
        contexts: [],
      })
    }
  }
  return options
}

/** The most combinations of keys that are tried for types with different keys. */
const mostKeyChoices = 32

/**
 * The key for each object type, in the order in which combinations are tried. A key that all types have comes first.
 * Types with the same keys, of which the same are resolved already, use the same key. Keys that are resolved already
 * come before the others.
 */
function keyChoices(
  entries: ReadonlyMap<string, readonly KeyEntry[]>,
  isResolved: (type: string, key: FieldSet) => boolean,
): Iterable<ReadonlyMap<string, FieldSet>> {
  const listed = [...entries].map(([type, each]) => {
    const resolvedKeys: FieldSet[] = []
    const others: FieldSet[] = []
    for (const { key } of each) (isResolved(type, key) ? resolvedKeys : others).push(key)
    const keys = [...resolvedKeys, ...others]
    return { type, keys, list: `${resolvedKeys.length} ${textsOf(keys)}` }
  })
  const lists = [...new Map(listed.map(({ list, keys }) => [list, keys]))]
  const choices = new Map<string, ReadonlyMap<string, FieldSet>>()
  const add = (keyOf: (keys: readonly FieldSet[], list: string) => FieldSet | undefined): void => {
    const choice = new Map<string, FieldSet>()
    for (const { type, keys, list } of listed) {
      const key = keyOf(keys, list)
      if (key !== undefined) choice.set(type, key)
    }
    const id = textsOf([...choice.values()])
    if (!choices.has(id)) choices.set(id, choice)
  }
  const [ofFirst = []] = entries.values()
  for (const { key } of ofFirst) add((keys) => keys.find(({ text }) => text === key.text) ?? keys[0])
  if (lists.length < 2) return choices.values()
  const mixes = lists.reduce((product, [, keys]) => product * keys.length, 1)
  for (let mix = 0; mix < Math.min(mixes, mostKeyChoices); mix++) {
    const chosen = new Map<string, FieldSet | undefined>()
    // Each digit of the number chooses the key of one list.
    let rest = mix
    for (const [list, keys] of lists.toReversed()) {
      chosen.set(list, keys[rest % keys.length])
      rest = Math.floor(rest / keys.length)
    }
    add((_, list) => chosen.get(list))
  }
  return choices.values()
}

const textsOf = (keys: readonly FieldSet[]): string => keys.map(({ text }) => text).join('\n')

/**
 * Whether a subgraph that resolves objects of the type at the position also resolves the fields of the key. Nested fields
 * are not checked: keys for which this is false are tried as well, only later.
 */
function isKeyResolved(graph: Graph, at: Position, type: string, key: FieldSet): boolean {
  const resolvedIn = at.resolvedIn.get(type) ?? []
  return resolvedIn.some((resolved) =>
    key.selectionSet.selections.every(
      (selection) =>
        selection.kind !== Kind.FIELD || isResolvedLocally(graph, resolved, selection.name.value, type),
    ),
  )
}

/** Whether the interface has all of these types in the subgraph. */
const hasTypes = (type: SubgraphType, names: readonly string[]): boolean =>
  names.every((name) => type.members.some((member) => member.name === name))

function membersOf(type: SubgraphType): ReadonlyMap<string, SubgraphType> {
  return new Map(type.members.map((member) => [member.name, member]))
}
