/** What subscriptions may be, as the configuration says. */
import type { Config } from '../config/index.ts'
import type { SubscriptionSettings } from './subscription-server.ts'

export function subscriptionsOf({ values }: Config): SubscriptionSettings {
  return {
    heartbeatMs: values.TESSERA_SUBSCRIPTION_HEARTBEAT_MS,
    waitingEvents: values.TESSERA_SUBSCRIPTION_WAITING_EVENTS,
    waitingBytes: values.TESSERA_SUBSCRIPTION_WAITING_BYTES,
    most: values.TESSERA_MAX_SUBSCRIPTIONS,
    mostOfCaller: values.TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER,
    mostOfConnection: values.TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION,
    maxMessageBytes: values.TESSERA_MAX_BODY_BYTES,
  }
}
