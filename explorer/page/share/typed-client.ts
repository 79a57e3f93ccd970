/**
 * A typed call of an operation in TypeScript: the types of its variables and its response, made from the schema,
 * and a function that sends it. It needs no package. Pure.
 */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import { type Fragments, fragmentsOf, responseKey } from '../../../shared/graphql/selections.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { capitalized } from '../../examples/operation-for.ts'
import { chosenIn } from '../graph/operation.ts'
import { literal, type Snippet } from './snippets.ts'

interface TypedClient extends Omit<Snippet, 'variables'> {
  readonly schema: GraphQLSchema
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
/** Words of TypeScript have small letters only; the client itself uses `Promise`. */
const mayBeTaken = /^([a-z]+|Promise)$/

/** Undefined if the document is not valid GraphQL, or has no such operation. */
export function typedClientOf(client: TypedClient): string | undefined {
  const { schema } = client
  const chosen = chosenIn(client)
  if (chosen === undefined || chosen.operation.operation === 'subscription') return undefined
  const { document, operation } = chosen
  const root = schema.getRootType(operation.operation)
  if (root === null || root === undefined) return undefined
  const writer = new TypeWriter(schema, fragmentsOf(document))
  try {
    const variables = writer.variables(operation)
    const data = writer.object([{ set: operation.selectionSet, condition: '' }], root, 0, '  ')
    return text(client, operation.name?.value, { variables, data, named: writer.named })
  } catch {
    // A fragment contains itself.
    return undefined
  }
}

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
  // `send` before the name, because an operation may be called `Delete` or `Fetch`.
  const name = capitalized(operationName ?? 'Operation')
  return `${named.length === 0 ? '' : `${named.join('\n\n')}\n\n`}export interface ${name}Variables ${variables}

export interface ${name}Data ${data}

export interface ${name}Answer {
  readonly data?: ${name}Data | null
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[]
}

const document = ${literal(query.trimEnd())}

export async function send${name}(variables: ${name}Variables${hasToken ? ', token: string' : ''}): Promise<${name}Answer> {
  const response = await fetch(${JSON.stringify(endpoint)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json'${hasToken ? ", authorization: 'Bearer ' + token" : ''} },
    body: JSON.stringify({ query: document,${operationName === undefined ? '' : ` operationName: ${JSON.stringify(operationName)},`} variables }),
  })
  return (await response.json()) as ${name}Answer
}
`
}

const inGroup = (type: string): string => (type.includes(' ') ? `(${type})` : type)

/** A type of the schema, with its lists and nulls, around the text of the type that it names. */
function typeText(type: GraphQLType, named: (type: GraphQLNamedType) => string): string {
  if (isNonNullType(type)) return typeText(type.ofType, named).replace(/ \| null$/, '')
  if (isListType(type)) return `readonly ${inGroup(typeText(type.ofType, named))}[] | null`
  return `${named(type)} | null`
}

interface Selected {
  readonly type: GraphQLOutputType | undefined
  readonly sets: ConditionalSet[]
  /** Whether it is absent for some of the possible types, or under a condition. */
  isOptional: boolean
}

interface ConditionalSet {
  readonly set: SelectionSetNode
  /** The directives and types under which it counts; empty if it always does. */
  readonly condition: string
}

/** Writes types, and collects the enums and input types that they use. */
class TypeWriter {
  readonly #schema: GraphQLSchema
  readonly #fragments: Fragments
  readonly #named = new Map<string, string>()

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema
    this.#fragments = fragments
  }

  /** The declarations of the enums and input types, each once. */
  get named(): readonly string[] {
    return [...this.#named.values()]
  }

  variables({ variableDefinitions = [] }: OperationDefinitionNode): string {
    if (variableDefinitions.length === 0) return '{}'
    const lines = variableDefinitions.map(({ variable, type, defaultValue }) => {
      const found = typeFromAST(this.#schema, type as never) as GraphQLInputType | undefined
      const isOptional = !isNonNullType(found) || defaultValue !== undefined
      return `  readonly ${variable.name.value}${isOptional ? '?' : ''}: ${found === undefined ? 'unknown' : this.#input(found)}`
    })
    return `{\n${lines.join('\n')}\n}`
  }

  /** The object of these selection sets on this type. */
  object(sets: readonly ConditionalSet[], type: GraphQLNamedType, depth: number, indent: string): string {
    const fields = new Map<string, Selected>()
    // If all have one condition, it was fulfilled where the object is.
    const isCertain = sets.every(({ condition }) => condition === sets[0]?.condition)
    for (const { set, condition } of sets) {
      // The dot tells a type of this object from the same type of an object around it.
      const outer = isCertain || condition === '' ? '' : `${condition}.`
      this.#collect({ set, condition: outer }, type, fields, depth)
    }
    const lines = [...fields].map(([key, { type: of, sets: below, isOptional }]) => {
      const named = (each: GraphQLNamedType): string =>
        isCompositeType(each) ? this.object(below, each, depth + 1, `${indent}  `) : this.#name(each)
      const value = of === undefined ? 'string' : typeText(of, named)
      return `${indent}readonly ${key}${isOptional ? '?' : ''}: ${value}`
    })
    return `{\n${lines.join('\n')}\n${indent.slice(2)}}`
  }

  #collect(
    { set, condition: outer }: ConditionalSet,
    type: GraphQLNamedType,
    fields: Map<string, Selected>,
    depth: number,
  ): void {
    if (depth > deepest) throw new Error('too deep')
    for (const each of set.selections) {
      const condition = `${outer}${conditionOf(each)}`
      if (each.kind === Kind.FIELD) {
        const key = responseKey(each)
        const owner = 'getFields' in type ? type.getFields()[each.name.value] : undefined
        const of = owner?.type as GraphQLOutputType | undefined
        const known = getOrInsert(fields, key, () => ({ type: of, sets: [], isOptional: true }))
        known.isOptional &&= condition !== ''
        if (each.selectionSet !== undefined) known.sets.push({ set: each.selectionSet, condition })
        continue
      }
      const fragment = each.kind === Kind.INLINE_FRAGMENT ? each : this.#fragments.get(each.name.value)
      if (fragment === undefined) continue
      const name = fragment.typeCondition?.name.value
      const narrowed = name === undefined ? type : (this.#schema.getType(name) ?? type)
      const isNarrower = isAbstractType(type) && narrowed !== type
      const within = isNarrower ? `${condition} on ${narrowed.name}` : condition
      this.#collect({ set: fragment.selectionSet, condition: within }, narrowed, fields, depth + 1)
    }
  }

  #input(type: GraphQLInputType): string {
    return typeText(type, (named) => this.#name(named))
  }

  /** The name of a type, whose declaration is added if it is an enum or an input type. */
  #name(type: GraphQLNamedType): string {
    const name = mayBeTaken.test(type.name) ? `${type.name}_` : type.name
    if (isEnumType(type)) {
      const values = type.getValues().map((each) => `'${each.name}'`)
      this.#named.set(name, `export type ${name} = ${values.join(' | ')}`)
      return name
    }
    if (!isInputObjectType(type)) return scalars[type.name] ?? 'unknown'
    if (this.#named.has(name)) return name
    this.#named.set(name, '')
    const fields = Object.values(type.getFields()).map(
      (field) =>
        `  readonly ${field.name}${isRequiredInputField(field) ? '' : '?'}: ${this.#input(field.type)}`,
    )
    this.#named.set(name, `export interface ${name} {\n${fields.join('\n')}\n}`)
    return name
  }
}

/** Its directives that may leave it out. */
const conditionOf = ({ directives = [] }: SelectionNode): string =>
  directives
    .filter(({ name }) => /^(skip|include|defer)$/.test(name.value))
    .map(print)
    .join(' ')
