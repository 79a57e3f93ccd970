/** The backend that the configuration names. */

import type { GatewayOptions } from '../options.ts'
import type { Logger } from '../telemetry/log.ts'
import { apartStores, createRedisStores, memoryStores, type Stores } from './index.ts'

/** Redis if its address is configured, otherwise the memory of this process. Several processes without Redis share nothing. */
export function storesFrom(
  { config, shared }: Pick<GatewayOptions, 'config' | 'shared'>,
  log: Logger,
): Stores {
  const { url, replicas } = config.redis
  if (url !== undefined) return createRedisStores({ url, log, replicas })
  return shared === undefined ? memoryStores : apartStores
}
