/**
 * The response's shape as a tree: for every position its fields in the client's order, worked out for each
 * concrete type when the first object of that type is met. Fragments, aliases, repeated fields and static
 * conditions are gone from it; conditions on variables and refused fields are marks on the fields.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Refusal } from '../shape.ts'

export interface Condition {
  readonly variable: string
  readonly value: boolean
}

/** Any of these, all conditions of it; undefined is always. */
export type Conditions = readonly (readonly Condition[])[] | undefined

export interface RefusedNode {
  readonly conditions: readonly Condition[]
  /** Empty where this one is not refused. */
  readonly refusals: readonly Refusal[]
}

export interface FieldShape {
  readonly key: string
  /** `Type.field`, for messages. */
  readonly coordinate: string
  readonly nonNull: boolean
  readonly conditions: Conditions
  readonly value: ValueShape
  /** Of each place where the field is written; undefined where none is refused. */
  readonly refused: readonly RefusedNode[] | undefined
}

export type ValueShape =
  | { readonly kind: 'typename' }
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly item: ValueShape; readonly itemNonNull: boolean }
  | { readonly kind: 'object'; readonly position: Position }
  | { readonly kind: 'introspection'; readonly nodes: readonly FieldNode[] }

export interface ObjectShape {
  /** An interface's or union's name where the concrete type is not known. */
  readonly type: string
  readonly concrete: boolean
  readonly fields: readonly FieldShape[]
}

/** A place for objects. */
export interface Position {
  /** The one type that can stand here; undefined where there are several. */
  readonly only: string | undefined
  readonly possible: readonly string[]
  /** The shape for a type, undefined for one that cannot stand here. No name: what all of them have. */
  for(type: string | undefined): ObjectShape | undefined
}

interface Part {
  readonly set: SelectionSetNode
  readonly conditions: readonly Condition[]
}

interface FoundNode {
  readonly node: FieldNode
  readonly conditions: readonly Condition[]
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

export interface ShapeSource {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly refusals: readonly Refusal[]
}

export function shapeTree({ schema, document, operation, refusals }: ShapeSource): Position {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)

  const refusalsOf = new Map<FieldNode, Refusal[]>()
  for (const refusal of refusals) {
    const known = refusalsOf.get(refusal.field)
    if (known === undefined) refusalsOf.set(refusal.field, [refusal])
    else known.push(refusal)
  }

  function mayHold(condition: string | undefined, type: Composite | undefined): boolean {
    if (condition === undefined) return true
    if (type === undefined) return false
    if (condition === type.name) return true
    const wanted = schema.getType(condition)
    return isAbstractType(wanted) && schema.isSubType(wanted, type)
  }

  function collect(
    { set, conditions }: Part,
    type: Composite | undefined,
    found: Map<string, FoundNode[]>,
    spread: ReadonlySet<string>,
  ): void {
    for (const selection of set.selections) {
      const all = withConditions(conditions, selection.directives)
      if (all === undefined) continue
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const nodes = found.get(key)
        if (nodes === undefined) found.set(key, [{ node: selection, conditions: all }])
        else nodes.push({ node: selection, conditions: all })
        continue
      }
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
      if (name !== undefined && spread.has(name)) continue
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined || !mayHold(fragment.typeCondition?.name.value, type)) continue
      collect(
        { set: fragment.selectionSet, conditions: all },
        type,
        found,
        name === undefined ? spread : new Set([...spread, name]),
      )
    }
  }

  function fieldShape(
    type: Composite | undefined,
    typeName: string,
    nodes: readonly FoundNode[],
  ): FieldShape | undefined {
    const [first] = nodes
    if (first === undefined) return undefined
    const name = first.node.name.value
    const key = (first.node.alias ?? first.node.name).value
    const conditions = nodes.some((each) => each.conditions.length === 0)
      ? undefined
      : nodes.map((each) => each.conditions)
    const common = { key, coordinate: `${typeName}.${name}`, conditions, refused: refusedOf(nodes, typeName) }
    if (name === '__typename') return { ...common, nonNull: true, value: { kind: 'typename' } }
    if (name === '__schema' || name === '__type') {
      const value: ValueShape = { kind: 'introspection', nodes: nodes.map(({ node }) => node) }
      return { ...common, nonNull: name === '__schema', value }
    }
    const field = type?.getFields()[name]
    if (field === undefined) return undefined
    // The one place where a field is written has its conditions met wherever the field is there at all.
    const parts = nodes.flatMap(({ node, conditions: own }): Part[] =>
      node.selectionSet === undefined
        ? []
        : [{ set: node.selectionSet, conditions: nodes.length === 1 ? [] : own }],
    )
    return { ...common, nonNull: isNonNullType(field.type), value: valueShape(field.type, parts) }
  }

  function refusedOf(nodes: readonly FoundNode[], type: string): RefusedNode[] | undefined {
    if (refusals.length === 0) return undefined
    let some = false
    const refused = nodes.map(({ node, conditions }): RefusedNode => {
      const own = (refusalsOf.get(node) ?? []).filter(
        ({ parentType }) => parentType === '*' || parentType === type,
      )
      if (own.length > 0) some = true
      return { conditions, refusals: own }
    })
    return some ? refused : undefined
  }

  function valueShape(type: GraphQLOutputType, parts: readonly Part[]): ValueShape {
    const nullable = isNonNullType(type) ? type.ofType : type
    if (isListType(nullable)) {
      return {
        kind: 'list',
        item: valueShape(nullable.ofType, parts),
        itemNonNull: isNonNullType(nullable.ofType),
      }
    }
    const named = getNamedType(nullable)
    if (isLeafType(named)) return { kind: 'leaf', type: named }
    return { kind: 'object', position: position(named.name, parts) }
  }

  function position(name: string, parts: readonly Part[]): Position {
    const declared = schema.getType(name)
    const possible = isAbstractType(declared)
      ? schema.getPossibleTypes(declared).map((type) => type.name)
      : [name]
    const shapes = new Map<string | undefined, ObjectShape | undefined>()
    const shapeOf = (type: string | undefined): ObjectShape | undefined => {
      const concrete = type === undefined ? declared : schema.getType(type)
      const composite = isObjectType(concrete) || isInterfaceType(concrete) ? concrete : undefined
      const found = new Map<string, FoundNode[]>()
      for (const part of parts) collect(part, composite, found, new Set())
      const typeName = type ?? name
      const fields = [...found.values()].flatMap((nodes) => fieldShape(composite, typeName, nodes) ?? [])
      return { type: typeName, concrete: isObjectType(concrete), fields }
    }
    const only = isObjectType(declared) ? name : undefined
    return {
      only,
      possible,
      for(type) {
        const known = shapes.get(type)
        if (known !== undefined) return known
        if (type !== undefined && !possible.includes(type)) {
          // A subgraph that knows an object only by its interface answers with the interface's name.
          return type === name ? this.for(undefined) : undefined
        }
        const shape = shapeOf(type)
        shapes.set(type, shape)
        return shape
      },
    }
  }

  const root = schema.getRootType(operation.operation)
  if (root == null) throw new Error(`The schema has no type for a ${operation.operation}.`)
  return position(root.name, [{ set: operation.selectionSet, conditions: [] }])
}

/** All conditions together; undefined where they can never hold. */
function withConditions(
  conditions: readonly Condition[],
  directives: readonly DirectiveNode[] | undefined,
): readonly Condition[] | undefined {
  if (directives === undefined || directives.length === 0) return conditions
  let all = conditions
  for (const directive of directives) {
    const skip = directive.name.value === 'skip'
    if (!skip && directive.name.value !== 'include') continue
    const argument = directive.arguments?.find(({ name }) => name.value === 'if')?.value
    if (argument?.kind === Kind.VARIABLE) {
      const variable = argument.name.value
      if (all.some((each) => each.variable === variable && each.value === skip)) return undefined
      if (!all.some((each) => each.variable === variable)) all = [...all, { variable, value: !skip }]
    } else if ((argument?.kind === Kind.BOOLEAN && argument.value) === skip) return undefined
  }
  return all
}

export function holds(
  conditions: readonly Condition[],
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return conditions.every(({ variable, value }) => (variables[variable] === true) === value)
}

export function isIncluded(conditions: Conditions, variables: Readonly<Record<string, unknown>>): boolean {
  return conditions === undefined || conditions.some((all) => holds(all, variables))
}
