/**
 * The videos subgraph: videos, channels and comment threads over the video service. This file is its whole
 * surface.
 */
import { createSubgraph, type ServiceOptions, type Subgraph } from '../lib/subgraph.ts'
import { createUpstream } from '../lib/upstream.ts'
import { createVideosClient, type PricedOperation, prices } from './client.ts'
import { createContexts } from './context.ts'
import { readFailure } from './failure.ts'
import { createQuotaCounter, type QuotaReader } from './quota.ts'
import { resolvers } from './resolvers.ts'
import { createUploads, type UploadOptions } from './upload.ts'

export { videosCalls } from './calls.ts'
export { type PricedOperation, prices } from './client.ts'
export type { QuotaReader, QuotaState } from './quota.ts'
export type { UploadOptions } from './upload.ts'

export interface VideosOptions extends ServiceOptions {
  /** The path segment that the service goes by; `media` unless said. */
  readonly namespace?: string | undefined
  /** Prices that differ from the published ones, in units. */
  readonly prices?: Readonly<Partial<Record<PricedOperation, number>>> | undefined
  /** Answers `mediaQuota`; what this process counted unless given. */
  readonly quota?: QuotaReader | undefined
  /** How addresses for uploads are made. */
  readonly uploads: UploadOptions
}

export function createVideosSubgraph(options: VideosOptions): Subgraph {
  const counter = createQuotaCounter()
  const { quota = counter } = options
  const upstream = createUpstream({
    service: 'videos',
    baseUrl: options.baseUrl,
    credential: options.credential,
    failure: readFailure,
    tuning: options.tuning,
    admit: options.admit,
    settle: options.settle,
    traceHeaders: options.traceHeaders,
    observe(event) {
      // Where a ledger is kept, it is counted there.
      if (quota === counter) counter.count(event)
      options.observe?.(event)
    },
  })
  const namespace = options.namespace ?? 'media'
  const client = createVideosClient(upstream, { namespace, prices: options.prices })
  const uploads = createUploads(upstream, {
    ...options.uploads,
    baseUrl: options.baseUrl,
    credential: options.credential,
    namespace,
    price: (operation) => options.prices?.[operation] ?? prices[operation],
  })
  return createSubgraph({
    name: 'videos',
    resolvers,
    createContext: createContexts(upstream, client, {
      share: options.share ?? true,
      quota,
      uploads,
    }),
    upload: uploads.serve,
    state: upstream.state,
    async close() {
      await Promise.all([upstream.close(), uploads.close()])
    },
  })
}
