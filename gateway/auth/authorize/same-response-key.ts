/**
 * Decisions that depend on several nodes which select the same response key:
 *
 * - `findExceptions`: one node is refused by the Router's reading, while another selects the same key for some of the
 * types and is open. For those types both are open, because the null of one would replace the value of the other.
 * Nothing opens that the caller could not have requested through the other node alone.
 * - `findKept`: a field that has nothing left to request and must not be null, while others are wanted; and a
 * field whose objects must return their type name, because what is refused depends on it.
 *
 * If an operation is too wide to be walked, no exception is made and every such field is kept.
 */
import type { NormalisedField } from '../../../engine/operation/normalised.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Decision, Exceptions, SiteRequirements } from './decision.ts'
import type { FieldSites } from './field-sites.ts'
import type { FieldUses } from './field-use.ts'
import type { Requirement } from './requirement.ts'
import { type Occurrence, walkResponsePositions } from './response-positions.ts'

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
  selection: FieldSites,
  requiredAt: ReadonlyMap<NormalisedField, SiteRequirements>,
  decision: (field: NormalisedField) => Decision,
  meets: (requirement: Requirement) => boolean,
  known: Exceptions,
): Exceptions | undefined {
  const found = new Map<NormalisedField, Set<string>>()
  const except = ({ field, types }: Occurrence, openTypes: ReadonlySet<string>): void => {
    const own = decision(field)
    for (const type of types) {
      if (isOpenFor(own, type) || !openTypes.has(type)) continue
      // Fields of one key are the same field in a valid document. An invalid one could be opened without end.
      if (requiredAt.get(field)?.byType.get(type)?.every(meets) !== true) continue
      getOrInsert(found, field, () => new Set(known.get(field))).add(type)
    }
  }
  const whole = walkResponsePositions(selection, (occurrences) => {
    const openTypes = typesOf(occurrences, ({ field }, type) => isOpenFor(decision(field), type))
    for (const occurrence of occurrences) except(occurrence, openTypes)
    return occurrences.filter(({ field }) => runs(decision(field)))
  })
  return found.size === 0 || !whole ? undefined : new Map([...known, ...found])
}

export interface Kept {
  /** The fields and `__typename`s that stay although they select nothing of their own. */
  readonly kept: ReadonlySet<NormalisedField>
  /** Empty fields whose key another occurrence always selects as well: they may be dropped. */
  readonly covered: ReadonlySet<NormalisedField>
  /** Fields that select `__typename` of their objects. */
  readonly typed: ReadonlySet<NormalisedField>
}

const nothing: Kept = { kept: new Set(), covered: new Set(), typed: new Set() }

export function findKept(selection: FieldSites, uses: FieldUses): Kept {
  // An operation without selections runs nothing: there is no result to keep.
  if (uses.content(selection.operation) !== 'wanted') return nothing
  const kept = new Set<NormalisedField>()
  const covered = new Set<NormalisedField>()
  const bare = new Set<NormalisedField>()
  const typed = new Set<NormalisedField>()
  const depends = dependence(selection, uses)

  /** Whether an occurrence is requested at all, in a position that is. */
  const keep = (
    occurrence: Occurrence,
    wanted: readonly Occurrence[],
    asked: ReadonlySet<string>,
  ): boolean => {
    const { field, types } = occurrence
    const weight = uses.field(field)
    if (weight === 'wanted') return true
    if (weight === 'idle') {
      kept.add(field)
      return true
    }
    if (!runs(uses.decision(field))) return false
    const meeting = types.filter((type) => asked.has(type))
    if (meeting.length < types.length) bare.add(field)
    else covered.add(field)
    // Its value must not be null, and another occurrence provides it, perhaps later.
    if (meeting.length === 0 || (uses.content(field) !== 'idle' && !comesBefore(occurrence, wanted)))
      return false
    kept.add(field)
    return true
  }

  const whole = walkResponsePositions(selection, (occurrences) => {
    const wanted = occurrences.filter(({ field }) => uses.field(field) !== 'nothing')
    const asked = typesOf(wanted, () => true)
    const staying = occurrences.filter((occurrence) => keep(occurrence, wanted, asked))
    if (occurrences.some(({ field }) => depends(field))) for (const { field } of staying) typed.add(field)
    return staying
  })
  if (whole) return { kept, covered: new Set([...covered].filter((field) => !bare.has(field))), typed }
  const all = [...selection.sites.keys()]
  return {
    kept: new Set(all.filter((field) => uses.field(field) === 'idle')),
    covered: nothing.covered,
    typed: new Set(all.filter(depends)),
  }
}

/** The most occurrences that are compared: a field that is kept for nothing costs little. */
const mostCompared = 100

/** Whether all others may be delivered later, because they are deferred or streamed. */
function comesBefore({ field, deferred }: Occurrence, others: readonly Occurrence[]): boolean {
  const compared = others.slice(0, mostCompared)
  if (field.stream === undefined && compared.every((other) => other.field.stream !== undefined)) return true
  return !compared.some((other) => other.deferred.every((mark) => deferred.includes(mark)))
}

/** Whether the refusals of a field's objects differ between their types. */
function dependence(selection: FieldSites, uses: FieldUses): (field: NormalisedField) => boolean {
  const known = new Map<NormalisedField, boolean>()
  const isOwn = (field: NormalisedField, type: string): boolean => {
    const { refused } = uses.decision(field)
    if (refused.some((each) => each.type !== '*')) return true
    return uses.field(field) !== 'wanted' && field.parent !== type
  }
  const depends = ({ output = '', selections = [] }: NormalisedField): boolean => {
    const [first] = selection.types.possible(output).names
    return first !== output && selections.some(({ field }) => isOwn(field, output))
  }
  return (field) => getOrInsert(known, field, depends)
}
