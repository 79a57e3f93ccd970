/**
 * Walks the selections of an operation and counts the calls of its fields. It knows what batching, paging and nesting
 * do to calls: lookups of one moment share calls, a list makes a call for every page, and the fields of its items are
 * resolved once for each list.
 */
import { type GraphQLSchema, getNullableType, isListType, isObjectType } from 'graphql'
import { fromGlobalId } from '../../../shared/graphql/global-id.ts'
import { append } from '../../../shared/runtime/maps.ts'
import type {
  FieldCalls,
  ListCalls,
  LookupCalls,
  PlainCalls,
  ServiceCalls,
} from '../../../shared/service-calls.ts'
import type { Reader, Selected, SelectedField } from './reader.ts'
import type { Moment, Tally } from './tally.ts'

export interface Described<Calls> {
  readonly service: ServiceCalls
  readonly calls: Calls
}

/** The descriptions of all services: by `Type.field`, and for entities by type. */
export interface Descriptions {
  readonly fields: ReadonlyMap<string, Described<FieldCalls>>
  readonly entities: ReadonlyMap<string, Described<LookupCalls>>
}

/** The state of the walk: the number of parents, whose lookups share a `moment`, and the number of `moments`. */
interface WalkState {
  readonly parents: number
  /** How many different lists or objects the parents belong to. */
  readonly owners: number
  readonly moment: Moment
  readonly moments: number
}

/** The assumed length of a list without paging. */
const assumedItems = 50

const pagingArguments = ['first', 'after', 'last', 'before']

export class Walk {
  readonly #schema: GraphQLSchema
  readonly #descriptions: Descriptions
  readonly #reader: Reader
  readonly #tally: Tally
  readonly #queryType: string | undefined
  #readsIds = false

  constructor(schema: GraphQLSchema, descriptions: Descriptions, reader: Reader, tally: Tally) {
    this.#schema = schema
    this.#descriptions = descriptions
    this.#reader = reader
    this.#tally = tally
    this.#queryType = schema.getQueryType()?.name
  }

  /** Whether the ids of `node` and `nodes` were read; their types decide about calls. */
  get readsIds(): boolean {
    return this.#readsIds
  }

  /** Fields that leave together. */
  walkRoot(selected: readonly SelectedField[]): void {
    const moment = this.#tally.openMoment()
    for (const field of selected) this.#walkField(field, { parents: 1, owners: 1, moment, moments: 1 })
    moment.close(1)
  }

  #walkAll(below: Selected, position: WalkState): void {
    for (const field of this.#reader.fieldsOf(below)) this.#walkField(field, position)
  }

  /** Fields of an object that must be returned first: their lookups leave at a later moment. */
  #walkLater(below: Selected, position: WalkState): void {
    const moment = this.#tally.openMoment()
    this.#walkAll(below, { ...position, moment })
    moment.close(position.moments)
  }

  #walkField(selected: SelectedField, position: WalkState): void {
    const { field, owner, definition } = selected
    if (definition === undefined) return
    if (owner === this.#queryType && (field.name === 'node' || field.name === 'nodes')) {
      if (field.selections !== undefined) this.#walkNodes(selected)
      return
    }
    const described = this.#descriptions.fields.get(`${owner}.${field.name}`)
    if (described === undefined) {
      if (field.selections === undefined) return
      const items = isListType(getNullableType(definition.type)) ? this.#itemsOf(selected) : 1
      const parents = position.parents * items
      this.#walkAll(field, { ...position, parents, owners: position.owners * items })
      return
    }
    const { service, calls } = described
    if (calls.kind === 'plain') this.#walkPlain(selected, service, calls, position)
    else if (field.selections === undefined) return
    else if (calls.kind === 'lookup') this.#walkLookup(selected, service, calls, position)
    else this.#walkList(selected, service, calls, position)
  }

  #itemsOf(selected: SelectedField): number {
    const { first } = this.#reader.argumentsOf(selected, ['first'])
    return typeof first === 'number' ? Math.max(0, first) : assumedItems
  }

  #walkPlain(selected: SelectedField, service: ServiceCalls, calls: PlainCalls, position: WalkState): void {
    const { field } = selected
    const args = this.#reader.argumentsOf(selected, calls.reads)
    const below = (inside?: string): ReadonlySet<string> =>
      this.#namesOf(this.#fieldsAt(field, inside === undefined ? [] : [inside]))
    const times = position.parents * position.moments
    for (const operation of calls.calls(args, below)) this.#tally.add(service, operation, times)
    if (field.selections !== undefined) this.#walkLater(field, position)
  }

  /** The fields at a path of names, one inside the other. */
  #fieldsAt(selected: Selected, [name, ...rest]: readonly string[]): readonly Selected[] {
    if (name === undefined) return [selected]
    return this.#reader
      .fieldsOf(selected)
      .filter(({ field }) => field.name === name)
      .flatMap(({ field }) => this.#fieldsAt(field, rest))
  }

  #namesOf(all: readonly Selected[]): ReadonlySet<string> {
    return new Set(all.flatMap((selected) => [...this.#reader.namesOf(selected)]))
  }

  #walkLookup(
    selected: SelectedField,
    service: ServiceCalls,
    lookup: LookupCalls,
    position: WalkState,
  ): void {
    const given =
      lookup.keys === undefined ? 1 : this.#reader.argumentsOf(selected, [lookup.keys])[lookup.keys]
    const keys = Array.isArray(given) ? new Set(given).size : 1
    // The fields of an object that is listed twice are fetched twice.
    const objects = Array.isArray(given) ? given.length : 1
    const parents = lookup.ofList === true ? position.owners : position.parents
    const asked = { keys: parents * keys, objects: position.parents * objects }
    this.#lookUp(selected.field, service, lookup, position, asked)
  }

  /** Looks up a number of keys, and continues with the fields of the objects when they have arrived. */
  #lookUp(
    selected: Selected,
    service: ServiceCalls,
    lookup: LookupCalls,
    position: WalkState,
    { keys, objects }: { readonly keys: number; readonly objects: number },
  ): void {
    const [first, ...others] = lookup.asks(this.#reader.namesOf(selected))
    if (first !== undefined) position.moment.want(service, lookup, first, keys)
    const moment = this.#tally.openMoment()
    for (const ask of others) moment.want(service, lookup, ask, keys)
    this.#walkAll(selected, { ...position, parents: objects, owners: keys, moment })
    moment.close(position.moments)
  }

  #walkList(selected: SelectedField, service: ServiceCalls, list: ListCalls, position: WalkState): void {
    const { items, calls } = list.most(this.#reader.argumentsOf(selected, pagingArguments))
    if (calls === 0) return
    const lists = position.parents * position.moments
    const { field } = selected
    const below = [...this.#fieldsAt(field, ['nodes']), ...this.#fieldsAt(field, ['edges', 'node'])]
    const [own, ...lookups] = list.asks(this.#namesOf(below))
    this.#tally.add(service, list.operation, lists * calls, own?.names)
    // Each list arrives by itself, and the lookups of its items leave then.
    const moment = this.#tally.openMoment()
    if (list.itemLookup !== undefined)
      for (const ask of lookups) moment.want(service, list.itemLookup, ask, items)
    for (const each of below) this.#walkAll(each, { parents: items, owners: 1, moment, moments: lists })
    moment.close(lists)
  }

  /** Objects by their global ids: each type is looked up by its own service once the ids are read. */
  #walkNodes(selected: SelectedField): void {
    this.#readsIds = true
    const { id, ids = [id] } = this.#reader.argumentsOf(selected, ['id', 'ids'])
    const byType = new Map<string, string[]>()
    for (const each of Array.isArray(ids) ? (ids as unknown[]) : []) {
      const global = typeof each === 'string' ? fromGlobalId(each) : undefined
      if (global !== undefined) append(byType, global.type, global.key)
    }
    for (const [name, keys] of byType) {
      const type = this.#schema.getType(name)
      if (!isObjectType(type)) continue
      const narrowed = { selections: selected.field.selections, only: type }
      const entity = this.#descriptions.entities.get(name)
      const moment = this.#tally.openMoment()
      const position = { parents: keys.length, owners: keys.length, moment, moments: 1 }
      if (entity === undefined) this.#walkAll(narrowed, position)
      else {
        const { service, calls } = entity
        const exact = calls.callsFor?.(keys)
        // The number of keys that makes a number of calls.
        const counted = exact === undefined ? new Set(keys).size : exact * calls.maxKeys
        this.#lookUp(narrowed, service, calls, position, { keys: counted, objects: keys.length })
      }
      moment.close(1)
    }
  }
}
