/**
 * A plan in progress: its fetches, the sources in which fields can be selected, and its cost so far. Nothing is
 * undone: other decisions make another draft.
 */
import { append } from '../../../shared/runtime/maps.ts'
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { Graph } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import { type Cost, costsLess, tooExpensive } from './cost.ts'
import { addEntry, createSelection, type FetchGroup } from './groups.ts'
import { canSelect, contextsFor, type Lookup, type Source } from './sources.ts'

const none: readonly Source[] = []

/** Throws `tooExpensive` as soon as it costs as much as the bound. */
export class Draft {
  readonly groups: FetchGroup[] = []
  /** The number of sources so far. Estimates are invalid after it changes. */
  changes = 0
  readonly #graph: Graph
  readonly #bound: Cost | undefined
  readonly #sources = new Map<Position, Source[]>()
  readonly #fetches = new Set<string>()
  #stages = 0
  #fields = 0

  constructor(graph: Graph, bound: Cost | undefined) {
    this.#graph = graph
    this.#bound = bound
  }

  cost(): Cost {
    return { stages: this.#stages, fetches: this.#fetches.size, fields: this.#fields }
  }

  /** Whether a fetch of this subgraph at this stage would be an additional one. */
  isNewFetch(graph: number, stage: number, root?: Position): boolean {
    return !this.#fetches.has(fetchKey(graph, stage, root))
  }

  /**
   * The source that has the field without a new fetch, at the earliest stage. Restricted to a subgraph if one is
   * given. A source of the given delivery group is preferred.
   */
  existing(field: Field, graph: number | undefined, deliveryGroup = ''): Source | undefined {
    let best: Source | undefined
    for (const source of this.#sources.get(field.at) ?? none) {
      if (graph !== undefined && source.graph !== graph) continue
      if (best !== undefined && !isBefore(source, best, deliveryGroup)) continue
      if (canSelect(this.#graph, source, field)) best = source
    }
    return best
  }

  /** Selects the field in a source under this condition. */
  select(source: Source, field: Field, when: Conjunction): void {
    this.#open(source, when)
    const { entry, isNew } = addEntry(source.selection, field, field.types, when, contextsFor(source, field))
    if (isNew) {
      // Fields of later stages weigh more.
      this.#fields += 1 + source.group.stage
      this.#checkBound()
    }
    if (field.below === undefined || entry.below === undefined) return
    const known = this.#sources.get(field.below)?.find((each) => each.selection === entry.below)
    if (known !== undefined) {
      widen(known.when, when)
      return
    }
    this.#addSource({
      at: field.below,
      graph: source.graph,
      group: source.group,
      selection: entry.below,
      when: [when],
      above: { source, entry },
      lookup: undefined,
    })
  }

  /** Adds a fetch for the objects at this position, and its source. */
  addFetch(
    at: Position,
    made: Omit<FetchGroup, 'id' | 'selection' | 'when' | 'stage' | 'at'>,
    lookup: Lookup | undefined,
  ): Source {
    let stage = 0
    for (const each of made.after) stage = Math.max(stage, each.stage + 1)
    const selection = createSelection(false)
    const group: FetchGroup = { ...made, at, id: this.groups.length, stage, selection, when: [] }
    this.groups.push(group)
    this.#stages = Math.max(this.#stages, stage + 1)
    const root = group.kind === 'root' ? at : undefined
    this.#fetches.add(fetchKey(group.graph, stage, root) + group.deliveryGroup)
    this.#checkBound()
    return this.#addSource({ at, graph: group.graph, group, selection, when: [], above: undefined, lookup })
  }

  /** Whether the object field is selected already under such a condition. */
  isSelected({ below }: Field, when: (each: Conjunction) => boolean): boolean {
    const sources = below === undefined ? none : (this.#sources.get(below) ?? none)
    return sources.some((source) => source.above !== undefined && source.when.some(when))
  }

  #checkBound(): void {
    if (this.#bound !== undefined && !costsLess(this.cost(), this.#bound)) throw tooExpensive
  }

  #addSource(source: Source): Source {
    this.changes += 1
    append(this.#sources, source.at, source)
    return source
  }

  /** Extends the conditions under which the objects of a source are requested. */
  #open(source: Source, when: Conjunction): void {
    if (!widen(source.when, when)) return
    if (source.above !== undefined) {
      this.#open(source.above.source, when)
      widen(source.above.entry.when, when)
      return
    }
    widen(source.group.when, when)
    for (const need of source.lookup?.needs ?? []) this.select(need.source, need.field, when)
  }
}

function isBefore({ group }: Source, { group: best }: Source, deliveryGroup: string): boolean {
  if (group.deliveryGroup === best.deliveryGroup) return group.stage < best.stage
  if (group.deliveryGroup === deliveryGroup || best.deliveryGroup === deliveryGroup)
    return group.deliveryGroup === deliveryGroup
  return group.deliveryGroup === '' || (best.deliveryGroup !== '' && group.stage < best.stage)
}

/** There is one root fetch for each place, and one fetch for all lookups of a subgraph at a stage. */
function fetchKey(graph: number, stage: number, root: Position | undefined): string {
  return root?.field === undefined ? `${graph} ${stage}` : `${graph} ${stage} ${root.id}`
}
