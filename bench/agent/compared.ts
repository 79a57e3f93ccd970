/**
 * The same tasks with two other ways to give a graph to a model: one tool that executes a document, with the whole
 * SDL beside it; and one tool for each root field, which returns all fields of its objects. Each sends what our
 * agent sent, without what only our tools need.
 */
import {
  buildSchema,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  stripIgnoredCharacters,
} from 'graphql'
import { tokensIn } from '../../gateway/mcp/tools/tool.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import type { Turn } from './client.ts'

/** A document that was run, with the token of its caller. */
export interface Ran {
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Sends a document. Returns the text of the response. */
export type Send = (ran: Ran) => Promise<string>

const curated: ReadonlyMap<string, string> = new Map(
  ['agents', 'messages', 'metrics', 'videos'].flatMap((name) =>
    parse(readSchemaFile(`mcp/${name}`)).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION && definition.name !== undefined
        ? [[definition.name.value, stripIgnoredCharacters(print(definition))] as const]
        : [],
    ),
  ),
)

/** The documents of a task's calls, without the responses before a change was confirmed. */
export function documentsOf(turns: readonly Turn[]): readonly Ran[] {
  return turns.flatMap(({ name, args, text }) => {
    const { maxTokens: _, confirmation: __, ...variables } = args
    if (text.includes('"confirmation":"')) return []
    if (name === 'execute_operation')
      return [{ document: String(args.document), variables: (args.variables ?? {}) as Ran['variables'] }]
    const document = curated.get(name)
    return document === undefined ? [] : [{ document, variables }]
  })
}

const sdl = readSchemaFile('api')
const schema = buildSchema(sdl)

export interface Way {
  readonly name: string
  readonly definitionTokens: number
  /** The tokens that the calls of a task take. */
  tokens(documents: readonly Ran[], send: Send): Promise<{ readonly tokens: number; readonly calls: number }>
}

export const byWholeSdl: Way = {
  name: 'the whole SDL, one tool',
  definitionTokens: tokensIn(
    JSON.stringify([
      {
        name: 'execute',
        description: `Executes a GraphQL document against this schema:\n${sdl}`,
        inputSchema: {
          type: 'object',
          properties: { document: { type: 'string' }, variables: { type: 'object' } },
          required: ['document'],
        },
      },
    ]),
  ),
  async tokens(documents, send) {
    let tokens = 0
    for (const ran of documents)
      tokens += tokensIn(JSON.stringify({ name: 'execute', arguments: ran })) + tokensIn(await send(ran))
    return { tokens, calls: documents.length }
  },
}

type Field = GraphQLField<unknown, unknown>

interface RootField {
  readonly path: readonly Field[]
  readonly operation: 'query' | 'mutation'
}

/** Fields of `metrics` call its service, like other root fields. */
function rootFields(): readonly RootField[] {
  const of = (type: GraphQLObjectType | null | undefined, operation: 'query' | 'mutation') =>
    Object.values(type?.getFields() ?? {})
      .filter(({ name }) => !name.startsWith('_'))
      .flatMap((field): readonly RootField[] => {
        const named = getNamedType(field.type)
        return isNamespace(field) && isObjectType(named)
          ? Object.values(named.getFields()).map((inner) => ({ path: [field, inner], operation }))
          : [{ path: [field], operation }]
      })
  return [...of(schema.getQueryType(), 'query'), ...of(schema.getMutationType(), 'mutation')]
}

const isNamespace = ({ name }: { readonly name: string }): boolean => name === 'metrics'

const lastOf = ({ path }: RootField): Field => path.at(-1) as Field

function definitionOf(root: RootField): object {
  const { name, description, args } = lastOf(root)
  const properties = Object.fromEntries(
    args.map((each) => [each.name, { ...jsonSchemaOf(each.type), description: each.description }]),
  )
  const required = args.filter(isRequiredArgument).map((each) => each.name)
  return { name, description, inputSchema: { type: 'object', properties, required } }
}

const scalars: Readonly<Record<string, string>> = {
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
  ID: 'string',
  String: 'string',
}

/** Its own copy, because the benchmark has another version of the library than the graph. */
function jsonSchemaOf(type: GraphQLInputType): object {
  if (isNonNullType(type)) return jsonSchemaOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: jsonSchemaOf(type.ofType) }
  if (isEnumType(type)) return { enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return { type: scalars[type.name] ?? 'string' }
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, type: of }) => [name, jsonSchemaOf(of)])),
    required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name),
  }
}

export const byRootFields: Way = {
  name: 'one tool a root field',
  definitionTokens: tokensIn(JSON.stringify(rootFields().map(definitionOf))),
  async tokens(documents, send) {
    let tokens = 0
    let calls = 0
    for (const { document, variables } of documents) {
      const operation = getOperationAST(parse(document, { noLocation: true }))
      if (operation == null) continue
      for (const { field, ran } of callsOf(operation, variables)) {
        calls += 1
        const { data } = JSON.parse(await send(ran)) as { data?: unknown }
        tokens +=
          tokensIn(JSON.stringify({ name: field.name.value, arguments: ran.variables })) +
          tokensIn(JSON.stringify(data ?? null))
      }
    }
    return { tokens, calls }
  },
}

/** The depth below a root field's result that a tool reads by default. */
const usualDepth = 2

/** A call for each root field, with everything that belongs to it and the document wants. */
function callsOf(
  operation: OperationDefinitionNode,
  variables: Ran['variables'],
): readonly { readonly field: FieldNode; readonly ran: Ran }[] {
  const head = print({ ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: [] } }).replace(
    /\{\s*\}\s*$/,
    '',
  )
  const root = schema.getRootType(operation.operation)
  return fieldsIn(operation.selectionSet).flatMap((field) => {
    const below = isNamespace({ name: field.name.value }) ? fieldsIn(field.selectionSet) : undefined
    const type = root == null ? undefined : typeBelow(root, field)
    if (below === undefined)
      return [{ field, ran: { document: `${head} { ${whole(field, type)} }`, variables } }]
    return below.map((inner) => ({
      field: inner,
      ran: {
        document: `${head} { metrics { ${whole(inner, type && typeBelow(type, inner))} } }`,
        variables,
      },
    }))
  })
}

const fieldsIn = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).filter((each) => each.kind === Kind.FIELD)

function typeBelow(parent: GraphQLObjectType, { name }: FieldNode): GraphQLObjectType | undefined {
  const type = parent.getFields()[name.value]?.type
  const named = type && getNamedType(type as GraphQLInputType | Field['type'])
  return isObjectType(named) ? named : undefined
}

function whole(field: FieldNode, type: GraphQLObjectType | undefined): string {
  const args = (field.arguments ?? []).map((each) => print(each)).join(', ')
  const start = `${field.name.value}${args === '' ? '' : `(${args})`}`
  if (type === undefined || field.selectionSet === undefined) return print(field)
  const wanted = field.selectionSet.selections.map((each) => print(each))
  const names = new Set(fieldsIn(field.selectionSet).map(({ name }) => name.value))
  const rest = wholeOf(type, names)
  return `${start} { ${[...wanted, ...rest].join(' ')} }`
}

/** For a page, these are its items. */
function wholeOf(type: GraphQLObjectType, but: ReadonlySet<string>): readonly string[] {
  const items = type.name.endsWith('Connection') ? type.getFields().nodes : undefined
  const item = items && getNamedType(items.type)
  if (!isObjectType(item)) return selectionOf(type, usualDepth, but)
  return [`nodes { ${selectionOf(item, usualDepth).join(' ')} }`]
}

/** All fields that need no arguments, without paged lists. */
function selectionOf(
  type: GraphQLObjectType,
  depth: number,
  but: ReadonlySet<string> = new Set(),
): readonly string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    if (but.has(field.name) || field.args.some(isRequiredArgument)) return []
    const named = getNamedType(field.type)
    if (!isCompositeType(named)) return [field.name]
    if (depth === 0 || !isObjectType(named) || named.name.endsWith('Connection')) return []
    const inner = selectionOf(named, depth - 1)
    return inner.length === 0 ? [] : [`${field.name} { ${inner.join(' ')} }`]
  })
}
