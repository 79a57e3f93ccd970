/**
 * About how many tokens an answer takes, before it is asked for: the kinds of its leaves, and how long its lists are by
 * the arguments that bound them. What services will have to say cannot be known.
 */
import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql'
import { type NormalisedField, normalisedIn, type Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { bytesOfToken } from '../tools/tool.ts'
import type { IsStranger } from './strangers.ts'

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
/** Of lists that no argument bounds. */
const defaultItems = 4
/** Of pages that are asked for without a number. */
const defaultPage = 20

export interface SizeOptions {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly isStranger: IsStranger
  /** Instead of every `first` and `last`. */
  readonly page?: number | undefined
}

export function estimateTokens(options: SizeOptions): number {
  const { schema, document, operationName, variables, isStranger, page } = options
  const operation = normalisedIn(schema, document, operationName)
  if (operation === undefined) return 0
  const defaults = Object.fromEntries(
    operation.variables.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  )
  const sizer = new Sizer(schema, { ...defaults, ...variables }, isStranger, page)
  return Math.ceil(sizer.bytesOf(operation.selections, undefined) / bytesOfToken)
}

class Sizer {
  readonly #schema: GraphQLSchema
  readonly #variables: Readonly<Record<string, unknown>>
  readonly #isStranger: IsStranger
  readonly #page: number | undefined

  constructor(
    schema: GraphQLSchema,
    variables: Readonly<Record<string, unknown>>,
    isStranger: IsStranger,
    page: number | undefined,
  ) {
    this.#schema = schema
    this.#variables = variables
    this.#isStranger = isStranger
    this.#page = page
  }

  /** `page`: how many items the connection around it has. */
  bytesOf(selections: readonly Selection[], page: number | undefined): number {
    let bytes = 2
    for (const { field, when } of selections) if (when !== undefined) bytes += this.#field(field, page)
    return bytes
  }

  #field(field: NormalisedField, page: number | undefined): number {
    const key = field.key.length + 4
    const definition = definitionOf(this.#schema, field)
    if (definition === undefined) return key + stringBytes
    const named = getNamedType(definition.type)
    const items = isList(definition.type) ? (page ?? this.#length(field) ?? defaultItems) : 1
    if (field.selections === undefined)
      return key + items * this.#leaf(`${field.parent}.${field.name}`, named)
    const pageBelow = named.name.endsWith('Connection')
      ? (this.#length(field) ?? this.#page ?? defaultPage)
      : undefined
    return key + items * this.bytesOf(field.selections, pageBelow)
  }

  #leaf(coordinate: string, type: GraphQLNamedType): number {
    if (isEnumType(type)) return enumBytes
    if (this.#isStranger(coordinate, type)) return strangerBytes
    return leafBytes[type.name] ?? stringBytes
  }

  /** By the arguments: `first` or `last`, or the length of a list. */
  #length({ arguments: given }: NormalisedField): number | undefined {
    for (const { name, value } of given) {
      const known = valueFromASTUntyped(value, this.#variables)
      if (Array.isArray(known)) return known.length
      if ((name.value === 'first' || name.value === 'last') && typeof known === 'number')
        return this.#page ?? known
    }
    return undefined
  }
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}
