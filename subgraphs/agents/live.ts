/** The subscriptions of the agent service, and how they are polled. */
import { tesseraError } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { firstExtensions, Gauge, type LiveQueue, type Pace, type Pollers } from '../kit/polling/index.ts'
import type { AgentsClient } from './client.ts'
import type { Json } from './model.ts'

const operationPace: Pace = { defaultMs: 2000, leastMs: 1000, idleMs: 30_000 }

export interface AgentsLive {
  operationChanged(name: string, request: SubgraphRequest): Promise<LiveQueue<Json>>
}

export function createAgentsLive(
  live: Pollers,
  client: AgentsClient,
  credentialKey: (request: SubgraphRequest) => string,
): AgentsLive {
  return {
    operationChanged(name, request) {
      const key = credentialKey(request)
      return live.begin(
        `operation ${name} ${key}`,
        (ended) =>
          new Gauge<Json, Json>(
            live.host,
            {
              name: `operation ${name}`,
              field: 'agentOperationChanged',
              credentialKey: key,
              pace: operationPace,
              units: 0,
              async fetch(poll) {
                const raw = await client.getOperation(name, poll)
                if (raw === undefined)
                  throw tesseraError(
                    'NOT_FOUND',
                    'There is no such operation, or it is not known any more.',
                    {
                      service: 'agents',
                    },
                  )
                return { raw, final: raw.done === true }
              },
              digest: (operation) => JSON.stringify(operation),
              valueOf: (operation) => operation,
            },
            ended,
          ),
        async (poller) =>
          poller.subscribe(
            request,
            undefined,
            firstExtensions('agents', await poller.price(undefined), request),
          ),
      )
    },
  }
}
