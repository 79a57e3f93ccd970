/**
 * The JSON Schema of a tool's arguments, made from the variables of its operation. Input types may refer to each other
 * in any number of ways, so bytes are counted while a schema is made. A small schema repeats an input type at each use,
 * because the models of some providers read no `$ref`. A larger one has each type once. No schema is closed
 * (`additionalProperties: false`), because Google's library for Gemini fails on one (googleapis/python-genai#2393). What
 * a schema does not name is refused when it is sent.
 */
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  type StringValueNode,
  type Token,
  TokenKind,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import { bytesIn } from './tool.ts'

interface ObjectSchema {
  readonly type: 'object'
  readonly [key: string]: unknown
}

/** Bounds an answer; a name that no variable of a tool may have. */
export const maxTokensArgument = 'maxTokens'

/** The most bytes of a schema that repeats types. */
const mostInlined = 8_000

/** Deeper input objects are any object: the graph checks them. */
const deepest = 4

/** The bytes for the note about omitted parts, and for the names in it. */
const noteBytes = 300
const namesBytes = 150

/** `others`: arguments that are not variables. The schema takes at most `mostBytes`, and says what it leaves out. */
export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  others: Readonly<Record<string, object>>,
  mostBytes: number,
): ObjectSchema {
  const variables = variableDefinitions.map((definition) => variableFrom(schema, definition))
  const most = Math.min(mostInlined, mostBytes)
  const room = { free: most }
  const inlined = variables.map(({ type, told, ...variable }) => ({
    ...variable,
    schema: { ...(type === undefined ? {} : inlinedSchema(type, 0, room)), ...told },
  }))
  const made = schemaFrom(inlined, others)
  return room.free >= 0 && bytesIn(made) <= most ? made : referringSchema(variables, others, mostBytes)
}

interface Variable {
  readonly name: string
  readonly type: GraphQLInputType | undefined
  readonly isRequired: boolean
  /** What its definition says apart from the type. */
  readonly told: object
}

function variableFrom(schema: GraphQLSchema, definition: VariableDefinitionNode): Variable {
  const { variable, type: node, defaultValue } = definition
  const about = descriptionOf(definition)
  const type = typeFromAST(schema, node) as GraphQLInputType | undefined
  return {
    name: variable.name.value,
    type,
    isRequired: defaultValue === undefined && type !== undefined && isNonNullType(type),
    told: {
      ...(defaultValue === undefined ? {} : { default: valueFromASTUntyped(defaultValue) }),
      ...(about === undefined ? {} : { description: about }),
    },
  }
}

interface Property extends Pick<Variable, 'name' | 'isRequired'> {
  readonly schema: object
}

function schemaFrom(
  properties: readonly Property[],
  others: Readonly<Record<string, object>>,
  rest: object = {},
): ObjectSchema {
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties.map(({ name, schema }) => [name, schema])), ...others },
    ...(required.length === 0 ? {} : { required }),
    ...rest,
  }
}

/** Repeats each type. What it returns is no schema if the room is below zero afterwards. */
const inlinedSchema = (type: GraphQLInputType, depth: number, room: { free: number }): object =>
  schemaOf(type, (defined) => {
    if (isInputObjectType(defined) && depth >= deepest) return { type: 'object' }
    if (room.free >= 0) room.free -= leastBytesOf(defined)
    return room.free < 0 ? {} : definitionOf(defined, (inner) => inlinedSchema(inner, depth + 1, room))
  })

/** Has each type once. */
function referringSchema(
  variables: readonly Variable[],
  others: Readonly<Record<string, object>>,
  mostBytes: number,
): ObjectSchema {
  const frame = { required: [], $defs: {}, description: '' }
  const definitions = new Definitions(mostBytes - bytesIn(schemaFrom([], others, frame)) - noteBytes)
  const properties: Property[] = []
  const shortened: string[] = []
  for (const { name, type, isRequired, told } of variables) {
    const types = type === undefined ? [] : [type]
    const bare = type === undefined ? {} : referenceTo(type)
    const whole = { ...bare, ...told }
    // The name may be in two places.
    const schema = [whole, bare].find((each) => definitions.takes([{ [name]: each }, name], types))
    if (schema !== whole) shortened.push(`$${name}`)
    if (schema !== undefined) properties.push({ name, isRequired, schema })
  }
  const { schemas, leftOut } = definitions.define()
  const incomplete = [...shortened, ...leftOut]
  return schemaFrom(properties, others, {
    $defs: schemas,
    ...(incomplete.length === 0 ? {} : { description: noteOn(incomplete) }),
  })
}

function noteOn(names: readonly string[]): string {
  const told: string[] = []
  let free = namesBytes
  for (const name of names) {
    free -= name.length + 2
    if (free < 0) break
    told.push(name)
  }
  const count = names.length - told.length
  return `Left out, because this schema is too long: ${[...told, ...(count === 0 ? [] : [`${count} more`])].join(', ')}. The graph checks their values.`
}

interface Node {
  readonly description?: StringValueNode | undefined
  readonly loc?: { readonly startToken: Token } | undefined
}

/** Undefined if nothing is said. The node has its tokens: it was parsed with locations. */
export function descriptionOf({ description, loc }: Node): string | undefined {
  if (description !== undefined) return description.value
  const lines: string[] = []
  let after = loc?.startToken
  for (let token = after?.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    // A comment at the end of another line, or with a blank line below it, is about something else.
    if (token.line !== (after?.line ?? 0) - 1) break
    lines.unshift(token.value.trim())
    after = token
  }
  return lines.length === 0 ? undefined : lines.join(' ')
}

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
function schemaOf(type: GraphQLInputType, defined: (type: DefinedType) => object): object {
  if (isNonNullType(type)) return schemaOf(type.ofType, defined)
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType, defined) }
  return isDefined(type) ? defined(type) : (scalars[type.name] ?? {})
}

/** The schema of an enum or an input object; `of` makes that of a field. */
function definitionOf(type: DefinedType, of: (type: GraphQLInputType) => object): object {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  const fields = Object.values(type.getFields())
  const required = fields.filter(isRequiredInputField).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, of(field.type)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** The fewest bytes that its values or fields take: a type with too many of them is not looked at. */
const leastBytesOf = (type: DefinedType): number =>
  isEnumType(type)
    ? type.getValues().length * '"A",'.length
    : Object.keys(type.getFields()).length * '"a":{},'.length

const referenceTo = (type: GraphQLInputType): object =>
  schemaOf(type, ({ name }) => ({ $ref: `#/$defs/${name}` }))

const isDefined = (type: unknown): type is DefinedType => isEnumType(type) || isInputObjectType(type)

const placeholderFor = (type: DefinedType): object => ({ type: isEnumType(type) ? 'string' : 'object' })

/**
 * Input types, each of them once under `$defs`, up to a number of bytes. A type that does not fit is any object or any text
 * there, so that no reference is broken.
 */
class Definitions {
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
