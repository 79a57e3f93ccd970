/**
 * The cost of a response, by its data: like the estimate, with the actual objects instead of assumed lengths. Whether a
 * fragment applied is unknown if the response does not name the type; fields that are present count.
 */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
} from 'graphql'
import type { NormalisedField, NormalisedOperation, Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { holds } from '../../../shared/graphql/conditions.ts'
import { append } from '../../../shared/runtime/maps.ts'
import { compileArguments, type Variables } from './arguments.ts'
import { fieldWeight, mutationCost, typeWeight } from './estimate.ts'
import type { Weights } from './weights.ts'

type JsonObject = Readonly<Record<string, unknown>>

interface Weighed {
  /** Undefined is 1 for an object, and 0 for a value. */
  readonly weight: number | undefined
  readonly argumentCost: ((variables: Variables) => number) | undefined
  /** Undefined if its values are leaves. */
  readonly selections: readonly Selection[] | undefined
}

export function compileActual(
  schema: GraphQLSchema,
  weights: Weights,
  operation: NormalisedOperation,
): (variables: Variables, data: JsonObject | null) => number {
  const known = new Map<NormalisedField, Weighed | undefined>()

  const weightOf = (owner: GraphQLNamedType, field: GraphQLField<unknown, unknown>): number | undefined => {
    const type = getNamedType(field.type)
    const ofType = typeWeight(schema, weights, type)
    const said = fieldWeight(schema, weights, owner, field.name)
    return said ?? (ofType === (isCompositeType(type) ? 1 : 0) ? undefined : ofType)
  }
  const weigh = (field: NormalisedField): Weighed | undefined => {
    const owner = schema.getType(field.parent)
    const definition = definitionOf(schema, field)
    if (owner === undefined || definition === undefined) return undefined
    return {
      weight: weightOf(owner, definition),
      argumentCost: compileArguments(weights, field, field.arguments, definition.args),
      selections: field.selections,
    }
  }
  /** Undefined for introspection, which costs nothing. */
  const weighed = (field: NormalisedField): Weighed | undefined => {
    if (!known.has(field)) known.set(field, weigh(field))
    return known.get(field)
  }

  const costOf = (value: unknown, selected: readonly Weighed[], variables: Variables): number => {
    if (Array.isArray(value))
      return value.reduce<number>((sum, item) => sum + costOf(item, selected, variables), 0)
    let own: number | undefined
    for (const { weight } of selected) if (weight !== undefined) own = Math.max(own ?? weight, weight)
    if (typeof value !== 'object' || value === null) return own ?? 0
    const below = selected.flatMap(({ selections }) => (selections === undefined ? [] : [selections]))
    // The JSON of a custom scalar is one value.
    if (below.length === 0) return own ?? 0
    return (own ?? 1) + costBelow(below, value as JsonObject, variables)
  }

  const costBelow = (
    below: readonly (readonly Selection[])[],
    object: JsonObject,
    variables: Variables,
  ): number => {
    const fields = new Map<string, Weighed[]>()
    for (const selections of below)
      for (const { field, when } of selections) {
        if (when === undefined || !holds(when.all, variables) || !Object.hasOwn(object, field.key)) continue
        const one = weighed(field)
        if (one !== undefined) append(fields, field.key, one)
      }
    let cost = 0
    for (const [key, selected] of fields) {
      const args = selected[0]?.argumentCost?.(variables) ?? 0
      cost += Math.max(0, costOf(object[key], selected, variables) + args)
    }
    return cost
  }

  return (variables, data) => {
    const base = operation.kind === 'mutation' ? mutationCost : 0
    return data === null ? base : base + costBelow([operation.selections], data, variables)
  }
}
