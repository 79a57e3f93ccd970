/** The routes for operators, and the usage that they report, as the configuration says. */
import type { Supergraph } from '../../../engine/supergraph/index.ts'
import type { Config } from '../../config/index.ts'
import type { GatewayOptions } from '../../options.ts'
import type { ResponseCache } from '../../response-cache/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createUsage, deprecatedIn, type Usage, type UsageReport } from '../../telemetry/usage/index.ts'
import { type Admin, startAdmin } from './index.ts'

interface ReportedUsage {
  /** The one that is served now. */
  readonly supergraph: () => Supergraph
  /** All processes that serve the port, if there are several. */
  readonly shared: GatewayOptions['shared']
}

/** Undefined if no port is configured. */
export async function adminFrom(
  config: Config,
  { responseCache, log }: { readonly responseCache: ResponseCache | undefined; readonly log: Logger },
  usage: Usage | undefined,
  reported: ReportedUsage,
): Promise<Admin | undefined> {
  const { port, host, token } = config.admin
  if (port === undefined || token === undefined) return undefined
  return startAdmin({
    ...{ host, port, token, cache: responseCache, log, supergraph: reported.supergraph },
    usage: usage && (() => reportOf(usage, reported)),
  })
}

/** Undefined if nobody could ask for it. */
export function usageFrom({ admin, telemetry }: Config): Usage | undefined {
  const { usageEntries: most } = telemetry
  return admin.port === undefined || most === 0 ? undefined : createUsage({ most })
}

async function reportOf(usage: Usage, { supergraph, shared }: ReportedUsage): Promise<UsageReport> {
  return {
    format: 'tessera-usage',
    version: 1,
    deprecated: deprecatedIn(supergraph().apiSchema),
    processes: shared === undefined ? [usage.report()] : [...(await shared.usage())],
  }
}
