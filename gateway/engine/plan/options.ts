/**
 * The ways to get a field from one subgraph where it stands: from a field above, by a key, by a key together with
 * what the field requires, or as a field of the root.
 */
import type { Graph, Entry as KeyEntry, SubgraphField, SubgraphType } from './graph.ts'
import type { FieldSet } from './join.ts'
import { isLocal } from './reach.ts'
import { isAskable, seenFromAbove } from './sources.ts'
import type { Candidate, Field } from './tree.ts'

/** A look-up: for each object type the key that names it. */
export interface LookupOption {
  readonly kind: 'lookup'
  readonly graph: number
  /** The type under whose name all objects are looked up; undefined: their own. */
  readonly as: SubgraphType | undefined
  readonly keys: ReadonlyMap<string, FieldSet>
  readonly views: ReadonlyMap<string, SubgraphType>
  /** Whether the objects' own types have to be known. */
  readonly named: boolean
  /** What is to be sent along, by object type. */
  readonly requires: ReadonlyMap<string, FieldSet>
  /** Whether the key is read of all objects at the position, because some do not tell their type. */
  readonly hidden: boolean
  /** The fields whose arguments come from above. */
  readonly contexts: readonly SubgraphField[]
}

export type Option =
  | LookupOption
  | { readonly kind: 'above'; readonly graph: number; readonly field: Field }
  | { readonly kind: 'root'; readonly graph: number }

const knownOptions = new WeakMap<Candidate, readonly Option[]>()

/** They hang on the tree alone, so that they are found once for all attempts. */
export function optionsFor(graph: Graph, field: Field, candidate: Candidate): readonly Option[] {
  let known = knownOptions.get(candidate)
  if (known === undefined) {
    known = findOptions(graph, field, candidate)
    knownOptions.set(candidate, known)
  }
  return known
}

function findOptions(graph: Graph, field: Field, candidate: Candidate): readonly Option[] {
  const { at } = field
  const options: Option[] = []
  if (at.field === undefined) return [{ kind: 'root', graph: candidate.graph }]
  const isRootType = at.types.names.length === 1 && at.types.names[0] === graph.roots.query
  const fromAbove = isAskable(graph, field, (type) => seenFromAbove(at, candidate.graph, type), {
    types: at.types,
    lookup: undefined,
  })
  if (fromAbove && at.field.candidates.some((each) => each.graph === candidate.graph))
    options.push({ kind: 'above', graph: candidate.graph, field: at.field })
  if (isRootType) {
    options.push({ kind: 'root', graph: candidate.graph })
    return options
  }
  options.push(...lookupsFor(graph, field, candidate))
  return options
}

function lookupsFor(graph: Graph, field: Field, { graph: index, views }: Candidate): LookupOption[] {
  const requires = new Map<string, FieldSet>()
  const contexts = new Set<SubgraphField>()
  for (const [type, view] of views) {
    const own = view.fields.get(field.name)
    if (own === undefined) continue
    // What only `@provides` offers cannot be had by a key.
    if (isLocal(graph, { view, provided: [] }, own, type) === undefined && own.external) return []
    if (own.requires !== undefined) requires.set(type, own.requires)
    if (own.contextArguments.length > 0) contexts.add(own)
  }
  const { types } = field
  const isPart = types !== field.at.types
  const isHidden = field.at.types.names.some((type) =>
    field.at.deliveries.get(type)?.some(({ view }) => view.interfaceObject),
  )
  const byName = new Map<SubgraphType | undefined, Map<string, KeyEntry[]>>()
  for (const type of types.names) {
    for (const entry of graph.entries(type)) {
      if (entry.view !== views.get(type)) continue
      const as = entry.as.name === type ? undefined : entry.as
      // Under an interface's name is looked up what does not tell its own, or what the subgraph knows only so.
      if (as !== undefined && !as.interfaceObject && !isHidden) continue
      const entries = byName.get(as) ?? new Map<string, KeyEntry[]>()
      byName.set(as, entries)
      entries.set(type, [...(entries.get(type) ?? []), entry])
    }
  }
  const options: LookupOption[] = []
  for (const [as, entries] of byName) {
    if (entries.size !== types.names.length) continue
    const [first = []] = entries.values()
    const texts = new Set<string>()
    for (const { key } of first) {
      if (texts.has(key.text)) continue
      texts.add(key.text)
      const keys = new Map<string, FieldSet>()
      for (const [type, each] of entries) {
        const chosen = each.find((entry) => entry.key.text === key.text) ?? each[0]
        if (chosen !== undefined) keys.set(type, chosen.key)
      }
      options.push({
        kind: 'lookup',
        graph: index,
        as,
        keys,
        views: as === undefined || as.interfaceObject ? views : membersOf(as),
        named: as === undefined || (as.interfaceObject && isPart),
        hidden: as !== undefined && isHidden,
        requires,
        contexts: [...contexts],
      })
    }
  }
  return options
}

function membersOf(type: SubgraphType): ReadonlyMap<string, SubgraphType> {
  return new Map(type.members.map((member) => [member.name, member]))
}
