/**
 * The shape of the response as a tree. Each position has its fields in the client's order. The fields of a concrete
 * type are computed when the first object of that type is met. Fragments, aliases and literal conditions are
 * resolved. Conditions on variables and refusals are marks on the fields.
 */
import {
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
} from 'graphql'
import { type AnyOf, both, type Condition, implies } from '../../shared/graphql/conditions.ts'
import { append } from '../../shared/runtime/maps.ts'
import { estimatedBytes, type NoteBytes } from '../cache-memory.ts'
import { type StreamedList, streamedListOf } from '../executor/incremental/delivery-groups.ts'
import { isDeliveryGroupName } from '../operation/delivery-group-name.ts'
import type { NormalisedOperation, Selection } from '../operation/normalised.ts'
import { typesOf } from '../operation/type-source.ts'
import { additionalSelections, type SelectedField, type TypeDependentSelection } from './type-dependent.ts'

/** A field that this caller may not see: it is null, with an error at its path. */
export interface RefusedField {
  /** The id of the field in its normalised operation. */
  readonly field: number
  /** The object type on which it is refused. `*`: every possible type. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * The response keys from `field` to the refused field, if nothing of `field` was left to fetch. Then `field` is
   * null as well, and the error's path continues with these keys, up to the first list.
   */
  readonly below?: readonly string[]
  /** Whether it has an error only where the response has an object for it. */
  readonly onlyInPlace?: boolean
}

interface RefusedNode {
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
  readonly selections: readonly Selection[]
  readonly conditions: readonly Condition[]
}

interface FoundField extends SelectedField {
  /** The position of the field among all of the object's selections. */
  readonly order: number
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

export interface ShapeSource {
  readonly schema: GraphQLSchema
  readonly operation: NormalisedOperation
  readonly refusals: readonly RefusedField[]
  readonly noteBytes?: NoteBytes | undefined
}

export function shapeTree(options: ShapeSource): ResponsePosition {
  return new ShapeBuilder(options).build()
}

class ShapeBuilder {
  readonly #source: ShapeSource
  readonly #schema: GraphQLSchema
  readonly #types
  readonly #refusalsOf: ReadonlyMap<number, readonly RefusedField[]>
  #fieldsFound = 0

  constructor(source: ShapeSource) {
    this.#source = source
    this.#schema = source.schema
    this.#types = typesOf(source.schema)
    this.#refusalsOf = Map.groupBy(source.refusals, ({ field }) => field)
  }

  build(): ResponsePosition {
    const { type, selections } = this.#source.operation
    return this.#position(type, [{ selections, conditions: [] }])
  }

  /** Collects the fields for objects of one type, or the fields that all objects of the type `declared` have. */
  #collect(
    { selections, conditions }: ConditionalSet,
    type: string | undefined,
    declared: string,
    found: Map<string, FoundField[]>,
  ): void {
    for (const { field, when, on, types } of selections) {
      const all = when === undefined ? undefined : both(conditions, when.all)
      if (all === undefined) continue
      const applies =
        type === undefined
          ? on.every((each) => this.#types.isDeclared(declared, each))
          : on.length === 0 || types.has(type)
      if (!applies) continue
      append(found, field.key, { field, order: ++this.#fieldsFound, conditions: all })
    }
  }

  #fieldShape(
    type: Composite | undefined,
    typeName: string,
    fields: readonly FoundField[],
  ): FieldShape | undefined {
    const [first] = fields
    if (first === undefined) return undefined
    const { name, key } = first.field
    const given = fields.some((each) => each.conditions.length === 0)
      ? undefined
      : fields.map((each) => each.conditions)
    // An incremental operation has no other conditions.
    const deliveryGroup = given?.[0]?.findLast(({ variable }) => isDeliveryGroupName(variable))?.variable
    const conditions = deliveryGroup === undefined ? given : undefined
    const list = streamedListOf(first.field)
    const common = {
      key,
      coordinate: `${typeName}.${name}`,
      conditions,
      refused: this.#refusedOf(deliveryGroup === undefined ? fields : fields.map(unconditional), typeName),
      ...(deliveryGroup === undefined ? {} : { deliveryGroup }),
      ...(list === undefined ? {} : { list }),
    }
    if (name === '__typename') return { ...common, nonNull: true, value: { kind: 'typename' } }
    if (name === '__schema' || name === '__type') {
      const value: ValueShape = { kind: 'introspection', nodes: fields.flatMap((each) => each.field.nodes) }
      return { ...common, nonNull: name === '__schema', value }
    }
    const definition = type?.getFields()[name]
    if (definition === undefined) return undefined
    // The only selection of a field is included whenever the field is.
    const sets = fields.flatMap(({ field: { selections }, conditions: own }): ConditionalSet[] =>
      selections === undefined ? [] : [{ selections, conditions: fields.length === 1 ? [] : own }],
    )
    return {
      ...common,
      nonNull: isNonNullType(definition.type),
      value: this.#valueShape(definition.type, sets),
    }
  }

  #refusedOf(fields: readonly FoundField[], type: string): RefusedNode[] | undefined {
    if (this.#refusalsOf.size === 0) return undefined
    let some = false
    const refused = fields.map(({ field, conditions }): RefusedNode => {
      const own = (this.#refusalsOf.get(field.id) ?? []).filter(
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
      const found = new Map<string, FoundField[]>()
      for (const set of sets) this.#collect(set, type, name, found)
      return { concrete, composite, found }
    }
    const shapeOf = (type: string | undefined): ObjectShape | undefined => {
      const { concrete, composite, found } = foundFor(type)
      const typeName = type ?? name
      const fields = inOrder([...found.values()], (same) => this.#fieldShape(composite, typeName, same))
      this.#source.noteBytes?.((fields.length + 1) * estimatedBytes.shapeField)
      // An interface without implementations is the type of its own objects.
      const isConcrete = isObjectType(concrete) || possible.length === 0
      return {
        type: typeName,
        concrete: isConcrete,
        fields,
        typeDependent: isConcrete ? [] : typeDependent(found),
      }
    }
    const typeDependent = (common: ReadonlyMap<string, readonly FoundField[]>): TypeDependentSelection[] =>
      possible.flatMap((type) =>
        [...foundFor(type).found].flatMap(([key, fields]) =>
          additionalSelections(common.get(key) ?? [], fields),
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

const unconditional = (found: FoundField): FoundField => ({ ...found, conditions: [] })

/** A field with more different conditions is listed only at its first place. */
const mostPlaces = 8

/**
 * The fields in the order of the response: each is at its first included selection. If that depends on variables, the
 * field is listed at each place, under conditions that exclude each other.
 */
function inOrder(
  groups: readonly (readonly FoundField[])[],
  shapeOf: (nodes: readonly FoundField[]) => FieldShape | undefined,
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

function placesOf(all: readonly FoundField[]): readonly Place[] {
  // Neither a selection that implies an earlier one nor a selection after an unconditional one decides anything.
  const nodes: FoundField[] = []
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
