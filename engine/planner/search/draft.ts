/**
 * A plan in progress: its fetches, the sources in which fields can be selected, and its cost so far. Nothing is
 * undone: other decisions make another draft.
 */
import type { Conjunction } from '../../operation/conditions.ts'
import { widen } from '../../operation/conditions.ts'
import type { Graph } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import { type Cost, costsLess, tooExpensive } from './cost.ts'
import { addEntry, createSelection, type FetchGroup } from './groups.ts'
import { canSelect, contextsFor, type Lookup, type Source } from './sources.ts'

export interface Draft {
  readonly groups: readonly FetchGroup[]
  /** The number of sources so far. Estimates are invalid after it changes. */
  readonly changes: number
  cost(): Cost
  /** Whether a fetch of this subgraph at this stage would be an additional one. */
  isNewFetch(graph: number, stage: number, root?: Position): boolean
  /**
   * The source that has the field without a new fetch, at the earliest stage. Restricted to a subgraph if one is
   * given. A source of the given delivery group is preferred.
   */
  existing(field: Field, graph: number | undefined, deliveryGroup?: string): Source | undefined
  /** Selects the field in a source under this condition. */
  select(source: Source, field: Field, when: Conjunction): void
  /** Adds a fetch for the objects at this position, and its source. */
  addFetch(
    at: Position,
    fetch: Omit<FetchGroup, 'id' | 'selection' | 'when' | 'stage' | 'at'>,
    lookup: Lookup | undefined,
  ): Source
  /** Whether the object field is selected already under such a condition. */
  isSelected(field: Field, when: (each: Conjunction) => boolean): boolean
}

const none: readonly Source[] = []

/** Throws `tooExpensive` as soon as it costs as much as the bound. */
export function createDraft(graph: Graph, bound: Cost | undefined): Draft {
  const groups: FetchGroup[] = []
  const sources = new Map<Position, Source[]>()
  const fetches = new Set<string>()
  let changes = 0
  let stages = 0
  let fields = 0

  const checkBound = (): void => {
    if (bound !== undefined && !costsLess({ stages, fetches: fetches.size, fields }, bound))
      throw tooExpensive
  }

  const addSource = (source: Source): Source => {
    changes += 1
    const known = sources.get(source.at)
    if (known === undefined) sources.set(source.at, [source])
    else known.push(source)
    return source
  }

  /** Extends the conditions under which the objects of a source are requested. */
  const open = (source: Source, when: Conjunction): void => {
    if (!widen(source.when, when)) return
    if (source.above !== undefined) {
      open(source.above.source, when)
      widen(source.above.entry.when, when)
      return
    }
    widen(source.group.when, when)
    for (const need of source.lookup?.needs ?? []) select(need.source, need.field, when)
  }

  const select = (source: Source, field: Field, when: Conjunction): void => {
    open(source, when)
    const { entry, isNew } = addEntry(source.selection, field, field.types, when, contextsFor(source, field))
    if (isNew) {
      // Fields of later stages weigh more.
      fields += 1 + source.group.stage
      checkBound()
    }
    if (field.below === undefined || entry.below === undefined) return
    const known = sources.get(field.below)?.find((each) => each.selection === entry.below)
    if (known !== undefined) {
      widen(known.when, when)
      return
    }
    addSource({
      at: field.below,
      graph: source.graph,
      group: source.group,
      selection: entry.below,
      when: [when],
      above: { source, entry },
      lookup: undefined,
    })
  }

  return {
    groups,
    get changes() {
      return changes
    },
    cost: () => ({ stages, fetches: fetches.size, fields }),
    isNewFetch: (index, stage, root) => !fetches.has(fetchKey(index, stage, root)),
    existing(field, only, deliveryGroup = '') {
      let best: Source | undefined
      for (const source of sources.get(field.at) ?? none) {
        if (only !== undefined && source.graph !== only) continue
        if (best !== undefined && !isBefore(source, best, deliveryGroup)) continue
        if (canSelect(graph, source, field)) best = source
      }
      return best
    },
    select,
    addFetch(at, made, lookup) {
      let stage = 0
      for (const each of made.after) stage = Math.max(stage, each.stage + 1)
      const selection = createSelection(false)
      const group: FetchGroup = { ...made, at, id: groups.length, stage, selection, when: [] }
      groups.push(group)
      stages = Math.max(stages, stage + 1)
      fetches.add(fetchKey(group.graph, stage, group.kind === 'root' ? at : undefined) + group.deliveryGroup)
      checkBound()
      return addSource({ at, graph: group.graph, group, selection, when: [], above: undefined, lookup })
    },
    isSelected: ({ below }, when) =>
      below !== undefined &&
      (sources.get(below) ?? none).some((source) => source.above !== undefined && source.when.some(when)),
  }
}

function isBefore({ group }: Source, { group: best }: Source, deliveryGroup: string): boolean {
  if (group.deliveryGroup === best.deliveryGroup) return group.stage < best.stage
  if (group.deliveryGroup === deliveryGroup || best.deliveryGroup === deliveryGroup)
    return group.deliveryGroup === deliveryGroup
  return group.deliveryGroup === '' || (best.deliveryGroup !== '' && group.stage < best.stage)
}

/** There is one root fetch for each place, and one fetch for all look-ups of a subgraph at a stage. */
function fetchKey(graph: number, stage: number, root: Position | undefined): string {
  return root?.field === undefined ? `${graph} ${stage}` : `${graph} ${stage} ${root.id}`
}
