/**
 * The cost of a field's arguments, and the length of the list that they request, with the variables of a request. An
 * absent argument has the schema's default if it decides about a length, and costs nothing.
 */
import {
  type ArgumentNode,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { valueAt } from '../../../shared/json/value-at.ts'
import { requestedLength } from '../requested-length.ts'
import type { ListSize, Weights } from './weights.ts'

export type Variables = Readonly<Record<string, unknown>>

/** What an argument of this type can add to a cost; undefined is nothing, whatever its value. */
export function compileArguments(
  weights: Weights,
  { parent, name: field }: { readonly parent: string; readonly name: string },
  given: readonly ArgumentNode[],
  args: readonly GraphQLArgument[],
): ((variables: Variables) => number) | undefined {
  const priced = given.flatMap(({ name, value }) => {
    const definition = args.find((each) => each.name === name.value)
    if (definition === undefined) return []
    const weight = weights.argument(parent, field, definition.name)
    if (weight === undefined && !mayCost(weights, definition.type)) return []
    return [{ read: readerOf(value), type: definition.type, weight }]
  })
  if (priced.length === 0) return undefined
  return (variables) =>
    priced.reduce((sum, { read, type, weight }) => sum + costOf(weights, read(variables), type, weight), 0)
}

/** Reads a literal once, and again for each request if it has variables. */
function readerOf(node: ValueNode): (variables: Variables) => unknown {
  if (hasVariables(node)) return (variables) => valueFromASTUntyped(node, variables)
  const value = valueFromASTUntyped(node)
  return () => value
}

function hasVariables(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(hasVariables)
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasVariables(value))
  return node.kind === Kind.VARIABLE
}

function mayCost(weights: Weights, type: GraphQLInputType): boolean {
  const named = getNamedType(type)
  return isInputObjectType(named) || weights.type(named.name) !== undefined
}

/** The depth and length of a value are bounded before. */
function costOf(
  weights: Weights,
  value: unknown,
  type: GraphQLInputType,
  weight: number | undefined,
): number {
  if (value === null || value === undefined) return 0
  if (Array.isArray(value))
    return value.reduce<number>(
      (sum, item) => sum + costOf(weights, item, itemType(type), weight),
      weight ?? 0,
    )
  const named = getNamedType(type)
  // The JSON of a custom scalar is one value.
  if (typeof value !== 'object' || !isInputObjectType(named)) return weight ?? weights.type(named.name) ?? 0
  let cost = weight ?? 1
  for (const [name, inner] of Object.entries(value)) {
    const field = named.getFields()[name]
    if (field !== undefined) cost += costOf(weights, inner, field.type, weights.inputField(named.name, name))
  }
  return cost
}

function itemType(type: GraphQLInputType): GraphQLInputType {
  const inner = getNullableType(type)
  return isListType(inner) ? (inner.ofType as GraphQLInputType) : type
}

/** The length of a list: what arguments request, else the assumed size; undefined if neither is given. */
export interface Length {
  readonly size: number | undefined
  /** The number of given slicing arguments, if it must be one and is not. */
  readonly slicing?: number | undefined
}

export function compileLength(
  { slicingArguments, assumedSize, requireOneSlicingArgument }: ListSize,
  written: readonly ArgumentNode[],
  args: readonly GraphQLArgument[],
): (variables: Variables) => Length {
  const readers = slicingArguments.flatMap(([name, ...path]) => {
    const definition = args.find((each) => each.name === name)
    if (definition === undefined) return []
    const value = written.find((each) => each.name.value === name)?.value
    const read = value === undefined ? undefined : readerOf(value)
    const type = typeAt(definition.type, path)
    const usual = requestedLength(type, valueAt(definition.defaultValue, path))
    return [(variables: Variables) => requestedLength(type, valueAt(read?.(variables), path)) ?? usual]
  })
  return (variables) => {
    const given = readers.map((read) => read(variables)).filter((size) => size !== undefined)
    const size = given.length === 0 ? assumedSize : Math.max(...given)
    const isWrong = requireOneSlicingArgument && slicingArguments.length > 0 && given.length !== 1
    return isWrong ? { size, slicing: given.length } : { size }
  }
}

/** The type of what is at the path in an argument. */
function typeAt(type: GraphQLInputType, path: readonly string[]): GraphQLInputType {
  let at = type
  for (const name of path) {
    const named = getNullableType(at)
    const field = isInputObjectType(named) ? named.getFields()[name] : undefined
    if (field === undefined) return at
    at = field.type
  }
  return at
}
