/** The behaviour of HTTP towards clients. */
import { z } from 'zod'

const profile = z
  .union([z.literal([2025, 2026]), z.enum(['2025', '2026'])], { error: 'expected 2025 or 2026' })
  .transform((edition) => String(edition) as '2025' | '2026')

export const httpSection = z
  .strictObject({
    profile: profile
      .optional()
      .describe(
        'The edition of GraphQL over HTTP by which statuses are chosen, 2025 or 2026; 2025 by default. `TESSERA_HTTP_PROFILE` wins.',
      ),
  })
  .prefault({})
  .describe('How GraphQL is answered over HTTP.')
