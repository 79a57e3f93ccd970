/** The budgets of the metered service, as the configuration says. */
import { meteredService } from '../../subgraphs/index.ts'
import { openCredential } from '../../subgraphs/kit/credentials/index.ts'
import { createMemoryLedger, createQuota, createRedisLedger, type Quota } from '../costs/quota/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { GatewayOptions } from './options.ts'

/** The budgets of the service that sells units, with the ledger that the configuration names. */
export function quotaFrom({ config }: Pick<GatewayOptions, 'config'>, log: Logger): Quota {
  const { values } = config
  const credential = openCredential(config.services[meteredService].credential, meteredService)
  return createQuota({
    service: meteredService,
    ledger:
      values.TESSERA_REDIS_URL === undefined
        ? createMemoryLedger()
        : createRedisLedger({
            url: values.TESSERA_REDIS_URL,
            log,
            replicas: values.TESSERA_REDIS_REPLICAS,
            away: values.TESSERA_QUOTA_AWAY,
          }),
    perOperation: values.TESSERA_QUOTA_PER_OPERATION,
    daily: values.TESSERA_QUOTA_DAILY,
    timeZone: values.TESSERA_QUOTA_TIME_ZONE,
    cached: values.TESSERA_CACHE_SECONDS > 0 || values.TESSERA_RESPONSE_CACHE_BYTES > 0,
    credentialKey: (request) => credential.key(request),
  })
}
