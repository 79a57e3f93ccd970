/** How responses of each subgraph are cached, if there is memory for it (TESSERA_RESPONSE_CACHE_BYTES). */
import { z } from 'zod'
import { count, subgraphName, yesOrNo } from './fields.ts'

const seconds = count(0, 31_536_000)

const rules = z.strictObject({
  enabled: yesOrNo.optional().describe('Whether answers are kept at all; true by default.'),
  maxAgeSeconds: seconds
    .optional()
    .describe(
      'How long answers are fresh of which neither `Cache-Control` nor `@cacheControl` says anything; without it none of those is kept.',
    ),
  staleWhileRevalidateSeconds: seconds
    .optional()
    .describe('How long after that they are used while they are asked for anew; 0 by default.'),
  staleIfErrorSeconds: seconds
    .optional()
    .describe('How long after that they are used if the subgraph cannot answer; 0 by default.'),
  staleIfQuotaSeconds: seconds
    .optional()
    .describe(
      'How long after that they are used for callers whose quota is used up; 3600 by default, for subgraphs in this process.',
    ),
})

export const cacheSection = z
  .strictObject({
    all: rules.optional().describe('For every subgraph that does not say otherwise.'),
    subgraphs: z.record(subgraphName, rules).optional().describe('By the name of the subgraph.'),
  })
  .prefault({})
  .describe('For how long answers of subgraphs are kept, if TESSERA_RESPONSE_CACHE_BYTES is set.')
