/**
 * The cost of a response, by its data: like the estimate, with the actual objects instead of assumed lengths. Whether a
 * fragment applied is unknown if the response does not name the type; fields that are present count.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { isIncluded } from '../../../shared/graphql/conditions.ts'
import { fragmentsOf, responseKey } from '../../../shared/graphql/selections.ts'
import { compileArguments, type Variables } from './arguments.ts'
import { fieldWeight, mutationCost, typeWeight } from './estimate.ts'
import type { Weights } from './weights.ts'

type JsonObject = Readonly<Record<string, unknown>>

interface Selected {
  readonly node: FieldNode
  readonly owner: GraphQLCompositeType
  readonly field: GraphQLField<unknown, unknown>
}

export type ActualCost = (variables: Variables, data: JsonObject | null) => number

export function compileActual(
  { schema, weights }: { readonly schema: GraphQLSchema; readonly weights: Weights },
  document: DocumentNode,
  operationName: string | undefined,
): ActualCost {
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  const fragments = fragmentsOf(document)
  const weightsOf = new Map<string, number | undefined>()
  const argumentsOf = new Map<FieldNode, ((variables: Variables) => number) | undefined>()

  /** Undefined is 1 for an object, and 0 for a value. */
  const weightOf = ({ owner, field }: Selected): number | undefined => {
    const place = `${owner.name}.${field.name}`
    if (!weightsOf.has(place)) {
      const type = getNamedType(field.type)
      const ofType = typeWeight(schema, weights, type)
      const said = fieldWeight(schema, weights, owner, field.name)
      weightsOf.set(place, said ?? (ofType === (isCompositeType(type) ? 1 : 0) ? undefined : ofType))
    }
    return weightsOf.get(place)
  }
  const argumentCostOf = ({ node, owner, field }: Selected, variables: Variables): number => {
    if (!argumentsOf.has(node)) argumentsOf.set(node, compileArguments(weights, owner.name, node, field.args))
    return argumentsOf.get(node)?.(variables) ?? 0
  }

  /** All fields that are selected on an object, by their response keys. */
  const collect = (
    sets: readonly { readonly set: SelectionSetNode; readonly owner: GraphQLCompositeType }[],
    object: JsonObject,
    variables: Variables,
    into: Map<string, Selected[]>,
  ): void => {
    for (const { set, owner } of sets)
      for (const selection of set.selections) {
        if (!isIncluded(selection, variables)) continue
        if (selection.kind === 'Field') {
          const key = responseKey(selection)
          const field =
            isObjectType(owner) || isInterfaceType(owner)
              ? owner.getFields()[selection.name.value]
              : undefined
          if (field === undefined || !Object.hasOwn(object, key)) continue
          const known = into.get(key)
          const selected = { node: selection, owner, field }
          if (known === undefined) into.set(key, [selected])
          else known.push(selected)
          continue
        }
        const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value)
        if (fragment === undefined) continue
        const named = fragment.typeCondition?.name.value
        const type = named === undefined ? owner : schema.getType(named)
        if (isCompositeType(type))
          collect([{ set: fragment.selectionSet, owner: type }], object, variables, into)
      }
  }

  const costOf = (value: unknown, selected: readonly Selected[], variables: Variables): number => {
    if (Array.isArray(value))
      return value.reduce<number>((sum, item) => sum + costOf(item, selected, variables), 0)
    let own: number | undefined
    for (const each of selected) {
      const weight = weightOf(each)
      if (weight !== undefined) own = Math.max(own ?? weight, weight)
    }
    if (typeof value !== 'object' || value === null) return own ?? 0
    const sets = selected.flatMap(({ node, field }) => {
      const owner = getNamedType(field.type)
      return node.selectionSet === undefined || !isCompositeType(owner)
        ? []
        : [{ set: node.selectionSet, owner }]
    })
    // The JSON of a custom scalar is one value.
    if (sets.length === 0) return own ?? 0
    return (own ?? 1) + costBelow(sets, value as JsonObject, variables)
  }

  const costBelow = (
    sets: Parameters<typeof collect>[0],
    object: JsonObject,
    variables: Variables,
  ): number => {
    const fields = new Map<string, Selected[]>()
    collect(sets, object, variables, fields)
    let cost = 0
    for (const [key, selected] of fields) {
      const [first] = selected
      const args = first === undefined ? 0 : argumentCostOf(first, variables)
      cost += Math.max(0, costOf(object[key], selected, variables) + args)
    }
    return cost
  }

  return (variables, data) => {
    const base = operation?.operation === 'mutation' ? mutationCost : 0
    if (operation == null || root == null || data === null) return base
    return base + costBelow([{ set: operation.selectionSet, owner: root }], data, variables)
  }
}
