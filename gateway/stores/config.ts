/** What several gateways share. */
import { lazily, section } from '../settings/index.ts'
import { integer, redisUrl } from '../settings/kinds.ts'

export const redis = lazily(() =>
  section(
    {
      url: redisUrl
        .meta({ secret: true })
        .optional()
        .describe('Shares state over replicas and workers: [scaling](scaling.md#shared-state).'),
      replicas: integer(0, 10)
        .default(0)
        .describe(
          'Replicas of Redis that must have a reservation of units, or an idempotency key, before it counts; with 0 it may be lost with the primary.',
        ),
    },
    'What replicas and workers share.',
  ),
)
