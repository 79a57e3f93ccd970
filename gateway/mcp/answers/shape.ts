/**
 * What the data of an operation look like, by response keys: which values are text of strangers, and which lists are pages of a
 * connection. Also puts the cursors of items into an operation, so that a page can end after any of its items.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { type Fragments, fragmentsOf, responseKey } from '../../../shared/graphql/selections.ts'
import type { IsStranger } from './strangers.ts'

export interface Shape {
  readonly fields: ReadonlyMap<string, FieldShape>
  /** Set if it is a connection whose items were asked for. */
  readonly page: PageKeys | undefined
}

export interface FieldShape {
  readonly isStranger: boolean
  /** Undefined for leaves. */
  readonly shape: Shape | undefined
}

/** The response keys of a connection's parts. */
export interface PageKeys {
  /** Of the lists of items, which are equally long. */
  readonly items: readonly string[]
  /** The place of each item's cursor: the key of a list of edges, and that of the cursor in it. */
  readonly cursors: readonly [list: string, cursor: string] | undefined
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

interface TypedSelection {
  readonly type: GraphQLCompositeType
  readonly set: SelectionSetNode
}

interface Gathered {
  readonly nodes: FieldNode[]
  readonly children: TypedSelection[]
  isStranger: boolean
}

/** Of a document that is valid. `operationName`: needed if it has several operations. */
export function shapeOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  isStranger: IsStranger,
): Shape {
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  if (operation == null || root == null) return empty
  const fragments = fragmentsOf(document)
  return shapeFrom(schema, fragments, [{ type: root, set: operation.selectionSet }], isStranger)
}

function shapeFrom(
  schema: GraphQLSchema,
  fragments: Fragments,
  parts: readonly TypedSelection[],
  isStranger: IsStranger,
): Shape {
  const byKey = new Map<string, Gathered>()
  const seen = new Set<SelectionSetNode>()
  const gather = ({ type, set }: TypedSelection): void => {
    if (seen.has(set)) return
    seen.add(set)
    for (const each of set.selections) {
      if (each.kind === Kind.FIELD) {
        take(type, each)
        continue
      }
      const fragment = each.kind === Kind.INLINE_FRAGMENT ? each : fragments.get(each.name.value)
      if (fragment === undefined) continue
      const name = fragment.typeCondition?.name.value
      const inner = name === undefined ? type : schema.getType(name)
      if (isCompositeType(inner)) gather({ type: inner, set: fragment.selectionSet })
    }
  }
  const take = (type: GraphQLCompositeType, node: FieldNode): void => {
    const key = responseKey(node)
    const gathered: Gathered = byKey.get(key) ?? { nodes: [], children: [], isStranger: false }
    byKey.set(key, gathered)
    gathered.nodes.push(node)
    const { value: name } = node.name
    const owners = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type]
    for (const owner of owners) {
      const field = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[name] : undefined
      if (field === undefined) continue
      const named = getNamedType(field.type)
      gathered.isStranger ||= isStranger(`${owner.name}.${name}`, named)
      if (isCompositeType(named) && node.selectionSet !== undefined)
        gathered.children.push({ type: named, set: node.selectionSet })
    }
  }
  for (const part of parts) gather(part)
  const fields = new Map<string, FieldShape>()
  for (const [key, { children, isStranger: marks }] of byKey)
    fields.set(key, {
      isStranger: marks,
      shape: children.length === 0 ? undefined : shapeFrom(schema, fragments, children, isStranger),
    })
  return {
    fields,
    page: parts.some(({ type }) => isConnection(type)) ? pageKeysOf(byKey, fields) : undefined,
  }
}

/** As the Relay specification has them. */
function isConnection(type: GraphQLCompositeType): boolean {
  if (!isObjectType(type) || !type.name.endsWith('Connection')) return false
  const fields = type.getFields()
  return fields.edges !== undefined && fields.pageInfo !== undefined
}

function pageKeysOf(
  byKey: ReadonlyMap<string, Gathered>,
  fields: ReadonlyMap<string, FieldShape>,
): PageKeys | undefined {
  const keysOf = (name: string): string[] =>
    [...byKey].filter(([, { nodes }]) => nodes[0]?.name.value === name).map(([key]) => key)
  const edges = keysOf('edges')
  const items = [...edges, ...keysOf('nodes')]
  if (items.length === 0) return undefined
  const cursors = edges.flatMap((list) =>
    [...(fields.get(list)?.shape?.fields.keys() ?? [])]
      .filter((key) => isNamed(byKey.get(list), key, 'cursor'))
      .map((cursor) => [list, cursor] as const),
  )
  const [info] = keysOf('pageInfo')
  const inInfo = (name: string): string[] =>
    info === undefined
      ? []
      : [...(fields.get(info)?.shape?.fields.keys() ?? [])].filter((key) =>
          isNamed(byKey.get(info), key, name),
        )
  return {
    items,
    cursors: cursors[0],
    info:
      info === undefined
        ? undefined
        : { key: info, endCursor: inInfo('endCursor'), hasNextPage: inInfo('hasNextPage') },
  }
}

/** Whether the response key below a field stands for the field of this name. Fragments in connections are not looked into. */
function isNamed(gathered: Gathered | undefined, key: string, name: string): boolean {
  return (gathered?.children ?? []).some(({ set }) =>
    set.selections.some(
      (each) => each.kind === Kind.FIELD && responseKey(each) === key && each.name.value === name,
    ),
  )
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
