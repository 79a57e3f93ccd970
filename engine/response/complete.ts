/**
 * Makes the response from the merged data: only selected fields, in the order of the selection. Nulls in non-null
 * positions propagate, refused fields are null with an error, and every unexplained null gets an error. With
 * `onError: NULL` nulls do not propagate, and each null in a non-null position has an error at its own path.
 */
import { type FieldNode, GraphQLError, isEnumType } from 'graphql'
import { anyHolds, holds } from '../../shared/graphql/conditions.ts'
import { ExactNumber } from '../../shared/json/exact-number.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { errorAt } from '../executor/error-list.ts'
import type { Execution, JsonObject } from '../executor/execution.ts'
import type { StreamedList } from '../executor/incremental/delivery-groups.ts'
import type { Variables } from '../operation/variables.ts'
import { leafValue } from './leaf.ts'
import { pathWithin } from './paths.ts'
import type { FieldShape, ObjectShape, RefusedField, ResponsePosition, ValueShape } from './shape.ts'
import { isApplicable } from './type-dependent.ts'

type Path = (string | number)[]

export interface ResponseSource {
  readonly introspect: (nodes: readonly FieldNode[], variables: Variables) => unknown
  /** Whether an enum has the value, and clients must not see it. Such values become null without an error. */
  readonly isHiddenValue: (enumName: string, value: string) => boolean
  /** Whether clients must not see the object type. Such objects become null without an error. */
  readonly isHiddenType: (name: string) => boolean
  readonly hasRefusals: boolean
}

/** The result for an object that lost a non-null field. */
const broken = Symbol('broken')

/** The parts of a completed value that are delivered later. */
export interface Later {
  /** Objects with fields of a later delivery group. */
  readonly groups: LaterGroup[]
  readonly lists: LaterItems[]
}

export interface LaterGroup {
  readonly deliveryGroup: string
  readonly path: readonly (string | number)[]
  readonly position: ResponsePosition
  readonly data: JsonObject
}

export interface LaterItems {
  readonly list: StreamedList
  readonly path: readonly (string | number)[]
  readonly items: unknown[]
  readonly field: FieldShape
  readonly shape: ValueShape & { readonly kind: 'list' }
}

export class Completion {
  readonly #execution: Execution
  readonly #source: ResponseSource
  readonly #path: Path
  readonly #later: Later | undefined
  /** The path of the first object of each type at each position, if fields are refused. */
  readonly #met = new Map<ResponsePosition, Map<string, Path>>()
  /** The positions of items that may come later, each of which reports its own refused fields. */
  readonly #streamed = new Set<ResponsePosition>()
  readonly #keepsNulls: boolean
  #explained: Explanations | undefined

  /** `path` is the path of the completed value. `later` receives what an incremental operation omits. */
  constructor(execution: Execution, source: ResponseSource, path: Path = [], later?: Later) {
    this.#execution = execution
    this.#source = source
    this.#path = path
    this.#later = later
    this.#keepsNulls = execution.request.onError === 'NULL'
  }

  /**
   * The data of the response, or with `only` the fields of that delivery group of an object. Null if a non-null field
   * is lost. Refusals without a place in the data are reported where the data end.
   */
  whole(position: ResponsePosition, data: JsonObject, only?: string): JsonObject | null {
    const object = this.#object(position, data, only)
    if (this.#source.hasRefusals) this.#reportUnplaced(position, only)
    return object === broken ? null : object
  }

  /** Completes an object; with `only`, its fields of that delivery group. */
  #object(position: ResponsePosition, data: JsonObject, only?: string): JsonObject | null | typeof broken {
    const shape = this.#shapeFor(position, data)
    if (shape === undefined) {
      if (!this.#source.isHiddenType(String(data.__typename)))
        this.#reportUnexplained('The service returned an object of a type that this field does not have.')
      return null
    }
    if (!shape.concrete && !this.#keepsNulls && this.#lostField(position, data, only)) return broken
    const { variables } = this.#execution
    if (shape.typeDependent.some((each) => isApplicable(each, only, variables))) {
      // It is unknown whether the object has these fields. Omitting them would claim that it has another type.
      this.#reportUnexplained(`The type of this ${shape.type} is not known.`)
      return null
    }
    if (this.#source.hasRefusals) this.#noteMet(position, shape.type)
    return this.#fields(shape, data, position, only)
  }

  /** Completes an item of a list. Undefined if its null removes the list. */
  item({ shape, field }: Pick<LaterItems, 'shape' | 'field'>, value: unknown): unknown {
    const item = this.#value(shape.item, value, field)
    if (item !== null || !shape.itemNonNull) return item
    this.#reportNull(field)
    return this.#keepsNulls ? null : undefined
  }

  #noteMet(position: ResponsePosition, type: string): void {
    const types = getOrInsert(this.#met, position, () => new Map())
    if (!types.has(type)) types.set(type, [...this.#path])
  }

  #shapeFor(position: ResponsePosition, data: JsonObject): ObjectShape | undefined {
    if (position.only !== undefined) return position.for(position.only)
    const { __typename: type } = data
    return position.for(typeof type === 'string' ? type : undefined)
  }

  /**
   * Whether the object, whose type is unknown, lost a non-null field. The field of the interface may be nullable
   * although that of the object type is not. The error took the type along.
   */
  #lostField(position: ResponsePosition, data: JsonObject, only: string | undefined): boolean {
    const failed = this.#execution.failedObjects?.get(data)
    if (failed === undefined || failed.size === 0) return false
    const isLost = ({ key, nonNull, conditions, deliveryGroup }: FieldShape): boolean =>
      nonNull && deliveryGroup === only && failed.has(key) && anyHolds(conditions, this.#execution.variables)
    return position.possible.some((type) => position.for(type)?.fields.some(isLost))
  }

  #fields(
    shape: ObjectShape,
    data: JsonObject,
    position: ResponsePosition,
    only: string | undefined,
  ): JsonObject | typeof broken {
    const { variables } = this.#execution
    const object: JsonObject = {}
    let left: string[] | undefined
    let whole = true
    for (const field of shape.fields) {
      if (field.deliveryGroup !== only) {
        if (
          field.deliveryGroup === undefined ||
          only !== undefined ||
          left?.includes(field.deliveryGroup) === true
        )
          continue
        left ??= []
        left.push(field.deliveryGroup)
        this.#later?.groups.push({
          deliveryGroup: field.deliveryGroup,
          path: [...this.#path],
          position,
          data,
        })
        continue
      }
      if (field.conditions !== undefined && !anyHolds(field.conditions, variables)) continue
      this.#path.push(field.key)
      const value = this.#field(shape, field, data)
      if (value !== null || !field.nonNull) writeMember(object, field.key, value)
      else {
        if (this.#keepsNulls) {
          this.#reportNull(field)
          writeMember(object, field.key, null)
        } else {
          // One error for the lost parent suffices.
          if (whole && !this.#failedWithObject(data, field.key)) this.#reportNull(field)
          whole = false
        }
      }
      this.#path.pop()
    }
    return whole ? object : broken
  }

  #field(shape: ObjectShape, field: FieldShape, data: JsonObject): unknown {
    if (field.refused !== undefined) {
      const refusals = currentRefusals(field, this.#execution.variables)
      if (refusals !== undefined) {
        for (const refusal of refusals) this.#refuse(field, refusal)
        return null
      }
    }
    const { value } = field
    if (value.kind === 'typename') return shape.concrete ? shape.type : null
    if (value.kind === 'introspection')
      return this.#source.introspect(value.nodes, this.#execution.variables) ?? null
    return this.#value(value, readMember(data, field.key), field)
  }

  #value(expected: ValueShape, value: unknown, field: FieldShape): unknown {
    if (value == null) return null
    switch (expected.kind) {
      case 'leaf': {
        const leaf = leafValue(expected.type, value)
        if (leaf !== undefined) return leaf
        // A hidden enum value is null without an error.
        if (!isEnumType(expected.type) || !this.#source.isHiddenValue(expected.type.name, String(value)))
          this.#reportFault(`The service answered a value that ${expected.type.name} does not have.`)
        return null
      }
      case 'list':
        return this.#list(expected, value, field)
      case 'object': {
        if (!isObject(value) || value instanceof ExactNumber) {
          this.#reportFault('The service returned something other than an object.')
          return null
        }
        const object = this.#object(expected.position, value)
        return object === broken ? null : object
      }
      case 'typename':
      case 'introspection':
        return value
    }
  }

  #list(expected: ValueShape & { kind: 'list' }, value: unknown, field: FieldShape): unknown {
    if (!Array.isArray(value)) {
      this.#reportFault('The service returned something other than a list.')
      return null
    }
    const items: unknown[] = []
    let whole = true
    let end = value.length
    if (field.list !== undefined && expected === field.value && this.#later !== undefined) {
      end = Math.min(end, field.list.initialCount)
      const items = positionIn(expected.item)
      if (items !== undefined) this.#streamed.add(items)
      this.#later.lists.push({
        list: field.list,
        path: [...this.#path],
        items: value,
        field,
        shape: expected,
      })
    }
    for (let i = 0; i < end; i++) {
      this.#path.push(i)
      const item = this.#value(expected.item, value[i], field)
      if (item === null && expected.itemNonNull) {
        if (this.#keepsNulls || whole) this.#reportNull(field)
        whole = this.#keepsNulls
      }
      this.#path.pop()
      items.push(item)
    }
    return whole ? items : null
  }

  #refuse(field: FieldShape, refusal: RefusedField): void {
    if (this.#execution.errors.hasRoom()) this.#add(refusalAt(this.#path, field, refusal))
  }

  /**
   * Reports refused fields that have no object in the response, because a parent is null or a list is empty. The path
   * of the error ends there, and its message names the field.
   */
  #reportUnplaced(root: ResponsePosition, deliveryGroup: string | undefined): void {
    const { errors, variables } = this.#execution
    const reported = new Set<string>()
    /** `end` is where the data end if there are no objects. */
    const walk = (position: ResponsePosition, end: Path, met: boolean, only?: string): void => {
      const types = met ? this.#met.get(position) : undefined
      for (const type of position.possible) {
        // If there are objects, types without an object have no refused field to report.
        if (errors.more || types?.has(type) === false) continue
        const first = types?.get(type)
        for (const field of position.for(type)?.fields ?? []) {
          if (field.deliveryGroup !== only || !anyHolds(field.conditions, variables)) continue
          const refusals = field.refused === undefined ? undefined : currentRefusals(field, variables)
          if (refusals === undefined) {
            const below = positionIn(field.value)
            if (below !== undefined && !this.#streamed.has(below))
              walk(below, first === undefined ? end : [...first, field.key], first !== undefined)
          } else if (first === undefined) {
            for (const { message, extensions, onlyInPlace } of refusals) {
              const known = JSON.stringify([end, message])
              if (onlyInPlace === true || reported.has(known)) continue
              if (!errors.hasRoom()) return
              reported.add(known)
              errors.add(refusalError(end, { message, extensions }))
            }
          }
        }
      }
    }
    walk(root, this.#path, true, deliveryGroup)
  }

  /** Whether the field is missing because its subgraph returned null and an error for the whole object. */
  #failedWithObject(data: JsonObject, key: string): boolean {
    return this.#execution.failedObjects?.has(data) === true && readMember(data, key) === undefined
  }

  /** Reports a null in a non-null position. */
  #reportNull(field: FieldShape): void {
    const { errors } = this.#execution
    if (!this.#keepsNulls) this.#reportUnexplained(nullMessage(field))
    else if (!errors.more && !this.#reasons().exact.has(JSON.stringify(this.#path))) {
      const known = this.#reason()
      if (known === undefined) this.#reportFault(nullMessage(field))
      else if (errors.hasRoom()) this.#add(errorAt(known, this.#path))
    }
  }

  /** Reports a null, unless an error explains it already. */
  #reportUnexplained(message: string): void {
    const { errors, failedRoots } = this.#execution
    if (errors.more || failedRoots?.has(String(this.#path[0])) === true || this.#isExplained()) return
    this.#reportFault(message)
  }

  /** Reports a value that does not fit the schema. */
  #reportFault(message: string): void {
    if (!this.#execution.errors.hasRoom()) return
    this.#add(
      new GraphQLError(message, { path: [...this.#path], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }),
    )
  }

  #add(error: GraphQLError): void {
    this.#execution.errors.add(error)
    this.#explained = undefined
  }

  #reasons(): Explanations {
    this.#explained ??= explanations(this.#execution.errors.listed)
    return this.#explained
  }

  #isExplained(): boolean {
    const { exact, prefixes } = this.#reasons()
    if (prefixes.has(JSON.stringify(this.#path))) return true
    for (let length = this.#path.length; length > 0; length--) {
      const place = JSON.stringify(this.#path.slice(0, length))
      if (exact.has(place) || this.#execution.nulledPlaces?.has(place) === true) return true
    }
    return false
  }

  /** The error that explains the null at this place: one below it, or the nearest one above it. */
  #reason(): GraphQLError | undefined {
    const { exact, prefixes } = this.#reasons()
    const { nulledPlaces, failedRoots } = this.#execution
    const below = prefixes.get(JSON.stringify(this.#path))
    if (below !== undefined) return below
    for (let length = this.#path.length; length > 0; length--) {
      const place = JSON.stringify(this.#path.slice(0, length))
      const above = exact.get(place) ?? (nulledPlaces?.has(place) === true ? prefixes.get(place) : undefined)
      if (above !== undefined) return above
    }
    const [root] = this.#path
    return failedRoots?.has(String(root)) === true ? prefixes.get(JSON.stringify([root])) : undefined
  }
}

const nullMessage = ({ coordinate }: FieldShape): string =>
  `Cannot return null for non-nullable field ${coordinate}.`

/** Errors by their JSON paths, and by every prefix of their paths. */
interface Explanations {
  readonly exact: ReadonlyMap<string, GraphQLError>
  readonly prefixes: ReadonlyMap<string, GraphQLError>
}

function explanations(errors: readonly GraphQLError[]): Explanations {
  const exact = new Map<string, GraphQLError>()
  const prefixes = new Map<string, GraphQLError>()
  for (const error of errors) {
    const { path } = error
    if (path === undefined) continue
    exact.set(JSON.stringify(path), error)
    for (let length = 1; length <= path.length; length++) {
      const place = JSON.stringify(path.slice(0, length))
      if (!prefixes.has(place)) prefixes.set(place, error)
    }
  }
  return { exact, prefixes }
}

/** The refusals of a field. Undefined if one of its selections is allowed. */
function currentRefusals(
  field: FieldShape,
  variables: Readonly<Record<string, unknown>>,
): readonly RefusedField[] | undefined {
  const all: RefusedField[] = []
  for (const { conditions, refusals } of field.refused ?? []) {
    if (!holds(conditions, variables)) continue
    if (refusals.length === 0) return undefined
    for (const refusal of refusals) if (!all.some((each) => isSame(each, refusal))) all.push(refusal)
  }
  return all
}

function refusalAt(
  path: Path,
  { value }: FieldShape,
  { below = [], ...refusal }: RefusedField,
): GraphQLError {
  return refusalError([...path, ...pathWithin(value, below)], refusal)
}

function refusalError(
  path: Path,
  { message, extensions }: Pick<RefusedField, 'message' | 'extensions'>,
): GraphQLError {
  return new GraphQLError(message, { path: [...path], extensions: { ...extensions } })
}

function isSame(a: RefusedField, b: RefusedField): boolean {
  return a.message === b.message && (a.below ?? []).join(' ') === (b.below ?? []).join(' ')
}

/** The errors of refused root fields, which are known before anything is fetched. */
export function refusedRoots(
  root: ResponsePosition,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const shape = root.for(root.only)
  return (shape?.fields ?? []).flatMap((field) => {
    if (field.refused === undefined || !anyHolds(field.conditions, variables)) return []
    const refusals = currentRefusals(field, variables) ?? []
    return refusals.map((refusal) => refusalAt([field.key], field, refusal))
  })
}

function positionIn(value: ValueShape): ResponsePosition | undefined {
  if (value.kind === 'object') return value.position
  return value.kind === 'list' ? positionIn(value.item) : undefined
}
