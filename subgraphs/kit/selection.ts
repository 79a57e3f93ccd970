/**
 * Look-ahead: which fields the selection below a field names, so that the service is asked for these only.
 * Fragments of every kind, aliases, `@skip` and `@include` are resolved.
 *
 * A selection that depends on no variable is read once for each document and then remembered. If a fragment on an
 * abstract type may or may not apply, its fields count as named.
 */
import {
  doTypesOverlap,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { conditionsOf, holds } from '../../shared/graphql/conditions.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { hasBeside } from './calls.ts'

/** The fields that a selection names, by their names in the schema. */
export interface Selection {
  readonly names: ReadonlySet<string>
  has(field: string): boolean
  /** Whether any other field than these (and `__typename`) is named. */
  hasBeside(fields: ReadonlySet<string>): boolean
  /** The selection below a field; empty if the field is not named or has no selection. */
  below(field: string): Selection
}

type Tree = Map<string, Tree>

class TreeSelection implements Selection {
  readonly #tree: Tree
  readonly names: ReadonlySet<string>

  constructor(tree: Tree) {
    this.#tree = tree
    this.names = new Set(tree.keys())
  }

  has(field: string): boolean {
    return this.#tree.has(field)
  }

  hasBeside(fields: ReadonlySet<string>): boolean {
    return hasBeside(this.names, fields)
  }

  below(field: string): Selection {
    const tree = this.#tree.get(field)
    return tree === undefined ? nothing : new TreeSelection(tree)
  }
}

const nothing: Selection = new TreeSelection(new Map())

/** By the field's first node, then by type. The nodes of a parsed document live as long as the document is cached. */
const remembered = new WeakMap<FieldNode, Map<string, Selection>>()

/**
 * The selection below the field that `info` describes. If the field's type is an interface or a union (above all
 * `_entities`), `typeName` says for which object type.
 */
export function selectionOf(info: GraphQLResolveInfo, typeName?: string): Selection {
  const type = typeName ?? getNamedType(info.returnType).name
  const [first] = info.fieldNodes
  if (first === undefined) return nothing
  const isAlone = info.fieldNodes.length === 1
  const known = isAlone ? remembered.get(first)?.get(type) : undefined
  if (known !== undefined) return known
  const reading: Reading = { info, fixed: true }
  const tree: Tree = new Map()
  for (const node of info.fieldNodes) {
    if (node.selectionSet !== undefined) collect(node.selectionSet, info.schema.getType(type), tree, reading)
  }
  const selection = new TreeSelection(tree)
  if (reading.fixed && isAlone) getOrInsert(remembered, first, () => new Map()).set(type, selection)
  return selection
}

export function nodesOf(connection: Selection): readonly Selection[] {
  return [connection.below('nodes'), connection.below('edges').below('node')]
}

interface Reading {
  readonly info: GraphQLResolveInfo
  /** Whether the selection is the same for all variables. */
  fixed: boolean
}

function collect(
  set: SelectionSetNode,
  type: GraphQLNamedType | undefined,
  tree: Tree,
  reading: Reading,
): void {
  for (const selection of set.selections) {
    if (!isIncluded(selection, reading)) continue
    if (selection.kind === 'Field') {
      const name = selection.name.value
      const below: Tree = tree.get(name) ?? new Map()
      tree.set(name, below)
      if (selection.selectionSet !== undefined) {
        collect(selection.selectionSet, typeOfField(type, name), below, reading)
      }
      continue
    }
    const fragment =
      selection.kind === 'InlineFragment' ? selection : reading.info.fragments[selection.name.value]
    if (fragment === undefined) continue
    const { schema } = reading.info
    const condition = fragment.typeCondition?.name.value
    if (!mayApply(condition, type, schema)) continue
    const inner = isAbstractType(type) && condition !== undefined ? schema.getType(condition) : type
    collect(fragment.selectionSet, inner, tree, reading)
  }
}

function typeOfField(type: GraphQLNamedType | undefined, field: string): GraphQLNamedType | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined
  const definition = type.getFields()[field]
  return definition === undefined ? undefined : getNamedType(definition.type)
}

function mayApply(
  condition: string | undefined,
  type: GraphQLNamedType | undefined,
  schema: GraphQLSchema,
): boolean {
  if (condition === undefined || type === undefined || condition === type.name) return true
  const wanted = schema.getType(condition)
  return isCompositeType(type) && isCompositeType(wanted) && doTypesOverlap(schema, type, wanted)
}

function isIncluded(node: SelectionNode, reading: Reading): boolean {
  const conditions = conditionsOf(node)
  if (conditions === undefined) return false
  if (conditions.length > 0) reading.fixed = false
  return holds(conditions, reading.info.variableValues)
}
