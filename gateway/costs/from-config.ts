/** What operations cost in calls and units, as the configuration says. */
import type { GraphQLSchema } from 'graphql'
import { type ServiceName, serviceCalls } from '../../subgraphs/index.ts'
import type { Config } from '../config/index.ts'
import { createEstimator, createPollEstimator } from './estimate/index.ts'
import { createPricing, type Pricing } from './pricing.ts'
import type { Quota } from './quota/index.ts'

export function pricingFrom({ services, values }: Config, schema: GraphQLSchema, quota: Quota): Pricing {
  const described = { schema, services: serviceCalls, prices: values.TESSERA_QUOTA_PRICES }
  return createPricing({
    schema,
    quota,
    maxCalls: values.TESSERA_MAX_CALLS,
    estimator: createEstimator(described),
    polls: createPollEstimator({
      ...described,
      everySeconds: (service) =>
        Object.hasOwn(services, service) ? services[service as ServiceName].liveEverySeconds : undefined,
    }),
  })
}
