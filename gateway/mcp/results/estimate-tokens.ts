/**
 * Estimates the tokens of an answer before it is requested, by the kinds of its leaves and by the arguments that bound
 * its lists. The length of the services' texts cannot be known.
 */
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql'
import { type NormalisedField, normalisedIn, type Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { argumentsOf, defaultsOf } from '../../../shared/graphql/literals.ts'
import { bytesOfToken } from '../tools/tool.ts'
import type { ShapeOptions } from './shape.ts'

const leafBytes: Readonly<Record<string, number>> = {
  Int: 5,
  UnsignedInt: 6,
  Float: 10,
  Boolean: 5,
  ID: 20,
  DateTime: 24,
  UInt64: 10,
  JSON: 100,
}
const stringBytes = 16
const strangerBytes = 70
const enumBytes = 12
/** The assumed length of a list that no argument bounds. */
const defaultItems = 4
/** The assumed length of a page that is requested without a number. */
const defaultPage = 20

interface SizeOptions extends ShapeOptions {
  /** Instead of every `first` and `last`. */
  readonly page?: number | undefined
}

export function estimateTokens(options: SizeOptions): number {
  const { schema, document, operationName, variables } = options
  const operation = normalisedIn(schema, document, operationName)
  if (operation === undefined) return 0
  const known = { ...options, variables: { ...defaultsOf(operation.variables), ...variables } }
  return Math.ceil(bytesOf(operation.selections, undefined, known) / bytesOfToken)
}

/** `page`: how many items the connection around it has. */
function bytesOf(selections: readonly Selection[], page: number | undefined, known: SizeOptions): number {
  let bytes = 2
  for (const { field, when } of selections) if (when !== undefined) bytes += bytesOfField(field, page, known)
  return bytes
}

function bytesOfField(field: NormalisedField, page: number | undefined, known: SizeOptions): number {
  const key = field.key.length + 4
  const definition = definitionOf(known.schema, field)
  if (definition === undefined) return key + stringBytes
  const named = getNamedType(definition.type)
  const items = isList(definition.type) ? (page ?? lengthOf(field, known) ?? defaultItems) : 1
  if (field.selections === undefined)
    return key + items * bytesOfLeaf(`${field.parent}.${field.name}`, named, known)
  const pageBelow = named.name.endsWith('Connection')
    ? (lengthOf(field, known) ?? known.page ?? defaultPage)
    : undefined
  return key + items * bytesOf(field.selections, pageBelow, known)
}

function bytesOfLeaf(coordinate: string, type: GraphQLNamedType, { isUntrusted }: SizeOptions): number {
  if (isEnumType(type)) return enumBytes
  if (isUntrusted(coordinate, type)) return strangerBytes
  return leafBytes[type.name] ?? stringBytes
}

/** By the arguments: `first` or `last`, or the length of a list. */
function lengthOf(field: NormalisedField, { variables, page }: SizeOptions): number | undefined {
  for (const [name, value] of Object.entries(argumentsOf(field, variables))) {
    if (Array.isArray(value)) return value.length
    if ((name === 'first' || name === 'last') && typeof value === 'number') return page ?? value
  }
  return undefined
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}
