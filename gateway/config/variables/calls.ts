/** How calls to services are shared, cached and bounded in time, and what replicas share. */
import { flag, integer, list, redisUrl } from '../fields.ts'

export const callsVariables = {
  TESSERA_REDIS_URL: redisUrl
    .optional()
    .describe('Shares the count of the quota and automatic persisted operations over replicas.'),
  TESSERA_REDIS_REPLICAS: integer(0, 10)
    .default(0)
    .describe(
      'Replicas of Redis that must have a reservation of units, or an idempotency key, before it counts; with 0 it may be lost with the primary.',
    ),
  TESSERA_CACHE_SECONDS: integer(0, 86_400)
    .default(0)
    .describe('How long a media read counts as fresh; 0 asks the service each time.'),
  TESSERA_SHARE_CALLS: flag
    .default(true)
    .describe('Whether look-ups of different requests share upstream calls.'),
  TESSERA_SHARE_WAIT_MS: integer(0, 1_000)
    .default(50)
    .describe(
      'The longest that a look-up waits for others to share a call; within it, up to a fifth of what the service takes.',
    ),
  TESSERA_SHARE_EQUAL: flag
    .default(true)
    .describe('Whether equal queries, and equal fetches of remote subgraphs, are done once while they run.'),
  TESSERA_SHARE_EQUAL_EXCEPT: list
    .default([])
    .describe('Subgraphs, by name, whose fetches, and operations that need them, are never shared so.'),
  TESSERA_REQUEST_TIMEOUT_MS: integer(1, 600_000).default(30_000).describe('Deadline of one request.'),
  TESSERA_UPSTREAM_TIMEOUT_MS: integer(1, 600_000).default(10_000).describe('Deadline of one upstream call.'),
} as const
