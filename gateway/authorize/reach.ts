/**
 * What no single place of an operation can tell about itself, because other places ask for the same key:
 *
 * - `findExceptions`: a field that one place refuses by the Router's reading, while another asks the same key for
 *   some of the types and is allowed. For those types it is allowed in both, or the refused one would null the
 *   other. Nothing opens that a caller could not have asked for in the other place.
 * - `findKept`: a field that is left with nothing to ask for and must not be null, beside others that are wanted;
 *   and a field whose objects must tell their type, because what is refused depends on it.
 *
 * Where an operation is too wide to be walked, no exception is made and every such field is kept and asked.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import type { Worths } from './filter.ts'
import type { Exceptions, SiteGates, Verdict } from './judge.ts'
import { type Place, walkPositions } from './positions.ts'
import type { Requirement } from './requirement.ts'
import type { Selection } from './selection.ts'

const isOpenFor = ({ open }: Verdict, type: string): boolean => open === undefined || open.includes(type)

const runs = ({ open }: Verdict): boolean => open === undefined || open.length > 0

/** All exceptions, beyond those that are known already, that the verdicts call for; undefined for none. */
export function findExceptions(
  selection: Selection,
  gates: ReadonlyMap<FieldNode, SiteGates>,
  verdict: (node: FieldNode) => Verdict,
  meets: (requirement: Requirement) => boolean,
  known: Exceptions,
): Exceptions | undefined {
  const found = new Map<FieldNode, Set<string>>()
  const except = (place: Place, places: readonly Place[]): void => {
    const own = verdict(place.node)
    if (own.open === undefined) return
    for (const type of place.types) {
      if (isOpenFor(own, type)) continue
      if (gates.get(place.node)?.byType.get(type)?.every(meets) !== true) continue
      const allowed = places.some(
        (other) => other !== place && other.types.includes(type) && isOpenFor(verdict(other.node), type),
      )
      if (!allowed) continue
      const types = found.get(place.node) ?? new Set(known.get(place.node))
      found.set(place.node, types.add(type))
    }
  }
  const whole = walkPositions(selection, (places) => {
    if (places.length > 1) for (const place of places) except(place, places)
    return places.filter(({ node }) => runs(verdict(node)))
  })
  return found.size === 0 || !whole ? undefined : new Map([...known, ...found])
}

export interface Kept {
  /** The fields and `__typename`s with nothing of their own to ask for that are to stay. */
  readonly kept: ReadonlySet<FieldNode>
  /** Fields with nothing left, whose key another place always asks for as well: they may go unnoticed. */
  readonly covered: ReadonlySet<FieldNode>
  /** Fields that are to ask their objects for `__typename`. */
  readonly typed: ReadonlySet<FieldNode>
}

const nothing: Kept = { kept: new Set(), covered: new Set(), typed: new Set() }

export function findKept(selection: Selection, worths: Worths): Kept {
  // An operation of which nothing is wanted runs nothing: there is nobody to be kept for.
  if (!isWanted(selection, worths)) return nothing
  const kept = new Set<FieldNode>()
  const covered = new Set<FieldNode>()
  const bare = new Set<FieldNode>()
  const typed = new Set<FieldNode>()
  const depends = dependence(selection, worths)

  /** Whether a place is to be asked at all, in a position that is. */
  const keep = ({ node, types }: Place, places: readonly Place[]): boolean => {
    const worth = worths.field(node)
    if (worth === 'wanted') return true
    if (worth === 'idle') {
      kept.add(node)
      return true
    }
    if (!runs(worths.verdict(node))) return false
    const others = places.filter((other) => other.node !== node && worths.field(other.node) !== 'nothing')
    const meeting = types.filter((type) => others.some((other) => other.types.includes(type)))
    if (meeting.length < types.length) bare.add(node)
    else covered.add(node)
    // What it would leave out must not be null, and the value is there through another place.
    if (meeting.length === 0 || worths.content(node) !== 'idle') return false
    kept.add(node)
    return true
  }

  const whole = walkPositions(selection, (places) => {
    const staying = places.filter((place) => keep(place, places))
    if (places.some(({ node }) => depends(node))) for (const { node } of staying) typed.add(node)
    return staying
  })
  if (whole) return { kept, covered: new Set([...covered].filter((node) => !bare.has(node))), typed }
  const all = [...selection.sites.keys()]
  return {
    kept: new Set(all.filter((node) => worths.field(node) === 'idle')),
    covered: nothing.covered,
    typed: new Set(all.filter(depends)),
  }
}

/** Tells whether what is refused of a field's objects is not the same for all of their types. */
function dependence(selection: Selection, worths: Worths): (node: FieldNode) => boolean {
  const known = new Map<SelectionSetNode, Map<string, boolean>>()
  const within = (set: SelectionSetNode, type: string): boolean => {
    const byType = known.get(set) ?? new Map<string, boolean>()
    known.set(set, byType)
    const found = byType.get(type) ?? set.selections.some((each) => on(each, type))
    byType.set(type, found)
    return found
  }
  const on = (node: SelectionSetNode['selections'][number], type: string): boolean => {
    if (node.kind === Kind.INLINE_FRAGMENT) return within(node.selectionSet, type)
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = selection.fragments.get(node.name.value)
      return fragment !== undefined && within(fragment.selectionSet, type)
    }
    const { refused } = worths.verdict(node)
    if (refused.some((each) => each.type !== '*')) return true
    return worths.field(node) !== 'wanted' && selection.sites.get(node)?.parent !== type
  }
  return (node) => {
    const site = selection.sites.get(node)
    if (node.selectionSet === undefined || site === undefined || !site.composite) return false
    const possible = selection.possible(site.output)
    if (possible.length === 1 && possible[0] === site.output) return false
    return within(node.selectionSet, site.output)
  }
}

function isWanted(selection: Selection, worths: Worths): boolean {
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
  return within(selection.operation.selectionSet)
}
