/**
 * Polls objects by id. The ids of all subscribers are joined into pages, so that a poll costs one call for each full page,
 * whatever the number of subscribers. A subscriber gets an event for an object if a facet changed that it reads.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { tesseraError } from '../../../shared/errors.ts'
import type { LiveEvent, LivePrice } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { chunk } from '../chunk.ts'
import { malformed } from '../json.ts'
import type { Pace } from './interval.ts'
import { rateLimitIntervalMs } from './interval-headers.ts'
import type { Polled, PollKind, PollStrategy } from './poll-strategy.ts'
import { LiveQueue } from './queue.ts'
import { Topic, type TopicHost, type TopicOptions } from './topic.ts'

/**
 * How objects are polled. `Needs` says what is needed of an object. `Needs` and `Raw` are JSON values, and `Raw` is
 * never a string.
 */
interface ObjectPollerOptions<Needs, Raw, Value> {
  readonly field: string
  readonly pace: Pace
  /** The most ids of one call. */
  readonly maxIds: number
  /** The price of one call. */
  readonly units: number
  /**
   * Reads one page. With `conditional`, everything on this page is known already, and `found` may be undefined if
   * nothing changed since the last answer for the same ids and needs.
   */
  fetch(
    ids: readonly string[],
    needs: Needs,
    conditional: boolean,
    request: SubgraphRequest,
  ): Promise<{
    readonly found: ReadonlyMap<string, Raw> | undefined
    /** Whether the service sent malformed objects. An object that is missing may be among them. */
    readonly hasMalformed?: boolean | undefined
    /** The shortest interval between polls. */
    readonly hintMs?: number | undefined
    /** They say what is left of the service's rate limit. */
    readonly headers?: IncomingHttpHeaders | undefined
  }>
  unite(some: Needs, others: Needs): Needs
  covers(fetched: Needs, wanted: Needs): boolean
  /** The parts of an object that change independently, as JSON values by name. */
  facets(raw: Raw, needs: Needs): Readonly<Record<string, unknown>>
  /** The names of the facets that these needs read. */
  read(needs: Needs): readonly string[]
  valueOf(id: string, raw: Raw): Value | Error
}

interface Watched<Needs> {
  readonly ids: readonly string[]
  readonly needs: Needs
}

interface Want<Needs> {
  readonly ids: readonly string[]
  readonly needs: Needs | null
  /** Ids of which this process knows nothing yet. */
  readonly lacks: readonly string[]
}

/** Stands for an object that may have come in a malformed form. No object is a string. */
const unreadable = 'unreadable'

/** What was found for an id; null if there is no such object. */
type Found<Raw> = Raw | null | typeof unreadable

interface News<Needs, Raw> {
  readonly needs: Needs
  readonly items: readonly (readonly [id: string, raw: Found<Raw>])[]
}

interface Known<Needs, Raw, Value> {
  readonly needs: Needs
  readonly raw: Found<Raw>
  readonly event: LiveEvent<Value | null | Error>
}

/** Subscribers with the same ids and needs. */
interface Watch<Needs, Value> extends Watched<Needs> {
  readonly key: string
  readonly facets: readonly string[]
  readonly queues: Set<LiveQueue<Value | null | Error>>
}

/** The most ids of all subscribers of a topic together. */
const mostIds = 20_000

const isThere = <Raw>(raw: Found<Raw>): raw is Raw => raw !== null && raw !== unreadable

export class ObjectPoller<Needs, Raw, Value> {
  readonly #host: TopicHost
  readonly #options: ObjectPollerOptions<Needs, Raw, Value>
  readonly #watches = new Map<string, Watch<Needs, Value>>()
  readonly #watchOf = new Map<LiveQueue<Value | null | Error>, Watch<Needs, Value>>()
  readonly #byId = new Map<string, Set<Watch<Needs, Value>>>()
  readonly #known = new Map<string, Known<Needs, Raw, Value>>()
  readonly #strategy: PollStrategy<Want<Needs>, News<Needs, Raw>>
  /** What was needed last. */
  #needs: Needs | undefined
  readonly topic

  constructor(topicOptions: TopicOptions, options: ObjectPollerOptions<Needs, Raw, Value>) {
    this.#host = topicOptions.host
    this.#options = options
    this.#strategy = {
      field: options.field,
      pace: options.pace,
      want: () => {
        const needs = this.#needsOf()
        const ids = [...this.#byId.keys()]
        return { ids, needs, lacks: needs === null ? [] : ids.filter((id) => !this.#isKnown(id, needs)) }
      },
      units: (wants) => {
        const all = this.#unitedOf(wants)
        return all === undefined ? 0 : Math.ceil(all.ids.length / this.#options.maxIds) * options.units
      },
      poll: this.#poll,
      take: ({ items, needs: told }, older) => {
        const needs = this.#same(told)
        for (const [id, raw] of items) {
          if (older && this.#known.has(id)) continue
          if (this.#byId.has(id) || this.topic.leading) this.#keep(id, raw, needs)
        }
      },
      lacking: ({ lacks, needs }) => {
        if (needs === null) return undefined
        const items = lacks.flatMap((id) => {
          const found = this.#knownFor(id, needs)
          return found === undefined ? [] : [[id, found.raw] as const]
        })
        return items.length === 0 ? undefined : { needs, items }
      },
      isMissing: (wants) => {
        const all = this.#unitedOf(wants)
        return all?.ids.some((id) => !this.#isKnown(id, all.needs)) === true
      },
    }
    this.topic = new Topic<Value | null | Error, Want<Needs>, News<Needs, Raw>>(topicOptions, this.#strategy)
  }

  /** Rejects if the budget does not allow the subscription. */
  price({ ids, needs }: Watched<Needs>): Promise<LivePrice> {
    const own = this.#strategy.want()
    const wants = [{ ids: [...new Set([...own.ids, ...ids])], needs, lacks: [] }]
    return this.topic.price(undefined, wants)
  }

  subscribe(
    { ids, needs }: Watched<Needs>,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): LiveQueue<Value | null | Error> {
    const facets = this.#options.read(needs)
    const key = JSON.stringify([facets, ids])
    let watch = this.#watches.get(key)
    const isNew = watch === undefined
    if (watch === undefined) {
      if (this.#byId.size + ids.length > mostIds)
        throw tesseraError('SERVICE_BUSY', 'Too many objects are watched for subscriptions.', {
          retryAfter: 60,
        })
      watch = { key, ids, needs, facets, queues: new Set() }
      this.#watches.set(key, watch)
      for (const id of ids) getOrInsert(this.#byId, id, () => new Set()).add(watch)
    }
    const queue = new LiveQueue<Value | null | Error>(this, first)
    watch.queues.add(queue)
    this.#watchOf.set(queue, watch)
    queue.start(this.#stateOf(watch))
    this.topic.add(queue, request, undefined)
    if (isNew) this.topic.changed()
    return queue
  }

  #needsOf(): Needs | null {
    let all: Needs | undefined
    for (const { needs } of this.#watches.values())
      all = all === undefined ? needs : this.#options.unite(all, needs)
    return all ?? null
  }

  #unitedOf(wants: readonly Want<Needs>[]): Watched<Needs> | undefined {
    const ids = new Set<string>()
    let needs: Needs | undefined
    for (const want of wants) {
      if (want.needs === null) continue
      needs = needs === undefined ? want.needs : this.#options.unite(needs, want.needs)
      for (const id of want.ids) ids.add(id)
    }
    return needs === undefined ? undefined : { ids: [...ids], needs }
  }

  /** One object for equal needs, because each object that is known has its needs, and these their facets. */
  #same(needs: Needs): Needs {
    const { covers } = this.#options
    const isSame = this.#needs !== undefined && covers(this.#needs, needs) && covers(needs, this.#needs)
    if (!isSame) this.#needs = needs
    return this.#needs ?? needs
  }

  /** What is known of an object, if that is all that these needs name. An object that is missing has nothing to name. */
  #knownFor(id: string, needs: Needs): Known<Needs, Raw, Value> | undefined {
    const found = this.#known.get(id)
    if (found === undefined) return undefined
    return found.raw === null || this.#options.covers(found.needs, needs) ? found : undefined
  }

  #isKnown(id: string, needs: Needs): boolean {
    return this.#knownFor(id, needs) !== undefined
  }

  #eventOf(id: string, raw: Found<Raw>): LiveEvent<Value | null | Error> {
    if (raw === null) return { value: null, key: id, extensions: { absent: id } }
    if (raw !== unreadable) return { value: this.#options.valueOf(id, raw), key: id }
    const message = `The ${this.#host.service} service sent a malformed object.`
    return { value: malformed(this.#host.service, message), key: id }
  }

  #keep(id: string, raw: Found<Raw>, needs: Needs): void {
    const { appeared, facets } = this.#changesOf(id, raw, needs)
    const event = this.#eventOf(id, raw)
    this.#known.set(id, { needs, raw, event })
    for (const { facets: read, queues } of this.#byId.get(id) ?? []) {
      if (appeared || facets.some((name) => read.includes(name)))
        for (const queue of queues) queue.push(event)
    }
  }

  /** Whether an object exists, is missing or is unreadable other than before, and its changed facets. */
  #changesOf(id: string, raw: Found<Raw>, needs: Needs): { appeared: boolean; facets: readonly string[] } {
    const before = this.#known.get(id)
    if (before === undefined || !isThere(before.raw) || !isThere(raw))
      return { appeared: before?.raw !== raw, facets: [] }
    // Most objects have not changed at all, and facets are many.
    if (this.#options.covers(before.needs, needs) && JSON.stringify(before.raw) === JSON.stringify(raw))
      return { appeared: false, facets: [] }
    const had = this.#options.facets(before.raw, before.needs)
    const has = Object.entries(this.#options.facets(raw, needs))
    const changed = has.filter(
      ([name, value]) => !Object.hasOwn(had, name) || JSON.stringify(had[name]) !== JSON.stringify(value),
    )
    return { appeared: false, facets: changed.map(([name]) => name) }
  }

  readonly #poll = async (
    wants: readonly Want<Needs>[],
    { missing, whole, conditional }: PollKind,
    request: SubgraphRequest,
  ): Promise<Polled<News<Needs, Raw>>> => {
    const all = this.#unitedOf(wants)
    if (all === undefined) return { news: undefined }
    const needs = this.#same(all.needs)
    const ids = missing ? all.ids.filter((id) => !this.#isKnown(id, needs)) : all.ids
    const items: (readonly [string, Found<Raw>])[] = []
    let hintMs = 0
    let unchanged = true
    if (!missing) {
      const wanted = new Set(ids)
      // Objects without subscribers are forgotten.
      for (const id of this.#known.keys()) if (!wanted.has(id)) this.#known.delete(id)
    }
    const pages = chunk([...ids].sort(), this.#options.maxIds)
    const { clock, share } = this.#host
    const results = await Promise.allSettled(
      pages.map((page) =>
        this.#options.fetch(
          page,
          needs,
          conditional && page.every((id) => this.#isKnown(id, needs)),
          request,
        ),
      ),
    )
    results.forEach((result, at) => {
      if (result.status === 'rejected') return
      const { found, hasMalformed = false, hintMs: hint = 0, headers = {} } = result.value
      hintMs = Math.max(hintMs, hint, rateLimitIntervalMs(headers, share, clock.now(), pages.length))
      if (found === undefined) return
      for (const id of pages[at] ?? []) {
        const raw = found.get(id) ?? (hasMalformed ? unreadable : null)
        const { appeared, facets } = this.#changesOf(id, raw, needs)
        const isNew = !this.#isKnown(id, needs) || appeared || facets.length > 0
        if (isNew) unchanged = false
        if (isNew || whole) items.push([id, raw])
      }
    })
    const failed = results.find((result) => result.status === 'rejected')
    // The pages that were read are reported. The poll fails only if all pages failed.
    if (failed !== undefined && results.every(({ status }) => status === 'rejected')) throw failed.reason
    return {
      news: items.length === 0 ? undefined : { needs, items },
      unchanged,
      partial: failed !== undefined,
      hintMs,
    }
  }

  left(queue: LiveQueue<Value | null | Error>): void {
    const watch = this.#watchOf.get(queue)
    this.#watchOf.delete(queue)
    watch?.queues.delete(queue)
    if (watch?.queues.size === 0) {
      this.#watches.delete(watch.key)
      for (const id of watch.ids) {
        const others = this.#byId.get(id)
        others?.delete(watch)
        if (others?.size !== 0) continue
        this.#byId.delete(id)
        this.#known.delete(id)
      }
      this.topic.changed()
    }
    this.topic.remove(queue)
  }

  /** The known state of the objects. The others follow as events. */
  *#stateOf(watch: Watch<Needs, Value>): Generator<LiveEvent<Value | null | Error>> {
    for (const id of watch.ids) {
      const found = this.#knownFor(id, watch.needs)
      if (found !== undefined) yield found.event
    }
  }
}
