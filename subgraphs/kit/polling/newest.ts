/**
 * Lists that grow at one end: the newest page is read until an item that is known. What is new is sent oldest first,
 * once each. A position survives reconnecting: it names the last items that were sent, and what came after them is read
 * again for as long as the service has it.
 */
import { badInput } from '../../../shared/errors.ts'
import type { LiveEvent, LivePrice } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { visitPages } from '../pagination/index.ts'
import type { Pace } from './interval.ts'
import { readPosition, writePosition } from './position.ts'
import type { Question } from './question.ts'
import { LiveQueue } from './queue.ts'
import { createTopic, type TopicHost } from './topic.ts'

export interface NewestPage<Raw> {
  /** The newest first; undefined instead of one in a form that the service does not promise. */
  readonly items: readonly (Raw | undefined)[]
  /** Undefined on the last page. */
  readonly next?: string | undefined
  readonly hintMs?: number | undefined
}

/** How a list is polled. `Raw` is a JSON value. */
export interface NewestOptions<Raw, Value> {
  /** Names the question, for all processes. */
  readonly name: string
  /** The field of `Subscription` that it is for. */
  readonly field: string
  /** Names the list in positions, if several questions ask for it; `name` unless given. */
  readonly list?: string | undefined
  readonly credentialKey: string
  readonly pace: Pace
  /** Of one page. */
  readonly units: number
  /**
   * With `conditional` undefined if the page is as it was at the last answer without a token.
   */
  fetch(
    token: string | undefined,
    conditional: boolean,
    request: SubgraphRequest,
  ): Promise<NewestPage<Raw> | undefined>
  idOf(raw: Raw): string
  /** `gap`: items may be missing before this one. `after`: where to resume after it. */
  valueOf(raw: Raw, gap: boolean, after: string): Value
}

export interface Newest<Value> {
  /** Keeps the poller while somebody is about to subscribe; returns how to let go of it. */
  hold(): () => void
  /** Rejects if the budget does not allow it. */
  price(): Promise<LivePrice>
  /** Throws if `after` is no position of this list. Reads what lies between it and now if it is not known. */
  subscribe(
    request: SubgraphRequest,
    after: string | null | undefined,
    first: Readonly<Record<string, unknown>>,
  ): Promise<LiveQueue<Value>>
  close(): void
}

interface News<Raw> {
  /** The newest first. */
  readonly items: readonly Raw[]
  readonly gap: boolean
  /** These items were there before: no event is sent for them. */
  readonly baseline: boolean
  /** For those that may lack more than these items. */
  readonly whole?: Whole<Raw> | undefined
}

/** The items of a process, without a gap between them. */
interface Whole<Raw> {
  /** The newest first, those of the news included. */
  readonly items: readonly Raw[]
  /** There are older ones. */
  readonly more: boolean
}

/** How many items are kept, for those who come back. */
const kept = 300
/** How many ids of items are known beyond those. */
const knownIds = 3000
/** How many pages are read for one who comes back. */
const mostPages = 10
/** How many ids a position names: the newest ones may have been deleted since. */
const namedIds = 5

/** `ended` is called when there is no subscriber any more. */
export function createNewest<Raw, Value>(
  host: TopicHost,
  options: NewestOptions<Raw, Value>,
  ended: () => void,
): Newest<Value> {
  const { idOf, list = options.name } = options
  const queues = new Set<LiveQueue<Value>>()
  /** The newest first. */
  let items: readonly Raw[] = []
  /** Ids of these and of older items, the newest first. */
  let ids: readonly string[] = []
  let known = new Set<string>()
  let hasBaseline = false
  /** How many of the items, from the newest on, have no gap between them. */
  let unbroken = 0

  function learn(fresh: readonly Raw[], gap: boolean): void {
    unbroken = gap ? fresh.length : unbroken + fresh.length
    items = [...fresh, ...items].slice(0, kept)
    ids = [...fresh.map(idOf), ...ids].slice(0, knownIds)
    known = new Set(ids)
  }

  /** What was there before; what was heard of already is newer. */
  function begin(found: readonly Raw[]): void {
    const older = unseen(found)
    items = [...items, ...older].slice(0, kept)
    ids = [...ids, ...older.map(idOf)].slice(0, knownIds)
    known = new Set(ids)
    unbroken = items.length
    hasBaseline = true
  }

  const unseen = (some: readonly Raw[]): readonly Raw[] => some.filter((raw) => !known.has(idOf(raw)))

  /** Of the item at this place in `items`. */
  function eventAt(at: number, gap: boolean): LiveEvent<Value> | undefined {
    const raw = items[at]
    if (raw === undefined) return undefined
    const after = writePosition(list, ids.slice(at, at + namedIds))
    return { value: options.valueOf(raw, gap, after), id: after }
  }

  /** The items before the first known one, and whether some may be missing between them and it. */
  function unknownOf({ items: found, more }: Whole<Raw>): { items: readonly Raw[]; gap: boolean } {
    const at = found.findIndex((raw) => known.has(idOf(raw)))
    return { items: at < 0 ? found : found.slice(0, at), gap: at < 0 && ids.length > 0 && more }
  }

  function newsIn({ items: found, next }: NewestPage<Raw>): News<Raw> {
    const readable = found.filter((raw) => raw !== undefined)
    if (!hasBaseline) return { items: readable, gap: false, baseline: true }
    const { items: fresh, gap } = unknownOf({ items: readable, more: next !== undefined })
    // What cannot be read is missing between those that can, once there is an event that says so.
    const end = found.findIndex((raw) => raw !== undefined && known.has(idOf(raw)))
    const lacks = (end < 0 ? found : found.slice(0, end)).length > fresh.length
    return { items: fresh, gap: gap || (lacks && fresh.length > 0), baseline: false }
  }

  /** The items as they are after these news of a page. */
  function wholeWith({ items: fresh, gap }: News<Raw>, { next }: NewestPage<Raw>): Whole<Raw> {
    const all = gap ? fresh : [...fresh, ...items.slice(0, unbroken)]
    return {
      items: all.slice(0, kept),
      more: next !== undefined || all.length > kept || items.length !== unbroken,
    }
  }

  const question: Question<{ readonly lacks: boolean }, News<Raw>> = {
    key: options.name,
    field: options.field,
    credentialKey: options.credentialKey,
    pace: options.pace,
    want: () => ({ lacks: !hasBaseline }),
    units: () => options.units,
    async poll(_, { whole, conditional }, request) {
      const page = await options.fetch(undefined, conditional && hasBaseline, request)
      if (page === undefined) return { news: undefined }
      const news = newsIn(page)
      const nothing = news.items.length === 0 && !news.baseline
      const { hintMs } = page
      if (whole && !news.baseline)
        return { news: { ...news, whole: wholeWith(news, page) }, unchanged: nothing, hintMs }
      return { news: nothing ? undefined : news, hintMs }
    },
    take(news, older) {
      if (older && hasBaseline) return
      if (news.baseline) {
        if (!hasBaseline) begin(news.items)
        return
      }
      if (news.whole !== undefined && !hasBaseline) begin(news.whole.items.slice(news.items.length))
      const { items: found, gap } = news.whole === undefined ? news : unknownOf(news.whole)
      const fresh = unseen(found)
      learn(fresh, gap)
      if (fresh.length === 0 || queues.size === 0) return
      for (let at = fresh.length - 1; at >= 0; at--) {
        const event = eventAt(at, gap && at === fresh.length - 1)
        if (event !== undefined) for (const queue of queues) queue.push(event)
      }
    },
    lacking: ({ lacks }) => (lacks && hasBaseline ? { items, gap: false, baseline: true } : undefined),
    isMissing: () => !hasBaseline,
  }
  const topic = createTopic<Value, { readonly lacks: boolean }, News<Raw>>(host, question, ended)

  /** Where the items after a position begin: the place of the newest item that it names. */
  const placeOf = (position: readonly string[]): number => {
    const named = new Set(position)
    return items.findIndex((raw) => named.has(idOf(raw)))
  }

  /**
   * Reads pages until an item of the position. What is newer than what is known is news for all; what is older is kept
   * for this subscriber. Returns whether something on the way could not be read.
   */
  async function readBack(position: readonly string[], request: SubgraphRequest): Promise<boolean> {
    const named = new Set(position)
    const read: Raw[] = []
    const seen = new Set<string>()
    let isWhole = false
    let lacks = false
    let reached = false
    const broken = await visitPages({
      service: host.service,
      mostPages,
      fetch: async (token): Promise<NewestPage<Raw>> =>
        (await options.fetch(token, false, request)) ?? { items: [] },
      visit({ items: found, next }) {
        isWhole = next === undefined
        for (const raw of found) {
          if (raw === undefined) {
            if (!reached) lacks = true
            continue
          }
          if (named.has(idOf(raw))) reached = true
          if (!seen.has(idOf(raw))) read.push(raw)
          seen.add(idOf(raw))
        }
        return reached
      },
    })
    const more = broken !== undefined || !isWhole
    if (!hasBaseline) topic.learn({ items: read, gap: false, baseline: true })
    else topic.learn({ ...unknownOf({ items: read, more }), baseline: false })
    // The items that are kept may end before the position does.
    const last = items.at(-1)
    const end = last === undefined ? -1 : read.findIndex((raw) => idOf(raw) === idOf(last))
    const older = end < 0 ? [] : read.slice(end + 1)
    items = [...items, ...older]
    const fresh = older.map(idOf).filter((id) => !known.has(id))
    ids = [...ids, ...fresh]
    for (const id of fresh) known.add(id)
    return lacks
  }

  return {
    price: () => topic.price(options.units, undefined),

    async subscribe(request, after, first) {
      const queue: LiveQueue<Value> = new LiveQueue((left) => {
        queues.delete(left)
        topic.remove(left)
      }, first)
      if (after === null || after === undefined || after === '') {
        queues.add(queue)
        topic.add(queue, request, undefined)
        return queue
      }
      const position = readPosition(list, after)
      if (position === undefined)
        throw badInput('`after` is not the position of an event of this field with the same arguments.', {
          argument: 'after',
        })
      const lacks = !hasBaseline || placeOf(position) < 0 ? await readBack(position, request) : false
      const at = placeOf(position)
      const from = at < 0 ? items.length : at
      for (let place = from - 1; place >= 0; place--) {
        const event = eventAt(place, (at < 0 || lacks) && place === from - 1)
        if (event !== undefined) queue.push(event)
      }
      queues.add(queue)
      topic.add(queue, request, undefined)
      return queue
    },

    hold: () => topic.hold(),
    close: () => topic.close(),
  }
}
