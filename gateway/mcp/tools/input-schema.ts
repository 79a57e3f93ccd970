/**
 * The JSON Schema of a tool's arguments, made from the variables of its operation. Input types may refer to each other
 * in any number of ways, so bytes are counted while a schema is made. A small schema repeats an input type at each use,
 * because the models of some providers read no `$ref`. A larger one has each type once.
 */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  type OperationDefinitionNode,
  type StringValueNode,
  type Token,
  TokenKind,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import { Definitions, definitionOf, leastBytesOf, referenceTo, schemaOf } from './input-definitions.ts'
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
  const made = schemaFrom(inlined, others, { additionalProperties: false })
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
  rest: object,
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
  const frame = { required: [], additionalProperties: false, $defs: {}, description: '' }
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
    ...(properties.length === variables.length ? { additionalProperties: false } : {}),
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
