/** The budgets of the metered service, as the configuration says. */
import { meteredService } from '../../../subgraphs/index.ts'
import { openCredential } from '../../../subgraphs/kit/credentials/index.ts'
import type { GatewayOptions } from '../../options.ts'
import type { Stores } from '../../stores/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createLedger, createQuota, type Quota } from './index.ts'

/** The budgets of the service that sells units, and their ledger. */
export function quotaFrom(
  { config }: Pick<GatewayOptions, 'config'>,
  { stores, log }: { readonly stores: Stores; readonly log: Logger },
): Quota {
  const { values } = config
  const credential = openCredential(config.services[meteredService].credential, meteredService)
  return createQuota({
    service: meteredService,
    ledger: createLedger(stores, { log, away: values.TESSERA_QUOTA_AWAY }),
    perOperation: values.TESSERA_QUOTA_PER_OPERATION,
    daily: values.TESSERA_QUOTA_DAILY,
    timeZone: values.TESSERA_QUOTA_TIME_ZONE,
    cached: values.TESSERA_CACHE_SECONDS > 0 || values.TESSERA_RESPONSE_CACHE_BYTES > 0,
    credentialKey: (request) => credential.key(request),
  })
}
