/**
 * Decisions that depend on several nodes which select the same response key:
 *
 * - `findExceptions`: one node is refused by the Router's reading, while another selects the same key for some of the
 * types and is open. For those types both are open, because the null of one would replace the value of the other.
 * Nothing opens that the caller could not have requested through the other node alone.
 * - `findKept`: a field that has nothing left to request and must not be null, beside others that are wanted; and a
 * field whose objects must return their type name, because what is refused depends on it.
 *
 * If an operation is too wide to be walked, no exception is made and every such field is kept.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import type { Decision, Exceptions, SiteRequirements } from './decision.ts'
import { type Occurrence, walkPositions } from './positions.ts'
import type { Requirement } from './requirement.ts'
import type { Selection } from './selection.ts'
import type { Weights } from './weight.ts'

const isOpenFor = ({ open }: Decision, type: string): boolean => open === undefined || open.includes(type)

/** The types for which `holds` is true of one of the occurrences. */
const typesOf = (
  occurrences: readonly Occurrence[],
  holds: (occurrence: Occurrence, type: string) => boolean,
): ReadonlySet<string> =>
  new Set(occurrences.flatMap((each) => each.types.filter((type) => holds(each, type))))

const runs = ({ open }: Decision): boolean => open === undefined || open.length > 0

/** All new exceptions that the decisions require; undefined for none. */
export function findExceptions(
  selection: Selection,
  requiredAt: ReadonlyMap<FieldNode, SiteRequirements>,
  decision: (node: FieldNode) => Decision,
  meets: (requirement: Requirement) => boolean,
  known: Exceptions,
): Exceptions | undefined {
  const found = new Map<FieldNode, Set<string>>()
  const except = ({ node, types }: Occurrence, openTypes: ReadonlySet<string>): void => {
    const own = decision(node)
    for (const type of types) {
      if (isOpenFor(own, type) || !openTypes.has(type)) continue
      // Fields of one key are the same field in a valid document. An invalid one could be opened without end.
      if (requiredAt.get(node)?.byType.get(type)?.every(meets) !== true) continue
      const excepted = found.get(node) ?? new Set(known.get(node))
      found.set(node, excepted.add(type))
    }
  }
  const whole = walkPositions(selection, (occurrences) => {
    const openTypes = typesOf(occurrences, ({ node }, type) => isOpenFor(decision(node), type))
    for (const occurrence of occurrences) except(occurrence, openTypes)
    return occurrences.filter(({ node }) => runs(decision(node)))
  })
  return found.size === 0 || !whole ? undefined : new Map([...known, ...found])
}

export interface Kept {
  /** The fields and `__typename`s that stay although they select nothing of their own. */
  readonly kept: ReadonlySet<FieldNode>
  /** Empty fields whose key another occurrence always selects as well: they may be dropped. */
  readonly covered: ReadonlySet<FieldNode>
  /** Fields that select `__typename` of their objects. */
  readonly typed: ReadonlySet<FieldNode>
}

const nothing: Kept = { kept: new Set(), covered: new Set(), typed: new Set() }

export function findKept(selection: Selection, weights: Weights): Kept {
  // An operation without selections runs nothing: there is no result to keep.
  if (weights.content(selection.operation) !== 'wanted') return nothing
  const kept = new Set<FieldNode>()
  const covered = new Set<FieldNode>()
  const bare = new Set<FieldNode>()
  const typed = new Set<FieldNode>()
  const depends = dependence(selection, weights)

  /** Whether an occurrence is requested at all, in a position that is. */
  const keep = ({ node, types }: Occurrence, asked: ReadonlySet<string>): boolean => {
    const weight = weights.field(node)
    if (weight === 'wanted') return true
    if (weight === 'idle') {
      kept.add(node)
      return true
    }
    if (!runs(weights.decision(node))) return false
    const meeting = types.filter((type) => asked.has(type))
    if (meeting.length < types.length) bare.add(node)
    else covered.add(node)
    // Its value must not be null, and another occurrence provides it.
    if (meeting.length === 0 || weights.content(node) !== 'idle') return false
    kept.add(node)
    return true
  }

  const whole = walkPositions(selection, (occurrences) => {
    const asked = typesOf(occurrences, ({ node }) => weights.field(node) !== 'nothing')
    const staying = occurrences.filter((occurrence) => keep(occurrence, asked))
    if (occurrences.some(({ node }) => depends(node))) for (const { node } of staying) typed.add(node)
    return staying
  })
  if (whole) return { kept, covered: new Set([...covered].filter((node) => !bare.has(node))), typed }
  const all = [...selection.sites.keys()]
  return {
    kept: new Set(all.filter((node) => weights.field(node) === 'idle')),
    covered: nothing.covered,
    typed: new Set(all.filter(depends)),
  }
}

/** Whether the refusals of a field's objects differ between their types. */
function dependence(selection: Selection, weights: Weights): (node: FieldNode) => boolean {
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
    const { refused } = weights.decision(node)
    if (refused.some((each) => each.type !== '*')) return true
    return weights.field(node) !== 'wanted' && selection.sites.get(node)?.parent !== type
  }
  return (node) => {
    const site = selection.sites.get(node)
    if (node.selectionSet === undefined || site === undefined) return false
    const [first] = selection.possible(site.output)
    if (first === site.output) return false
    return within(node.selectionSet, site.output)
  }
}
