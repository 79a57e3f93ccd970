/** Fetches of a plan as the planner puts them together, made by hand. */
import { always, type Conjunction } from '../../engine/operation/conditions.ts'
import type { Field, Position } from '../../engine/planner/graph/position.ts'
import { createSelection, type Entry, type FetchGroup } from '../../engine/planner/search/groups.ts'

let made = 0

export function positionOf(more: Partial<Position> = {}): Position {
  made += 1
  return {
    id: made,
    field: undefined,
    place: { below: new Map(), keys: new Map() },
    types: { id: 0, names: ['P'], has: (name) => name === 'P' },
    abstract: false,
    declared: new Set(['P']),
    when: always,
    serial: false,
    resolvedIn: new Map(),
    fields: [],
    requirements: new Map(),
    lists: [],
    ...more,
  }
}

export function fieldOf(key: string, more: Partial<Field> = {}): Field {
  made += 1
  const at = more.at ?? positionOf()
  return {
    id: made,
    at,
    key,
    name: key,
    arguments: [],
    signature: key,
    directives: '',
    wraps: [],
    types: at.types,
    when: always,
    order: made,
    below: undefined,
    candidates: [],
    list: undefined,
    ...more,
  }
}

export function entryOf(field: Field, more: Partial<Entry> = {}): Entry {
  const [types, when] = [field.types, [always]]
  return { field, types, when, below: undefined, contexts: [], isRequired: false, ...more }
}

export function selectionOf(...entries: readonly Entry[]) {
  const selection = createSelection(false)
  for (const entry of entries) selection.entries.set(`${entry.field.key} ${entry.field.id}`, entry)
  return selection
}

export function groupOf(more: Partial<FetchGroup> = {}): FetchGroup {
  return {
    id: 0,
    kind: 'entities',
    graph: 0,
    stage: 0,
    at: positionOf(),
    types: undefined,
    as: undefined,
    selection: createSelection(false),
    when: [],
    after: new Set(),
    representations: [],
    contexts: [],
    deliveryGroup: '',
    ...more,
  }
}

/** Written as its key is: `!$b $a`, and `$#1` for a delivery group. */
export function conjunctionOf(text: string): Conjunction {
  const all = text
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => ({ variable: each.replace(/^!?\$/, ''), value: !each.startsWith('!') }))
  return { key: text, all }
}
