/**
 * The videos subgraph: videos, channels and comment threads over the video service. This file is its whole
 * surface.
 */

import type { Subgraph } from '../../contract/subgraph.ts'
import { defaultMaxIds } from '../kit/id-list.ts'
import { createServiceUpstream, createSubgraph, type ServiceOptions } from '../kit/subgraph.ts'
import { createVideosClient } from './client.ts'
import { createContexts } from './context.ts'
import { readFailure } from './failure.ts'
import type { PricedOperation } from './operations.ts'
import { createQuotaCounter, type QuotaReader } from './quota.ts'
import { resolvers } from './resolvers.ts'
import { createUploads, type UploadOptions } from './upload/index.ts'

export { type PricedOperation, videosCalls } from './operations.ts'
export type { QuotaReader, QuotaState } from './quota.ts'
export type { UploadOptions } from './upload/index.ts'

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
  const upstream = createServiceUpstream(
    'videos',
    {
      ...options,
      observe(event) {
        // Where a ledger is kept, it is counted there.
        if (quota === counter) counter.count(event)
        options.observe?.(event)
      },
    },
    readFailure,
  )
  const namespace = options.namespace ?? 'media'
  const client = createVideosClient(upstream, { namespace, prices: options.prices })
  const uploads = createUploads(upstream, {
    ...options.uploads,
    baseUrl: options.baseUrl,
    credential: options.credential,
    namespace,
    prices: options.prices,
  })
  return createSubgraph({
    name: 'videos',
    resolvers,
    createContext: createContexts(upstream, client, {
      share: options.share ?? true,
      maxIds: options.maxIds ?? defaultMaxIds,
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
