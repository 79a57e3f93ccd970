/** Subgraphs as services of their own, for tests: each on port 0, with one secret. */

import { serviceAuthenticatorFrom } from '../../gateway/auth/from-config.ts'
import type { FastParts } from '../../gateway/fast.ts'
import { startSubgraphService } from '../../gateway/hosts/subgraph.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { Metrics } from '../../gateway/telemetry/metrics/index.ts'
import { type LocalSubgraphOptions, localSubgraph } from '../../gateway/transports/local-subgraph.ts'
import { forEachService, type SubgraphName, subgraphNames } from '../../subgraphs/index.ts'
import { configFrom, usualFastParts } from './graph.ts'

export const serviceSecret = 'the secret of gateway and subgraphs'

/** What a service learns of a budget that nobody set. */
const noQuota = async () => ({
  limit: null,
  used: 0,
  remaining: null,
  resetsAt: '2026-11-21T08:00:00Z',
  operations: [],
})

export interface Services extends AsyncDisposable {
  readonly urls: Readonly<Record<SubgraphName, string>>
  /** What a gateway needs to use all of them. */
  readonly env: Readonly<Record<string, string>>
}

export async function startServices(
  upstream: string,
  env: Readonly<Record<string, string>> = {},
  names: readonly SubgraphName[] = subgraphNames,
  {
    pace,
    port = 0,
    fast = usualFastParts,
  }: { readonly pace?: LocalSubgraphOptions['pace']; readonly port?: number; readonly fast?: FastParts } = {},
): Promise<Services> {
  const config = configFrom({
    ...{ TESSERA_SUBGRAPH_SECRET: serviceSecret, TESSERA_REQUEST_TIMEOUT_MS: '30000' },
    ...env,
  })
  const started = await Promise.all(
    names.map(async (name) => {
      const metrics = new Metrics()
      const subgraph = localSubgraph(name, {
        config,
        serviceUrls: forEachService(() => upstream),
        publicUrl: () => config.server.publicUrl ?? 'http://127.0.0.1:1',
        observe: () => {},
        pace,
        fast,
        quota: noQuota,
      })
      const service = await startSubgraphService({
        subgraph,
        config,
        port,
        authenticator: serviceAuthenticatorFrom(config, name),
        frames: config.subgraph.frames ? fast.frames?.serve : undefined,
        metrics,
        log: createLogger({ level: 'silent' }),
      })
      return {
        name,
        url: service.url,
        async close() {
          await service.stop(1000)
          await subgraph.close()
          metrics.close()
        },
      }
    }),
  )
  const urls = Object.fromEntries(started.map(({ name, url }) => [name, url])) as Record<SubgraphName, string>
  return {
    urls,
    env: {
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      ...Object.fromEntries(
        started.map(({ name, url }) => [`TESSERA_${name.toUpperCase()}_SUBGRAPH_URL`, url]),
      ),
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(({ close }) => close()))
    },
  }
}
