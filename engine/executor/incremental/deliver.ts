/**
 * Makes the payloads of an incremental response as soon as their data is available. A deferred fragment is announced
 * with the data of its object. Its fields are sent when all of them are there, each once, and nested fragments are
 * announced after it. A null in a non-null position removes the fragment around it and no more.
 */
import type { GraphQLError } from 'graphql'
import { append } from '../../../shared/runtime/maps.ts'
import type { Later, LaterGroup, LaterItems, ResponseShape } from '../../response/index.ts'
import type { Execution, JsonObject } from '../execution.ts'
import { normaliseErrors } from '../normalise-errors.ts'
import type { DeferredFragment, DeliveryGroup } from './delivery-groups.ts'
import type { IncrementalExecutionResult, Path, PendingResult } from './execution-updates.ts'
import type { Run, Scope } from './run.ts'
import { SentErrors, stands } from './sent-errors.ts'
import { UpdateQueue } from './update-queue.ts'

/** A deferred fragment at one object. */
interface Fragment {
  readonly of: DeferredFragment
  readonly path: Path
  readonly parent: Fragment | undefined
  readonly within: Fragment[]
  /** The groups that are outstanding, the groups that are ready and not sent, and the number of all groups. */
  awaited: number
  readonly ready: Group[]
  groups: number
  pending: PendingResult | undefined
  isOver: boolean
  lost: readonly GraphQLError[] | undefined
}

/** The fields of one object in one delivery group. */
interface Group {
  readonly fragments: readonly Fragment[]
  readonly at: LaterGroup
  data: JsonObject | undefined
  errors: readonly GraphQLError[]
  found: Found
  isSent: boolean
}

/** The fragments and lists to announce with a value. */
interface Found {
  readonly fragments: readonly Fragment[]
  readonly lists: readonly { readonly items: LaterItems; readonly scope: Scope }[]
}

const nothingFound: Found = { fragments: [], lists: [] }

interface DeliverOptions {
  readonly run: Run
  readonly groups: ReadonlyMap<string, DeliveryGroup>
  readonly shape: ResponseShape
  readonly nodeFields: ReadonlySet<string>
}

export class IncrementalDelivery {
  readonly #options: DeliverOptions
  readonly #run: Run
  readonly #shape: ResponseShape
  readonly #execution
  readonly #fragments = new Map<string, Fragment>()
  readonly #errorsOf: SentErrors
  readonly #updates: UpdateQueue

  constructor(options: DeliverOptions) {
    this.#options = options
    this.#run = options.run
    this.#shape = options.shape
    this.#execution = options.run.root.execution
    this.#errorsOf = new SentErrors(this.#execution.errors, options.shape)
    this.#updates = new UpdateQueue(() => this.#errorsOf.rest())
  }

  /** Resolves with the first response. Errors of later payloads do not reject it. */
  async run(): Promise<IncrementalExecutionResult> {
    await this.#run.ready(undefined, this.#run.root)
    this.#normaliseErrors(this.#execution)
    const later: Later = { groups: [], lists: [] }
    // Later fetches add their data to this object, even if nothing comes first.
    this.#execution.data ??= {}
    const data = this.#shape.completeGroup(
      { position: this.#shape.root, data: this.#execution.data, path: [] },
      this.#execution,
      later,
    )
    const errors = this.#errorsOf.made('', [], data)
    if (data !== null) this.#announce(this.#begin(later, [], data, this.#run.root))
    const first = { data, ...(errors.length === 0 ? {} : { errors }) }
    return this.#updates.isOver
      ? first
      : { ...first, updates: { ...this.#updates.begin(), whenIdle: () => this.#run.whenIdle() } }
  }

  #normaliseErrors(execution: Execution): void {
    normaliseErrors(execution, this.#shape, this.#options.nodeFields)
  }

  #fragmentAt(of: DeferredFragment, path: Path): Fragment {
    const here = prefixOf(path, of.depth)
    const key = keyOf(String(of.id), here)
    return this.#fragments.get(key) ?? this.#openFragment(of, path, here, key)
  }

  /** For a later item of a list. A fragment around the list that is complete by then is opened again. */
  #openFragmentAt(of: DeferredFragment, path: Path): Fragment {
    const known = this.#fragmentAt(of, path)
    if (!known.isOver || known.lost !== undefined) return known
    return this.#openFragment(of, path, known.path, keyOf(String(of.id), known.path))
  }

  #openFragment(of: DeferredFragment, path: Path, here: Path, key: string): Fragment {
    const parent = of.parent === undefined ? undefined : this.#fragmentAt(of.parent, path)
    const fragment: Fragment = {
      of,
      path: here,
      parent,
      within: [],
      awaited: 0,
      ready: [],
      groups: 0,
      pending: undefined,
      isOver: false,
      lost: undefined,
    }
    parent?.within.push(fragment)
    this.#fragments.set(key, fragment)
    return fragment
  }

  /** Begins the delivery of what a value in the response omits. */
  #begin(later: Later, base: Path, value: unknown, scope: Scope): Found {
    const found = new Set<Fragment>()
    const begun = new Map<string, Group[]>()
    for (const at of later.groups) {
      const deliveryGroup = this.#options.groups.get(at.deliveryGroup)
      if (deliveryGroup === undefined || !stands(value, at.path.slice(base.length))) continue
      const asking = deliveryGroup.fragments.map((each) => this.#openFragmentAt(each, at.path))
      const group: Group = {
        fragments: asking,
        at,
        data: undefined,
        errors: [],
        found: nothingFound,
        isSent: false,
      }
      for (const fragment of asking) {
        fragment.groups += 1
        fragment.awaited += 1
        let outermost = fragment
        while (outermost.parent !== undefined && !this.#isKnown(outermost.parent))
          outermost = outermost.parent
        const { parent } = outermost
        const isDue = parent === undefined || (parent.isOver && parent.lost === undefined)
        if (isDue && !this.#isKnown(outermost)) found.add(outermost)
      }
      append(begun, at.deliveryGroup, group)
    }
    // All objects wait together for a delivery group: work before the first response is sent delays it.
    for (const [deliveryGroup, groups] of begun)
      void this.#run.ready(deliveryGroup, scope).then(
        () => {
          for (const group of groups) this.#makeGroup(group, scope)
        },
        (error: unknown) => {
          for (const group of groups) this.#lose(group, [error as GraphQLError])
        },
      )
    const lists = later.lists.flatMap((items) =>
      stands(value, items.path.slice(base.length)) && this.#hasMore(items, scope) ? [{ items, scope }] : [],
    )
    return { fragments: [...found], lists }
  }

  #isKnown(fragment: Fragment): boolean {
    return fragment.pending !== undefined || fragment.isOver
  }

  #hasMore({ items, list, path }: LaterItems, scope: Scope): boolean {
    return (
      this.#run.laterItemsOf(items) !== undefined ||
      items.length > list.initialCount ||
      this.#run.more(items, { list, path, scope }) !== undefined
    )
  }

  #makeGroup(group: Group, scope: Scope): void {
    const { at, fragments: asking } = group
    if (asking.every(({ isOver }) => isOver)) return
    const later: Later = { groups: [], lists: [] }
    let data: JsonObject | null
    try {
      this.#normaliseErrors(scope.execution)
      data = this.#shape.completeGroup(at, scope.execution, later)
    } catch (error) {
      this.#lose(group, [error as GraphQLError])
      return
    }
    group.errors = this.#errorsOf.made(at.deliveryGroup, at.path, data)
    if (data === null) {
      this.#lose(group, group.errors)
      return
    }
    group.data = data
    group.found = this.#begin(later, at.path, data, scope)
    for (const fragment of asking) {
      fragment.awaited -= 1
      fragment.ready.push(group)
    }
    for (const fragment of asking) this.#finish(fragment)
    this.#updates.flushSoon()
  }

  #lose(group: Group, errors: readonly GraphQLError[]): void {
    for (const fragment of group.fragments) {
      fragment.awaited -= 1
      if (fragment.isOver || fragment.lost !== undefined) continue
      fragment.lost = errors
      this.#finish(fragment)
    }
    this.#updates.flushSoon()
  }

  /** Sends the fields of a fragment, if it is announced and complete. */
  #finish(fragment: Fragment): void {
    const { pending, lost } = fragment
    if (pending === undefined || fragment.isOver) return
    if (lost !== undefined) {
      fragment.isOver = true
      this.#updates.complete(pending, this.#errorsOf.reasons(lost, fragment.path))
      this.#drop(fragment)
      return
    }
    if (fragment.awaited > 0) return
    fragment.isOver = true
    const found: Found[] = []
    for (const group of fragment.ready) {
      if (group.isSent || group.data === undefined) continue
      group.isSent = true
      found.push(group.found)
      this.#updates.send({
        kind: 'data',
        of: pending,
        path: group.at.path,
        data: group.data,
        errors: group.errors,
      })
    }
    this.#updates.complete(pending)
    for (const each of found) this.#announce(each)
    for (const each of fragment.within) this.#announceFragment(each)
  }

  /** Fragments within a lost one are never announced. */
  #drop(fragment: Fragment): void {
    for (const each of fragment.within) {
      if (each.isOver) continue
      if (each.pending === undefined) {
        each.isOver = true
        each.lost = fragment.lost
      }
      this.#drop(each)
    }
  }

  #announce({ fragments: some, lists }: Found): void {
    for (const fragment of some) this.#announceFragment(fragment)
    for (const { items, scope } of lists) this.#stream(items, scope)
  }

  #announceFragment(fragment: Fragment): void {
    if (this.#isKnown(fragment)) return
    if (fragment.groups === 0) {
      // It has no fields of its own, but nested fragments may.
      fragment.isOver = true
      for (const each of fragment.within) this.#announceFragment(each)
      return
    }
    fragment.pending = this.#updates.announce('defer', fragment.of.label, fragment.path)
    this.#finish(fragment)
  }

  #stream(items: LaterItems, around: Scope): void {
    const { list, path } = items
    const pending = this.#updates.announce('stream', list.label, path)
    const end = (errors?: readonly GraphQLError[]): void => {
      this.#updates.complete(pending, errors === undefined ? undefined : this.#errorsOf.reasons(errors, path))
      this.#updates.flushSoon()
    }
    const more = this.#run.more(items.items, { list, path, scope: around })
    /** Sends items when their data is available. Returns the errors if not all of them could be made. */
    const send = async (some: readonly unknown[], index: number, of: Scope, isLast: boolean) => {
      await this.#run.ready(list.deliveryGroup?.name, of)
      const made = this.#makeItems(items, some, index, of, isLast)
      if (made.items.length > 0) {
        this.#updates.send({ kind: 'items', of: pending, index, ...made })
        for (const each of made.found) this.#announce(each)
        this.#updates.flushSoon()
      }
      return made.items.length < some.length ? made.errors : undefined
    }
    const sendAll = async (): Promise<readonly GraphQLError[] | undefined> => {
      const dividing = this.#run.divided(list, around)
      if (dividing !== undefined) await dividing
      const held = this.#run.laterItemsOf(items.items)
      const rest = held?.items ?? items.items.slice(list.initialCount)
      const scope = held?.scope ?? around
      let index = list.initialCount
      let lost = await send(rest, index, scope, more === undefined)
      index += rest.length
      while (more !== undefined && lost === undefined) {
        const next = await more(index)
        if (next === undefined) break
        if (next.failed) return this.#errorsOf.made(list.name, path, [])
        lost = await send(next.items, index, next.scope, false)
        index += next.items.length
      }
      return lost
    }
    sendAll().then(end, (error: unknown) => end([error as GraphQLError]))
  }

  #makeItems(items: LaterItems, rest: readonly unknown[], first: number, scope: Scope, isLast: boolean) {
    const { list, path } = items
    this.#normaliseErrors(scope.execution)
    const made: unknown[] = []
    const found: Found[] = []
    for (const [at, value] of rest.entries()) {
      const index = first + at
      const later: Later = { groups: [], lists: [] }
      const item = this.#shape.completeItem(items, index, value, scope.execution, later)
      if (item === undefined) break
      made.push(item)
      found.push(this.#begin(later, [...path, index], item, scope))
    }
    // Earlier items were in other payloads.
    const placed = [...new Array(first).fill(undefined), ...made]
    return { items: made, errors: this.#errorsOf.made(list.name, path, placed, isLast), found }
  }
}

/** Response keys contain no dots. */
const keyOf = (name: string, path: Path): string => `${name}.${path.join('.')}`

/** The path of the object that this many response keys lead to, including list indices after the last key. */
function prefixOf(path: Path, keys: number): Path {
  let seen = 0
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') continue
    if (seen === keys) return path.slice(0, index)
    seen += 1
  }
  return path
}
