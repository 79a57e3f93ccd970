/** The subscriptions of the video service, and how they are polled. */
import type { ReadQuota } from '../../shared/quota.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { headEdge } from '../kit/pagination/index.ts'
import {
  ByIds,
  firstExtensions,
  Gauge,
  type LiveQueue,
  Newest,
  type Pace,
  type Pollers,
} from '../kit/polling/index.ts'
import type { VideosClient } from './client.ts'
import { threadListName } from './ids.ts'
import type { ThreadAddedModel, ThreadModel, VideoModel } from './model.ts'
import { operations, type PricedOperation } from './operations.ts'
import { ownerOnly, type Parts, partNames } from './parts.ts'

const videoPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 120_000 }
const threadPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 300_000 }
/** The quota is read from the count of units, which calls no service. */
const quotaPace: Pace = { defaultMs: 5000, leastMs: 1000, idleMs: 5000 }

interface VideosLiveOptions {
  readonly credentialKey: (request: SubgraphRequest) => string
  readonly readQuota: ReadQuota
  readonly prices: Readonly<Partial<Record<PricedOperation, number>>> | undefined
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
    const key = this.#options.credentialKey(request)
    const owned = (parts & ownerOnly) !== 0
    const name = owned ? 'videos of the owner' : 'videos'
    return this.#live.begin(
      `${name} ${key}`,
      (ended) =>
        new ByIds<Parts, VideoModel, VideoModel>(
          this.#live.host,
          {
            name,
            field: 'videoChanged',
            credentialKey: key,
            pace: videoPace,
            maxIds: operations.list.maxIds,
            units: this.#unitsOf(operations.list) * (owned ? 2 : 1),
            fetch: async (page, needs, conditional, poll) => {
              if (owned) return this.#fetchOwned(page, needs, poll)
              return (await this.#client.pollVideos(page, needs, conditional, poll)) ?? { found: undefined }
            },
            unite: (some, others) => some | others,
            covers: (fetched, wanted) => (fetched & wanted) === wanted,
            facets: (video, needs) => Object.fromEntries(partNames(needs).map((part) => [part, video[part]])),
            read: partNames,
            valueOf: (_, video) => video,
          },
          ended,
        ),
      async (poller) => {
        const first = firstExtensions('videos', await poller.price(ids, parts), request)
        return poller.subscribe(ids, parts, request, first)
      },
    )
  }

  threadAdded(
    videoId: string,
    after: string | null | undefined,
    request: SubgraphRequest,
  ): Promise<LiveQueue<ThreadAddedModel>> {
    const key = this.#options.credentialKey(request)
    const list = threadListName('videoId', videoId, 'time')
    return this.#live.begin(
      `${list} ${key}`,
      (ended) =>
        new Newest<ThreadModel, ThreadAddedModel>(
          this.#live.host,
          {
            name: list,
            field: 'commentThreadAdded',
            credentialKey: key,
            pace: threadPace,
            units: this.#unitsOf(operations.listThreads),
            fetch: (token, conditional, poll) => this.#client.pollThreads(videoId, token, conditional, poll),
            idOf: ({ id }) => id,
            valueOf: (thread, gap, position) => ({
              commentThreadEdge: headEdge(list, operations.listThreads.pages.defaultPageSize, thread),
              gap,
              after: position,
            }),
          },
          ended,
        ),
      async (poller) =>
        poller.subscribe(request, after, firstExtensions('videos', await poller.price(), request)),
    )
  }

  quotaChanged(request: SubgraphRequest): Promise<LiveQueue<Awaited<ReturnType<ReadQuota>>>> {
    const key = this.#options.credentialKey(request)
    return this.#live.begin(
      `quota ${key}`,
      (ended) =>
        new Gauge(
          { ...this.#live.host, everySeconds: undefined },
          {
            name: 'quota',
            field: 'mediaQuotaChanged',
            credentialKey: key,
            pace: quotaPace,
            units: 0,
            fetch: async () => ({ raw: await this.#options.readQuota(key) }),
            digest: (state) => JSON.stringify(state),
            valueOf: (state) => state,
          },
          ended,
        ),
      async (poller) =>
        poller.subscribe(
          request,
          undefined,
          firstExtensions('videos', await poller.price(undefined), request),
        ),
    )
  }

  #unitsOf({ name, units }: { readonly name: PricedOperation; readonly units: number }): number {
    return this.#options.prices?.[name] ?? units
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
