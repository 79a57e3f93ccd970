/** Where features keep what they keep, as the configuration says. */

import type { GatewayOptions } from '../options.ts'
import type { Logger } from '../telemetry/log.ts'
import { apartStores, createRedisStores, memoryStores, type Stores } from './index.ts'

/** In Redis if there is one, else in this process; several processes without Redis have nothing together. */
export function storesFrom(
  { config, shared }: Pick<GatewayOptions, 'config' | 'shared'>,
  log: Logger,
): Stores {
  const { url, replicas } = config.redis
  if (url !== undefined) return createRedisStores({ url, log, replicas })
  return shared === undefined ? memoryStores : apartStores
}
