/**
 * Coerces variables against the API schema. Simple scalars, which most variables are, are checked here. graphql
 * coerces everything else and reports every error.
 */
import {
  GraphQLError,
  GraphQLID,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { badInput } from '../../shared/errors.ts'
import { isObject } from '../../shared/json/is-object.ts'

export type Variables = Readonly<Record<string, unknown>>

type Coerced =
  | { readonly variables: Variables; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly variables?: undefined }

export type Coerce = (given: Variables) => Coerced

const none: Coerced = { variables: Object.freeze({}) }

/** The most errors of all variables. Each names its value, which may be as long as the request. */
const most = 10

type Test = (value: unknown) => boolean

interface Plain {
  readonly name: string
  readonly required: boolean
  readonly fits: Test
}

/** Tests for values that graphql would return unchanged, as input and as output, by the name of the scalar. */
export const scalarTests: ReadonlyMap<string, Test> = new Map([
  ['ID', (value: unknown) => typeof value === 'string'],
  ['String', (value: unknown) => typeof value === 'string'],
  ['Boolean', (value: unknown) => typeof value === 'boolean'],
  ['Int', (value: unknown) => typeof value === 'number' && (value | 0) === value],
  ['Float', (value: unknown) => typeof value === 'number' && Number.isFinite(value)],
])

interface CoerceOptions {
  /** Converts graphql's error for an invalid value. */
  readonly refuse?: (fault: GraphQLError) => GraphQLError
  /** Whether errors omit suggestions of names. */
  readonly hideSuggestions?: boolean | undefined
}

export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] = [],
  { refuse = ({ message }) => badInput(message), hideSuggestions = false }: CoerceOptions = {},
): Coerce {
  if (definitions.length === 0) return () => none

  const exactly: Coerce = (given) => {
    for (const { variable, type } of definitions) {
      const name = variable.name.value
      if (isAnotherId(given[name], typeFromAST(schema, type)))
        return { errors: [refuse(new GraphQLError(`Variable "$${name}" ${anotherId}`))] }
    }
    const result = getVariableValues(schema, definitions, given, { maxErrors: most, hideSuggestions })
    if (result.errors === undefined) return { variables: result.coerced }
    return { errors: result.errors.map(refuse) }
  }
  const plain: Plain[] = []
  for (const definition of definitions) {
    const each = plainVariable(schema, definition)
    if (each === undefined) return exactly
    plain.push(each)
  }
  return (given) => {
    const variables: Record<string, unknown> = {}
    for (const { name, required, fits } of plain) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (value == null) {
        if (required || value === null) return exactly(given)
      } else if (fits(value)) variables[name] = value
      else return exactly(given)
    }
    return { variables }
  }
}

const anotherId =
  'got an invalid value; ID cannot represent a number beyond 2^53, which JSON may have rounded: send it as a string.'

/** Whether an ID in it was sent as a number of so many digits that it has become another one. */
function isAnotherId(value: unknown, type: unknown): boolean {
  if (isNonNullType(type)) return isAnotherId(value, type.ofType)
  if (Array.isArray(value) && isListType(type)) return value.some((each) => isAnotherId(each, type.ofType))
  if (isListType(type)) return isAnotherId(value, type.ofType)
  if (isInputObjectType(type) && isObject(value)) {
    const fields = type.getFields()
    return Object.keys(value).some((name) => isAnotherId(value[name], fields[name]?.type))
  }
  return type === GraphQLID && Number.isInteger(value) && !Number.isSafeInteger(value)
}

function plainVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): Plain | undefined {
  const name = definition.variable.name.value
  const type = typeFromAST(schema, definition.type)
  if (type === undefined || definition.defaultValue !== undefined || name === '__proto__') return undefined
  const nullable = isNonNullType(type) ? type.ofType : type
  const test = isListType(nullable) ? listTest(nullable.ofType) : scalarTest(nullable)
  return test === undefined ? undefined : { name, required: isNonNullType(type), fits: test }
}

function scalarTest(type: unknown): Test | undefined {
  if (!isScalarType(type)) return undefined
  // A custom scalar without `parseValue` accepts any value but null unchanged.
  return type.parseValue === takesAnything ? anything : scalarTests.get(type.name)
}

const takesAnything = new GraphQLScalarType({ name: 'Anything' }).parseValue
const anything: Test = (value) => value != null

/** Only for lists without null items. graphql coerces the others. */
function listTest(item: unknown): Test | undefined {
  const test = scalarTest(isNonNullType(item) ? item.ofType : item)
  return test === undefined ? undefined : (value) => Array.isArray(value) && value.every(test)
}
