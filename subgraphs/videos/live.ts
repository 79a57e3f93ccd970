/** The subscriptions of the video service, and how they are polled. */
import type { QuotaState, ReadQuota } from '../../shared/quota.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { headEdge } from '../kit/pagination/index.ts'
import { ByIds, Gauge, type LiveQueue, Newest, type Pace, type Pollers } from '../kit/polling/index.ts'
import type { VideosClient } from './client.ts'
import { threadListName } from './ids.ts'
import type { ThreadAddedModel, ThreadModel, VideoModel } from './model.ts'
import { operations, type Prices, unitsOf } from './operations.ts'
import { ownerOnly, type Parts, partNames } from './parts.ts'

const videoPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 120_000 }
const threadPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 300_000 }
/** The quota is read from the count of units, which calls no service. */
const quotaPace: Pace = { defaultMs: 5000, leastMs: 1000, idleMs: 5000 }

interface VideosLiveOptions {
  readonly readQuota: ReadQuota
  readonly prices: Prices | undefined
}

export class VideosLive {
  readonly #live: Pollers
  readonly #client: VideosClient
  readonly #options: VideosLiveOptions

  constructor(live: Pollers, client: VideosClient, options: VideosLiveOptions) {
    this.#live = live
    this.#client = client
    this.#options = options
  }

  videoChanged(
    ids: readonly string[],
    parts: Parts,
    request: SubgraphRequest,
  ): Promise<LiveQueue<VideoModel | null | Error>> {
    const owned = (parts & ownerOnly) !== 0
    return this.#live.begin(
      owned ? 'videos of the owner' : 'videos',
      (place) =>
        new ByIds<Parts, VideoModel, VideoModel>(place, {
          field: 'videoChanged',
          pace: videoPace,
          maxIds: operations.list.maxIds,
          units: unitsOf(operations.list, this.#options.prices) * (owned ? 2 : 1),
          fetch: async (page, needs, conditional, poll) => {
            if (owned) return this.#fetchOwned(page, needs, poll)
            return (await this.#client.pollVideos(page, needs, conditional, poll)) ?? { found: undefined }
          },
          unite: (some, others) => some | others,
          covers: (fetched, wanted) => (fetched & wanted) === wanted,
          facets: (video, needs) => Object.fromEntries(partNames(needs).map((part) => [part, video[part]])),
          read: partNames,
          valueOf: (_, video) => video,
        }),
      { ids, needs: parts },
      request,
    )
  }

  threadAdded(
    videoId: string,
    after: string | null | undefined,
    request: SubgraphRequest,
  ): Promise<LiveQueue<ThreadAddedModel>> {
    const list = threadListName('videoId', videoId, 'time')
    return this.#live.begin(
      list,
      (place) =>
        new Newest<ThreadModel, ThreadAddedModel>(place, {
          field: 'commentThreadAdded',
          pace: threadPace,
          units: unitsOf(operations.listThreads, this.#options.prices),
          fetch: (token, conditional, poll) => this.#client.pollThreads(videoId, token, conditional, poll),
          idOf: ({ id }) => id,
          valueOf: (thread, gap, position) => ({
            commentThreadEdge: headEdge(list, operations.listThreads.pages.defaultPageSize, thread),
            gap,
            after: position,
          }),
        }),
      after,
      request,
    )
  }

  quotaChanged(request: SubgraphRequest): Promise<LiveQueue<QuotaState>> {
    return this.#live.begin(
      'quota',
      (place) =>
        new Gauge<QuotaState, QuotaState>(
          { ...place, host: { ...place.host, everySeconds: undefined } },
          {
            field: 'mediaQuotaChanged',
            pace: quotaPace,
            units: 0,
            fetch: async () => ({ raw: await this.#options.readQuota(place.credentialKey) }),
            digest: (state) => JSON.stringify(state),
            valueOf: (state) => state,
          },
        ),
      undefined,
      request,
    )
  }

  /** Owner-only parts are requested in a call of their own, as in look-ups. */
  async #fetchOwned(ids: readonly string[], parts: Parts, request: SubgraphRequest) {
    const [all, owned] = await Promise.all([
      this.#client.pollVideos(ids, parts & ~ownerOnly, false, request),
      // If this call is refused, the fields of these parts fail when they are read, and the others stay.
      this.#client.pollVideos(ids, parts & ownerOnly, false, request).catch(() => undefined),
    ])
    const found = new Map(
      [...(all?.found ?? [])].map(([id, video]) => [id, { ...owned?.found.get(id), ...video }]),
    )
    return { found, odd: all?.odd, hintMs: all?.hintMs }
  }
}
