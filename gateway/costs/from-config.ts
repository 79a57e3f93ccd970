/** What operations cost in calls and units, as the configuration says. */
import type { GraphQLSchema } from 'graphql'
import { type ServiceName, serviceCalls } from '../../subgraphs/index.ts'
import type { Config } from '../config/index.ts'
import { createEstimator, createPollEstimator } from './estimate/index.ts'
import { createPricing, type Pricing } from './pricing.ts'
import type { Quota } from './quota/index.ts'

export function pricingFrom(config: Config, schema: GraphQLSchema, quota: Quota): Pricing {
  const described = { schema, services: serviceCalls, prices: config.quota.prices }
  return createPricing({
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
