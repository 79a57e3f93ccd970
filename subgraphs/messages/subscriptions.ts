/** The resolvers of subscriptions: they read the arguments and return the events of a poller. */
import { liveField, readLiveIds } from '../kit/polling/index.ts'
import { selectionOf } from '../kit/selection.ts'
import type { Context } from './context.ts'
import { checkId, idForm, isServiceId } from './model.ts'
import { requestedOfMessage, requestedOfUser } from './requested-fields.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

export const subscriptions: SubscriptionResolvers = {
  messageChanged: liveField(
    ({ messageIds }: { readonly messageIds: readonly string[] }, context: Context, info) => {
      const ids = readLiveIds({
        argument: 'messageIds',
        ids: messageIds,
        maxIds: context.maxIds,
        expected: idForm,
        isId: isServiceId,
      })
      return context.live.messageChanged(ids, requestedOfMessage(selectionOf(info)), context.request)
    },
  ),
  likeAdded: liveField(
    (
      { messageId, after }: { readonly messageId: string; readonly after?: string | null },
      context: Context,
      info,
    ) => {
      const requested = requestedOfUser(selectionOf(info).below('user'))
      return context.live.likeAdded(checkId(messageId, 'messageId'), after, requested, context.request)
    },
  ),
}
