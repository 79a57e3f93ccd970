/**
 * The number of values that an operation requests: each field counts once for every item of the lists around it, as far
 * as arguments give their length (lists of ids, `first`, `last`). Neither the number of items nor that of fields alone
 * bounds 50 aliases of 500 ids with 90 fields each.
 */
import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import type { NormalisedField, NormalisedOperation, Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { type Condition, holds } from '../../../shared/graphql/conditions.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { requestedLength } from '../requested-length.ts'
import { type Limits, tooLarge } from './limits.ts'

type Variables = Readonly<Record<string, unknown>>
type Multiplier = (variables: Variables) => number

/** Values that are requested in any case, and selections inside whose number depends on variables. */
interface Values {
  readonly fields: number
  readonly inside: readonly CountedSelection[]
}

interface CountedSelection extends Values {
  readonly conditions: readonly Condition[]
  /** The length of the list around it; undefined if no argument gives one. */
  readonly items: Multiplier | undefined
}

type ValueCheck = (variables: Variables) => GraphQLError | undefined

/** Undefined if the operation is within the limit with any variables. */
export function compileValueCount(
  schema: GraphQLSchema,
  operation: NormalisedOperation,
  { values: most }: Pick<Limits, 'values'>,
): ValueCheck | undefined {
  const root = rootOf(schema, operation)
  if (mostOf(root) <= most) return undefined
  return (variables) => {
    const values = count(root, variables)
    return values > most
      ? tooLarge('too many values, its fields times the items of its lists', most, values, 'values')
      : undefined
  }
}

function count({ fields, inside }: Values, variables: Variables): number {
  let values = fields
  for (const inner of inside)
    if (holds(inner.conditions, variables))
      values += (inner.items?.(variables) ?? 1) * count(inner, variables)
  return values
}

/** The number with the worst variables. */
function mostOf({ fields, inside }: Values): number {
  let values = fields
  for (const inner of inside) values += inner.items === undefined ? mostOf(inner) : Number.POSITIVE_INFINITY
  return values
}

const always: readonly Condition[] = []

function rootOf(
  schema: GraphQLSchema,
  { variables: defined, selections: root }: NormalisedOperation,
): Values {
  const defaults = new Map(defined.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]))
  const known = new Map<number, Values>()

  const readerOf = (type: GraphQLInputType, node: ValueNode | undefined) => {
    const lengthOf = (value: unknown): number | undefined => requestedLength(type, value)
    const literal = node?.kind === Kind.VARIABLE ? defaults.get(node.name.value) : node
    const usual = literal === undefined ? undefined : lengthOf(valueFromASTUntyped(literal))
    if (node?.kind !== Kind.VARIABLE) return () => usual
    return (variables: Variables): number | undefined => {
      const given = variables[node.name.value]
      return given === undefined ? usual : lengthOf(given)
    }
  }
  const itemsOf = (field: NormalisedField): Multiplier | undefined => {
    const counted = definitionOf(schema, field)?.args.filter(
      ({ name, type }) => isListType(getNullableType(type)) || name === 'first' || name === 'last',
    )
    if (counted === undefined || counted.length === 0) return undefined
    const written = counted.map(({ name, type, defaultValue }) => ({
      read: readerOf(type, field.arguments.find((each) => each.name.value === name)?.value),
      usual: requestedLength(type, defaultValue),
    }))
    return (variables) => {
      let times = 1
      for (const { read, usual } of written) times = Math.max(times, read(variables) ?? usual ?? 1)
      return times
    }
  }
  const valuesOf = (field: NormalisedField): Values =>
    getOrInsert(known, field.id, () => {
      if (field.selections === undefined) return { fields: 1, inside: [] }
      const below = valuesIn(field.selections)
      const items = itemsOf(field)
      return items === undefined
        ? { fields: 1 + below.fields, inside: below.inside }
        : { fields: 1, inside: [{ conditions: always, items, ...below }] }
    })
  const valuesIn = (selections: readonly Selection[]): Values => {
    let fields = 0
    const inside: CountedSelection[] = []
    for (const { field, when } of selections) {
      if (when === undefined) continue
      const values = valuesOf(field)
      if (when.all.length > 0) inside.push({ conditions: when.all, items: undefined, ...values })
      else {
        fields += values.fields
        inside.push(...values.inside)
      }
    }
    return { fields, inside }
  }
  return valuesIn(root)
}
