/**
 * Fields that are selected only for some types of an object. If no subgraph tells the type of an object of an
 * interface, these fields must not be omitted: that would claim that the object has another type.
 *
 * A field that all types share is included if the fragment of a type selects more below it, or has other conditions.
 */
import { type AnyOf, anyHolds, both, type Condition, implies } from '../../shared/graphql/conditions.ts'
import { append, getOrInsert } from '../../shared/runtime/maps.ts'
import { isDeliveryGroupName } from '../operation/delivery-group-name.ts'
import type { NormalisedField } from '../operation/normalised.ts'

export interface SelectedField {
  readonly field: NormalisedField
  readonly conditions: readonly Condition[]
}

export interface TypeDependentSelection {
  /** Its delivery group. */
  readonly deliveryGroup?: string | undefined
  readonly conditions: AnyOf
  /** Conditions under which it is selected for every type. Undefined: none. */
  readonly unless?: readonly (readonly Condition[])[] | undefined
}

export function isApplicable(
  { deliveryGroup, conditions, unless }: TypeDependentSelection,
  only: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return (
    deliveryGroup === only &&
    anyHolds(conditions, variables) &&
    (unless === undefined || !anyHolds(unless, variables))
  )
}

/** The most selections that are compared. The rest counts as selected for some types only. */
const mostCompared = 10_000

/** The fields that `own` selects in addition to `common`. All fields have one response key. */
export function additionalSelections(
  common: readonly SelectedField[],
  own: readonly SelectedField[],
): TypeDependentSelection[] {
  const found: TypeDependentSelection[] = []
  let left = mostCompared

  /** The fields below, by response key and by the type condition of the innermost fragment. */
  const below = (fields: readonly SelectedField[]): Map<string, Map<string, SelectedField[]>> => {
    const byKey = new Map<string, Map<string, SelectedField[]>>()
    for (const { field: above, conditions: outer } of fields)
      for (const { field, when, on } of above.selections ?? []) {
        if (left-- <= 0) break
        const conditions = when === undefined ? undefined : both(outer, when.all)
        if (conditions === undefined) continue
        const types = getOrInsert(byKey, field.key, () => new Map())
        append(types, on.length === 0 ? '' : field.parent, { field, conditions })
      }
    return byKey
  }

  const compare = (given: readonly SelectedField[], asked: readonly SelectedField[]): void => {
    const more = asked.filter(
      (one) => !given.some((each) => each.field.id === one.field.id && covers(each, one)),
    )
    if (more.length === 0) return
    // The field itself comes first, because all fields below it may be skipped.
    for (const one of more)
      if (!given.some((each) => covers(each, one))) found.push(selectionBeyond(one, given))
    if (more.every(({ field }) => field.selections === undefined)) return
    const [givenBelow, askedBelow] = [below(given), below(more)]
    for (const [key, types] of askedBelow)
      for (const [type, nodes] of types) {
        const known = givenBelow.get(key)
        compare([...(known?.get('') ?? []), ...(type === '' ? [] : (known?.get(type) ?? []))], nodes)
      }
    if (left <= 0) found.push({ conditions: undefined })
  }
  compare(common, own)
  return found
}

/** Whether one is selected whenever the other is. */
const covers = (one: SelectedField, other: SelectedField): boolean =>
  implies(other.conditions, one.conditions)

function selectionBeyond(
  { conditions }: SelectedField,
  given: readonly SelectedField[],
): TypeDependentSelection {
  const deliveryGroup = conditions.findLast(({ variable }) => isDeliveryGroupName(variable))?.variable
  // An incremental operation has no other conditions.
  if (deliveryGroup !== undefined) return { deliveryGroup, conditions: undefined }
  const unless = given.length === 0 ? undefined : given.map((each) => each.conditions)
  return { conditions: conditions.length === 0 ? undefined : [conditions], unless }
}
