/** How responses of each subgraph are cached, if there is memory for it. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import { flag, integer, redisUrls, subgraphName } from '../settings/kinds.ts'

const seconds = integer(0, 31_536_000)

const rules = lazily(() =>
  z.strictObject({
    enabled: flag.optional().describe('Whether answers are cached at all; true by default.'),
    maxAgeSeconds: seconds
      .optional()
      .describe(
        'How long an answer is fresh if neither `Cache-Control` nor `@cacheControl` says so; by default such answers are not cached.',
      ),
    staleWhileRevalidateSeconds: seconds
      .optional()
      .describe('How long after that an answer is used while it is fetched again; 0 by default.'),
    staleIfErrorSeconds: seconds
      .optional()
      .describe('How long after that an answer is used if the subgraph cannot answer; 0 by default.'),
    staleIfQuotaSeconds: seconds
      .optional()
      .describe(
        'How long after that an answer is used for callers whose quota is used up; 3600 by default for subgraphs in this process, else 0.',
      ),
  }),
)

export const cache = lazily(() =>
  section(
    {
      bytes: integer(0, 1e12)
        .default(0)
        .describe('The memory of the response cache; 0 disables it.')
        .meta({ reload: false }),
      redisUrl: redisUrls
        .optional()
        .describe(
          'Shares those answers over replicas: one Redis, or several nodes of a cluster. Beside it each process has its own memory.',
        )
        .meta({ reload: false, secret: true }),
      all: rules.optional().describe('For every subgraph that does not say otherwise.'),
      subgraphs: z.record(subgraphName, rules).optional().describe('By the name of the subgraph.'),
    },
    'For how long answers of subgraphs are kept, if `cache.bytes` gives memory for them.',
  ).meta({ prefix: 'TESSERA_RESPONSE_CACHE_', reload: true }),
)
