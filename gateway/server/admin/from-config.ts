/** The routes for operators, and the usage that they report, as the configuration says. */
import type { GraphQLSchema } from 'graphql'
import type { Config } from '../../config/index.ts'
import type { GatewayOptions } from '../../options.ts'
import type { ResponseCache } from '../../response-cache/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createUsage, deprecatedIn, type Usage, type UsageReport } from '../../telemetry/usage/index.ts'
import { type Admin, startAdmin } from './index.ts'

export interface ReportedUsage {
  /** The schema that is served now. */
  readonly schema: () => GraphQLSchema
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
    ...{ host, port, token, cache: responseCache, log },
    usage: usage && (() => reportOf(usage, reported)),
  })
}

/** Undefined if nobody could ask for it. */
export function usageFrom({ admin, telemetry }: Config): Usage | undefined {
  const { usageEntries: most } = telemetry
  return admin.port === undefined || most === 0 ? undefined : createUsage({ most })
}

async function reportOf(usage: Usage, { schema, shared }: ReportedUsage): Promise<UsageReport> {
  return {
    format: 'tessera-usage',
    version: 1,
    deprecated: deprecatedIn(schema()),
    processes: shared === undefined ? [usage.report()] : [...(await shared.usage())],
  }
}
