/**
 * About how many tokens an answer takes, before it is asked for: the kinds of its leaves, and how long its lists are by
 * the arguments that bound them. What services will have to say cannot be known.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { type Fragments, fragmentsOf, responseKey } from '../../../shared/graphql/selections.ts'
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
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  if (operation == null || root == null) return 0
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  )
  const sizer = new Sizer(schema, fragmentsOf(document), { ...defaults, ...variables }, isStranger, page)
  return Math.ceil(sizer.bytesOf(root, operation.selectionSet, undefined) / bytesOfToken)
}

class Sizer {
  readonly #schema: GraphQLSchema
  readonly #fragments: Fragments
  readonly #variables: Readonly<Record<string, unknown>>
  readonly #isStranger: IsStranger
  readonly #page: number | undefined

  constructor(
    schema: GraphQLSchema,
    fragments: Fragments,
    variables: Readonly<Record<string, unknown>>,
    isStranger: IsStranger,
    page: number | undefined,
  ) {
    this.#schema = schema
    this.#fragments = fragments
    this.#variables = variables
    this.#isStranger = isStranger
    this.#page = page
  }

  /** `page`: how many items the connection around it has. */
  bytesOf(type: GraphQLCompositeType, set: SelectionSetNode, page: number | undefined): number {
    let bytes = 2
    for (const each of set.selections) {
      if (each.kind === Kind.FIELD) {
        bytes += this.#field(type, each, page)
        continue
      }
      const fragment = each.kind === Kind.INLINE_FRAGMENT ? each : this.#fragments.get(each.name.value)
      if (fragment === undefined) continue
      const inner = fragment.typeCondition && this.#schema.getType(fragment.typeCondition.name.value)
      bytes += this.bytesOf(isCompositeType(inner) ? inner : type, fragment.selectionSet, page)
    }
    return bytes
  }

  #field(type: GraphQLCompositeType, node: FieldNode, page: number | undefined): number {
    const key = responseKey(node).length + 4
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
    if (field === undefined) return key + stringBytes
    const named = getNamedType(field.type)
    const items = isList(field.type) ? (page ?? this.#length(node) ?? defaultItems) : 1
    if (!isCompositeType(named) || node.selectionSet === undefined)
      return key + items * this.#leaf(`${type.name}.${field.name}`, named)
    const pageBelow = named.name.endsWith('Connection')
      ? (this.#length(node) ?? this.#page ?? defaultPage)
      : undefined
    return key + items * this.bytesOf(named, node.selectionSet, pageBelow)
  }

  #leaf(coordinate: string, type: GraphQLNamedType): number {
    if (isEnumType(type)) return enumBytes
    if (this.#isStranger(coordinate, type)) return strangerBytes
    return leafBytes[type.name] ?? stringBytes
  }

  /** By the arguments: `first` or `last`, or the length of a list. */
  #length({ arguments: given = [] }: FieldNode): number | undefined {
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
