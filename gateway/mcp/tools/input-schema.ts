/** The JSON Schema of a tool's arguments, made from the variables of its operation. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  type StringValueNode,
  type Token,
  TokenKind,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql'

export interface ObjectSchema {
  readonly type: 'object'
  readonly [key: string]: unknown
}

/** Deeper input objects are any object: the graph checks them. */
const deepest = 4

/** Bounds an answer; a name that no variable of a tool may have. */
export const maxTokensArgument = 'maxTokens'

export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ObjectSchema {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const definition of variableDefinitions) {
    const { variable, type, defaultValue } = definition
    const about = toldOf(definition)
    const name = variable.name.value
    const input = typeFromAST(schema, type) as GraphQLInputType | undefined
    properties[name] = {
      ...(input === undefined ? {} : jsonSchemaOf(input, 0)),
      ...(defaultValue === undefined ? {} : { default: valueFromASTUntyped(defaultValue) }),
      ...(about === undefined ? {} : { description: about }),
    }
    if (defaultValue === undefined && input !== undefined && isNonNullType(input)) required.push(name)
  }
  return {
    type: 'object',
    properties: { ...properties, [maxTokensArgument]: { type: 'integer' } },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

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

function jsonSchemaOf(type: GraphQLInputType, depth: number): object {
  if (isNonNullType(type)) return jsonSchemaOf(type.ofType, depth)
  if (isListType(type)) return { type: 'array', items: jsonSchemaOf(type.ofType, depth) }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return scalars[type.name] ?? {}
  if (depth >= deepest) return { type: 'object' }
  const fields = Object.values(type.getFields())
  const required = fields
    .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
    .map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, jsonSchemaOf(field.type, depth + 1)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

interface Node {
  readonly description?: StringValueNode | undefined
  readonly loc?: { readonly startToken: Token } | undefined
}

/** Undefined if nothing is said. The node has its tokens: it was parsed with locations. */
export function toldOf({ description, loc }: Node): string | undefined {
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
