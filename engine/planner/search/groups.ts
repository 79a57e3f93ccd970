/** Fetches of a draft: the selection of each, its subgraph and stage, and the fetches that it waits for. */
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { SubgraphType } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import type { RequiredField } from '../output/nodes.ts'

/** The fields that a fetch selects of the objects at one position. */
export interface Selection {
  readonly entries: Map<string, Entry>
  /** Whether the response depends on the type of the objects. */
  abstract: boolean
}

export interface Entry {
  readonly field: Field
  readonly types: TypeSet
  readonly when: Conjunction[]
  readonly below: Selection | undefined
  readonly contexts: readonly ContextUse[]
  /** Whether another fetch needs it first. */
  isRequired: boolean
}

/** The fields that represent objects of some types. */
export interface RepresentedTypes {
  /** Undefined: all types. */
  readonly types: TypeSet | undefined
  readonly typename: string | undefined
  readonly fields: readonly RequiredField[]
}

/** An argument with a value from an object further up. */
export interface ContextUse {
  readonly argument: string
  readonly variable: string
  readonly type: string
  readonly from: Position
  readonly fields: readonly RequiredField[]
}

export interface FetchGroup {
  readonly id: number
  readonly kind: 'root' | 'entities'
  readonly graph: number
  /** Groups of one stage can be fetched at the same time. */
  readonly stage: number
  readonly at: Position
  /** The types of the objects that it looks up. Undefined: all types at the position. */
  readonly types: TypeSet | undefined
  /**
   * The type of the selection: a root type, or the type that representations name. Undefined: the objects' own types.
   */
  readonly as: SubgraphType | undefined
  readonly selection: Selection
  readonly when: Conjunction[]
  readonly after: ReadonlySet<FetchGroup>
  readonly representations: readonly RepresentedTypes[]
  /**
   * The representations for fields that need only the key, and the fetches that bring them. Undefined if they are the
   * same.
   */
  readonly byKey?:
    | { readonly representations: readonly RepresentedTypes[]; readonly after: ReadonlySet<FetchGroup> }
    | undefined
  readonly contexts: readonly ContextUse[]
  /** The delivery group that it is made for (`delivery.ts`). Empty for the first response. */
  readonly deliveryGroup: string
}

export function createSelection(abstract: boolean): Selection {
  return { entries: new Map(), abstract }
}

/** The entry of a field, which is added if it is new. */
export function addEntry(
  selection: Selection,
  field: Field,
  types: TypeSet,
  when: Conjunction,
  contexts: readonly ContextUse[] = [],
): { entry: Entry; isNew: boolean } {
  const given = contexts.map(({ variable }) => variable).join()
  // A mutation that is selected twice runs at the first place whose conditions hold.
  const place = field.at.serial ? when.key : ''
  const id = `${field.key} ${types.id} ${field.signature} ${given} ${field.directives} ${field.wraps.join(' ')} ${place}`
  const isRequired = field.order < 0
  const known = selection.entries.get(id)
  if (known !== undefined) {
    widen(known.when, when)
    if (known.below !== undefined && field.below?.abstract === true) known.below.abstract = true
    if (isRequired) known.isRequired = true
    return { entry: known, isNew: false }
  }
  const below = field.below === undefined ? undefined : createSelection(field.below.abstract)
  const entry: Entry = { field, types, when: [when], below, contexts, isRequired }
  selection.entries.set(id, entry)
  return { entry, isNew: true }
}

export function mergeSelections(into: Selection, from: Selection): void {
  into.abstract ||= from.abstract
  for (const [id, entry] of from.entries) {
    const known = into.entries.get(id)
    if (known === undefined) {
      into.entries.set(id, entry)
      continue
    }
    for (const when of entry.when) widen(known.when, when)
    if (known.below !== undefined && entry.below !== undefined) mergeSelections(known.below, entry.below)
  }
}
