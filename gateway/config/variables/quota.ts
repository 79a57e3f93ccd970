/** What calls to the metered service may cost. */
import { z } from 'zod'
import { integer, jsonRecord, share } from '../fields.ts'

export const quotaVariables = {
  TESSERA_LIVE_SHARE: share
    .default(0.5)
    .describe('The part of what is left of a quota or a rate limit that subscriptions may spend.'),
  TESSERA_QUOTA_AWAY: z
    .enum(['share', 'refuse'], { error: 'expected share or refuse' })
    .default('share')
    .describe(
      'While Redis is away: each gateway spends its share of the units that were left (share), or none (refuse).',
    ),
  TESSERA_QUOTA_DAILY: integer(0, 1e12).optional().describe('Media units a day and credential.'),
  TESSERA_QUOTA_PER_OPERATION: integer(0, 1e12).optional().describe('The most media units of one operation.'),
  TESSERA_QUOTA_PRICES: jsonRecord(z.number().int().min(0), '{"videos.insert":100}')
    .default({})
    .describe("Prices that differ from the service's published ones, by operation."),
  TESSERA_QUOTA_TIME_ZONE: z
    .string()
    .refine((zone) => {
      try {
        return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
      } catch {
        return false
      }
    }, 'expected an IANA time zone, such as America/Los_Angeles')
    .default('America/Los_Angeles')
    .describe('The time zone at whose midnight the quota day ends.'),
} as const
