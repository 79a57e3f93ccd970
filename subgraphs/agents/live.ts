/** The subscriptions of the agent service: their resolvers, and how the service is polled for them. */
import { tesseraError } from '../../shared/errors.ts'
import type { Json } from '../kit/json.ts'
import { type Pace, subscriptionField, ValuePoller } from '../kit/polling/index.ts'
import type { Context } from './context.ts'
import { checkOperationName } from './resource-names.ts'
import type { SubscriptionResolvers } from './types.generated.ts'

const operationPace: Pace = { defaultMs: 2000, leastMs: 1000, idleMs: 30_000 }

export const subscriptions: SubscriptionResolvers = {
  agentOperationChanged: subscriptionField(
    ({ name }: { readonly name: string }, { live, client, request }: Context) => {
      checkOperationName(name, 'name')
      return live.begin(
        `operation ${name}`,
        (topicOptions) =>
          new ValuePoller<Json, Json>(topicOptions, {
            field: 'agentOperationChanged',
            pace: operationPace,
            units: 0,
            async fetch(poll) {
              const raw = await client.getOperation(name, poll)
              if (raw !== undefined) return { raw, final: raw.done === true }
              const message = 'There is no such operation, or it is not known any more.'
              throw tesseraError('NOT_FOUND', message, { service: 'agents' })
            },
            digest: (operation) => JSON.stringify(operation),
            valueOf: (operation) => operation,
          }),
        undefined,
        request,
      )
    },
  ),
}
