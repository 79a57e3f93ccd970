/** The subscriptions of the video service: their resolvers, and how the service is polled for them. */
import type { GraphQLError } from 'graphql'
import { codeOf, type ErrorCode } from '../../shared/errors.ts'
import type { QuotaState } from '../../shared/quota.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import { chunk } from '../kit/chunk.ts'
import { headEdge } from '../kit/pagination/index.ts'
import {
  ListPoller,
  ObjectPoller,
  type Pace,
  readDistinctIds,
  subscriptionField,
  ValuePoller,
} from '../kit/polling/index.ts'
import { selectionOf } from '../kit/selection.ts'
import type { VideosClient } from './client.ts'
import type { Context } from './context.ts'
import { isAboutOwner } from './failure.ts'
import { checkId, idForm, threadListName } from './ids.ts'
import { isServiceId, type ThreadAddedModel, type ThreadModel, type VideoModel } from './model.ts'
import { operations } from './operations.ts'
import { neededBy, ownerOnly, type Parts, partNames } from './parts.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

const videoPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 120_000 }
const threadPace: Pace = { defaultMs: 15_000, leastMs: 1000, idleMs: 300_000 }
/** The quota is read from the count of units, which calls no service. */
const quotaPace: Pace = { defaultMs: 5000, leastMs: 1000, idleMs: 5000 }

/** Videos of a poller that belong to somebody else. The least recently used are forgotten, and asked for again. */
type ForeignIds = ReturnType<typeof createGrowingCache<true>>
const mostForeign = 20_000
/** How the service refuses the owner's parts to a caller. */
const refusals: ReadonlySet<unknown> = new Set(['FORBIDDEN', 'UNAUTHENTICATED'] satisfies ErrorCode[])

export const subscriptions: SubscriptionResolvers = {
  videoChanged: subscriptionField(
    (
      { videoIds }: { readonly videoIds: readonly string[] },
      { live, client, maxIds, request }: Context,
      info,
    ) => {
      const ids = readDistinctIds({
        argument: 'videoIds',
        ids: videoIds,
        maxIds,
        expected: idForm,
        isId: isServiceId,
      })
      const { parts, ownerParts } = neededBy(selectionOf(info))
      const owned = ownerParts !== 0
      return live.begin(
        owned ? 'videos of the owner' : 'videos',
        (topicOptions) => {
          const foreign: ForeignIds = createGrowingCache(mostForeign)
          return new ObjectPoller<Parts, VideoModel, VideoModel>(topicOptions, {
            field: 'videoChanged',
            pace: videoPace,
            maxIds: operations.list.maxIds,
            units: client.unitsOf(operations.list) * (owned ? 2 : 1),
            fetch: async (page, needs, conditional, poll) => {
              if (owned) return fetchOwned(client, foreign, page, needs, poll)
              return (await client.pollVideos(page, needs, conditional, poll)) ?? { found: undefined }
            },
            unite: (some, others) => some | others,
            covers: (fetched, wanted) => (fetched & wanted) === wanted,
            facets: (video, needs) => Object.fromEntries(partNames(needs).map((part) => [part, video[part]])),
            read: partNames,
            valueOf: (_, video) => video,
          })
        },
        { ids, needs: parts | ownerParts },
        request,
      )
    },
  ),
  commentThreadAdded: subscriptionField(
    (
      { videoId, after }: { readonly videoId: string; readonly after?: string | null },
      { live, client, request }: Context,
    ) => {
      const list = threadListName('videoId', checkId(videoId, 'videoId'), 'time')
      return live.begin(
        list,
        (topicOptions) =>
          new ListPoller<ThreadModel, ThreadAddedModel>(topicOptions, {
            field: 'commentThreadAdded',
            pace: threadPace,
            units: client.unitsOf(operations.listThreads),
            fetch: (token, conditional, poll) => client.pollThreads(videoId, token, conditional, poll),
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
    },
  ),
  mediaQuotaChanged: subscriptionField((_: object, { live, readQuota, request }: Context) =>
    live.begin(
      'quota',
      (topicOptions) =>
        new ValuePoller<QuotaState, QuotaState>(
          { ...topicOptions, host: { ...topicOptions.host, everySeconds: undefined } },
          {
            field: 'mediaQuotaChanged',
            pace: quotaPace,
            units: 0,
            fetch: async () => ({ raw: await readQuota(topicOptions.credentialKey) }),
            digest: (state) => JSON.stringify(state),
            valueOf: (state) => state,
          },
        ),
      undefined,
      request,
    ),
  ),
}

/** Owner-only parts are requested in a call of their own, as in lookups. */
async function fetchOwned(
  client: VideosClient,
  foreign: ForeignIds,
  ids: readonly string[],
  parts: Parts,
  request: SubgraphRequest,
) {
  // What a video does not have is null, so that no event looks it up.
  const absent = Object.fromEntries(partNames(parts & ownerOnly).map((part) => [part, null]))
  const read = async (some: readonly string[]): Promise<readonly VideoModel[]> => {
    const answer = await client.pollVideos(some, parts & ownerOnly, false, request)
    // A video that is missing may have come in a malformed form.
    const known = answer?.hasMalformed === true ? some.filter((id) => answer.found.has(id)) : some
    return known.map((id) => ({ ...absent, id, ...answer?.found.get(id) }))
  }
  const [all, owned] = await Promise.all([
    client.pollVideos(ids, parts & ~ownerOnly, false, request),
    ownersParts(
      read,
      ids.filter((id) => foreign.get(id) === undefined),
      foreign,
    ),
  ])
  const ownedById = new Map(owned.map((video) => [video.id, video]))
  const found = new Map(
    [...(all?.found ?? [])].map(([id, video]) => [id, { ...ownedById.get(id), ...video }]),
  )
  return { found, hasMalformed: all?.hasMalformed, hintMs: all?.hintMs }
}

/**
 * The owner's parts of the caller's own videos. The fields of other videos fail when they are read. The service refuses
 * a whole call for one of these, so that the others are asked for again in halves, until each of these is known.
 */
async function ownersParts(
  read: (ids: readonly string[]) => Promise<readonly VideoModel[]>,
  ids: readonly string[],
  foreign: ForeignIds,
): Promise<readonly VideoModel[]> {
  const [first] = ids
  if (first === undefined) return []
  try {
    return await read(ids)
  } catch (error) {
    // After any other failure the parts are not known: if they counted as changed, each video would have an event.
    if (!refusals.has(codeOf(error))) throw error
    if (!isAboutOwner(error as GraphQLError)) return []
    if (ids.length === 1) {
      foreign.set(first, true)
      return []
    }
    const owned: VideoModel[] = []
    // One after the other: the calls for a large batch would fill the queue of the service's calls.
    for (const half of chunk(ids, Math.ceil(ids.length / 2)))
      owned.push(...(await ownersParts(read, half, foreign)))
    return owned
  }
}
