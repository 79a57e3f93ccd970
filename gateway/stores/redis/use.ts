/** What a feature asks of Redis, so that `tessera check` asks exactly that. */
import type { Cluster, Redis } from 'ioredis'

export interface RedisUse<Client = Redis> {
  /** As documents call it. */
  readonly feature: string
  /** Patterns, as access rules of Redis have them. */
  readonly keys: readonly string[]
  readonly channels?: readonly string[]
  readonly commands: readonly string[]
  /**
   * Does what the feature does, under keys of its own as far as they may be: `id` is new each time. Rejects with what
   * Redis refuses. What it leaves is small and ends by itself.
   */
  ask(redis: Client, id: string): Promise<unknown>
}

export type ClusterUse = RedisUse<Redis | Cluster>
