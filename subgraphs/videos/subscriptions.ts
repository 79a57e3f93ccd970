/** The resolvers of subscriptions: they read the arguments and return the events of a poller. */
import { liveField, readLiveIds } from '../kit/polling/index.ts'
import { selectionOf } from '../kit/selection.ts'
import type { Context } from './context.ts'
import { checkId, idForm } from './ids.ts'
import { isServiceId } from './model.ts'
import { neededBy } from './parts.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

export const subscriptions: SubscriptionResolvers = {
  videoChanged: liveField(
    ({ videoIds }: { readonly videoIds: readonly string[] }, context: Context, info) => {
      const ids = readLiveIds({
        argument: 'videoIds',
        ids: videoIds,
        maxIds: context.maxIds,
        expected: idForm,
        isId: isServiceId,
      })
      const { parts, ownerParts } = neededBy(selectionOf(info))
      return context.live.videoChanged(ids, parts | ownerParts, context.request)
    },
  ),
  commentThreadAdded: liveField(
    ({ videoId, after }: { readonly videoId: string; readonly after?: string | null }, context: Context) =>
      context.live.threadAdded(checkId(videoId, 'videoId'), after, context.request),
  ),
  mediaQuotaChanged: liveField((_: object, context: Context) => context.live.quotaChanged(context.request)),
}
