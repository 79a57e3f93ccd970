/** The videos subgraph: videos, channels and comment threads. This file is its whole surface. */

import type { ReadQuota } from '../../shared/quota.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { Sharing } from '../kit/batching/index.ts'
import { defaultMaxIds } from '../kit/id-list.ts'
import { createPollers } from '../kit/polling/index.ts'
import { describeService, ofForm } from '../kit/service.ts'
import { createServiceUpstream, createSubgraph, ofService, type ServiceOptions } from '../kit/subgraph.ts'
import { VideosClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { type Prices, videosCalls } from './operations.ts'
import { createQuotaUsage } from './quota-usage.ts'
import { createResolvers } from './resolvers.ts'
import { createUploads, type UploadOptions } from './upload/index.ts'

const idForm = /^[A-Za-z0-9_-]{1,64}$/

export interface VideosOptions extends ServiceOptions {
  /** The first path segment of the service's API. */
  readonly namespace: string
  /** Prices in units that differ from the published ones. */
  readonly prices: Prices
  /** Reads the values of `mediaQuota`. */
  readonly readQuota: ReadQuota
  /** How upload addresses are made. */
  readonly uploads: UploadOptions
}

export const videos = describeService({
  name: 'videos',
  title: 'the video service',
  port: 4001,
  settings: {
    namespace: ofForm(/^[a-z][a-z0-9-]*$/, {
      default: 'media',
      expected: 'one path segment in lower case, such as youtube',
      description: "The first path segment of the video service's API.",
    }),
  },
  calls: videosCalls,
  nodeKeys: { Channel: idForm, Video: idForm },
  probe: {
    what: 'a video of the chart',
    operation: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
    scoped: '{ ratedVideos(rating: LIKE, first: 1) { nodes { videoId } } }',
  },
  isMetered: true,
  isCached: true,
  takesUploads: true,
  create: (options, { namespace }, { secret, publicUrl, readQuota, prices }) =>
    createVideosSubgraph({ ...options, namespace, uploads: { secret, publicUrl }, readQuota, prices }),
})

/** Lookups wait longer for each other when few units are left. */
function sharingOf(share: boolean | Sharing = true, readQuota: ReadQuota): boolean | Sharing {
  if (share === false) return false
  return { spent: createQuotaUsage(readQuota), ...(share === true ? {} : share) }
}

export function createVideosSubgraph(options: VideosOptions): Subgraph {
  const { namespace, prices, readQuota } = options
  const upstream = createServiceUpstream('videos', options, createFailureReader())
  const client = new VideosClient(upstream, { namespace, prices })
  const live = createPollers(upstream, options.live, readQuota)
  const { baseUrl, credential } = options
  const uploads = createUploads(client, { ...options.uploads, baseUrl, credential })
  return createSubgraph({
    name: 'videos',
    resolvers: createResolvers(),
    createContext: createContexts(upstream, client, {
      share: sharingOf(options.share, readQuota),
      maxIds: options.maxIds ?? defaultMaxIds,
      readQuota,
      uploads,
      live,
    }),
    upload: uploads.serve,
    ...ofService(upstream, live, uploads),
  })
}
