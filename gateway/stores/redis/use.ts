/** The Redis commands of a feature, so that `tessera check` tries exactly those. */
import type { Cluster, Redis } from 'ioredis'

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
