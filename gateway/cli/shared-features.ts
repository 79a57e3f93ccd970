/** Several workers share state through Redis. This finds the configured features that do not work without it. */
import type { Config } from '../config/index.ts'

export interface SharedFeatures {
  /** Features that would be wrong in separate workers, each with its remedy. */
  readonly refused: readonly string[]
  /** Features that work in each worker, but separately. */
  readonly apart: readonly string[]
}

const nothing: SharedFeatures = { refused: [], apart: [] }

export function sharedFeaturesOf({ values, sections }: Config): SharedFeatures {
  if (values.TESSERA_REDIS_URL !== undefined) return nothing
  const cure = 'Set TESSERA_REDIS_URL, or run one worker'
  const refused: string[] = []
  if (values.TESSERA_QUOTA_DAILY !== undefined)
    refused.push(
      `TESSERA_QUOTA_DAILY: each worker would spend the budget of a day. ${cure}, or leave the budget out.`,
    )
  if (sections.rateLimits.length > 0) {
    const names = sections.rateLimits.map(({ name }) => name).join(', ')
    refused.push(`rateLimits (${names}): each worker would allow the whole rate. ${cure}, or leave them out.`)
  }
  const apart = ['idempotency keys (mutations with one are refused)', 'polls of subscriptions']
  if (values.TESSERA_PERSISTED === 'automatic') apart.push('automatic persisted queries')
  if (values.TESSERA_RESPONSE_CACHE_BYTES > 0 && values.TESSERA_RESPONSE_CACHE_REDIS_URL === undefined)
    apart.push('kept answers (TESSERA_RESPONSE_CACHE_REDIS_URL)')
  apart.push('the count of mediaQuota')
  return { refused, apart }
}
