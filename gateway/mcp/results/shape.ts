/**
 * The shape of an operation's data, by response keys: which values are text of strangers, and which lists are pages of
 * a connection. It also adds the cursors of items to an operation, so that a page can end after any of its items.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { type NormalisedField, normalisedIn } from '../../../engine/operation/normalised.ts'
import { definitionOf, typesOf } from '../../../engine/operation/type-source.ts'
import { argumentsOf } from '../../../shared/graphql/literals.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { IsUntrusted } from './untrusted-fields.ts'

export interface Shape {
  readonly fields: ReadonlyMap<string, FieldShape>
  /** Set if it is a connection whose items were asked for. */
  readonly page: PageKeys | undefined
}

interface FieldShape {
  readonly isUntrusted: boolean
  /** Undefined for leaves. */
  readonly shape: Shape | undefined
}

/** The response keys of a connection's parts. */
export interface PageKeys {
  /** The keys of the lists of items, which are equally long. */
  readonly items: readonly string[]
  /** The place of each item's cursor: the key of a list of edges, and that of the cursor in it. */
  readonly cursors: readonly [list: string, cursor: string] | undefined
  /** The cursor that was given for it; null if there was none. */
  readonly after: unknown
  readonly info:
    | {
        readonly key: string
        readonly endCursor: readonly string[]
        readonly hasNextPage: readonly string[]
      }
    | undefined
}

/** The list of edges that is in an operation for its cursors alone, and is no part of the answer. */
export const hiddenEdges = 'tesseraEdges'
const hiddenCursor = 'tesseraCursor'

const empty: Shape = { fields: new Map(), page: undefined }

export interface ShapeOptions {
  readonly schema: GraphQLSchema
  /** One that is valid. */
  readonly document: DocumentNode
  /** Needed if it has several operations. */
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly isUntrusted: IsUntrusted
}

export function shapeOf(options: ShapeOptions): Shape {
  const operation = normalisedIn(options.schema, options.document, options.operationName)
  return operation === undefined
    ? empty
    : shapeFrom([{ output: operation.type, selections: operation.selections, arguments: [] }], options)
}

/** What fields of one response key select, or the operation. */
type Parent = Pick<NormalisedField, 'output' | 'selections' | 'arguments'>

function shapeFrom(parents: readonly Parent[], options: ShapeOptions): Shape {
  const { schema, isUntrusted } = options
  const byKey = new Map<string, Set<NormalisedField>>()
  for (const { selections = [] } of parents)
    for (const { field } of selections) getOrInsert(byKey, field.key, () => new Set()).add(field)
  const fields = new Map<string, FieldShape>()
  for (const [key, same] of byKey) {
    const all = [...same]
    fields.set(key, {
      isUntrusted: all.some((field) => isOfStranger(schema, field, isUntrusted)),
      shape: all.every(({ selections }) => selections === undefined) ? undefined : shapeFrom(all, options),
    })
  }
  const connection = parents.find(({ output }) => isConnection(schema.getType(output ?? '')))
  const page = connection === undefined ? undefined : pageKeysOf(byKey, fields)
  return {
    fields,
    page: page === undefined ? undefined : { ...page, after: afterIn(connection, options) },
  }
}

/** Whether it is for any object that may have it. */
function isOfStranger(
  schema: GraphQLSchema,
  { parent, name }: NormalisedField,
  isUntrusted: IsUntrusted,
): boolean {
  return [parent, ...typesOf(schema).possible(parent).names].some((type) => {
    const field = definitionOf(schema, { parent: type, name })
    return field !== undefined && isUntrusted(`${type}.${name}`, getNamedType(field.type))
  })
}

/** As the Relay specification has them. */
function isConnection(type: GraphQLNamedType | undefined): boolean {
  if (!isObjectType(type) || !type.name.endsWith('Connection')) return false
  const fields = type.getFields()
  return fields.edges !== undefined && fields.pageInfo !== undefined
}

/** The cursor after which a page was asked for; null if it is the first. */
function afterIn(connection: Parent | undefined, { variables }: ShapeOptions): unknown {
  return connection === undefined ? null : (argumentsOf(connection, variables).after ?? null)
}

function pageKeysOf(
  byKey: ReadonlyMap<string, ReadonlySet<NormalisedField>>,
  fields: ReadonlyMap<string, FieldShape>,
): Omit<PageKeys, 'after'> | undefined {
  const keysOf = (name: string): string[] =>
    [...byKey].filter(([, [field]]) => field?.name === name).map(([key]) => key)
  const edges = keysOf('edges')
  const items = [...edges, ...keysOf('nodes')]
  if (items.length === 0) return undefined
  const below = (key: string, name: string): string[] =>
    [...(fields.get(key)?.shape?.fields.keys() ?? [])].filter((inner) => isNamed(byKey.get(key), inner, name))
  const [cursors] = edges.flatMap((list) => below(list, 'cursor').map((cursor) => [list, cursor] as const))
  const [key] = keysOf('pageInfo')
  const info =
    key === undefined
      ? undefined
      : {
          key,
          endCursor: below(key, 'endCursor'),
          hasNextPage: below(key, 'hasNextPage'),
        }
  return { items, cursors, info }
}

/** Whether the response key below these fields stands for the field of this name. */
function isNamed(fields: Iterable<NormalisedField> | undefined, key: string, name: string): boolean {
  for (const { selections = [] } of fields ?? [])
    if (selections.some(({ field }) => field.key === key && field.name === name)) return true
  return false
}

/** The same document, in which each connection whose items are asked for has their cursors as well. */
export function withCursors(schema: GraphQLSchema, document: DocumentNode): string {
  const info = new TypeInfo(schema)
  const extended = visit(
    document,
    visitWithTypeInfo(info, {
      SelectionSet(node) {
        const type = info.getParentType()
        if (type == null || !isConnection(type)) return undefined
        const fields = node.selections.filter((each) => each.kind === Kind.FIELD)
        if (!fields.some(({ name }) => name.value === 'nodes' || name.value === 'edges')) return undefined
        const has = fields.some(
          ({ name, selectionSet }) =>
            name.value === 'edges' &&
            selectionSet?.selections.some((each) => each.kind === Kind.FIELD && each.name.value === 'cursor'),
        )
        return has ? undefined : { ...node, selections: [...node.selections, hiddenField] }
      },
    }),
  )
  return print(extended)
}

const hiddenField: FieldNode = {
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: 'edges' },
  alias: { kind: Kind.NAME, value: hiddenEdges },
  selectionSet: {
    kind: Kind.SELECTION_SET,
    selections: [
      {
        kind: Kind.FIELD,
        name: { kind: Kind.NAME, value: 'cursor' },
        alias: { kind: Kind.NAME, value: hiddenCursor },
      },
    ],
  },
}
