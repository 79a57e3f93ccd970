/** Rate limits, as the configuration says. */
import type { Config } from '../../config/index.ts'
import type { Stores } from '../../stores/index.ts'
import type { Metrics } from '../../telemetry/metrics/index.ts'
import { createRateLimiter, createRates, type RateLimiter, type RateStore } from './index.ts'

/** Made when the first rule asks for it, and kept over reloads. */
export interface LazyRates {
  get(): RateStore
  close(): void
}

export function lazyRates(stores: Stores): LazyRates {
  let store: RateStore | undefined
  return {
    get() {
      if (stores.isApart)
        throw new Error('rateLimits: several workers hold them together only with TESSERA_REDIS_URL')
      store ??= createRates(stores)
      return store
    },
    close: () => store?.close(),
  }
}

/** Undefined if there are no rules. */
export function rateLimiterFrom(
  { rateLimits, demand }: Config,
  { rates, metrics }: { readonly rates: LazyRates; readonly metrics: Metrics },
): RateLimiter | undefined {
  if (rateLimits.length === 0) return undefined
  const priced = rateLimits.find(({ counts }) => counts === 'cost')
  if (priced !== undefined && demand === undefined)
    throw new Error(`rateLimits: ${priced.name} counts cost, which the section demand has to work out`)
  return createRateLimiter({
    rules: rateLimits.map(({ windowSeconds, ...rule }) => ({ ...rule, windowMs: windowSeconds * 1000 })),
    store: rates.get(),
    limited: metrics.rateLimited,
  })
}
