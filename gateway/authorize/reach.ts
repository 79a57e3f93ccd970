/**
 * A walk over an operation as its response is shaped: the same response key, asked for in several places, is
 * one value. It finds what no single place can tell:
 *
 * - a field that one place refuses by the Router's reading, while another place asks the same key for some of
 *   the types and is allowed: for those types it is allowed in both, or the refused one would null the other;
 * - a field that is left with nothing to ask for and must not be null, beside others that are wanted.
 *
 * Every position is walked once for each different set of places that share it. A hostile document could have
 * very many of those; past a bound the walk keeps every such field and makes no more exceptions.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import type { Worths } from './filter.ts'
import type { Exceptions, SiteGates } from './judge.ts'
import type { Requirement } from './requirement.ts'
import type { Selection } from './selection.ts'

const mostSteps = 20_000

export interface Reached {
  /** More exceptions than were known before, if there are any: judge again. */
  readonly exceptions: Exceptions | undefined
  /** The fields and `__typename`s with nothing of their own to ask for that are to stay. */
  readonly kept: ReadonlySet<FieldNode>
  /** Fields with nothing left, whose key another place always asks for as well: they may go unnoticed. */
  readonly covered: ReadonlySet<FieldNode>
}

/** One place that asks for a response key, and the object types for which it does. */
interface Place {
  readonly node: FieldNode
  readonly types: readonly string[]
}

export function reach(
  selection: Selection,
  gates: ReadonlyMap<FieldNode, SiteGates>,
  worths: Worths,
  meets: (requirement: Requirement) => boolean,
  known: Exceptions,
): Reached {
  const kept = new Set<FieldNode>()
  const covered = new Set<FieldNode>()
  const bare = new Set<FieldNode>()
  const exceptions = new Map<FieldNode, Set<string>>()
  const numbers = new Map<SelectionSetNode, number>()
  const seen = new Set<string>()
  let steps = 0

  const collect = (
    set: SelectionSetNode,
    types: readonly string[],
    into: Map<string, Place[]>,
    spread: Set<string>,
  ): void => {
    for (const node of set.selections) {
      steps++
      if (steps > mostSteps) return
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value
        const places = into.get(key) ?? []
        places.push({ node, types })
        into.set(key, places)
        continue
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : selection.fragments.get(node.name.value)
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const possible = condition === undefined ? undefined : selection.possible(condition)
      const narrowed = possible === undefined ? types : types.filter((type) => possible.includes(type))
      if (narrowed.length === 0) continue
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const once = `${node.name.value} ${narrowed.join(' ')}`
        if (spread.has(once)) continue
        spread.add(once)
      }
      collect(fragment.selectionSet, narrowed, into, spread)
    }
  }

  const except = (places: readonly Place[]): void => {
    for (const place of places) {
      const { open } = worths.verdict(place.node)
      if (open === undefined) continue
      for (const type of place.types) {
        if (open.includes(type) || known.get(place.node)?.has(type) === true) continue
        if (gates.get(place.node)?.byType.get(type)?.every(meets) !== true) continue
        const allowed = places.some((other) => {
          if (other === place || !other.types.includes(type)) return false
          const theirs = worths.verdict(other.node).open
          return theirs === undefined || theirs.includes(type)
        })
        if (!allowed) continue
        const types = exceptions.get(place.node) ?? new Set(known.get(place.node))
        exceptions.set(place.node, types.add(type))
      }
    }
  }

  /** Whether a place is to be asked at all, in a position that is. */
  const keep = (node: FieldNode, types: readonly string[], places: readonly Place[]): boolean => {
    const worth = worths.field(node)
    if (worth === 'wanted') return true
    if (worth === 'idle') {
      kept.add(node)
      return true
    }
    const { open } = worths.verdict(node)
    if (open !== undefined && open.length === 0) return false
    const others = places.filter((other) => other.node !== node && worths.field(other.node) !== 'nothing')
    const meeting = types.filter((type) => others.some((other) => other.types.includes(type)))
    if (meeting.length < types.length) bare.add(node)
    else covered.add(node)
    // What it would leave out must not be null, and the value is there through another place.
    if (meeting.length === 0 || worths.content(node) !== 'idle') return false
    kept.add(node)
    return true
  }

  const walk = (sets: readonly { set: SelectionSetNode; types: readonly string[] }[]): void => {
    const name = sets
      .map(({ set, types }) => {
        const number = numbers.get(set) ?? numbers.size
        numbers.set(set, number)
        return `${number} ${types.join(' ')}`
      })
      .sort()
      .join()
    if (seen.has(name) || steps > mostSteps) return
    seen.add(name)
    const keys = new Map<string, Place[]>()
    const spread = new Set<string>()
    for (const { set, types } of sets) collect(set, types, keys, spread)
    for (const places of keys.values()) {
      if (places.length > 1) except(places)
      const below: { set: SelectionSetNode; types: readonly string[] }[] = []
      for (const { node, types } of places) {
        const stays = keep(node, types, places)
        const site = selection.sites.get(node)
        if (stays && node.selectionSet !== undefined && site?.composite === true)
          below.push({ set: node.selectionSet, types: selection.possible(site.output) })
      }
      if (below.length > 0) walk(below)
    }
  }

  const root = selection.operation.selectionSet
  // An operation of which nothing is wanted runs nothing: there is nobody to be kept for.
  if (root.selections.length > 0 && isWanted(selection, worths, root))
    walk([{ set: root, types: [selection.rootType] }])
  if (steps > mostSteps)
    for (const node of selection.sites.keys()) if (worths.field(node) === 'idle') kept.add(node)
  return {
    exceptions: exceptions.size === 0 ? undefined : new Map([...known, ...exceptions]),
    kept,
    covered: new Set([...covered].filter((node) => !bare.has(node) && steps <= mostSteps)),
  }
}

function isWanted(selection: Selection, worths: Worths, set: SelectionSetNode): boolean {
  const tried = new Set<string>()
  const within = (node: SelectionSetNode): boolean =>
    node.selections.some((each) => {
      if (each.kind === Kind.FIELD) return worths.field(each) === 'wanted'
      if (each.kind === Kind.INLINE_FRAGMENT) return within(each.selectionSet)
      if (tried.has(each.name.value)) return false
      tried.add(each.name.value)
      const fragment = selection.fragments.get(each.name.value)
      return fragment !== undefined && within(fragment.selectionSet)
    })
  return within(set)
}
