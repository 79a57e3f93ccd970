/** Several workers share state through Redis. This finds the configured features that do not work without it. */
import type { Config } from '../config/index.ts'

export interface SharedFeatures {
  /** Features that would be wrong in separate workers, each with its remedy. */
  readonly refused: readonly string[]
  /** Features that work in each worker, but separately. */
  readonly apart: readonly string[]
}

const nothing: SharedFeatures = { refused: [], apart: [] }

export function sharedFeaturesOf(config: Config): SharedFeatures {
  if (config.redis.url !== undefined) return nothing
  const cure = 'Set TESSERA_REDIS_URL, or run one worker'
  const refused: string[] = []
  if (config.quota.daily !== undefined)
    refused.push(
      `TESSERA_QUOTA_DAILY: each worker would spend the budget of a day. ${cure}, or remove the budget.`,
    )
  if (config.rateLimits.length > 0) {
    const names = config.rateLimits.map(({ name }) => name).join(', ')
    refused.push(`rateLimits (${names}): each worker would allow the whole rate. ${cure}, or leave them out.`)
  }
  const apart = ['idempotency keys (mutations with one are refused)', 'polls of subscriptions']
  if (config.persisted.mode === 'automatic') apart.push('automatic persisted queries')
  if (config.cache.bytes > 0 && config.cache.redisUrl === undefined)
    apart.push('kept answers (TESSERA_RESPONSE_CACHE_REDIS_URL)')
  apart.push('the count of mediaQuota')
  return { refused, apart }
}
