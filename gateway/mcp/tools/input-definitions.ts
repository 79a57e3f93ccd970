/**
 * Input types in a JSON Schema that has each of them once, under `$defs`, up to a number of bytes. A type that does not
 * fit is any object or any text there, so that no reference is broken.
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

/** The schema of a type; `defined` makes that of an enum or an input object. */
export function schemaOf(type: GraphQLInputType, defined: (type: DefinedType) => object): object {
  if (isNonNullType(type)) return schemaOf(type.ofType, defined)
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType, defined) }
  return isDefined(type) ? defined(type) : (scalars[type.name] ?? {})
}

/** The schema of an enum or an input object; `of` makes that of a field. */
export function definitionOf(type: DefinedType, of: (type: GraphQLInputType) => object): object {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  const fields = Object.values(type.getFields())
  const required = fields.filter(isRequiredInputField).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, of(field.type)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** The fewest bytes that its values or fields take: a type with too many of them is not looked at. */
export const leastBytesOf = (type: DefinedType): number =>
  isEnumType(type)
    ? type.getValues().length * '"A",'.length
    : Object.keys(type.getFields()).length * '"a":{},'.length

export const referenceTo = (type: GraphQLInputType): object =>
  schemaOf(type, ({ name }) => ({ $ref: `#/$defs/${name}` }))

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
    if (leastBytesOf(type) > this.#free) return undefined
    const schema = definitionOf(type, referenceTo)
    const types = isEnumType(type) ? [] : Object.values(type.getFields()).map((field) => field.type)
    return this.takes(schema, types) ? schema : undefined
  }
}
