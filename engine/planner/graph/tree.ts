/**
 * An operation as a tree of positions and fields. Fragments and aliases are resolved, literal conditions decided.
 * Each field names its object types, its conditions, and the subgraphs that can resolve it. The tree is made once for
 * an operation, and the search chooses among its candidates.
 */
import { print, type SelectionSetNode } from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import { always, type Conjunction } from '../../operation/conditions.ts'
import { type Selection, selectionsOf } from '../../operation/normalised.ts'
import { collect, type Selected, typenameOf } from '../../operation/selected.ts'
import type { TypeSet, TypeSets } from '../../operation/type-sets.ts'
import { PlanBoundError, PlanError } from '../output/nodes.ts'
import type { Clock } from '../search/clock.ts'
import { deliveryGroupOf } from '../search/delivery.ts'
import type { Graph, SubgraphField, SubgraphType } from './graph.ts'
import type { Candidate, Field, Place, Position } from './position.ts'
import {
  addResolvedIn,
  isResolvedLocally,
  localSelections,
  type ObjectReachability,
  type Reachability,
  type ResolvedIn,
  type Resolver,
  resolvedBelow,
} from './reachability.ts'

/** Some object types of a selected field, and the subgraphs that resolve it on them. */
interface ResolvableTypes {
  readonly types: TypeSet
  readonly candidates: readonly Candidate[]
}

/** The objects at a position. Positions that are reached in the same way share them. */
type Objects = Pick<Position, 'types' | 'abstract' | 'declared' | 'resolvedIn'>

/** A field of a subgraph that leads to objects, with what `@provides` of the fields above adds. */
interface Lead {
  readonly view: SubgraphType
  readonly field: SubgraphField
  readonly provided: ResolvedIn['provided']
}

interface TreeOptions {
  readonly graph: Graph
  readonly reachability: Reachability
  readonly sets: TypeSets
  /** The most fields of an operation after its fragments are expanded. */
  readonly mostFields: number
  readonly clock: Clock
}

/** The root fields with these keys, planned together from one of these subgraphs. */
export interface RootSelection {
  readonly graphs: readonly number[]
  readonly keys: ReadonlySet<string>
  readonly when: Conjunction
}

const nothing: readonly string[] = []
/** The clock is checked after this many fields, about once a millisecond. */
const fieldsBetweenChecks = 256

export class Tree {
  readonly #source: TreeOptions
  readonly #graph: Graph
  readonly #reachability: Reachability
  #positions = 0
  #fields = 0
  /** By the `resolvedIn` of the objects, which positions share that are reached in the same way. */
  readonly #reachabilities = new Map<Objects['resolvedIn'], Map<string, ObjectReachability>>()
  readonly #resolvable = new Map<Objects['resolvedIn'], Map<string, readonly ResolvableTypes[]>>()
  readonly #objectsBelow = new Map<ResolvableTypes, Objects>()
  /** Objects that no `@provides` extends, by the types that lead to them. */
  readonly #plainObjects = new Map<string, Objects>()

  constructor(source: TreeOptions) {
    this.#source = source
    this.#graph = source.graph
    this.#reachability = source.reachability
  }

  /** The root's position, restricted to `restricted` if it is given. */
  root(type: string, selections: readonly Selection[], restricted?: RootSelection): Position {
    const position = this.#rootPosition(type, restricted?.when ?? always, restricted?.graphs)
    position.fields = this.#selectedFields(position, [selections], restricted?.keys)
    return position
  }

  /** The response keys of the root under these conditions, in order, with the subgraphs that can resolve each. */
  rootKeys(
    type: string,
    selections: readonly Selection[],
    when: Conjunction,
  ): ReadonlyMap<string, readonly number[]> {
    const at = this.#rootPosition(type, when)
    const selected = new Map<string, Selected>()
    collect(this.#source, selections, at, undefined, selected)
    const keys = new Map<string, readonly number[]>()
    for (const { key, name } of selected.values())
      keys.set(
        key,
        this.#candidatesOf(at, type, name).map(([index]) => index),
      )
    return keys
  }

  /** The fields of a key or a `@requires` on objects of these types. */
  requirement(at: Position, types: TypeSet, set: SelectionSetNode): readonly Field[] {
    return getOrInsert(at.requirements, `${types.id} ${idOf(set)}`, () =>
      this.#required(at, types, [selectionsOf(set)]),
    )
  }

  typename(at: Position, types: TypeSet): readonly Field[] {
    return getOrInsert(at.requirements, `${types.id} __typename`, () =>
      this.#fieldsFrom(at, typenameOf(types, at.when), undefined, ({ name }) => name),
    )
  }

  reachabilityOf(at: Position, type: string): ObjectReachability {
    return getOrInsert(
      getOrInsert(this.#reachabilities, at.resolvedIn, () => new Map()),
      type,
      () => {
        const isRoot = type === this.#graph.roots.query && at.field !== undefined
        return this.#reachability.reachabilityOf(type, at.resolvedIn.get(type) ?? [], isRoot)
      },
    )
  }

  #candidatesOf(at: Position, type: string, name: string): readonly Resolver[] {
    return this.#reachability.resolvers(this.reachabilityOf(at, type), name)
  }

  /** Groups the object types of a selected field by the subgraphs that resolve it. */
  #splitByGraphs(at: Position, { name, types }: Selected, isSelected: boolean): readonly ResolvableTypes[] {
    const known = getOrInsert(this.#resolvable, at.resolvedIn, () => new Map())
    return getOrInsert(known, `${name} ${types.id} ${isSelected}`, () =>
      this.#splitTypes(at, name, types, isSelected),
    )
  }

  #splitTypes(at: Position, name: string, types: TypeSet, isSelected: boolean): readonly ResolvableTypes[] {
    const found = types.names.map((type) => [type, this.#candidatesOf(at, type, name)] as const)
    // If a subgraph has the field on all types, it remains one field.
    const common = commonGraphs(found.map(([, all]) => all))
    if (common.size > 0) {
      for (const { graph: index } of at.field?.candidates ?? [])
        if (!common.has(index) && this.#isWholeIn(at, types, name, index)) common.add(index)
      const views = new Map([...common].map((index) => [index, new Map<string, SubgraphType>()]))
      for (const [type, all] of found) for (const [index, view] of all) views.get(index)?.set(type, view)
      return [{ types, candidates: candidatesFrom(views) }]
    }
    const byGraphs = new Map<string, { names: string[]; views: Map<number, Map<string, SubgraphType>> }>()
    for (const [type, candidates] of found) {
      if (candidates.length === 0 && isSelected) {
        throw new PlanError(
          `No subgraph can resolve ${type}.${name} at the place where the operation selects it.`,
        )
      }
      const graphs = candidates.map(([index]) => index).join()
      const split = getOrInsert(byGraphs, graphs, () => ({ names: [], views: new Map() }))
      split.names.push(type)
      for (const [index, view] of candidates) getOrInsert(split.views, index, () => new Map()).set(type, view)
    }
    if (byGraphs.size > 1 && isSelected && types === at.types) this.#checkWhole(at, name)
    return [...byGraphs.values()].map(({ names, views }) => ({
      types: names.length === types.names.length ? types : this.#source.sets.of(names),
      candidates: candidatesFrom(views),
    }))
  }

  /** Whether the subgraph resolves the field on all objects that it has here. It may lack some of the types. */
  #isWholeIn(at: Position, types: TypeSet, name: string, index: number): boolean {
    return types.names.every((type) => {
      const resolved = at.resolvedIn.get(type)?.find(({ view }) => view.graph === index)
      if (resolved === undefined) return true
      if (name === '__typename') return !resolved.view.interfaceObject
      return isResolvedLocally(this.#graph, resolved, name, type)
    })
  }

  /** One field for each group of types that the same subgraphs resolve. */
  #fieldsFrom(
    at: Position,
    selected: Selected,
    order: number | undefined,
    keyOf: (selected: Selected, signature: string) => string,
  ): Field[] {
    const { mostFields, clock } = this.#source
    const { name, below } = selected
    const splits = this.#splitByGraphs(at, selected, order !== undefined)
    const signature = signatureOf(selected)
    const key = keyOf(selected, signature)
    return splits.map((split) => {
      const { types, candidates } = split
      this.#fields += 1
      if (this.#fields % fieldsBetweenChecks === 0) clock.check()
      if (this.#fields > mostFields) {
        throw new PlanBoundError(
          `The operation selects more than ${mostFields} fields once its fragments are spread.`,
          false,
        )
      }
      const field: Field & { below: Position | undefined } = {
        id: this.#fields,
        at,
        key,
        name,
        arguments: selected.arguments,
        signature,
        directives: selected.directives,
        wraps: selected.wraps,
        types,
        when: selected.when,
        order: order ?? -1,
        below: undefined,
        candidates,
        list: selected.list,
      }
      if (below.length > 0) field.below = this.#positionBelow(field, split, below, order !== undefined)
      return field
    })
  }

  /**
   * Throws unless some subgraph resolves the field for all types of its objects at this position. Otherwise several
   * subgraphs would have to agree on objects that none of them has completely.
   */
  #checkWhole(at: Position, name: string): void {
    const graphs = new Set([...at.resolvedIn.values()].flatMap((each) => each.map(({ view }) => view.graph)))
    for (const index of graphs) {
      let isWhole = true
      for (const [type, all] of at.resolvedIn) {
        const resolvedIn = all.filter(({ view }) => view.graph === index)
        if (resolvedIn.length === 0 || !at.types.has(type)) continue
        const here = this.#reachability.reachabilityOf(type, resolvedIn, false)
        if (this.#reachability.resolvers(here, name).length === 0) isWhole = false
      }
      if (isWhole) return
    }
    throw new PlanError(`No subgraph that returns these objects can resolve ${name} for all of them.`)
  }

  #positionBelow(
    field: Field,
    split: ResolvableTypes,
    below: readonly (readonly Selection[])[],
    isSelected: boolean,
  ): Position {
    const objects = getOrInsert(this.#objectsBelow, split, () => this.#findObjectsBelow(field))
    const position: Position & { fields: readonly Field[] } = {
      ...objects,
      id: this.#positions++,
      field,
      place: getOrInsert(field.at.place.below, field.key, newPlace),
      when: field.when,
      serial: false,
      fields: [],
      requirements: new Map(),
      lists: field.list === undefined ? field.at.lists : [...field.at.lists, field.list],
    }
    position.fields = isSelected
      ? this.#selectedFields(position, below)
      : this.#required(position, position.types, below)
    return position
  }

  #findObjectsBelow({ at, name, types, candidates }: Field): Objects {
    const leads = new Map<string, Lead>()
    const declared = new Set<string>()
    let isPlain = true
    for (const type of types.names) {
      const declaredType = this.#graph.type(type)?.fields.get(name)
      if (declaredType !== undefined) declared.add(namedType(declaredType))
      const here = this.reachabilityOf(at, type)
      for (const { views } of candidates) {
        const view = views.get(type)
        const field = view?.fields.get(name)
        if (view === undefined || field === undefined) continue
        const resolved = here.resolvedIn.find((each) => each.view === view)
        const provided = resolved && localSelections(this.#graph, resolved, field, type)
        const isProvided = (provided?.length ?? 0) > 0 || field.provides !== undefined
        if (isProvided) isPlain = false
        // Most object types have the field of their interface, which leads to the same objects.
        const key = `${view.graph} ${field.named} ${isProvided ? type : ''}`
        if (!leads.has(key)) leads.set(key, { view, field, provided: provided ?? [] })
      }
    }
    const graphs = candidates.map(({ graph }) => graph)
    const same = isPlain ? [...declared, ...graphs, ...leads.keys()].join() : undefined
    const find = (): Objects => this.#objectsFrom([...leads.values()], declared, candidates.length)
    return same === undefined ? find() : getOrInsert(this.#plainObjects, same, find)
  }

  #objectsFrom(leads: readonly Lead[], declared: ReadonlySet<string>, candidates: number): Objects {
    const resolvedIn = new Map<string, ResolvedIn[]>()
    const graphsOf = new Map<string, Set<number>>()
    for (const { view, field, provided } of leads) {
      const one = new Map<string, ResolvedIn[]>()
      resolvedBelow(this.#graph, view, field, provided, one)
      for (const [name, found] of one) {
        getOrInsert(graphsOf, name, () => new Set()).add(view.graph)
        const known = resolvedIn.get(name)
        if (known === undefined) resolvedIn.set(name, found)
        else for (const each of found) addResolvedIn(known, each)
      }
    }
    const possible = new Set([...declared].flatMap((name) => [...(this.#graph.type(name)?.possible ?? [])]))
    // An object type that one of the subgraphs does not have in its union is in none of their responses.
    const isUnion = [...declared].some((name) => this.#graph.type(name)?.kind === 'union')
    const types = [...resolvedIn.keys()].filter(
      (name) => possible.has(name) && (!isUnion || graphsOf.get(name)?.size === candidates),
    )
    return {
      types: this.#source.sets.of(types),
      abstract: [...declared].some((name) => this.#graph.type(name)?.kind !== 'object'),
      declared,
      resolvedIn,
    }
  }

  #addTypename(at: Position, when: Conjunction, selected: Map<string, Selected>): void {
    const id = `__typename ${when.key}`
    if (!selected.has(id)) selected.set(id, typenameOf(at.types, when))
  }

  #rootPosition(type: string, when: Conjunction, graphs?: readonly number[]) {
    const resolvedIn = this.#graph
      .views(type)
      .filter((view) => graphs === undefined || graphs.includes(view.graph))
      .map((view) => ({ view, provided: [] }))
    const position: Position & { fields: readonly Field[] } = {
      id: this.#positions++,
      field: undefined,
      place: newPlace(),
      types: this.#source.sets.of([type]),
      abstract: false,
      declared: new Set([type]),
      when,
      serial: type === this.#graph.roots.mutation,
      resolvedIn: new Map([[type, resolvedIn]]),
      fields: [],
      requirements: new Map(),
      lists: nothing,
    }
    return position
  }

  #selectedFields(
    at: Position,
    below: readonly (readonly Selection[])[],
    keys: ReadonlySet<string> | undefined = undefined,
  ): Field[] {
    const selected = new Map<string, Selected>()
    for (const selections of below)
      collect(this.#source, selections, at, at.abstract ? at.declared : undefined, selected)
    if (isHidden(at))
      // The objects of a deferred field are found by their type, so the type is requested before.
      for (const each of [...selected.values()])
        if (each.typed)
          this.#addTypename(at, deliveryGroupOf(each.when) === '' ? each.when : at.when, selected)
    const wanted = [...selected.values()].filter(({ key }) => keys === undefined || keys.has(key))
    return wanted.flatMap((each) =>
      this.#fieldsFrom(at, each, this.#fields, ({ key }, signature) => {
        const known = at.place.keys
        known.set(key, known.has(key) && known.get(key) !== signature ? undefined : signature)
        return key
      }),
    )
  }

  #required(at: Position, types: TypeSet, below: readonly (readonly Selection[])[]): Field[] {
    const selected = new Map<string, Selected>()
    for (const selections of below)
      collect(this.#source, selections, { types, when: at.when }, undefined, selected)
    return [...selected.values()].flatMap((each) =>
      this.#fieldsFrom(at, each, undefined, ({ name }, signature) => internalKey(at.place, name, signature)),
    )
  }
}

function candidatesFrom(views: ReadonlyMap<number, ReadonlyMap<string, SubgraphType>>): readonly Candidate[] {
  return [...views].sort(([a], [b]) => a - b).map(([graph, each]) => ({ graph, views: each }))
}

function commonGraphs(all: readonly (readonly (readonly [number, unknown])[])[]): Set<number> {
  const [first = [], ...others] = all
  return new Set(
    first
      .map(([index]) => index)
      .filter((index) => others.every((each) => each.some(([other]) => other === index))),
  )
}

/** Whether some objects here do not tell their type. */
function isHidden({ resolvedIn }: Position): boolean {
  for (const each of resolvedIn.values()) if (each.some(({ view }) => view.interfaceObject)) return true
  return false
}

let nextId = 0
const idOf = memoByObject((_: SelectionSetNode) => nextId++)
const newPlace = (): Place => ({ below: new Map(), keys: new Map() })

/** The field's own name, or a prefixed one if another field has that response key. */
function internalKey({ keys }: Place, name: string, signature: string): string {
  for (let attempt = 0; ; attempt++) {
    const key = attempt === 0 ? name : `_${attempt}_${name}`
    if (keys.has(key) && keys.get(key) !== signature) continue
    keys.set(key, signature)
    return key
  }
}

function signatureOf({ name, arguments: given }: Selected): string {
  if (given.length === 0) return name
  const sorted = given.map((each) => print(each)).sort()
  return `${name}(${sorted.join(', ')})`
}
