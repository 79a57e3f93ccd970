/**
 * The selections of an operation, as the filter needs them: every field node with its parent type.
 *
 * A fragment's fields depend on its own type condition and on nothing around it. Every node of a document therefore has
 * one static parent type, and one walk over the operation and its fragments finds them all.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'

export interface FieldSite {
  readonly node: FieldNode
  readonly parent: string
  readonly parentIsAbstract: boolean
  /** `__typename`, `__schema` or `__type`: never refused. */
  readonly meta: boolean
  /** The named type that it returns, also for introspection: fragments are used there too. */
  readonly output: string
  /** Whether a null here removes the object around it, in any possible type. */
  readonly nonNull: boolean
  /** Whether the field itself selects a field other than `__typename`, outside fragments. */
  readonly selectsDirectly: boolean
  /** The types named on the path since the last field: of fragments, and the operation's root type. */
  readonly conditions: readonly string[]
  readonly rootOf: 'query' | 'mutation' | 'subscription' | undefined
}

export interface Selection {
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly rootType: string
  readonly sites: ReadonlyMap<FieldNode, FieldSite>
  /** The possible object types of a type; itself for an object type. */
  possible(type: string): readonly string[]
}

const metaFields = new Map(
  [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
)

export function operationOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const found =
    name === undefined || name === '' ? operations : operations.filter((each) => each.name?.value === name)
  const [operation] = found
  if (operation === undefined || found.length > 1)
    throw new Error(`expected one operation${name ? ` named ${name}` : ''}, found ${found.length}`)
  return operation
}

/** Calls `visit` for every selection below, through inline fragments, but not through spreads or into fields. */
function flatten(
  set: SelectionSetNode,
  conditions: readonly string[],
  visit: (selection: SelectionNode, conditions: readonly string[]) => void,
): void {
  for (const selection of set.selections) {
    visit(selection, conditions)
    if (selection.kind !== Kind.INLINE_FRAGMENT) continue
    const condition = selection.typeCondition?.name.value
    flatten(selection.selectionSet, condition === undefined ? conditions : [...conditions, condition], visit)
  }
}

export function select(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Selection {
  const operation = operationOf(document, operationName)
  const defined = fragmentsOf(document)
  const rootType = schema.getRootType(operation.operation)
  if (rootType == null) throw new Error(`the schema has no ${operation.operation} type`)

  const possibleTypes = new Map<string, readonly string[]>()
  const possible = (name: string): readonly string[] => {
    const known = possibleTypes.get(name)
    if (known !== undefined) return known
    const type = schema.getType(name)
    const names = isAbstractType(type) ? schema.getPossibleTypes(type).map((each) => each.name) : [name]
    possibleTypes.set(name, names)
    return names
  }

  const fragments = new Map<string, FragmentDefinitionNode>()
  const sites = new Map<FieldNode, FieldSite>()
  const pending: {
    set: SelectionSetNode
    parent: string
    named: readonly string[]
    root: FieldSite['rootOf']
  }[] = [
    {
      set: operation.selectionSet,
      parent: rootType.name,
      named: [rootType.name],
      root: operation.operation,
    },
  ]

  const fieldSite = (
    node: FieldNode,
    parent: string,
    conditions: readonly string[],
    root: FieldSite['rootOf'],
  ): FieldSite => {
    const type = schema.getType(parent)
    const parentIsAbstract = isAbstractType(type)
    const name = node.name.value
    const meta = metaFields.get(name)
    const definition =
      meta ?? (isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined)
    if (definition === undefined) throw new Error(`${parent} has no field ${name}`)
    const output = getNamedType(definition.type)
    const nonNull =
      isNonNullType(definition.type) ||
      (parentIsAbstract &&
        possible(parent).some((each) => {
          const object = schema.getType(each)
          return isObjectType(object) && isNonNullType(object.getFields()[name]?.type)
        }))
    return {
      node,
      parent,
      parentIsAbstract,
      meta: meta !== undefined,
      output: output.name,
      nonNull,
      selectsDirectly:
        node.selectionSet?.selections.some(
          (each) => each.kind === Kind.FIELD && each.name.value !== '__typename',
        ) ?? false,
      conditions,
      rootOf: root,
    }
  }

  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { set, parent, named, root } = next
    flatten(set, named, (selection, conditions) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const fragment = defined.get(name)
        if (fragment === undefined || fragments.has(name)) return
        fragments.set(name, fragment)
        const condition = fragment.typeCondition.name.value
        pending.push({
          set: fragment.selectionSet,
          parent: condition,
          named: [condition],
          root: condition === rootType.name ? operation.operation : undefined,
        })
      }
      if (selection.kind !== Kind.FIELD) return
      const stands = conditions.at(-1) ?? parent
      const site = fieldSite(selection, stands, conditions, root)
      sites.set(selection, site)
      if (selection.selectionSet !== undefined)
        pending.push({ set: selection.selectionSet, parent: site.output, named: [], root: undefined })
    })
  }
  return { operation, fragments, rootType: rootType.name, sites, possible }
}
