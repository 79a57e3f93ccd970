/** What subscriptions of a subgraph service may be, as the configuration says. */
import type { Config } from '../config/index.ts'
import type { SubgraphServiceOptions } from '../subgraph-service/index.ts'

export function serviceSubscriptionsOf({ values }: Config): SubgraphServiceOptions['subscriptions'] {
  return {
    heartbeatMs: values.TESSERA_SUBSCRIPTION_HEARTBEAT_MS,
    waitingEvents: values.TESSERA_SUBSCRIPTION_WAITING_EVENTS,
    waitingBytes: values.TESSERA_SUBSCRIPTION_WAITING_BYTES,
    most: values.TESSERA_MAX_SUBSCRIPTIONS,
    mostOfConnection: values.TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION,
  }
}
