/**
 * A typed call of an operation in TypeScript: the types of its variables and its response, made from the schema,
 * and a function that sends it. It needs no package. Pure.
 */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import { type Fragments, fragmentsOf } from '../../../shared/graphql/selections.ts'
import { chosenOf, documentOf, operationsOf } from '../graph/operation.ts'
import { literal } from './snippets.ts'

export interface TypedClient {
  readonly schema: GraphQLSchema
  readonly endpoint: string
  readonly query: string
  readonly operationName: string | undefined
  readonly hasToken: boolean
}

interface Context {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  /** The enums and input types that the variables and the response use, each once. */
  readonly named: Map<string, string>
}

const scalars: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
}
/** The deepest nesting of fragments. */
const deepest = 30

/** Undefined if the document is not valid GraphQL, or has no such operation. */
export function typedClientOf(client: TypedClient): string | undefined {
  const { schema, query, operationName } = client
  const document = documentOf(query)
  const operation = document && chosenOf(operationsOf(document), operationName)
  if (document === undefined || operation === undefined || operation.operation === 'subscription')
    return undefined
  const root = schema.getRootType(operation.operation)
  if (root === null || root === undefined) return undefined
  const context: Context = { schema, fragments: fragmentsOf(document), named: new Map() }
  try {
    const variables = variablesType(operation, context)
    const data = objectType([operation.selectionSet], root, context, 0, '  ')
    return text(client, operation.name?.value, { variables, data, named: [...context.named.values()] })
  } catch {
    // A fragment contains itself.
    return undefined
  }
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

interface Types {
  readonly variables: string
  readonly data: string
  readonly named: readonly string[]
}

function text(
  { endpoint, query, hasToken }: TypedClient,
  operationName: string | undefined,
  { variables, data, named }: Types,
): string {
  const name = pascal(operationName ?? 'Operation')
  return `${named.length === 0 ? '' : `${named.join('\n\n')}\n\n`}export interface ${name}Variables ${variables}

export interface ${name}Data ${data}

export interface ${name}Answer {
  readonly data?: ${name}Data | null
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[]
}

const document = ${literal(query.trimEnd())}

export async function ${camel(name)}(variables: ${name}Variables${hasToken ? ', token: string' : ''}): Promise<${name}Answer> {
  const response = await fetch(${JSON.stringify(endpoint)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json'${hasToken ? ", authorization: 'Bearer ' + token" : ''} },
    body: JSON.stringify({ query: document,${operationName === undefined ? '' : ` operationName: ${JSON.stringify(operationName)},`} variables }),
  })
  return (await response.json()) as ${name}Answer
}
`
}

function variablesType({ variableDefinitions = [] }: OperationDefinitionNode, context: Context): string {
  if (variableDefinitions.length === 0) return '{}'
  const lines = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const found = typeFromAST(context.schema, type as never) as GraphQLInputType | undefined
    const isOptional = !isNonNullType(found) || defaultValue !== undefined
    return `  readonly ${variable.name.value}${isOptional ? '?' : ''}: ${found === undefined ? 'unknown' : inputType(found, context)}`
  })
  return `{\n${lines.join('\n')}\n}`
}

function inputType(type: GraphQLInputType, context: Context): string {
  if (isNonNullType(type)) return inputType(type.ofType, context).replace(/ \| null$/, '')
  if (isListType(type)) return `readonly ${inGroup(inputType(type.ofType, context))}[] | null`
  return `${namedType(type, context)} | null`
}

const inGroup = (type: string): string => (type.includes(' ') ? `(${type})` : type)

/** Adds the declaration of an enum or an input type. */
function namedType(type: GraphQLNamedType, context: Context): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `'${name}'`)
    context.named.set(type.name, `export type ${type.name} = ${values.join(' | ')}`)
    return type.name
  }
  if (isInputObjectType(type)) {
    if (context.named.has(type.name)) return type.name
    context.named.set(type.name, '')
    const fields = Object.values(type.getFields()).map(
      (field) =>
        `  readonly ${field.name}${isRequiredInputField(field) ? '' : '?'}: ${inputType(field.type, context)}`,
    )
    context.named.set(type.name, `export interface ${type.name} {\n${fields.join('\n')}\n}`)
    return type.name
  }
  return scalars[type.name] ?? 'unknown'
}

interface Selected {
  readonly type: GraphQLOutputType | undefined
  readonly sets: SelectionSetNode[]
  /** Whether it is absent for some of the possible types, or under a condition. */
  isOptional: boolean
}

function objectType(
  sets: readonly SelectionSetNode[],
  type: GraphQLNamedType,
  context: Context,
  depth: number,
  indent: string,
): string {
  const fields = new Map<string, Selected>()
  for (const set of sets) collect(set, type, false, fields, context, depth)
  const lines = [...fields].map(([key, { type: of, sets: below, isOptional }]) => {
    const value = of === undefined ? 'string' : outputType(of, below, context, depth + 1, indent)
    return `${indent}readonly ${key}${isOptional ? '?' : ''}: ${value}`
  })
  return `{\n${lines.join('\n')}\n${indent.slice(2)}}`
}

function collect(
  set: SelectionSetNode,
  type: GraphQLNamedType,
  isOptional: boolean,
  fields: Map<string, Selected>,
  context: Context,
  depth: number,
): void {
  if (depth > deepest) throw new Error('too deep')
  for (const each of set.selections) {
    const isConditional =
      isOptional || (each.directives ?? []).some(({ name }) => /^(skip|include|defer)$/.test(name.value))
    if (each.kind === Kind.FIELD) {
      const key = (each.alias ?? each.name).value
      const owner = 'getFields' in type ? type.getFields()[each.name.value] : undefined
      const known = fields.get(key) ?? {
        type: owner?.type as GraphQLOutputType | undefined,
        sets: [],
        isOptional: isConditional,
      }
      known.isOptional &&= isConditional
      if (each.selectionSet !== undefined) known.sets.push(each.selectionSet)
      fields.set(key, known)
      continue
    }
    const fragment = each.kind === Kind.INLINE_FRAGMENT ? each : context.fragments.get(each.name.value)
    if (fragment === undefined) continue
    const condition = fragment.typeCondition?.name.value
    const narrowed = condition === undefined ? type : (context.schema.getType(condition) ?? type)
    const isNarrower = isAbstractType(type) && narrowed !== type
    collect(fragment.selectionSet, narrowed, isConditional || isNarrower, fields, context, depth + 1)
  }
}

function outputType(
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  context: Context,
  depth: number,
  indent: string,
): string {
  if (isNonNullType(type))
    return outputType(type.ofType, sets, context, depth, indent).replace(/ \| null$/, '')
  if (isListType(type))
    return `readonly ${inGroup(outputType(type.ofType, sets, context, depth, indent))}[] | null`
  const named = getNamedType(type)
  const value = isCompositeType(named)
    ? objectType(sets, named, context, depth, `${indent}  `)
    : namedType(named, context)
  return `${value} | null`
}
