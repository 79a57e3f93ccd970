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
  const credential = openCredential(config.services[meteredService].credential, meteredService)
  return createQuota({
    service: meteredService,
    ledger: createLedger(stores, { log, away: config.quota.away }),
    perOperation: config.quota.perOperation,
    daily: config.quota.daily,
    timeZone: config.quota.timeZone,
    cached: config.calls.cacheSeconds > 0 || config.cache.bytes > 0,
    credentialKey: (request) => credential.key(request),
  })
}
