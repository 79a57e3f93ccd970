/** The response cache of subgraphs, and the address at which it is purged. */
import { z } from 'zod'
import { integer, redisUrls } from '../fields.ts'

export const cachingVariables = {
  TESSERA_RESPONSE_CACHE_BYTES: integer(0, 1e12)
    .default(0)
    .describe('The memory for answers of subgraphs that are kept; 0 keeps none.'),
  TESSERA_RESPONSE_CACHE_REDIS_URL: redisUrls
    .optional()
    .describe(
      'Shares those answers over replicas: one Redis, or several nodes of a cluster. Beside it each process has its own memory.',
    ),
  TESSERA_ADMIN_PORT: integer(0, 65_535)
    .optional()
    .describe(
      'Port at which answers that are kept can be purged and [usage](usage.md) is told; 0 takes a free one. None without it.',
    ),
  TESSERA_ADMIN_HOST: z.string().default('127.0.0.1').describe('Address on which that port listens.'),
  TESSERA_ADMIN_TOKEN: z
    .string()
    .min(16, 'expected at least 16 characters')
    .optional()
    .describe('What requests to that port must show: `Authorization: Bearer …`.'),
} as const
