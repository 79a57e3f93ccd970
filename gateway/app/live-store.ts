/** Whose pollers for subscriptions work as one, as the configuration says. */
import type { LiveStore } from '../../shared/polling.ts'
import { createRedisLiveStore } from '../stores/polls/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { GatewayOptions } from './options.ts'

/** Those of all gateways with the same Redis; undefined for those of this process alone. */
export function liveStoreFrom(
  { config }: Pick<GatewayOptions, 'config'>,
  log: Logger,
): LiveStore | undefined {
  const url = config.values.TESSERA_REDIS_URL
  return url === undefined ? undefined : createRedisLiveStore({ url, log })
}
