/**
 * The part of an operation that a caller may run.
 *
 * A refused field is removed, and so is every field that becomes empty. Fields that are removed only because they
 * became empty are remembered, so that their refused fields are still reported. An empty non-null field remains with
 * `__typename`, as long as something else around it is wanted: its null would remove that as well.
 */
import { always } from '../../../engine/operation/conditions.ts'
import { forType, partOf, typenameField } from '../../../engine/operation/narrow.ts'
import type {
  NormalisedField,
  NormalisedOperation,
  Selection as Selected,
} from '../../../engine/operation/normalised.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { type Decision, decide, type Exceptions, openToAll, type SiteRequirements } from './decision.ts'
import type { FieldSites } from './field-sites.ts'
import { type FieldUses, findFieldUses } from './field-use.ts'
import type { Requirement } from './requirement.ts'
import { findExceptions, findKept, type Kept } from './same-response-key.ts'

export interface Filtering {
  /** What remains; null if nothing does. Throws `OPERATION_TOO_LARGE` if it is too much, which the rest does not tell. */
  allowed(): NormalisedOperation | null
  readonly decisions: ReadonlyMap<NormalisedField, Decision>
  /** Fields that no rule refuses, but that became empty. */
  readonly emptied: ReadonlySet<NormalisedField>
}

export function filterOperation(
  selection: FieldSites,
  requiredAt: ReadonlyMap<NormalisedField, SiteRequirements>,
  meets: (requirement: Requirement) => boolean,
): Filtering {
  let exceptions: Exceptions = new Map()
  for (;;) {
    const decisions = new Map<NormalisedField, Decision>()
    for (const [field, siteRequirements] of requiredAt) {
      const site = selection.sites.get(field)
      if (site === undefined) continue
      decisions.set(field, decide(site, siteRequirements, meets, exceptions))
    }
    const decisionOf = (field: NormalisedField): Decision => decisions.get(field) ?? openToAll
    const more = findExceptions(selection, requiredAt, decisionOf, meets, exceptions)
    if (more === undefined) {
      const uses = findFieldUses(selection, decisionOf)
      return narrow(selection, decisions, uses, findKept(selection, uses))
    }
    exceptions = more
  }
}

interface Remaining {
  readonly field: NormalisedField
  /** The types for which it is selected, if not for all. */
  readonly open: readonly string[] | undefined
}

function narrow(
  { operation, sites, types }: FieldSites,
  decisions: ReadonlyMap<NormalisedField, Decision>,
  uses: FieldUses,
  { kept, covered, typed }: Kept,
): Filtering {
  const emptied = new Set<NormalisedField>()
  const known = new Map<NormalisedField, Remaining | undefined>()
  let typenames = 0

  const narrowed = (selections: readonly Selected[]): readonly Selected[] =>
    selections.flatMap((each) => {
      const left = remainingOf(each.field)
      if (left === undefined) return []
      const one = { ...each, field: left.field }
      return left.open === undefined ? one : left.open.map((type) => forType(types, one, type))
    })

  const remainingOf = (field: NormalisedField): Remaining | undefined => {
    if (!known.has(field)) known.set(field, remaining(field))
    return known.get(field)
  }

  const remaining = (field: NormalisedField): Remaining | undefined => {
    const { open, idle } = uses.decision(field)
    if (open !== undefined && open.length === 0) return undefined
    // Walked even if it is removed: the fields that become empty below it must be known.
    const below = field.selections === undefined ? undefined : narrowed(field.selections)
    if (uses.field(field) !== 'wanted' && !kept.has(field)) {
      if (!idle && !covered.has(field)) emptied.add(field)
      return undefined
    }
    return {
      field: below === undefined ? field : { ...field, selections: withTypename(field, below) },
      open: sites.get(field)?.parentIsAbstract === true ? open : undefined,
    }
  }

  const withTypename = (field: NormalisedField, below: readonly Selected[]): readonly Selected[] => {
    const isNeeded = below.length === 0 || (typed.has(field) && !below.some(isTypename))
    if (!isNeeded || field.output === undefined) return below
    const added = typenameField(operation.fields.length + typenames++, field.output)
    const here = { when: always, on: [], types: types.possible(field.output), wraps: [], deferred: [] }
    return [{ field: added, ...here }, ...below]
  }

  const selections = narrowed(operation.selections)
  return {
    allowed() {
      if (selections.length === 0) return null
      checkSize(sizeOf(operation.selections), sizeOf(selections))
      return partOf(operation, selections)
    },
    decisions,
    emptied,
  }
}

/** Whether it selects the type of all objects. */
const isTypename = ({ field, on, when }: Selected): boolean =>
  field.key === '__typename' && on.length === 0 && when?.all.length === 0

/** The most fields of what remains, with its fragments spread, unless that many were requested. */
const mostFields = 50_000

/**
 * Throws `OPERATION_TOO_LARGE`. A field of an interface remains once for each type that is open, with all that is below
 * it. Interfaces within interfaces multiply that, so what remains can be far larger than what was requested.
 */
function checkSize(requested: number, left: number): void {
  if (left <= Math.max(requested, mostFields)) return
  throw tesseraError(
    'OPERATION_TOO_LARGE',
    `What this caller may see of the operation has more than ${mostFields} fields, because fields of interfaces are requested for each type that is open.`,
    { extensions: { maximum: mostFields } },
  )
}

const none: readonly Selected[] = []

/** The number of fields at all places, found by one look at each. */
function sizeOf(selections: readonly Selected[]): number {
  const known = new Map<readonly Selected[], number>()
  const sizeIn = (all: readonly Selected[]): number =>
    getOrInsert(known, all, () =>
      all.reduce((sum, { field: { selections: below = none } }) => sum + 1 + sizeIn(below), 0),
    )
  return sizeIn(selections)
}
