/**
 * A plan while it is made: its fetches, the sources in which fields can be asked for, and what all of it costs so far.
 * Nothing is taken back: another decision is another draft.
 */
import type { Conjunction } from '../../operation/conditions.ts'
import { widen } from '../../operation/conditions.ts'
import type { Graph } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import { type Cost, costsLess, tooExpensive } from './cost.ts'
import { addEntry, createSelection, type FetchGroup } from './groups.ts'
import { canAsk, contextsFor, type Lookup, type Source } from './sources.ts'

export interface Draft {
  readonly groups: readonly FetchGroup[]
  /** How many sources have been added: what was estimated before the last one holds no longer. */
  readonly changes: number
  cost(): Cost
  /** Whether a fetch of this subgraph at this stage would be one more. */
  isNewFetch(graph: number, stage: number, root?: Position): boolean
  /**
   * Where the field can be asked for without anything new, at the earliest stage; in one subgraph, if one is given; in
   * a fetch for this part of the operation rather than in another.
   */
  existing(field: Field, graph: number | undefined, part?: string): Source | undefined
  /** Selects the field in a source, under this condition. */
  select(source: Source, field: Field, when: Conjunction): void
  /** A fetch for objects at this position, and the source that it is for them. */
  addFetch(
    at: Position,
    fetch: Omit<FetchGroup, 'id' | 'selection' | 'when' | 'stage' | 'at'>,
    lookup: Lookup | undefined,
  ): Source
  /** Whether the field is selected already wherever this condition holds. */
  isSelected(field: Field, when: (each: Conjunction) => boolean): boolean
}

const none: readonly Source[] = []

/** Throws `tooExpensive` as soon as it costs no less than the bound. */
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

  /** The objects of a source come under this condition, too. */
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
      // What comes later weighs more.
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
    existing(field, only, part = '') {
      let best: Source | undefined
      for (const source of sources.get(field.at) ?? none) {
        if (only !== undefined && source.graph !== only) continue
        if (best !== undefined && !isBefore(source, best, part)) continue
        if (canAsk(graph, source, field)) best = source
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
      fetches.add(fetchKey(group.graph, stage, group.kind === 'root' ? at : undefined) + group.part)
      checkBound()
      return addSource({ at, graph: group.graph, group, selection, when: [], above: undefined, lookup })
    },
    isSelected: ({ below }, when) =>
      below !== undefined &&
      (sources.get(below) ?? none).some((source) => source.above !== undefined && source.when.some(when)),
  }
}

function isBefore({ group }: Source, { group: best }: Source, part: string): boolean {
  if (group.part === best.part) return group.stage < best.stage
  if (group.part === part || best.part === part) return group.part === part
  return group.part === '' || (best.part !== '' && group.stage < best.stage)
}

/** Root fetches are one for each place, look-ups of one subgraph at one stage travel together. */
function fetchKey(graph: number, stage: number, root: Position | undefined): string {
  return root?.field === undefined ? `${graph} ${stage}` : `${graph} ${stage} ${root.id}`
}
