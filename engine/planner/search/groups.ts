/**
 * Fetches while they are being put together: what each asks for, in which subgraph, at which stage, and which
 * others it waits for.
 */
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { SubgraphType } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import type { RequiredField } from '../output/nodes.ts'

/** Fields that a fetch asks for of the objects at one position. */
export interface Selection {
  readonly entries: Map<string, Entry>
  /** Whether the response hangs on the objects' type. */
  abstract: boolean
}

export interface Entry {
  readonly field: Field
  readonly types: TypeSet
  readonly when: Conjunction[]
  readonly below: Selection | undefined
  /** Arguments whose values come from objects above. */
  readonly contexts: readonly ContextUse[]
  /** Whether something else of the plan has to have it before. */
  isRequired: boolean
}

/** How objects of some types are named to the subgraph. */
export interface Part {
  /** Undefined: whatever stands there. */
  readonly types: TypeSet | undefined
  readonly typename: string | undefined
  readonly fields: readonly RequiredField[]
}

/** An argument that is taken from an object above. */
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
  /** Groups of a stage can be fetched at the same time. */
  readonly stage: number
  readonly at: Position
  /** Which of the objects at the position; undefined: all. */
  readonly types: TypeSet | undefined
  /** The type of the selection: a root type, the type under whose name entities are looked up; undefined: their own. */
  readonly as: SubgraphType | undefined
  readonly selection: Selection
  readonly when: Conjunction[]
  readonly after: ReadonlySet<FetchGroup>
  readonly parts: readonly Part[]
  /**
   * How the objects are named for fields that require nothing of them, and what that waits for; undefined if it is
   * the same.
   */
  readonly byKey?: { readonly parts: readonly Part[]; readonly after: ReadonlySet<FetchGroup> } | undefined
  readonly contexts: readonly ContextUse[]
  /** The part of the operation that it is made for (`parts.ts`); empty for what comes first. */
  readonly part: string
}

export function createSelection(abstract: boolean): Selection {
  return { entries: new Map(), abstract }
}

/** The entry of a field, made if it is new; the second says whether it was. */
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

/** Puts everything of one selection into another. */
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
