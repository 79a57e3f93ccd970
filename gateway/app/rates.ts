/** Rate limits, as the configuration says: in Redis if there is one, else in this process. */

import type { Config } from '../config/index.ts'
import {
  createMemoryRates,
  createRateLimiter,
  createRedisRates,
  type RateLimiter,
  type RateStore,
} from '../costs/rate/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { GatewayOptions } from './options.ts'

/** Made when the first rule asks for it, and kept over reloads. */
export interface LazyRates {
  get(): RateStore
  close(): Promise<void>
}

export function lazyRates(
  { config, shared }: Pick<GatewayOptions, 'config' | 'shared'>,
  log: Logger,
): LazyRates {
  const { TESSERA_REDIS_URL: url } = config.values
  let store: RateStore | undefined
  return {
    get() {
      if (url === undefined && shared !== undefined)
        throw new Error('rateLimits: several workers hold them together only with TESSERA_REDIS_URL')
      store ??= url === undefined ? createMemoryRates() : createRedisRates({ url, log })
      return store
    },
    close: async () => store?.close(),
  }
}

/** Undefined if there are no rules. */
export function rateLimiterFrom(
  { sections }: Config,
  { rates, metrics }: { readonly rates: LazyRates; readonly metrics: Metrics },
): RateLimiter | undefined {
  const { rateLimits, demand } = sections
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
