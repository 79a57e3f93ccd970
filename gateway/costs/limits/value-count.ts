/**
 * The number of values that an operation requests: each field counts once for every item of the lists around it, as far
 * as arguments give their length (lists of ids, `first`, `last`). Neither the number of items nor that of fields alone
 * bounds 50 aliases of 500 ids with 90 fields each.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { type Condition, conditionsOf, holds } from '../../../shared/graphql/conditions.ts'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import { type Limits, tooLarge } from './limits.ts'

type Variables = Readonly<Record<string, unknown>>
type Multiplier = (variables: Variables) => number

interface CountedSelection {
  /** Undefined means once. */
  readonly times: Multiplier | undefined
  readonly conditions: readonly Condition[]
  readonly fields: number
  readonly inside: readonly CountedSelection[]
}

/** Checks one operation with the variables of a request. */
export type ValueCheck = (variables: Variables) => GraphQLError | undefined

/** Undefined if the operation is within the limit with any variables. */
export function compileValueCount(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { values: most }: Limits,
): ValueCheck | undefined {
  if (most === Number.POSITIVE_INFINITY) return undefined
  const root = rootOf(schema, document, operation)
  if (root.inside.length === 0 && root.fields <= most) return undefined
  return (variables) => {
    const values = count(root, variables)
    return values > most
      ? tooLarge('too many values, its fields times the items of its lists', most, values, 'values')
      : undefined
  }
}

/** The number of values that the operation requests with the given variables. */
export function compileValues(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Variables) => number {
  const root = rootOf(schema, document, operation)
  return (variables) => count(root, variables)
}

function count({ times, conditions, fields, inside }: CountedSelection, variables: Variables): number {
  if (!holds(conditions, variables)) return 0
  let values = fields
  for (const inner of inside) values += count(inner, variables)
  return times === undefined ? values : values * times(variables)
}

function rootOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CountedSelection {
  const fragments = fragmentsOf(document)
  const defaults = new Map(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue,
    ]),
  )
  const countOf = (node: ValueNode | undefined, variables: Variables): number | undefined => {
    if (node === undefined) return undefined
    if (node.kind === Kind.INT) return Number(node.value)
    if (node.kind === Kind.LIST) return node.values.length
    if (node.kind !== Kind.VARIABLE) return undefined
    const given = variables[node.name.value]
    if (Array.isArray(given)) return given.length
    if (typeof given === 'number') return given
    return given === undefined ? countOf(defaults.get(node.name.value), variables) : undefined
  }
  const multiplierOf = (node: FieldNode, field: GraphQLField<unknown, unknown>): Multiplier | undefined => {
    const counted = field.args.filter(
      ({ name, type }) => isListType(getNullableType(type)) || name === 'first' || name === 'last',
    )
    if (counted.length === 0) return undefined
    const written = counted.map(({ name, defaultValue }) => ({
      value: node.arguments?.find((each) => each.name.value === name)?.value,
      usual: typeof defaultValue === 'number' ? defaultValue : undefined,
    }))
    return (variables) => {
      let times = 1
      for (const { value, usual } of written) times = Math.max(times, countOf(value, variables) ?? usual ?? 1)
      return times
    }
  }
  const partOf = (
    set: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    times: Multiplier | undefined,
    conditions: readonly Condition[],
  ): CountedSelection => {
    let fields = 0
    const inside: CountedSelection[] = []
    const include = (inner: CountedSelection): void => {
      if (inner.times !== undefined || inner.conditions.length > 0) inside.push(inner)
      else {
        fields += inner.fields
        inside.push(...inner.inside)
      }
    }
    for (const selection of set.selections) {
      const own = conditionsOf(selection)
      if (own === undefined) continue
      if (selection.kind === Kind.FIELD) {
        fields += 1
        if (selection.selectionSet === undefined) continue
        const field =
          isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined
        const below = field === undefined ? undefined : getNamedType(field.type)
        const multiplier = field === undefined ? undefined : multiplierOf(selection, field)
        include(partOf(selection.selectionSet, below, multiplier, own))
        continue
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const on = condition === undefined ? type : schema.getType(condition)
      include(partOf(fragment.selectionSet, on, undefined, own))
    }
    return { times, conditions, fields, inside }
  }
  return partOf(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, undefined, [])
}
