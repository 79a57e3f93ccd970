/** What operations cost and may cost, as the configuration says. */
import type { GraphQLSchema } from 'graphql'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { meteredService, type ServiceName, serviceCalls } from '../../subgraphs/index.ts'
import { openCredential } from '../../subgraphs/kit/credentials/index.ts'
import type { Config } from '../config/index.ts'
import type { Stores } from '../stores/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createDemand, type Demand } from './demand/index.ts'
import { createEstimator, createPollEstimator } from './estimate/index.ts'
import { Pricing } from './pricing.ts'
import { createLedger, Quota } from './quota/index.ts'
import { createRateLimiter, createRates, type RateLimiter, type RateStore } from './rate/index.ts'

/** In calls and units. */
export function pricingFrom(config: Config, schema: GraphQLSchema, quota: Quota): Pricing {
  const described = { schema, services: serviceCalls, prices: config.quota.prices }
  return new Pricing({
    schema,
    quota,
    maxCalls: config.limits.calls,
    estimator: createEstimator(described),
    polls: createPollEstimator({
      ...described,
      everySeconds: (service) =>
        Object.hasOwn(config.services, service)
          ? config.live[service as ServiceName].everySeconds
          : undefined,
    }),
  })
}

/** By `@cost`; undefined if that is not measured. */
export function demandFrom(
  { demand }: Config,
  parts: { readonly supergraph: Supergraph; readonly schema: GraphQLSchema; readonly metrics: Metrics },
): Demand | undefined {
  if (demand === undefined) return undefined
  const { supergraph, schema, metrics } = parts
  return createDemand({
    ...demand,
    schema,
    supergraph: supergraph.document,
    observe: metrics.operationCost,
  })
}

/** The budgets of the service that sells units, and their ledger. */
export function quotaFrom(
  config: Config,
  { stores, log }: { readonly stores: Stores; readonly log: Logger },
): Quota {
  const credential = openCredential(config.services[meteredService].credential, meteredService)
  return new Quota({
    service: meteredService,
    ledger: createLedger(stores, { log, away: config.quota.away }),
    perOperation: config.quota.perOperation,
    daily: config.quota.daily,
    timeZone: config.quota.timeZone,
    cached: config.calls.cacheSeconds > 0 || config.cache.bytes > 0,
    credentialKey: (request) => credential.key(request),
  })
}

type LazyRates = ReturnType<typeof lazyRates>

/** Made when the first rule asks for it, and kept over reloads. */
export function lazyRates(stores: Stores) {
  let store: RateStore | undefined
  return {
    get(): RateStore {
      if (stores.isApart)
        throw new Error('rateLimits: several workers can share them only with TESSERA_REDIS_URL')
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
    throw new Error(`rateLimits: ${priced.name} counts cost, which requires the section demand`)
  return createRateLimiter(rateLimits, rates.get(), metrics.rateLimited)
}
