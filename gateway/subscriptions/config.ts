/** Limits of clients' subscriptions, and of what waits for a client. */
import type { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import { integer, milliseconds } from '../settings/kinds.ts'

export const subscriptions = lazily(() =>
  section(
    {
      most: integer(0, 1_000_000)
        .default(20_000)
        .describe('The most subscriptions of this process; 0 takes none.')
        .meta({ env: 'TESSERA_MAX_SUBSCRIPTIONS' }),
      mostOfCaller: integer(1, 1_000_000)
        .default(1_000)
        .describe('The most subscriptions of one caller: the subject of a token, else the address.')
        .meta({ env: 'TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER' }),
      mostOfConnection: integer(1, 100_000)
        .default(100)
        .describe('The most operations at once of one WebSocket, or one stream of server-sent events.')
        .meta({ env: 'TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION' }),
      waitingEvents: integer(1, 100_000)
        .default(256)
        .describe(
          'The most events that wait for a client. A list that exceeds it ends; a gauge keeps its newest event.',
        ),
      waitingBytes: integer(1_000, 100_000_000)
        .default(1_048_576)
        .describe(
          'The most bytes of events that wait for a client, and once more of those that the system has not taken.',
        ),
      heartbeatMs: milliseconds(100, 600_000)
        .default(10_000)
        .describe(
          'How often a connection with subscriptions shows a sign of life; a WebSocket that gives none is closed.',
        ),
    },
    "Clients' subscriptions.",
  ).meta({ prefix: 'TESSERA_SUBSCRIPTION_' }),
)

export type SubscriptionSettings = Readonly<z.output<typeof subscriptions>>
