/**
 * The shape of the response as a tree. Each position has its fields in the client's order. The fields of a concrete
 * type are computed when the first object of that type is met. Fragments, aliases and literal conditions are
 * resolved. Conditions on variables and refusals are marks on the fields.
 */
import {
  type DocumentNode,
  type FieldNode,
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
import { type AnyOf, both, type Condition, conditionsOf, implies } from '../../shared/graphql/conditions.ts'
import { fragmentsOf, responseKey } from '../../shared/graphql/selections.ts'
import {
  isDeliveryGroupName,
  type StreamedList,
  streamedListOf,
} from '../executor/incremental/delivery-groups.ts'
import { keptBytes, type NoteKept } from '../kept-memory.ts'
import type { RefusedField } from './refused-field.ts'
import { selectedBeyond, type TypeDependentSelection } from './type-dependent.ts'

export interface RefusedNode {
  readonly conditions: readonly Condition[]
  /** Empty if this selection is not refused. */
  readonly refusals: readonly RefusedField[]
}

export interface FieldShape {
  readonly key: string
  /** `Type.field`, for messages. */
  readonly coordinate: string
  readonly nonNull: boolean
  readonly conditions: AnyOf
  readonly value: ValueShape
  /** The refusals of each selection of the field. Undefined if none is refused. */
  readonly refused: readonly RefusedNode[] | undefined
  /** The delivery group of the field, if its parent has another one. */
  readonly deliveryGroup?: string | undefined
  /** The streamed list, if the field is one. */
  readonly list?: StreamedList | undefined
}

export type ValueShape =
  | { readonly kind: 'typename' }
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly item: ValueShape; readonly itemNonNull: boolean }
  | { readonly kind: 'object'; readonly position: ResponsePosition }
  | { readonly kind: 'introspection'; readonly nodes: readonly FieldNode[] }

export interface ObjectShape {
  /** The name of the interface or union if the concrete type is not known. */
  readonly type: string
  readonly concrete: boolean
  readonly fields: readonly FieldShape[]
  /** The fields that are selected for only some types, if the concrete type is not known. */
  readonly typeDependent: readonly TypeDependentSelection[]
}

/** A place of the response that has objects. */
export interface ResponsePosition {
  /** The only possible type. Undefined if there are several. */
  readonly only: string | undefined
  readonly possible: readonly string[]
  /**
   * The shape for objects of a type. Undefined for a type that is not possible here. Without a type, the shape that
   * all possible types share.
   */
  for(type: string | undefined): ObjectShape | undefined
}

interface ConditionalSet {
  readonly set: SelectionSetNode
  readonly conditions: readonly Condition[]
}

interface FoundNode {
  readonly node: FieldNode
  /** The position of the node among all nodes of the object's selections. */
  readonly order: number
  readonly conditions: readonly Condition[]
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

export interface ShapeSource {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly refusals: readonly RefusedField[]
  readonly noteKept?: NoteKept | undefined
}

export function shapeTree(options: ShapeSource): ResponsePosition {
  return new ShapeBuilder(options).build()
}

class ShapeBuilder {
  readonly #schema: GraphQLSchema
  readonly #operation: OperationDefinitionNode
  readonly #refusals: readonly RefusedField[]
  readonly #noteKept: NoteKept | undefined
  readonly #fragments
  readonly #refusalsOf = new Map<FieldNode, RefusedField[]>()
  #nodesFound = 0

  constructor({ schema, document, operation, refusals, noteKept }: ShapeSource) {
    this.#schema = schema
    this.#operation = operation
    this.#refusals = refusals
    this.#noteKept = noteKept
    this.#fragments = fragmentsOf(document)
    for (const refusal of refusals) {
      const known = this.#refusalsOf.get(refusal.field)
      if (known === undefined) this.#refusalsOf.set(refusal.field, [refusal])
      else known.push(refusal)
    }
  }

  build(): ResponsePosition {
    const root = this.#schema.getRootType(this.#operation.operation)
    if (root == null) throw new Error(`The schema has no type for a ${this.#operation.operation}.`)
    return this.#position(root.name, [{ set: this.#operation.selectionSet, conditions: [] }])
  }

  #mayHold(condition: string | undefined, type: Composite | undefined): boolean {
    if (condition === undefined) return true
    if (type === undefined) return false
    if (condition === type.name) return true
    const wanted = this.#schema.getType(condition)
    return isAbstractType(wanted) && this.#schema.isSubType(wanted, type)
  }

  #collect(
    { set, conditions }: ConditionalSet,
    type: Composite | undefined,
    found: Map<string, FoundNode[]>,
    spread: ReadonlySet<string>,
  ): void {
    for (const selection of set.selections) {
      const all = conditionsOf(selection, conditions)
      if (all === undefined) continue
      if (selection.kind === Kind.FIELD) {
        const key = responseKey(selection)
        const nodes = found.get(key)
        const order = ++this.#nodesFound
        if (nodes === undefined) found.set(key, [{ node: selection, order, conditions: all }])
        else nodes.push({ node: selection, order, conditions: all })
        continue
      }
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
      if (name !== undefined && spread.has(name)) continue
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
      if (fragment === undefined || !this.#mayHold(fragment.typeCondition?.name.value, type)) continue
      this.#collect(
        { set: fragment.selectionSet, conditions: all },
        type,
        found,
        name === undefined ? spread : new Set([...spread, name]),
      )
    }
  }

  #fieldShape(
    type: Composite | undefined,
    typeName: string,
    nodes: readonly FoundNode[],
  ): FieldShape | undefined {
    const [first] = nodes
    if (first === undefined) return undefined
    const name = first.node.name.value
    const key = responseKey(first.node)
    const given = nodes.some((each) => each.conditions.length === 0)
      ? undefined
      : nodes.map((each) => each.conditions)
    // An incremental operation has no other conditions.
    const deliveryGroup = given?.[0]?.findLast(({ variable }) => isDeliveryGroupName(variable))?.variable
    const conditions = deliveryGroup === undefined ? given : undefined
    const list = streamedListOf(first.node)
    const common = {
      key,
      coordinate: `${typeName}.${name}`,
      conditions,
      refused: this.#refusedOf(deliveryGroup === undefined ? nodes : nodes.map(unconditional), typeName),
      ...(deliveryGroup === undefined ? {} : { deliveryGroup }),
      ...(list === undefined ? {} : { list }),
    }
    if (name === '__typename') return { ...common, nonNull: true, value: { kind: 'typename' } }
    if (name === '__schema' || name === '__type') {
      const value: ValueShape = { kind: 'introspection', nodes: nodes.map(({ node }) => node) }
      return { ...common, nonNull: name === '__schema', value }
    }
    const field = type?.getFields()[name]
    if (field === undefined) return undefined
    // The only selection of a field is included whenever the field is.
    const sets = nodes.flatMap(({ node, conditions: own }): ConditionalSet[] =>
      node.selectionSet === undefined
        ? []
        : [{ set: node.selectionSet, conditions: nodes.length === 1 ? [] : own }],
    )
    return { ...common, nonNull: isNonNullType(field.type), value: this.#valueShape(field.type, sets) }
  }

  #refusedOf(nodes: readonly FoundNode[], type: string): RefusedNode[] | undefined {
    if (this.#refusals.length === 0) return undefined
    let some = false
    const refused = nodes.map(({ node, conditions }): RefusedNode => {
      const own = (this.#refusalsOf.get(node) ?? []).filter(
        ({ parentType }) => parentType === '*' || parentType === type,
      )
      if (own.length > 0) some = true
      return { conditions, refusals: own }
    })
    return some ? refused : undefined
  }

  #valueShape(type: GraphQLOutputType, sets: readonly ConditionalSet[]): ValueShape {
    const nullable = isNonNullType(type) ? type.ofType : type
    if (isListType(nullable)) {
      return {
        kind: 'list',
        item: this.#valueShape(nullable.ofType, sets),
        itemNonNull: isNonNullType(nullable.ofType),
      }
    }
    const named = getNamedType(nullable)
    if (isLeafType(named)) return { kind: 'leaf', type: named }
    return { kind: 'object', position: this.#position(named.name, sets) }
  }

  #position(name: string, sets: readonly ConditionalSet[]): ResponsePosition {
    const declared = this.#schema.getType(name)
    const possible = isAbstractType(declared)
      ? this.#schema.getPossibleTypes(declared).map((type) => type.name)
      : [name]
    const shapes = new Map<string | undefined, ObjectShape | undefined>()
    const foundFor = (type: string | undefined) => {
      const concrete = type === undefined ? declared : this.#schema.getType(type)
      const composite = isObjectType(concrete) || isInterfaceType(concrete) ? concrete : undefined
      const found = new Map<string, FoundNode[]>()
      for (const set of sets) this.#collect(set, composite, found, new Set())
      return { concrete, composite, found }
    }
    const shapeOf = (type: string | undefined): ObjectShape | undefined => {
      const { concrete, composite, found } = foundFor(type)
      const typeName = type ?? name
      const fields = inOrder([...found.values()], (nodes) => this.#fieldShape(composite, typeName, nodes))
      this.#noteKept?.((fields.length + 1) * keptBytes.shapeField)
      // An interface without implementations is the type of its own objects.
      const isConcrete = isObjectType(concrete) || possible.length === 0
      return {
        type: typeName,
        concrete: isConcrete,
        fields,
        typeDependent: isConcrete ? [] : typeDependent(found),
      }
    }
    const typeDependent = (common: ReadonlyMap<string, readonly FoundNode[]>): TypeDependentSelection[] =>
      possible.flatMap((type) =>
        [...foundFor(type).found].flatMap(([key, nodes]) =>
          selectedBeyond(common.get(key) ?? [], nodes, this.#fragments),
        ),
      )
    const only = isObjectType(declared) ? name : undefined
    return {
      only,
      possible,
      for(type) {
        const known = shapes.get(type)
        if (known !== undefined) return known
        if (type !== undefined && !possible.includes(type)) {
          // A subgraph that knows only the interface returns the interface's name.
          return type === name ? this.for(undefined) : undefined
        }
        const shape = shapeOf(type)
        shapes.set(type, shape)
        return shape
      },
    }
  }
}

const unconditional = (found: FoundNode): FoundNode => ({ ...found, conditions: [] })

/**
 * A field is listed at no more places than this. If more selections have different conditions, it is listed at the
 * first.
 */
const mostPlaces = 8

/**
 * The fields in the order of the response: each is at its first included selection. If that depends on variables, the
 * field is listed at each place, under conditions that exclude each other.
 */
function inOrder(
  groups: readonly (readonly FoundNode[])[],
  shapeOf: (nodes: readonly FoundNode[]) => FieldShape | undefined,
): readonly FieldShape[] {
  const placed: { readonly order: number; readonly shape: FieldShape }[] = []
  for (const nodes of groups) {
    const shape = shapeOf(nodes)
    if (shape === undefined) continue
    for (const { order, conditions } of placesOf(nodes))
      placed.push({ order, shape: conditions === undefined ? shape : { ...shape, conditions } })
  }
  return placed.sort((a, b) => a.order - b.order).map(({ shape }) => shape)
}

interface Place {
  readonly order: number
  /** Undefined: the conditions of the shape. */
  readonly conditions?: AnyOf | undefined
}

function placesOf(all: readonly FoundNode[]): readonly Place[] {
  // A selection that implies an earlier one decides nothing, nor does a selection after an unconditional one.
  const nodes: FoundNode[] = []
  for (const node of all) {
    if (!nodes.some((earlier) => implies(node.conditions, earlier.conditions))) nodes.push(node)
    if (node.conditions.length === 0) break
  }
  if (nodes.length < 2 || nodes.length > mostPlaces) return [{ order: all[0]?.order ?? 0 }]
  const places: Place[] = []
  /** The conditions under which no earlier selection is included. */
  let left: readonly (readonly Condition[])[] = [[]]
  for (const { order, conditions } of nodes) {
    const here = left.flatMap((each) => listOf(both(each, conditions)))
    if (here.length > 0)
      places.push({ order, conditions: here.some(({ length }) => length === 0) ? undefined : here })
    left = left.flatMap((each) =>
      conditions.flatMap((one) => listOf(both(each, [{ ...one, value: !one.value }]))),
    )
    if (conditions.length === 0) break
  }
  return places
}

const listOf = <Item>(item: Item | undefined): readonly Item[] => (item === undefined ? [] : [item])
