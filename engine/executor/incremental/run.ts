/**
 * Runs the fetches of an operation in parts: each begins as soon as what it waits for is there, whichever part it is
 * for. The items of a streamed list after the first ones are looked after by themselves: what is fetched for them does
 * not hold back what is fetched for the first ones.
 */

import type { PartFetch } from '../../planner/index.ts'
import type { Execution, JsonObject, Step } from '../execution.ts'
import type { LaterResults } from '../later.ts'
import { read, write } from '../merge.ts'
import type { StreamedList } from './parts.ts'
import type { Path } from './pieces.ts'

/** A fetch that is ready to be run. */
export interface RunnableFetch extends Omit<PartFetch, 'node'> {
  readonly step: Step
}

/** The response, or items of a streamed list that come after the first ones. */
export interface Scope {
  readonly execution: Execution
  readonly list: StreamedList | undefined
  readonly parent: Scope | undefined
}

/** Items of a streamed list that come after the first ones: they stand in no list yet. */
export interface LaterItemsOf {
  readonly items: readonly unknown[]
  readonly scope: Scope
}

export interface Run {
  readonly root: Scope
  /** Resolves as soon as everything is there that a part needs; undefined is what comes first. */
  ready(part: string | undefined, scope: Scope): Promise<void>
  /** Resolves when `laterItemsOf` knows this list: what brings it may be for several parts. Undefined if it does. */
  divided(list: StreamedList, scope: Scope): Promise<void> | undefined
  /** The items of a list after the first ones, if more is fetched for them. */
  laterItemsOf(list: readonly unknown[]): LaterItemsOf | undefined
  /** Resolves when no fetch is under way; undefined if none is. */
  left(): Promise<void> | undefined
  /**
   * Reads on in a list at this path that its subgraph did not answer whole: each call gives items that follow, `index`
   * being the place of their first one, and undefined after the last. Undefined for other lists.
   */
  more(list: readonly unknown[], at: ListAt): ((index: number) => Promise<MoreItems | undefined>) | undefined
}

/** A list in the response. */
export interface ListAt {
  readonly list: StreamedList
  readonly path: Path
  readonly scope: Scope
}

export interface MoreItems extends LaterItemsOf {
  /** Whether no more can come, because of an error. */
  readonly failed: boolean
}

export function startRun(
  fetches: readonly RunnableFetch[],
  lists: ReadonlyMap<string, StreamedList>,
  execution: Execution,
): Run {
  const root: Scope = { execution, list: undefined, parent: undefined }
  const started = new Map<Scope, Map<number, Promise<void>>>()
  const cuts = new Map<Scope, Map<string, Promise<void>>>()
  const held = new Map<readonly unknown[], LaterItemsOf>()
  let isFirstOver = false
  let underWay = 0
  let whenLeft: (() => void) | undefined
  let left: Promise<void> | undefined

  /** Counts it among what is under way. */
  function follow<Made>(pending: Promise<Made>): Promise<Made> {
    underWay += 1
    const ended = (): void => {
      underWay -= 1
      // What begins when this ends has begun in the next turn.
      if (underWay === 0)
        setImmediate(() => {
          if (underWay === 0) whenLeft?.()
        })
    }
    pending.then(ended, ended)
    return pending
  }

  const belongs = ({ lists: within }: RunnableFetch, scope: Scope): boolean =>
    scope.list === undefined || within.includes(scope.list.name)

  /** When a fetch has brought what it has for the objects of a scope, or of one around it. */
  function done(index: number, scope: Scope): Promise<void> {
    const fetch = fetches[index]
    if (fetch === undefined) throw new Error(`There is no fetch ${index}.`)
    let at = scope
    while (!belongs(fetch, at) && at.parent !== undefined) at = at.parent
    const known = started.get(at)?.get(index)
    if (known !== undefined) return known
    const pending = follow(start(fetch, at))
    const here = started.get(at)
    if (here === undefined) started.set(at, new Map([[index, pending]]))
    else here.set(index, pending)
    return pending
  }

  function start(fetch: RunnableFetch, scope: Scope): Promise<void> {
    const before = fetch.after.map((index) => done(index, scope).then(() => filled(fetch.parts)))
    for (const name of fetch.lists) if (!isWithin(name, scope)) before.push(cut(name, scope))
    const run = (): void | Promise<void> => fetch.step(scope.execution)
    const isFirst = scope === root && fetch.parts.includes('')
    if (isFirst) return before.length === 0 ? promiseOf(run()) : Promise.all(before).then(run)
    return Promise.all(before).then(() => (isFirstOver ? run() : nextTurn().then(run)))
  }

  /** Leaves only the first items in every list of this name, and begins what the others need. */
  function cut(name: string, scope: Scope): Promise<void> {
    const known = cuts.get(scope)?.get(name)
    if (known !== undefined) return known
    const list = lists.get(name)
    const bringing = fetches.flatMap(({ brings }, index) =>
      brings.some((each) => each.list === name) ? [index] : [],
    )
    const arriving = bringing.map((index) =>
      done(index, scope).then(() => filled(list?.part === undefined ? [] : [list.part.name])),
    )
    const pending = Promise.all(arriving).then(() => {
      // What something else needs whole is not cut.
      if (list === undefined || bringing.length === 0 || scope.execution.data === undefined) return
      const rests: { readonly list: unknown[]; readonly items: readonly unknown[] }[] = []
      const data = withoutFirst(scope.execution.data, list, 0, rests)
      if (data === undefined) return
      const later: Scope = {
        execution: { ...scope.execution, data: data as JsonObject },
        list,
        parent: scope,
      }
      for (const each of rests) held.set(each.list, { items: each.items, scope: later })
      begin(later)
    })
    const here = cuts.get(scope)
    if (here === undefined) cuts.set(scope, new Map([[name, pending]]))
    else here.set(name, pending)
    return pending
  }

  function readyFor(part: string, scope: Scope): Promise<void> {
    return Promise.all(
      fetches.flatMap(({ parts }, index) => (parts.includes(part) ? [done(index, scope)] : [])),
    ).then(() => filled([part]))
  }

  /** When fetches have answered all fields of some parts, of those that they did not answer at once. */
  function filled(parts: readonly string[]): Promise<void> | void {
    const { later = [] } = execution
    if (later.length === 0) return undefined
    return follow(Promise.all(later.flatMap((each) => parts.map((part) => each.filled(part))))).then(nothing)
  }

  function begin(scope: Scope): void {
    for (const [index, fetch] of fetches.entries()) if (belongs(fetch, scope)) void done(index, scope)
  }

  begin(root)
  // What a later fetch waits for is often there together with the first part, which is sent before it begins.
  void readyFor('', root)
    .then(nextTurn)
    .then(() => {
      isFirstOver = true
    }, nothing)
  return {
    root,
    ready: (part = '', scope) => readyFor(part, scope),
    divided: ({ name }, scope) => cuts.get(scope)?.get(name),
    laterItemsOf: (list) => held.get(list),
    left() {
      if (underWay === 0) return undefined
      left ??= new Promise((resolve) => {
        whenLeft = resolve
      })
      return left
    },
    more(items, { list, path, scope }) {
      let next: ReturnType<LaterResults<never>['more']>
      for (const each of execution.later ?? []) next ??= each.more(items)
      if (next === undefined) return undefined
      const read = next
      return async (index) => {
        const found = await follow(read())
        if (found === undefined) return undefined
        const { items: more, failed } = found
        const placed = [...new Array(index).fill(null), ...more]
        const data = withListAt(scope.execution.data, path, placed) as JsonObject
        const later: Scope = { execution: { ...scope.execution, data }, list, parent: scope }
        begin(later)
        return { items: more, scope: later, failed }
      }
    },
  }
}

function isWithin(name: string, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    if (at.list?.name === name) return true
  return false
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const nothing = (): void => {}
const promiseOf = (pending: void | Promise<void>): Promise<void> => pending ?? Promise.resolve()

/**
 * Takes the items after the first ones out of all lists of this name, and makes data of the same shape that has
 * nothing but the way to them: each item stands where it will stand in the response. Undefined if there are none.
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
  const below = read(object, step.key)
  if (at < list.path.length - 1) {
    const inside = withoutFirst(below, list, at + 1, rests)
    return inside === undefined ? undefined : overlaid(object, step.key, inside)
  }
  if (!Array.isArray(below) || below.length <= list.initialCount) return undefined
  const items: readonly unknown[] = below.splice(list.initialCount)
  rests.push({ list: below, items })
  return overlaid(object, step.key, [...new Array(list.initialCount).fill(null), ...items])
}

/** Data of the same shape with nothing but the way to a list, and this in its place. */
function withListAt(value: unknown, [step, ...rest]: Path, items: readonly unknown[]): unknown {
  if (step === undefined) return items
  if (typeof step === 'number') {
    const list: unknown[] = new Array(step).fill(null)
    list.push(withListAt((value as readonly unknown[])[step], rest, items))
    return list
  }
  const object = value as JsonObject
  return overlaid(object, step, withListAt(read(object, step), rest, items))
}

/** The object with another value under one key. What is fetched for the object later is there, too. */
function overlaid(object: JsonObject, key: string, value: unknown): JsonObject {
  const over: JsonObject = Object.create(object)
  write(over, key, value)
  return over
}
