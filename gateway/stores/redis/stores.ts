/**
 * The backend of several processes with one Redis. A kind has a connection of its own: a long value, or waiting for
 * replicas, holds up what comes behind it on the same one.
 */
import type { Cluster } from 'ioredis'
import type { Logger } from '../../telemetry/log.ts'
import type { Kind, Listener, Outage, RedisStep, Reply, SharedStep, Step, Store, Stores } from '../store.ts'
import { type Confirm, createConfirm } from './confirm.ts'
import { createRedis, type Redis, untilReady } from './connection.ts'
import { reportOutages } from './outages.ts'

interface RedisStoresOptions {
  readonly url: string
  readonly log: Logger
  /** Replicas that must have what is confirmed. 0 by default. */
  readonly replicas?: number
  /** The timeout of a command, in milliseconds: after it Redis counts as away. 1000 by default. */
  readonly commandMs?: number
}

export function createRedisStores(options: RedisStoresOptions): Stores {
  return {
    isShared: true,
    isApart: false,
    open: (kind) => new RedisStore(kind, options),
    listen: (words, hear) => new RedisListener(words, hear, options),
  }
}

class RedisStore<Kept> implements Store<Kept> {
  readonly isShared = true
  readonly here: Kept
  readonly #redis: Redis
  /** How far the server's clock is ahead of the monotonic clock of this process. */
  #aheadMs: number | undefined
  readonly #confirm: Confirm | undefined
  readonly #goneAway: (error?: unknown) => void
  /** One wait for all steps that arrive while a connection is made. */
  #waiting: Promise<void> | undefined

  constructor(kind: Kind<Kept>, { url, log, replicas = 0, commandMs }: RedisStoresOptions) {
    this.here = kind.memory()
    this.#redis = createRedis(url, { commandMs })
    this.#confirm = kind.isConfirmed && replicas > 0 ? createConfirm(this.#redis, replicas) : undefined
    this.#goneAway = reportOutages(this.#redis, log, kind)
    this.#redis.connect().catch(this.#goneAway)
  }

  run<Input, Output>(step: Step<Kept, Input, Output>, input: Input): Promise<Output | undefined> {
    return this.share(step, input)
  }

  share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output | undefined> {
    return this.#reach(() => execute(this.#redis, step.redis, input, this.#hear))
  }

  confirm(): Promise<boolean> | true {
    const confirm = this.#confirm
    return confirm === undefined || this.#reach(confirm).then((done) => done === true)
  }

  now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : Math.round(performance.now() + this.#aheadMs)
  }

  readonly #hear = (milliseconds: number): void => {
    this.#aheadMs = milliseconds - performance.now()
  }

  reached(listener: () => void): void {
    this.#redis.on('ready', listener)
  }

  close(): void {
    this.#redis.disconnect()
  }

  /** Undefined if it is away: at once, or after a second if a connection is just being made. */
  async #reach<T>(send: () => Promise<T>): Promise<T | undefined> {
    const { status } = this.#redis
    if (status !== 'ready' && status !== 'connecting' && status !== 'connect') {
      this.#goneAway()
      return undefined
    }
    try {
      if (status !== 'ready') await this.#ready()
      return await send()
    } catch (error) {
      this.#goneAway(error)
      return undefined
    }
  }

  #ready(): Promise<void> {
    this.#waiting ??= untilReady(this.#redis).finally(() => {
      this.#waiting = undefined
    })
    return this.#waiting
  }
}

/** A connection that listens takes no other commands. */
class RedisListener implements Listener {
  readonly #redis: Redis
  readonly #goneAway: (error?: unknown) => void

  constructor(
    words: Outage,
    hear: (channel: string, text: string) => void,
    { url, log, commandMs }: RedisStoresOptions,
  ) {
    this.#redis = createRedis(url, { commandMs })
    this.#goneAway = reportOutages(this.#redis, log, words)
    this.#redis.on('message', hear)
    this.#redis.connect().catch(() => {
      // The connection of the kind reports it.
    })
  }

  async subscribe(channel: string): Promise<boolean> {
    try {
      await this.#redis.subscribe(channel)
      return true
    } catch (error) {
      // Likewise.
      if (this.#redis.status === 'ready') this.#goneAway(error)
      return false
    }
  }

  unsubscribe(channel: string): void {
    this.#redis.unsubscribe(channel).catch(() => {})
  }

  reached(listener: () => void): void {
    this.#redis.on('ready', listener)
  }

  close(): void {
    this.#redis.disconnect()
  }
}

async function execute<Input, Output>(
  redis: Redis,
  step: RedisStep<Input, Output>,
  input: Input,
  hear?: (milliseconds: number) => void,
): Promise<Output> {
  const keys = step.keys(input)
  const args = step.args(input)
  const reply =
    'lua' in step
      ? await redis.eval(step.lua, keys.length, ...keys, ...args)
      : await redis.call(step.command, ...keys, ...args)
  if (step.isTimed) {
    // The reply to `TIME`.
    const [seconds, micros] = (reply as readonly (string | number)[]).slice(-2)
    hear?.(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000))
  }
  return step.read(reply as Reply, input)
}

/** The Redis commands of a feature, so that `tessera check` tries exactly those. */
export interface RedisUse<Client = Redis> {
  /** The feature's name in documents. */
  readonly feature: string
  /** Patterns, in the form of Redis' access rules. */
  readonly keys: readonly string[]
  readonly channels?: readonly string[]
  readonly commands: readonly string[]
  /**
   * Does what the feature does, under keys of its own as far as possible: `id` is new each time. Rejects with what
   * Redis refuses. What it leaves is small and expires.
   */
  ask(redis: Client, id: string): Promise<unknown>
}

export type ClusterUse = RedisUse<Redis | Cluster>

/** What a kind asks of Redis. */
export function useOf(kind: Kind<unknown>, replicas = 0): RedisUse {
  const waits = kind.isConfirmed === true && replicas > 0
  const { channels = [] } = kind
  const listens = channels.length > 0 ? ['SUBSCRIBE', 'UNSUBSCRIBE'] : []
  const commands = kind.steps.flatMap(({ redis }) =>
    'lua' in redis
      ? ['EVAL', ...Array.from(redis.lua.matchAll(/redis\.call\('([A-Z]+)'/g), ([, name = '']) => name)]
      : [redis.command.toUpperCase()],
  )
  return {
    feature: kind.feature,
    keys: kind.keys,
    channels,
    commands: [...new Set([...commands, ...(waits ? ['WAIT'] : []), ...listens])],
    async ask(redis, id) {
      await kind.attempt((step, input) => execute(redis, step.redis, input), id)
      if (waits) await createConfirm(redis, replicas)()
      for (const pattern of channels) {
        const channel = pattern.replace('*', `check:${id}`)
        await redis.subscribe(channel)
        await redis.unsubscribe(channel)
      }
    },
  }
}
