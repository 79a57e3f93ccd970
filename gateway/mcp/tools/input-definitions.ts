/**
 * Input types in a JSON Schema that has each of them once, under `$defs`, up to a number of bytes. A type for which
 * there is no room stays any object or any text there, so that each reference leads somewhere.
 */
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql'
import { bytesIn } from './tool.ts'

type DefinedType = GraphQLEnumType | GraphQLInputObjectType

/** Models of some providers take no list of types. */
const textOrNumber = { anyOf: [{ type: 'string' }, { type: 'number' }] }

const scalars: Readonly<Record<string, object>> = {
  Int: { type: 'integer' },
  UnsignedInt: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  DateTime: { type: 'string' },
  UInt64: { type: 'string' },
  MetricsTime: textOrNumber,
  MetricsDuration: textOrNumber,
}

export const scalarSchema = (name: string): object => scalars[name] ?? {}

/** The fewest bytes that a field and a value of an enum take: what has too many of them is not looked at. */
export const fieldBytes = '"a":{},'.length
export const valueBytes = '"A",'.length

export function referenceTo(type: GraphQLInputType): object {
  if (isNonNullType(type)) return referenceTo(type.ofType)
  if (isListType(type)) return { type: 'array', items: referenceTo(type.ofType) }
  return isDefined(type) ? { $ref: `#/$defs/${type.name}` } : scalarSchema(type.name)
}

const isDefined = (type: unknown): type is DefinedType => isEnumType(type) || isInputObjectType(type)

const placeholderFor = (type: DefinedType): object => ({ type: isEnumType(type) ? 'string' : 'object' })

export class Definitions {
  #free: number
  readonly #schemas = new Map<string, object>()
  /** The types in it, in the order in which they were referred to. */
  readonly #types: DefinedType[] = []

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Takes the bytes of something that refers to these types; false if there is no room for it. */
  takes(made: unknown, types: readonly GraphQLInputType[]): boolean {
    const added = new Set(
      types
        .map((type) => getNamedType(type))
        .filter((type) => isDefined(type) && !this.#schemas.has(type.name)),
    ) as ReadonlySet<DefinedType>
    let bytes = bytesIn(made)
    for (const type of added) bytes += bytesIn({ [type.name]: placeholderFor(type) })
    if (bytes > this.#free) return false
    this.#free -= bytes
    for (const type of added) {
      this.#schemas.set(type.name, placeholderFor(type))
      this.#types.push(type)
    }
    return true
  }

  /** Defines the types that were referred to, and those to which they refer. */
  define(): { readonly schemas: Readonly<Record<string, object>>; readonly leftOut: readonly string[] } {
    const leftOut: string[] = []
    // It grows meanwhile.
    for (const type of this.#types) {
      const schema = this.#schemaOf(type)
      if (schema === undefined) leftOut.push(type.name)
      else this.#schemas.set(type.name, schema)
    }
    return { schemas: Object.fromEntries(this.#schemas), leftOut }
  }

  /** Undefined if there is no room for it. */
  #schemaOf(type: DefinedType): object | undefined {
    if (isEnumType(type)) {
      const values = type.getValues()
      if (values.length * valueBytes > this.#free) return undefined
      const schema = { type: 'string', enum: values.map(({ name }) => name) }
      return this.takes(schema, []) ? schema : undefined
    }
    const fields = Object.values(type.getFields())
    if (fields.length * fieldBytes > this.#free) return undefined
    const required = fields.filter(isRequiredInputField).map(({ name }) => name)
    const schema = {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, referenceTo(field.type)])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    }
    const types = fields.map((field) => field.type)
    return this.takes(schema, types) ? schema : undefined
  }
}
