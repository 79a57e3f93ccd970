/** The subscriptions of the agent service, and how they are polled. */
import { tesseraError } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { Gauge, type Pace, type Pollers } from '../kit/polling/index.ts'
import type { AgentsClient } from './client.ts'
import type { Json } from './model.ts'

const operationPace: Pace = { defaultMs: 2000, leastMs: 1000, idleMs: 30_000 }

export type AgentsLive = ReturnType<typeof createAgentsLive>

export function createAgentsLive(live: Pollers, client: AgentsClient) {
  return {
    operationChanged: (name: string, request: SubgraphRequest) =>
      live.begin(
        `operation ${name}`,
        (place) =>
          new Gauge<Json, Json>(place, {
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
      ),
  }
}
