/**
 * Polls lists that grow at one end. Pages are read from the newest item until one that is known. A list that fits in
 * its first page may have any order. New items are sent oldest first, once each. A position survives reconnecting: it
 * names the last items that were sent, and whatever came after them is read again as long as the service has it.
 */
import type { LiveEvent } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { visitPages } from '../pagination/index.ts'
import { wrongArgument } from '../wrong-argument.ts'
import type { Pace } from './interval.ts'
import { readListPosition, writeListPosition } from './list-position.ts'
import type { PollStrategy } from './poll-strategy.ts'
import { LiveQueue } from './queue.ts'
import { Topic, type TopicOptions } from './topic.ts'

export interface ListPollerPage<Raw> {
  /** The newest first, with undefined at the place of a malformed item. */
  readonly items: readonly (Raw | undefined)[]
  /** Undefined on the last page. */
  readonly next?: string | undefined
  readonly hintMs?: number | undefined
}

/** How a list is polled. `Raw` is a JSON value. */
interface ListPollerOptions<Raw, Value> {
  readonly field: string
  /** Names the list in positions if several topics read it. The default is the key of the topic. */
  readonly list?: string | undefined
  readonly pace: Pace
  /** The price of one page. */
  readonly units: number
  /** With `conditional`, the result is undefined if nothing changed since the last answer without a token. */
  fetch(
    token: string | undefined,
    conditional: boolean,
    request: SubgraphRequest,
  ): Promise<ListPollerPage<Raw> | undefined>
  idOf(raw: Raw): string
  /** `gap` says that items may be missing before this one. `after` is the position to resume from. */
  valueOf(raw: Raw, gap: boolean, after: string): Value
}

interface News<Raw> {
  /** The newest first. */
  readonly items: readonly Raw[]
  readonly gap: boolean
  /** These items existed before, so no event is sent for them. */
  readonly baseline: boolean
  /** With `baseline`: false if no older items exist. */
  readonly more?: boolean | undefined
  /** For processes that may lack more than these items. */
  readonly whole?: Whole<Raw> | undefined
}

/** The items of a process, without a gap between them. */
interface Whole<Raw> {
  /** The newest first, the news included. */
  readonly items: readonly Raw[]
  /** Whether there are older items. */
  readonly more: boolean
}

/** How many items are kept for clients that reconnect. */
const kept = 300
/** How many ids of older items are known. */
const knownIds = 3000
/** How many pages are read for a client that reconnects. */
const mostPages = 10
/** How many ids a position names. It names several, because the newest items may be deleted meanwhile. */
const namedIds = 5

export class ListPoller<Raw, Value> {
  readonly #service: string
  readonly #options: ListPollerOptions<Raw, Value>
  readonly #idOf: ListPollerOptions<Raw, Value>['idOf']
  readonly #list: string
  readonly #queues = new Set<LiveQueue<Value>>()
  /** The newest first. */
  #items: readonly Raw[] = []
  /** Ids of these items and of older ones, the newest first. */
  #ids: readonly string[] = []
  #known = new Set<string>()
  #hasBaseline = false
  /** Whether the list had no item that is not known. Then every other item is new, wherever it is. */
  #knowsAll = false
  /** How many of the newest items have no gap between them. */
  #unbroken = 0
  readonly topic

  constructor(topicOptions: TopicOptions, options: ListPollerOptions<Raw, Value>) {
    this.#service = topicOptions.host.service
    this.#options = options
    this.#idOf = options.idOf
    this.#list = options.list ?? topicOptions.key
    const strategy: PollStrategy<{ readonly lacks: boolean }, News<Raw>> = {
      field: options.field,
      pace: options.pace,
      want: () => ({ lacks: !this.#hasBaseline }),
      units: () => options.units,
      poll: async (_, { whole, conditional }, request) => {
        const page = await options.fetch(undefined, conditional && this.#hasBaseline, request)
        if (page === undefined) return { news: undefined }
        const news = this.#newsIn(page)
        const nothing = news.items.length === 0 && !news.baseline
        const { hintMs } = page
        if (whole && !news.baseline)
          return { news: { ...news, whole: this.#wholeWith(news) }, unchanged: nothing, hintMs }
        return { news: nothing ? undefined : news, hintMs }
      },
      take: (news, older) => {
        if (older && this.#hasBaseline) return
        if (news.baseline) {
          if (!this.#hasBaseline) this.#begin(news.items, news.more)
          return
        }
        if (news.whole !== undefined && !this.#hasBaseline)
          this.#begin(news.whole.items.slice(news.items.length), news.whole.more)
        const { items: found, gap } = news.whole === undefined ? news : this.#unknownOf(news.whole)
        const fresh = this.#unseen(found)
        this.#learn(fresh, gap)
        if (fresh.length === 0 || this.#queues.size === 0) return
        for (let at = fresh.length - 1; at >= 0; at--) {
          const event = this.#eventAt(at, gap && at === fresh.length - 1)
          if (event !== undefined) for (const queue of this.#queues) queue.push(event)
        }
      },
      lacking: ({ lacks }) =>
        lacks && this.#hasBaseline
          ? { items: this.#items, gap: false, baseline: true, more: this.#hasMore() }
          : undefined,
      isMissing: () => !this.#hasBaseline,
    }
    this.topic = new Topic<Value, { readonly lacks: boolean }, News<Raw>>(topicOptions, strategy)
  }

  /**
   * Throws if `after` is no position of this list. Reads what lies between the position and now if it is not known.
   */
  async subscribe(
    after: string | null | undefined,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): Promise<LiveQueue<Value>> {
    const isNew = after === null || after === undefined || after === ''
    const queue = new LiveQueue<Value>(this, first, !isNew)
    if (!isNew) {
      const position = readListPosition(this.#list, after)
      if (position === undefined)
        throw wrongArgument('after', 'is not the position of an event of this field with the same arguments.')
      const isKnown = this.#hasBaseline && this.#placeOf(position) >= 0
      const lacks = isKnown ? false : await this.#readBack(position, request)
      // Without waiting before it gets new events: it would miss those of a poll that ends meanwhile.
      queue.start(this.#missedSince(position, lacks).values())
    }
    this.#queues.add(queue)
    this.topic.add(queue, request, undefined)
    return queue
  }

  left(queue: LiveQueue<Value>): void {
    this.#queues.delete(queue)
    this.topic.remove(queue)
  }

  /** The events after a position. `lacks`: whether an item on the way to it was malformed. */
  #missedSince(position: readonly string[], lacks: boolean): LiveEvent<Value>[] {
    const at = this.#placeOf(position)
    const from = at < 0 ? this.#items.length : at
    const missed: LiveEvent<Value>[] = []
    for (let place = from - 1; place >= 0; place--) {
      const event = this.#eventAt(place, (at < 0 || lacks) && place === from - 1)
      if (event !== undefined) missed.push(event)
    }
    return missed
  }

  #learn(fresh: readonly Raw[], gap: boolean): void {
    this.#unbroken = gap ? fresh.length : this.#unbroken + fresh.length
    this.#items = [...fresh, ...this.#items].slice(0, kept)
    this.#ids = [...fresh.map(this.#idOf), ...this.#ids].slice(0, knownIds)
    this.#known = new Set(this.#ids)
    if (gap || this.#ids.length === knownIds) this.#knowsAll = false
  }

  /** Sets the items that existed before. Items that are known already are newer. */
  #begin(found: readonly Raw[], more: boolean | undefined): void {
    const older = this.#unseen(found)
    this.#items = [...this.#items, ...older].slice(0, kept)
    this.#ids = [...this.#ids, ...older.map(this.#idOf)].slice(0, knownIds)
    this.#known = new Set(this.#ids)
    this.#unbroken = this.#items.length
    this.#hasBaseline = true
    this.#knowsAll = more === false
  }

  #unseen(some: readonly Raw[]): readonly Raw[] {
    return some.filter((raw) => !this.#known.has(this.#idOf(raw)))
  }

  #eventAt(at: number, gap: boolean): LiveEvent<Value> | undefined {
    const raw = this.#items[at]
    if (raw === undefined) return undefined
    // Not of `#ids`, where ids of deleted items may stand between them.
    const after = writeListPosition(this.#list, this.#items.slice(at, at + namedIds).map(this.#idOf))
    return { value: this.#options.valueOf(raw, gap, after), id: after }
  }

  /**
   * The new items, and whether there may be a gap between them and the first known one. An item may appear behind known
   * ones: it has the time of another, was held back, or came from a slower server. What comes after all of them is
   * older, unless all older ones are known: then the list grows at that end.
   */
  #unknownOf({ items: found, more }: Whole<Raw>): { items: readonly Raw[]; gap: boolean } {
    const unbroken = new Set(this.#items.slice(0, this.#unbroken).map(this.#idOf))
    const last = found.findLastIndex((raw) => unbroken.has(this.#idOf(raw)))
    const at = last < 0 ? found.findIndex((raw) => this.#known.has(this.#idOf(raw))) : last
    if (at < 0) return { items: this.#unseen(found), gap: more }
    const grown = this.#knowsAll ? this.#unseen(found.slice(at + 1)).toReversed() : []
    return { items: [...grown, ...this.#unseen(found.slice(0, at))], gap: false }
  }

  #newsIn({ items: found, next }: ListPollerPage<Raw>): News<Raw> {
    const readable = found.filter((raw) => raw !== undefined)
    const more = next !== undefined
    if (!this.#hasBaseline)
      return { items: readable, gap: false, baseline: true, more: more || readable.length < found.length }
    const { items: fresh, gap } = this.#unknownOf({ items: readable, more })
    // A malformed item counts as a gap, which the next event reports.
    const end = found.findIndex((raw) => raw !== undefined && this.#known.has(this.#idOf(raw)))
    const lacks = (end < 0 ? found : found.slice(0, end)).includes(undefined)
    return { items: fresh, gap: gap || (lacks && fresh.length > 0), baseline: false }
  }

  /** The items after the news of a page. */
  #wholeWith({ items: fresh, gap }: News<Raw>): Whole<Raw> {
    const all = gap ? fresh : [...fresh, ...this.#items.slice(0, this.#unbroken)]
    return { items: all.slice(0, kept), more: gap || this.#hasMore(fresh.length) }
  }

  /** Whether there may be items that are older than the kept ones, once there are so many new ones. */
  #hasMore(fresh = 0): boolean {
    return !this.#knowsAll || fresh + this.#ids.length > kept
  }

  /** Where the items after a position begin, which is the place of the newest item that the position names. */
  #placeOf(position: readonly string[]): number {
    const named = new Set(position)
    return this.#items.findIndex((raw) => named.has(this.#idOf(raw)))
  }

  /**
   * Reads pages until one contains an item of the position. Items newer than the known ones are news for all, and
   * older ones are kept for this subscriber. Returns whether an item on the way was malformed.
   */
  async #readBack(position: readonly string[], request: SubgraphRequest): Promise<boolean> {
    const named = new Set(position)
    const read: Raw[] = []
    const seen = new Set<string>()
    let isWhole = false
    let hasMalformed = false
    let lacks = false
    let reached = false
    const broken = await visitPages({
      service: this.#service,
      mostPages,
      fetch: async (token): Promise<ListPollerPage<Raw>> =>
        (await this.#options.fetch(token, false, request)) ?? { items: [] },
      visit: ({ items: found, next }) => {
        isWhole = next === undefined
        for (const raw of found) {
          if (raw === undefined) {
            hasMalformed = true
            if (!reached) lacks = true
            continue
          }
          if (named.has(this.#idOf(raw))) reached = true
          if (!seen.has(this.#idOf(raw))) read.push(raw)
          seen.add(this.#idOf(raw))
        }
        return reached
      },
    })
    const more = broken !== undefined || !isWhole
    // A list that has items beyond those that are known begins with its newest.
    const mayGrowAtEnd = !more && (this.#knowsAll || !this.#hasBaseline)
    if (mayGrowAtEnd && growsAtEnd(position, read.map(this.#idOf))) read.reverse()
    if (!this.#hasBaseline)
      this.topic.learn({ items: read, gap: false, baseline: true, more: more || hasMalformed })
    else this.topic.learn({ ...this.#unknownOf({ items: read, more }), baseline: false })
    // The kept items may end before the position does. The last ones of them may have been deleted.
    const held = new Set(this.#items.map(this.#idOf))
    const end = read.findLastIndex((raw) => held.has(this.#idOf(raw)))
    const older = end < 0 ? [] : read.slice(end + 1)
    this.#items = [...this.#items, ...older]
    const fresh = older.map(this.#idOf).filter((id) => !this.#known.has(id))
    this.#ids = [...this.#ids, ...fresh]
    for (const id of fresh) this.#known.add(id)
    return lacks
  }
}

/** Whether a whole list grows at its end, as far as a position tells. */
function growsAtEnd(position: readonly string[], ids: readonly string[]): boolean {
  const placeOf = new Map(ids.map((id, at) => [id, at]))
  const places = position.map((id) => placeOf.get(id)).filter((at) => at !== undefined)
  const last = Math.max(...places)
  // The newest of the named items comes after the others.
  if (places.length > 1 && places[0] === last) return true
  // A position names fewer items only if no others were older. So what comes after them is new.
  return position.length < namedIds && last === places.length - 1 && last < ids.length - 1
}
