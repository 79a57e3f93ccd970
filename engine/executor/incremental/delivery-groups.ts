/**
 * The delivery groups of an operation: the first response, and what `@defer` and `@stream` deliver later. For given
 * variables the operation is rewritten. Each field is there once for each set of types, in the earliest group that
 * selects it, with the merged selections of all fragments around it. Fields of a later group are under a condition on
 * a variable that no client can name, because it begins with `#`. Planner and response know groups by these
 * conditions alone.
 *
 * As in the specification, a field that several deferred fragments select is in a group of its own that belongs to
 * all of them: it is fetched and sent once.
 */
import {
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
} from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { holds } from '../../../shared/graphql/conditions.ts'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'
import { always, and } from '../../operation/conditions.ts'
import { deliveryGroupName } from '../../operation/delivery-group-name.ts'
import { forType, partOf } from '../../operation/narrow.ts'
import type { NormalisedField, NormalisedOperation, Selection } from '../../operation/normalised.ts'
import { definitionOf, type TypeSource, typesOf } from '../../operation/type-source.ts'
import type { Variables } from '../../operation/variables.ts'
import { argumentsOf } from './directive-arguments.ts'
import type { IncrementalDirective } from './directives.ts'

/** A deferred fragment at one path of the response, without list indices. */
export interface DeferredFragment {
  readonly id: number
  readonly label: string | undefined
  /** The deferred fragment around it. */
  readonly parent: DeferredFragment | undefined
  /** The number of response keys that lead to it. */
  readonly depth: number
}

/** Fields that are delivered together: those that exactly these fragments select. */
export interface DeliveryGroup {
  readonly name: string
  readonly fragments: readonly DeferredFragment[]
  /** How deep it is: 1 if no other group is around it. */
  readonly level: number
}

/** A list whose items after the first ones are delivered later. */
export interface StreamedList {
  readonly name: string
  readonly label: string | undefined
  readonly initialCount: number
  /** The response keys that lead to the list, with types for fields that only some objects have. */
  readonly path: readonly ListStep[]
  /** The delivery group of the list itself. Undefined: the first response. */
  readonly deliveryGroup: DeliveryGroup | undefined
}

interface ListStep {
  readonly key: string
  readonly types: ReadonlySet<string> | undefined
}

interface DividedOperation {
  readonly operation: NormalisedOperation
  /** The ids of the original fields that each field represents, by its own id. */
  readonly origins: ReadonlyMap<number, readonly number[]>
}

/** The most fields of the divided operation, with fragments expanded. */
const mostFields = 20_000
/** The most delivery groups, fragments and streamed lists of one operation. */
const mostGroups = 200

interface Occurrence {
  readonly field: NormalisedField
  readonly fragment: DeferredFragment | undefined
  /** The types that its fragments allow, and the type condition of the innermost fragment. */
  readonly types: ReadonlySet<string>
  readonly condition: string | undefined
}

interface Source {
  readonly selections: readonly Selection[]
  readonly fragment: DeferredFragment | undefined
}

/** The place of a selection. */
interface Place {
  readonly type: GraphQLCompositeType
  readonly path: readonly ListStep[]
  readonly group: DeliveryGroup | undefined
  /** The number of delivery groups around it. */
  readonly level: number
}

/** The delivery groups of one operation for one set of variables, the same for every document made from it. */
export class DeliveryGroups {
  readonly schema: GraphQLSchema
  readonly variables: Variables
  readonly #fragments = new Map<string, DeferredFragment>()
  readonly groups = new Map<string, DeliveryGroup>()
  readonly #groupsByKey = new Map<string, DeliveryGroup>()
  readonly #around = new Map<string, readonly string[]>()
  readonly lists = new Map<string, StreamedList>()
  readonly #listsByKey = new Map<string, StreamedList>()
  readonly #directives = new Map<IncrementalDirective, number>()
  #counted = 0

  constructor(schema: GraphQLSchema, variables: Variables) {
    this.schema = schema
    this.variables = variables
  }

  /** Divides the operation, or what a caller may see of it. */
  divide(operation: NormalisedOperation): DividedOperation {
    return new OperationDivider(this).divide(operation)
  }

  fragmentAt(
    directive: IncrementalDirective,
    path: readonly ListStep[],
    parent: DeferredFragment | undefined,
  ) {
    const key = JSON.stringify([this.#numberOf(directive), path.map((step) => step.key), parent?.id])
    return getOrInsert(this.#fragments, key, () => {
      this.#count()
      return { id: this.#fragments.size, label: directive.label, parent, depth: path.length }
    })
  }

  /** The names of the groups in which the fields of a group may stand, outermost first, and its own. */
  around(name: string): readonly string[] {
    return getOrInsert(this.#around, name, () => {
      const outer = new Set<DeferredFragment>()
      for (let { parent } of this.groups.get(name)?.fragments ?? [])
        for (; parent !== undefined; parent = parent.parent) outer.add(parent)
      const groups = [...this.groups.values()].filter(({ fragments }) =>
        fragments.some((each) => outer.has(each)),
      )
      return [...groups.sort((a, b) => a.level - b.level).map((each) => each.name), name]
    })
  }

  groupOf(all: readonly DeferredFragment[], level: number): DeliveryGroup {
    const ids = all.map(({ id }) => id).sort((a, b) => a - b)
    const key = `${level} ${ids.join()}`
    return getOrInsert(this.#groupsByKey, key, () => {
      const group = { name: deliveryGroupName(level, this.groups.size), fragments: all, level }
      this.groups.set(group.name, group)
      this.#count()
      return group
    })
  }

  listAt(
    directive: IncrementalDirective,
    path: readonly ListStep[],
    group: DeliveryGroup | undefined,
  ): StreamedList {
    const types = path.at(-1)?.types
    const key = JSON.stringify([
      this.#numberOf(directive),
      path.map((step) => step.key),
      types === undefined ? null : [...types].sort(),
      group?.name,
    ])
    return getOrInsert(this.#listsByKey, key, () => {
      const { initialCount } = argumentsOf(directive, this.variables)
      const name = `s${this.lists.size}`
      const list = { name, label: directive.label, initialCount, path, deliveryGroup: group }
      this.lists.set(name, list)
      this.#count()
      return list
    })
  }

  typesOf(type: GraphQLCompositeType): ReadonlySet<string> {
    return new Set(
      isAbstractType(type) ? this.schema.getPossibleTypes(type).map(({ name }) => name) : [type.name],
    )
  }

  #count(): void {
    this.#counted += 1
    if (this.#counted > mostGroups) throw tooLarge('deferred fragments and streamed lists', mostGroups)
  }

  #numberOf(directive: IncrementalDirective): number {
    return getOrInsert(this.#directives, directive, () => this.#directives.size)
  }
}

class OperationDivider {
  readonly #delivery: DeliveryGroups
  readonly #types: TypeSource
  readonly #origins = new Map<number, readonly number[]>()
  #fields = 0

  constructor(delivery: DeliveryGroups) {
    this.#delivery = delivery
    this.#types = typesOf(delivery.schema)
  }

  divide(operation: NormalisedOperation): DividedOperation {
    const root = this.#delivery.schema.getType(operation.type)
    if (!isCompositeType(root)) throw new Error(`The schema has no type ${operation.type}.`)
    const selections = this.#selectionsOf([{ selections: operation.selections, fragment: undefined }], {
      type: root,
      path: [],
      group: undefined,
      level: 0,
    })
    return { operation: partOf(operation, selections), origins: this.#origins }
  }

  #collect(
    { selections, fragment: outer }: Source,
    all: ReadonlySet<string>,
    { path }: Place,
    into: Map<string, Occurrence[]>,
  ): void {
    const { schema, variables } = this.#delivery
    for (const { field, when, on, deferred } of selections) {
      if (when === undefined || !holds(when.all, variables)) continue
      let [types, condition]: [ReadonlySet<string>, string | undefined] = [all, undefined]
      for (const name of on) {
        const type = schema.getType(name)
        const left = isCompositeType(type) ? common(types, this.#delivery.typesOf(type)) : types
        if (left !== types) [types, condition] = [left, name]
      }
      if (types.size === 0) continue
      this.#fields += 1
      if (this.#fields > mostFields) throw tooLarge('fields once its fragments are spread', mostFields)
      let fragment = outer
      for (const directive of deferred)
        if (argumentsOf(directive, variables).isActive)
          fragment = this.#delivery.fragmentAt(directive, path, fragment)
      append(into, field.key, { field, fragment, types, condition })
    }
  }

  #selectionsOf(sources: readonly Source[], place: Place): readonly Selection[] {
    const all = this.#delivery.typesOf(place.type)
    const found = new Map<string, Occurrence[]>()
    for (const source of sources) this.#collect(source, all, place, found)
    const selections: Selection[] = []
    for (const [key, occurrences] of found) {
      for (const { types, chosen } of byTypes(occurrences, all)) {
        const made = this.#selectionFrom(key, chosen, types.size === all.size ? undefined : types, place)
        const isDeclared = this.#types.output(place.type.name, made.field.name) !== undefined
        if (types.size === all.size && isDeclared) selections.push(made)
        else
          for (const condition of this.#conditionsFor(types, chosen, all))
            selections.push(forType(this.#types, made, condition))
      }
    }
    return selections
  }

  /**
   * The type conditions for a group of types: the interface that all nodes named, if it has just these of `all` types,
   * else each type. An interface within another one may have more types.
   */
  #conditionsFor(
    types: ReadonlySet<string>,
    chosen: readonly Occurrence[],
    all: ReadonlySet<string>,
  ): readonly string[] {
    const condition = chosen[0]?.condition
    if (condition === undefined || chosen.some((each) => each.condition !== condition)) return [...types]
    const named = this.#delivery.schema.getType(condition)
    const meant = isCompositeType(named) ? common(all, this.#delivery.typesOf(named)) : types
    return meant.size === types.size ? [condition] : [...types]
  }

  /** Selects the field for all objects of the place, in its delivery group. */
  #selectionFrom(
    key: string,
    occurrences: readonly Occurrence[],
    types: ReadonlySet<string> | undefined,
    place: Place,
  ): Selection {
    const [first] = occurrences
    if (first === undefined) throw new Error(`No delivery group selects ${key}.`)
    const { name } = first.field
    const parent = place.type.name
    const asking = new Set(occurrences.map((each) => each.fragment))
    const own = asking.has(undefined)
      ? []
      : [...asking].flatMap((each) => (each === undefined || isWithin(each, asking) ? [] : [each]))
    const isSame = hasSame(own, place.group?.fragments ?? [])
    const level = place.level + (isSame ? 0 : 1)
    const group = isSame ? place.group : own.length === 0 ? undefined : this.#delivery.groupOf(own, level)
    const path = [...place.path, { key, types }]
    const { schema } = this.#delivery
    const declared = (definitionOf(schema, { parent, name }) ?? definitionOf(schema, first.field))?.type
    const directive = this.#streamed(occurrences, declared)
    const below = declared === undefined ? undefined : getNamedType(declared)
    const inside: Place | undefined = isCompositeType(below) ? { type: below, path, group, level } : undefined
    const field: DividedField = {
      ...first.field,
      id: this.#origins.size,
      parent,
      output: below?.name ?? first.field.output,
      nodes: occurrences.flatMap((each) => each.field.nodes),
      list: directive === undefined ? undefined : this.#delivery.listAt(directive, path, group),
      selections: undefined,
    }
    this.#origins.set(
      field.id,
      occurrences.map((each) => each.field.id),
    )
    if (inside !== undefined)
      field.selections = this.#selectionsOf(
        occurrences.flatMap(({ field: { selections }, fragment }) =>
          selections === undefined ? [] : [{ selections, fragment }],
        ),
        inside,
      )
    const isOwnGroup = group !== undefined && group !== place.group
    return {
      field,
      when: isOwnGroup ? and(always, [{ variable: group.name, value: true }]) : always,
      ...{ on: [], types: this.#types.possible(parent), wraps: [], deferred: [] },
    }
  }

  #streamed(occurrences: readonly Occurrence[], declared: GraphQLOutputType | undefined) {
    if (declared === undefined) return undefined
    if (!isListType(isNonNullType(declared) ? declared.ofType : declared)) return undefined
    const found = occurrences.map(({ field }) => field.stream)
    const [first] = found
    if (first === undefined || !argumentsOf(first, this.#delivery.variables).isActive) return undefined
    // A list that is also selected without `@stream` is delivered whole.
    return found.every((each) => each !== undefined) ? first : undefined
  }
}

interface DividedField extends NormalisedField {
  selections: readonly Selection[] | undefined
  readonly list: StreamedList | undefined
}

/** The streamed list of a field of a divided operation, if it is one. */
export function streamedListOf(field: NormalisedField): StreamedList | undefined {
  return (field as Partial<DividedField>).list
}

function tooLarge(what: string, most: number): Error {
  return tesseraError('OPERATION_TOO_LARGE', `The operation has more than ${most} ${what}.`, {
    extensions: { maximum: most },
  })
}

function common(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  const left = [...some].filter((each) => others.has(each))
  return left.length === some.size ? some : new Set(left)
}

function isWithin(fragment: DeferredFragment, others: ReadonlySet<DeferredFragment | undefined>): boolean {
  for (let at = fragment.parent; at !== undefined; at = at.parent) if (others.has(at)) return true
  return false
}

function hasSame(some: readonly DeferredFragment[], others: readonly DeferredFragment[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each))
}

/** Groups object types by the nodes that select the field on them. */
function byTypes(
  occurrences: readonly Occurrence[],
  all: ReadonlySet<string>,
): readonly { readonly types: ReadonlySet<string>; readonly chosen: readonly Occurrence[] }[] {
  if (occurrences.every(({ types }) => types.size === all.size)) return [{ types: all, chosen: occurrences }]
  const classes = new Map<string, { types: Set<string>; chosen: readonly Occurrence[] }>()
  for (const type of all) {
    const which = occurrences.flatMap(({ types }, index) => (types.has(type) ? [index] : []))
    if (which.length === 0) continue
    const chosen = (): readonly Occurrence[] => which.flatMap((index) => occurrences[index] ?? [])
    getOrInsert(classes, which.join(), () => ({ types: new Set<string>(), chosen: chosen() })).types.add(type)
  }
  return [...classes.values()]
}
