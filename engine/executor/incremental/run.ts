/**
 * Runs the fetches of an incremental operation. Each begins as soon as its dependencies are there, whatever its
 * delivery group. Items of a streamed list after the first ones form a scope of their own: fetches for them do not
 * delay the first ones.
 */

import { readMember, writeMember } from '../../../shared/json/members.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { nextTurn } from '../../../shared/runtime/turns.ts'
import type { DeliveryFetch } from '../../planner/index.ts'
import type { Execution, JsonObject, Step } from '../execution.ts'
import type { LaterResults } from '../later-results.ts'
import type { DeliveryGroups, StreamedList } from './delivery-groups.ts'
import type { Path } from './execution-updates.ts'

export interface RunnableFetch extends Omit<DeliveryFetch, 'node'> {
  readonly step: Step
}

/** The whole response, or later items of a streamed list. */
export class Scope {
  readonly execution: Execution
  readonly list: StreamedList | undefined
  readonly parent: Scope | undefined
  /** The fetches that have begun for its objects, by their numbers. */
  readonly started = new Map<number, Promise<void>>()
  /** The streamed lists whose later items are being removed, by name. */
  readonly cuts = new Map<string, Promise<void>>()

  constructor(execution: Execution, list?: StreamedList, parent?: Scope) {
    this.execution = execution
    this.list = list
    this.parent = parent
  }

  /** The scope of later items, whose data has only the way to them. */
  within(list: StreamedList, data: unknown): Scope {
    return new Scope({ ...this.execution, data: data as JsonObject }, list, this)
  }
}

/** Later items of a streamed list, which are not in the list yet. */
interface LaterItemsOf {
  readonly items: readonly unknown[]
  readonly scope: Scope
}

interface ListAt {
  readonly list: StreamedList
  readonly path: Path
  readonly scope: Scope
}

interface MoreItems extends LaterItemsOf {
  /** Whether an error prevents further items. */
  readonly failed: boolean
}

export class Run {
  readonly root: Scope
  readonly #fetches: readonly RunnableFetch[]
  readonly #delivery: DeliveryGroups
  readonly #execution: Execution
  readonly #held = new Map<readonly unknown[], LaterItemsOf>()
  #isFirstOver = false
  #underWay = 0
  #idle: Promise<void> | undefined
  #resolveIdle: (() => void) | undefined

  constructor(fetches: readonly RunnableFetch[], delivery: DeliveryGroups, execution: Execution) {
    this.#fetches = fetches
    this.#delivery = delivery
    this.#execution = execution
    this.root = new Scope(execution)
    this.#begin(this.root)
    // The dependencies of a later fetch are often complete together with the first response, which is sent before it
    // begins.
    void this.ready(undefined, this.root)
      .then(nextTurn)
      .then(() => {
        this.#isFirstOver = true
      }, nothing)
  }

  /** Resolves when a delivery group has all of its data. Undefined is the first response. */
  ready(deliveryGroup: string | undefined = '', scope: Scope): Promise<void> {
    return Promise.all(
      this.#fetches.flatMap(({ deliveryGroups }, index) =>
        deliveryGroups.includes(deliveryGroup) ? [this.#done(index, scope)] : [],
      ),
    ).then(() => this.#filled([deliveryGroup]))
  }

  /**
   * Resolves when `laterItemsOf` knows the items of this list, which a fetch for several groups may return. Undefined
   * if it does already.
   */
  divided({ name }: StreamedList, scope: Scope): Promise<void> | undefined {
    return scope.cuts.get(name)
  }

  /** The later items of a list, if more is fetched for them. */
  laterItemsOf(list: readonly unknown[]): LaterItemsOf | undefined {
    return this.#held.get(list)
  }

  /** Resolves when no fetch is under way; undefined if none is. */
  whenIdle(): Promise<void> | undefined {
    if (this.#underWay === 0) return undefined
    this.#idle ??= new Promise((resolve) => {
      this.#resolveIdle = resolve
    })
    return this.#idle
  }

  /**
   * Continues a list that its subgraph did not return completely; undefined for other lists. Each call resolves with
   * the items from `index` on, and with undefined after the last.
   */
  more(
    items: readonly unknown[],
    { list, path, scope }: ListAt,
  ): ((index: number) => Promise<MoreItems | undefined>) | undefined {
    let next: ReturnType<LaterResults<never>['more']>
    for (const each of this.#execution.later ?? []) next ??= each.more(items)
    if (next === undefined) return undefined
    const read = next
    return async (index) => {
      const found = await this.#follow(read())
      if (found === undefined) return undefined
      const { items: more, failed } = found
      const placed = [...new Array(index).fill(null), ...more]
      const later = scope.within(list, withListAt(scope.execution.data, path, placed))
      this.#begin(later)
      return { items: more, scope: later, failed }
    }
  }

  /** Counts the promise as work under way. */
  #follow<Made>(pending: Promise<Made>): Promise<Made> {
    this.#underWay += 1
    const ended = (): void => {
      this.#underWay -= 1
      // Work that this one triggers has begun by the next turn.
      if (this.#underWay === 0)
        setImmediate(() => {
          if (this.#underWay === 0) this.#resolveIdle?.()
        })
    }
    pending.then(ended, ended)
    return pending
  }

  #belongs({ lists: within }: RunnableFetch, scope: Scope): boolean {
    return scope.list === undefined || within.includes(scope.list.name)
  }

  /** Resolves when a fetch has its data for the objects of a scope, or of a scope around it. */
  #done(index: number, scope: Scope): Promise<void> {
    const fetch = this.#fetches[index]
    if (fetch === undefined) throw new Error(`There is no fetch ${index}.`)
    let at = scope
    while (!this.#belongs(fetch, at) && at.parent !== undefined) at = at.parent
    return getOrInsert(at.started, index, () => this.#follow(this.#start(fetch, at)))
  }

  #start(fetch: RunnableFetch, scope: Scope): Promise<void> {
    const before = fetch.after.map((index) =>
      this.#done(index, scope).then(() => this.#filled(fetch.deliveryGroups)),
    )
    for (const name of fetch.lists)
      if (!isWithin(name, scope)) before.push(getOrInsert(scope.cuts, name, () => this.#cut(name, scope)))
    const run = (): void | Promise<void> => fetch.step(scope.execution)
    const isFirst = scope === this.root && fetch.deliveryGroups.includes('')
    if (isFirst) return before.length === 0 ? Promise.resolve(run()) : Promise.all(before).then(run)
    return Promise.all(before).then(() => (this.#isFirstOver ? run() : nextTurn().then(run)))
  }

  /** Removes the later items from every list of this name, and begins the fetches for them. */
  #cut(name: string, scope: Scope): Promise<void> {
    const list = this.#delivery.lists.get(name)
    const bringing = this.#fetches.flatMap(({ brings }, index) =>
      brings.some((each) => each.list === name) ? [index] : [],
    )
    const arriving = bringing.map((index) =>
      this.#done(index, scope).then(() =>
        this.#filled(list?.deliveryGroup === undefined ? [] : [list.deliveryGroup.name]),
      ),
    )
    return Promise.all(arriving).then(() => {
      // A list that another fetch needs completely is not cut.
      if (list === undefined || bringing.length === 0 || scope.execution.data === undefined) return
      const rests: { readonly list: unknown[]; readonly items: readonly unknown[] }[] = []
      const data = withoutFirst(scope.execution.data, list, 0, rests)
      if (data === undefined) return
      const later = scope.within(list, data)
      for (const each of rests) this.#held.set(each.list, { items: each.items, scope: later })
      this.#begin(later)
    })
  }

  /** Resolves when fetches have delivered all outstanding fields of these groups, and those in which they stand. */
  #filled(deliveryGroups: readonly string[]): Promise<void> | void {
    const { later = [] } = this.#execution
    if (later.length === 0) return undefined
    const fill = async (deliveryGroup: string): Promise<void> => {
      // Fields below a field that is outstanding are not known before it.
      for (const name of this.#delivery.around(deliveryGroup))
        await Promise.all(later.map((each) => each.filled(name)))
    }
    return this.#follow(Promise.all(deliveryGroups.map(fill))).then(nothing)
  }

  #begin(scope: Scope): void {
    for (const [index, fetch] of this.#fetches.entries())
      if (this.#belongs(fetch, scope)) void this.#done(index, scope)
  }
}

function isWithin(name: string, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    if (at.list?.name === name) return true
  return false
}

const nothing = (): void => {}

/**
 * Removes the later items from all lists of this name, and returns data of the same shape that has only the way to
 * them: each item is at its index in the response. Undefined if there are none.
 */
function withoutFirst(
  value: unknown,
  list: StreamedList,
  at: number,
  rests: { readonly list: unknown[]; readonly items: readonly unknown[] }[],
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutFirst(item, list, at, rests) ?? null)
    return items.every((item) => item === null) ? undefined : items
  }
  const step = list.path[at]
  if (typeof value !== 'object' || value === null || step === undefined) return undefined
  const object = value as JsonObject
  if (step.types !== undefined && !step.types.has(object.__typename as string)) return undefined
  const below = readMember(object, step.key)
  if (at < list.path.length - 1) {
    const inside = withoutFirst(below, list, at + 1, rests)
    return inside === undefined ? undefined : overlaid(object, step.key, inside)
  }
  if (!Array.isArray(below) || below.length <= list.initialCount) return undefined
  const items: readonly unknown[] = below.splice(list.initialCount)
  rests.push({ list: below, items })
  return overlaid(object, step.key, [...new Array(list.initialCount).fill(null), ...items])
}

/** Data of the same shape that has only the way to a list, with these items in it. */
function withListAt(value: unknown, [step, ...rest]: Path, items: readonly unknown[]): unknown {
  if (step === undefined) return items
  if (typeof step === 'number') {
    const list: unknown[] = new Array(step).fill(null)
    list.push(withListAt((value as readonly unknown[])[step], rest, items))
    return list
  }
  const object = value as JsonObject
  return overlaid(object, step, withListAt(readMember(object, step), rest, items))
}

/** The object with another value under one key. Later data of the object is visible through its prototype. */
function overlaid(object: JsonObject, key: string, value: unknown): JsonObject {
  const over: JsonObject = Object.create(object)
  writeMember(over, key, value)
  return over
}
