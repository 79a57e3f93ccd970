/**
 * Responses that all gateways share, in Redis, with the most recently used ones in the memory of each. Every command
 * uses one key, so that a cluster may hold them.
 *
 * Changes are in one stream, whose ids are their numbers. A gateway reads the stream as it grows, and checks entries
 * against what it has read. Nothing is deleted: a changed entry is not used any more, and expires. While Redis is away
 * each gateway continues with its memory, and keeps its changes. When Redis is back it reports them, and uses nothing
 * of Redis until it has read the changes of the others. If the stream is lost (a cluster node that kept nothing on
 * disk, a replica that was behind), older entries cannot be checked: a gateway that notices writes a change of
 * everything.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { startResponseTimeout } from '../../shared/runtime/response-timeout.ts'
import { lazily } from '../settings/index.ts'
import {
  type ClusterUse,
  createOutageReport,
  createRedisOrCluster,
  type RedisOrCluster,
} from '../stores/redis/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { LocalChanges } from './changes.ts'
import type { MemoryStore } from './memory-store.ts'
import { type Changes, type EntryStore, isEntry, type Kept } from './types.ts'

const streamKey = 'tessera:answers:changes'
const keyOf = (key: string): string => `tessera:answer:1:${key}`

/** The number of changes in Redis; an entry older than the first of them is not used. */
const mostChanges = 20_000
/** A change of everything. */
const everything = '*'
/** If more tags than these wait for Redis, they become a change of everything. */
const mostPending = 10_000
/** A longer response remains in the memory of the gateway that received it. */
const largestShared = 1024 * 1024
/** A slower lookup in Redis counts as a miss: asking the subgraph takes no longer. */
const lookUpMs = 250
/** How long one read waits for the stream. */
const blockMs = 5000

interface RedisCacheOptions {
  /** One server, or several nodes of a cluster. */
  readonly urls: readonly string[]
  readonly log: Logger
  readonly memory: MemoryStore
  readonly changes: LocalChanges
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export class RedisCache implements EntryStore, Changes {
  readonly #memory: MemoryStore
  readonly #changes: LocalChanges
  readonly #now: () => number
  readonly #redis
  readonly #reader
  /** Whether all changes of others are known. */
  #isCurrent = false
  readonly #outage
  readonly #refused
  #closed = false
  #lastId: string | undefined
  #pending = new Set<string>()
  readonly #following
  /** Whether nothing was written over this connection: it may lead to another server than the one that refused. */
  #isNew = false

  constructor({ urls, log, memory, changes, now }: RedisCacheOptions) {
    this.#memory = memory
    this.#changes = changes
    this.#now = now
    this.#redis = createRedisOrCluster(urls, { commandMs: lookUpMs, pipelined: true })
    this.#reader = createRedisOrCluster(urls, { commandMs: 2 * blockMs })
    this.#outage = createOutageReport([this.#redis, this.#reader], log, {
      away: 'the shared response cache is unreachable: each gateway uses its own until it is back',
      back: 'the shared response cache is back',
    })
    this.#refused = createOutageReport([this.#redis], log, {
      away: 'the shared response cache refuses responses or lookups: each gateway uses its own',
      back: 'the shared response cache accepts responses again',
    })
    this.#redis.on('ready', () => {
      this.#isNew = true
    })
    this.#following = this.#follow()
  }

  get(key: string, isGood: (kept: Kept) => boolean): Awaitable<Kept | undefined> {
    const held = this.#memory.get(key)
    if (!this.#isCurrent || (held !== undefined && isGood(held))) return held
    return this.#ask(key, held)
  }

  set(key: string, kept: Kept, keptMs: number): void {
    this.#memory.set(key, kept, keptMs)
    if (!this.#isCurrent || (isEntry(kept) && kept.json.length > largestShared)) return
    const text = JSON.stringify([Math.round(this.#now() + keptMs), kept])
    this.#redis.set(keyOf(key), text, 'PX', Math.max(1, Math.round(keptMs))).then(
      // With an evicting policy a write may be accepted after a refused one: once for each connection is enough.
      () => {
        if (this.#isNew) this.#refused.back()
        this.#isNew = false
      },
      // The response then remains in the memory of this process.
      this.#noteRefusal,
    )
  }

  last(): number {
    return this.#changes.last()
  }

  holds(number: number, tags: readonly string[]): boolean {
    return this.#changes.holds(number, tags)
  }

  async note(tags: readonly string[]): Promise<void> {
    // Applied here at once: a caller may read its own change as soon as this process has answered.
    this.#changes.note(tags)
    try {
      if (!this.#isCurrent) throw new Error('away')
      await this.#send(tags, this.#redis)
    } catch {
      this.#keepPending(tags)
      // Written when the stream is read again.
      this.#isCurrent = false
    }
  }

  readonly close = async (): Promise<void> => {
    this.#closed = true
    this.#redis.disconnect()
    this.#reader.disconnect()
    await this.#following
  }

  #lost(error: unknown): void {
    this.#isCurrent = false
    if (!this.#closed) this.#outage.away(error)
  }

  /** Errors of slow commands and lost connections are reported by the reader of changes. */
  readonly #noteRefusal = (error: unknown): void => {
    if (error instanceof Error && error.name === 'ReplyError') this.#refused.away(error)
  }

  #take(id: string, tags: readonly string[]): void {
    if (tags.includes(everything)) this.#changes.raiseFloor(numberOf(id))
    this.#changes.take(numberOf(id), tags)
  }

  #takeAll(entries: readonly (readonly [id: string, fields: readonly string[]])[]): void {
    for (const [id, fields] of entries) {
      this.#take(id, tagsIn(fields))
      this.#lastId = id
    }
  }

  async #send(tags: readonly string[], redis: RedisOrCluster): Promise<void> {
    const known = this.#changes.last()
    const add = (id: string): Promise<string | null> =>
      redis.xadd(streamKey, 'MAXLEN', '~', mostChanges, id, 'tags', JSON.stringify(tags))
    let id = await add('*')
    // The clock of a server that replaces another one, or was set back, may be behind the known changes.
    if (id !== null && numberOf(id) < known) id = await add(`${Math.floor(known) + 1}-0`)
    if (id !== null) this.#take(id, tags)
  }

  /** Whether the stream has less than was read of it, or nothing at all. */
  async #isLost(): Promise<boolean> {
    const [newest] = await this.#reader.xrevrange(streamKey, '+', '-', 'COUNT', 1)
    return (
      newest === undefined || (this.#lastId !== undefined && numberOf(newest[0]) < numberOf(this.#lastId))
    )
  }

  /** Writes waiting changes, and reads those of others since the last read. */
  async #catchUp(): Promise<void> {
    if (await this.#isLost()) {
      this.#lastId = undefined
      this.#pending = new Set([everything])
    }
    await this.#sendPending()
    const from = this.#lastId === undefined ? '-' : `(${this.#lastId}`
    const found = await this.#reader.xrange(streamKey, from, '+')
    const [oldest] = await this.#reader.xrange(streamKey, '-', '+', 'COUNT', 1)
    const length = await this.#reader.xlen(streamKey)
    // Changes before the first one in the stream are unknown.
    if (oldest !== undefined && length >= mostChanges) this.#changes.raiseFloor(numberOf(oldest[0]))
    this.#takeAll(found)
    this.#isCurrent = true
    await this.#sendPending()
    // Logged when everything works again: one of its two connections may be back before the other.
    this.#outage.back()
  }

  async #follow(): Promise<void> {
    await Promise.all([begin(this.#redis), begin(this.#reader)])
    while (!this.#closed) {
      try {
        if (!this.#isCurrent) await this.#catchUp()
        const read = await this.#reader.xread(
          'COUNT',
          500,
          'BLOCK',
          blockMs,
          'STREAMS',
          streamKey,
          this.#lastId ?? '$',
        )
        this.#takeAll(read?.[0]?.[1] ?? [])
      } catch (error) {
        this.#lost(error)
        if (!this.#closed) await delay(200, undefined, { ref: false })
      }
    }
  }

  async #sendPending(): Promise<void> {
    if (this.#pending.size === 0) return
    const waiting = [...this.#pending]
    this.#pending = new Set()
    // What was read meanwhile may have later numbers than these changes had.
    this.#changes.note(waiting)
    try {
      // By the reader, whose timeout is long: no request waits for it, and Redis executes a late command nevertheless, so
      // each attempt would be a change.
      await this.#send(waiting, this.#reader)
    } catch (error) {
      this.#keepPending(waiting)
      throw error
    }
  }

  #keepPending(tags: readonly string[]): void {
    for (const tag of tags) this.#pending.add(tag)
    if (this.#pending.size > mostPending) this.#pending = new Set([everything])
  }

  async #ask(key: string, held: Kept | undefined): Promise<Kept | undefined> {
    let text: string | null
    try {
      text = await this.#redis.get(keyOf(key))
    } catch (error) {
      this.#noteRefusal(error)
      return held
    }
    const found = stored.safeParse(text === null ? undefined : parsedJson(text)).data
    if (found === undefined) return held
    const [until, kept] = found as [number, Kept]
    this.#memory.set(key, kept, until - this.#now())
    return kept
  }
}

/**
 * Until it is connected for the first time, has failed, or a second has passed; afterwards it counts as away. If the
 * first attempt of a cluster fails, `connect` never settles, although the cluster is ready soon.
 */
function begin(client: RedisOrCluster): Promise<void> {
  return new Promise((resolve) => {
    const stop = startResponseTimeout(1000, resolve)
    const done = (): void => {
      stop()
      resolve()
    }
    client.once('ready', done)
    client.connect().then(done, done)
  })
}

/**
 * The number of a change in the stream: milliseconds, with its position within the millisecond after the point. Redis
 * counts on in one millisecond as long as its clock is set back, so a position may need more room than that.
 */
function numberOf(id: string): number {
  const [milliseconds = '0', sequence = '0'] = id.split('-')
  return Number(milliseconds) + Number(sequence) / 4096
}

const texts = lazily(() => z.array(z.string()))

/** Others may write to the stream, so an unreadable entry counts as a change of everything. */
const tagsIn = (fields: readonly string[]): string[] =>
  texts.safeParse(parsedJson(fields[fields.indexOf('tags') + 1] ?? '')).data ?? [everything]

/** Until when it can be used, in milliseconds since 1970, and a `Kept`. */
const stored = lazily(() =>
  z.tuple([
    z.number(),
    z.union([
      z.looseObject({
        json: z.string().refine((json) => parsedJson(json) !== undefined),
        tags: texts,
        ...{ madeAt: z.number(), freshMs: z.number(), revalidateMs: z.number(), errorMs: z.number() },
        change: z.number(),
      }),
      z.strictObject({ by: z.union([z.enum(['all', 'caller']), texts]) }),
    ]),
  ]),
)

export const responseCacheUse: ClusterUse = {
  feature: 'response cache',
  keys: ['tessera:answer:*', 'tessera:answers:changes'],
  commands: ['GET', 'SET', 'XADD', 'XREAD', 'XRANGE', 'XREVRANGE', 'XLEN'],
  async ask(redis, id) {
    await redis.set(keyOf(`check:${id}`), '', 'PX', 1000)
    await redis.get(keyOf(`check:${id}`))
    try {
      // Writes nothing: all ids of an existing stream are greater. An entry would hide that a stream was lost.
      await redis.xadd(streamKey, 'NOMKSTREAM', 'MAXLEN', '~', mostChanges, '0-1', 'tags', '[]')
    } catch (error) {
      if (!(error instanceof Error && /equal or smaller/.test(error.message))) throw error
    }
    await redis.xrevrange(streamKey, '+', '-', 'COUNT', 1)
    await redis.xrange(streamKey, '-', '+', 'COUNT', 1)
    await redis.xlen(streamKey)
    await redis.xread('COUNT', 1, 'BLOCK', 1, 'STREAMS', streamKey, '$')
  },
}
