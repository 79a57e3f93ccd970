/** How much one caller, client or operation may request in a time. */
import { z } from 'zod'
import { isHeaderName } from '../../headers/index.ts'
import { count } from './fields.ts'

const names = z.array(z.string().min(1).max(200)).min(1).max(1000)

const key = z.union([
  z.enum(['caller', 'client', 'operation', 'address'], {
    error: 'expected caller, client, operation, address, { header: NAME } or { claim: NAME }',
  }),
  z.strictObject({
    header: z
      .string()
      .transform((text) => text.toLowerCase())
      .refine(isHeaderName, 'expected the name of a header'),
  }),
  z.strictObject({ claim: z.string().min(1).max(200) }),
])

const rule = z
  .strictObject({
    name: z
      .string({ error: 'expected a name' })
      .regex(/^[A-Za-z0-9_-]{1,50}$/, 'expected a name of letters, digits, - and _')
      .describe('Stands in the headers of answers, errors and metrics.'),
    limit: count(1, 1e9).describe('So many tokens come back in each window.'),
    windowSeconds: count(1, 86_400).describe('The window, in seconds.'),
    burst: count(1, 1e9).optional().describe('The most tokens at once; `limit` by default.'),
    by: z
      .array(key)
      .min(1)
      .max(5)
      .default(['caller'])
      .describe('What has a bucket of its own, taken together.'),
    counts: z
      .enum(['requests', 'cost', 'units'], { error: 'expected requests, cost or units' })
      .default('requests')
      .describe('What a request takes: one token, its cost by `@cost`, or its estimated units.'),
    types: z
      .array(
        z.enum(['query', 'mutation', 'subscription'], { error: 'expected query, mutation or subscription' }),
      )
      .min(1)
      .optional()
      .describe('The types of operations that are counted; all by default.'),
    operations: names.optional().describe('The names of the operations that are counted; all by default.'),
    clients: names.optional().describe('The names of the clients that are counted; all by default.'),
  })
  .describe('A token bucket for each of what it is by.')

export const rateLimitsSection = z
  .array(rule, { error: 'expected a list of rate limits' })
  .max(20, 'expected at most 20 rate limits')
  .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, {
    error: 'expected another name for each',
  })
  .default([])
  .describe('How much may be asked for in a time, by caller, client, operation or address.')
