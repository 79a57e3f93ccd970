/**
 * Makes the pieces of an answer as soon as what they need is there, and when each is announced: a deferred fragment
 * is announced with what its object comes with, its fields come when all of them are there, each once, and what stands
 * within it is announced after it. A null that must not be takes along the fragment in which it stands, and no more.
 */
import type { GraphQLError } from 'graphql'
import type { Later, LaterGroup, LaterItems } from '../../response/index.ts'
import type { Execution, JsonObject } from '../execution.ts'
import type { DeferredFragment, DeliveryGroup } from './delivery-groups.ts'
import { createOutbox } from './outbox.ts'
import type { AnswerInPieces, Path, Pending } from './pieces.ts'
import type { Run, Scope } from './run.ts'
import { createSentErrors, stands } from './sent-errors.ts'

/** Makes completed values for the response; each takes what is left out of it. */
export interface Completing {
  /** The part of an object; the whole root if no part is named. */
  group(
    group: Omit<LaterGroup, 'deliveryGroup'> & { readonly deliveryGroup?: string },
    execution: Execution,
    later: Later,
  ): JsonObject | null
  /** An item; undefined if its null takes the list along. */
  item(items: LaterItems, index: number, value: unknown, execution: Execution, later: Later): unknown
  /** Brings errors of subgraphs to where clients find them. */
  normaliseErrors(execution: Execution): void
  /** What an error belongs to: a part of an object or items of a list, by the name and the path; undefined: what comes first. */
  ownerOf(path: Path): { readonly name: string; readonly path: Path } | undefined
  readonly root: LaterGroup['position']
}

/** A deferred fragment at one object. */
interface Fragment {
  readonly of: DeferredFragment
  readonly path: Path
  readonly parent: Fragment | undefined
  readonly within: Fragment[]
  /** How many groups are not there yet; those that are and were not sent; how many there are. */
  awaited: number
  readonly ready: Group[]
  groups: number
  pending: Pending | undefined
  isOver: boolean
  lost: readonly GraphQLError[] | undefined
}

/** The fields of one object that exactly some fragments ask for. */
interface Group {
  readonly fragments: readonly Fragment[]
  readonly at: LaterGroup
  data: JsonObject | undefined
  errors: readonly GraphQLError[]
  found: Found
  isSent: boolean
}

/** What is to be announced with a value. */
interface Found {
  readonly fragments: readonly Fragment[]
  readonly lists: readonly { readonly items: LaterItems; readonly scope: Scope }[]
}

const nothingFound: Found = { fragments: [], lists: [] }

export interface DeliverOptions {
  readonly run: Run
  readonly groups: ReadonlyMap<string, DeliveryGroup>
  readonly completing: Completing
}

/** Resolves with the first part. Does not reject for what later parts fail with. */
export function deliver(options: DeliverOptions): Promise<AnswerInPieces> {
  return new PieceDelivery(options).run()
}

class PieceDelivery {
  readonly #run: Run
  readonly #groups: ReadonlyMap<string, DeliveryGroup>
  readonly #completing: Completing
  readonly #execution
  readonly #fragments = new Map<string, Fragment>()
  readonly #errorsOf
  readonly #outbox

  constructor({ run, groups, completing }: DeliverOptions) {
    this.#run = run
    this.#groups = groups
    this.#completing = completing
    const { execution } = run.root
    this.#execution = execution
    this.#errorsOf = createSentErrors(this.#execution.errors, completing.ownerOf)
    this.#outbox = createOutbox(this.#errorsOf.rest)
  }

  async run(): Promise<AnswerInPieces> {
    await this.#run.ready(undefined, this.#run.root)
    this.#completing.normaliseErrors(this.#execution)
    const later: Later = { groups: [], lists: [] }
    // What is fetched later is put into the object that this part is made of, be it that nothing comes first.
    this.#execution.data ??= {}
    const data = this.#completing.group(
      { position: this.#completing.root, data: this.#execution.data, path: [] },
      this.#execution,
      later,
    )
    const errors = this.#errorsOf.made('', [], data)
    if (data !== null) this.#tell(this.#begin(later, [], data, this.#run.root))
    const told = { data, ...(errors.length === 0 ? {} : { errors }) }
    return this.#outbox.isOver
      ? told
      : { ...told, pieces: { ...this.#outbox.begin(), left: () => this.#run.left() } }
  }

  #fragmentAt(of: DeferredFragment, path: Path): Fragment {
    const here = prefixOf(path, of.depth)
    const key = keyOf(String(of.id), here)
    return this.#fragments.get(key) ?? this.#openFragment(of, path, here, key)
  }

  /** One that takes more: items of a list may come when a fragment around their list is over, which comes again then. */
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

  /** Begins what was left out of a value that stands in the answer. */
  #begin(later: Later, base: Path, value: unknown, scope: Scope): Found {
    const found = new Set<Fragment>()
    const begun = new Map<string, Group[]>()
    for (const at of later.groups) {
      const deliveryGroup = this.#groups.get(at.deliveryGroup)
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
      const equal = begun.get(at.deliveryGroup)
      if (equal === undefined) begun.set(at.deliveryGroup, [group])
      else equal.push(group)
    }
    // One wait for the same part of all objects: what comes before the first part is sent delays it.
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
      this.#completing.normaliseErrors(scope.execution)
      data = this.#completing.group(at, scope.execution, later)
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
    this.#outbox.flushSoon()
  }

  #lose(group: Group, errors: readonly GraphQLError[]): void {
    for (const fragment of group.fragments) {
      fragment.awaited -= 1
      if (fragment.isOver || fragment.lost !== undefined) continue
      fragment.lost = errors
      this.#finish(fragment)
    }
    this.#outbox.flushSoon()
  }

  /** Sends what a fragment has, if it is announced and all of it is there. */
  #finish(fragment: Fragment): void {
    const { pending, lost } = fragment
    if (pending === undefined || fragment.isOver) return
    if (lost !== undefined) {
      fragment.isOver = true
      this.#outbox.complete(pending, this.#errorsOf.reasons(lost, fragment.path))
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
      this.#outbox.send({
        kind: 'data',
        of: pending,
        path: group.at.path,
        data: group.data,
        errors: group.errors,
      })
    }
    this.#outbox.complete(pending)
    for (const each of found) this.#tell(each)
    for (const each of fragment.within) this.#tellOf(each)
  }

  /** What stands within a fragment that was lost is never announced. */
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

  #tell({ fragments: some, lists }: Found): void {
    for (const fragment of some) this.#tellOf(fragment)
    for (const { items, scope } of lists) this.#stream(items, scope)
  }

  #tellOf(fragment: Fragment): void {
    if (this.#isKnown(fragment)) return
    if (fragment.groups === 0) {
      // Nothing of it comes by itself: what stands within it does.
      fragment.isOver = true
      for (const each of fragment.within) this.#tellOf(each)
      return
    }
    fragment.pending = this.#outbox.announce('defer', fragment.of.label, fragment.path)
    this.#finish(fragment)
  }

  #stream(items: LaterItems, around: Scope): void {
    const { list, path } = items
    const pending = this.#outbox.announce('stream', list.label, path)
    const end = (errors?: readonly GraphQLError[]): void => {
      this.#outbox.complete(pending, errors === undefined ? undefined : this.#errorsOf.reasons(errors, path))
      this.#outbox.flushSoon()
    }
    const more = this.#run.more(items.items, { list, path, scope: around })
    /** Sends items when what is fetched for them is there; whether all of them could be made. */
    const send = async (some: readonly unknown[], index: number, of: Scope, isLast: boolean) => {
      await this.#run.ready(list.deliveryGroup?.name, of)
      const made = this.#makeItems(items, some, index, of, isLast)
      if (made.items.length > 0) {
        this.#outbox.send({ kind: 'items', of: pending, index, ...made })
        for (const each of made.found) this.#tell(each)
        this.#outbox.flushSoon()
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
    this.#completing.normaliseErrors(scope.execution)
    const made: unknown[] = []
    const found: Found[] = []
    for (const [at, value] of rest.entries()) {
      const index = first + at
      const later: Later = { groups: [], lists: [] }
      const item = this.#completing.item(items, index, value, scope.execution, later)
      if (item === undefined) break
      made.push(item)
      found.push(this.#begin(later, [...path, index], item, scope))
    }
    // The items before them came with others.
    const placed = [...new Array(first).fill(undefined), ...made]
    return { items: made, errors: this.#errorsOf.made(list.name, path, placed, isLast), found }
  }
}

/** No response key has a point in it. */
const keyOf = (name: string, path: Path): string => `${name}.${path.join('.')}`

/** The path of the object to which so many response keys lead, with the places in lists behind the last one. */
function prefixOf(path: Path, keys: number): Path {
  let seen = 0
  for (const [index, step] of path.entries()) {
    if (typeof step === 'number') continue
    if (seen === keys) return path.slice(0, index)
    seen += 1
  }
  return path
}
