/**
 * Fields that are selected only for some types of an object. If no subgraph tells the type of an object of an
 * interface, these fields must not be omitted: that would claim that the object has another type.
 *
 * A field that all types share is included if the fragment of a type selects more below it, or has other conditions.
 */
import { type FieldNode, type FragmentDefinitionNode, Kind } from 'graphql'
import {
  type AnyOf,
  anyHolds,
  type Condition,
  conditionsOf,
  implies,
} from '../../shared/graphql/conditions.ts'
import { responseKey } from '../../shared/graphql/selections.ts'
import { isDeliveryGroupName } from '../executor/incremental/delivery-groups.ts'

export interface SelectedNode {
  readonly node: FieldNode
  readonly conditions: readonly Condition[]
}

export interface TypeDependentSelection {
  /** Its delivery group. */
  readonly deliveryGroup?: string | undefined
  readonly conditions: AnyOf
  /** Conditions under which it is selected for every type. Undefined: none. */
  readonly unless?: readonly (readonly Condition[])[] | undefined
}

export function isMissed(
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

/** The fields that `own` selects in addition to `common`. All nodes have one response key. */
export function selectedBeyond(
  common: readonly SelectedNode[],
  own: readonly SelectedNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): TypeDependentSelection[] {
  const found: TypeDependentSelection[] = []
  let left = mostCompared

  /** The fields below, by response key and by the type condition of the innermost fragment. */
  const below = (nodes: readonly SelectedNode[]): Map<string, Map<string, SelectedNode[]>> => {
    const byKey = new Map<string, Map<string, SelectedNode[]>>()
    const gather = (
      { selectionSet }: Pick<FieldNode, 'selectionSet'>,
      conditions: readonly Condition[],
      type: string,
      spread: ReadonlySet<string>,
    ): void => {
      for (const selection of selectionSet?.selections ?? []) {
        if (left-- <= 0) return
        const all = conditionsOf(selection, conditions)
        if (all === undefined) continue
        if (selection.kind === Kind.FIELD) {
          const key = responseKey(selection)
          const types = byKey.get(key) ?? new Map<string, SelectedNode[]>()
          byKey.set(key, types)
          types.set(type, [...(types.get(type) ?? []), { node: selection, conditions: all }])
          continue
        }
        const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
        if (name !== undefined && spread.has(name)) continue
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        if (fragment === undefined) continue
        const within = name === undefined ? spread : new Set([...spread, name])
        gather(fragment, all, fragment.typeCondition?.name.value ?? type, within)
      }
    }
    for (const { node, conditions } of nodes) gather(node, conditions, '', new Set())
    return byKey
  }

  const compare = (given: readonly SelectedNode[], asked: readonly SelectedNode[]): void => {
    const more = asked.filter((one) => !given.some((each) => each.node === one.node && covers(each, one)))
    if (more.length === 0) return
    // The field itself comes first, because all fields below it may be skipped.
    for (const one of more) if (!given.some((each) => covers(each, one))) found.push(beyond(one, given))
    if (more.every(({ node }) => node.selectionSet === undefined)) return
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
const covers = (one: SelectedNode, other: SelectedNode): boolean => implies(other.conditions, one.conditions)

function beyond({ conditions }: SelectedNode, given: readonly SelectedNode[]): TypeDependentSelection {
  const deliveryGroup = conditions.findLast(({ variable }) => isDeliveryGroupName(variable))?.variable
  // An incremental operation has no other conditions.
  if (deliveryGroup !== undefined) return { deliveryGroup, conditions: undefined }
  const unless = given.length === 0 ? undefined : given.map((each) => each.conditions)
  return { conditions: conditions.length === 0 ? undefined : [conditions], unless }
}
