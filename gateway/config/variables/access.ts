/** How callers' tokens are checked, and what a refusal does. */
import { z } from 'zod'
import { httpUrl, jsonRecord, list } from '../fields.ts'

export const accessVariables = {
  TESSERA_JWT_JWKS_URL: httpUrl.optional().describe("Address of the issuer's key set."),
  TESSERA_JWT_PUBLIC_KEY: z
    .string()
    .refine((text) => text.includes('-----BEGIN'), 'expected a public key in PEM form')
    .optional()
    .describe("The issuer's public key, PEM."),
  TESSERA_JWT_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('The secret shared with the issuer.'),
  TESSERA_JWT_ISSUER: z.string().min(1).optional().describe('The `iss` that tokens must carry.'),
  TESSERA_JWT_AUDIENCE: z.string().min(1).optional().describe('The `aud` that tokens must carry.'),
  TESSERA_JWT_ALGORITHMS: list
    .optional()
    .describe('The signature algorithms that are taken, such as RS256 ES256.'),
  TESSERA_SCOPE_ALIASES: jsonRecord(z.array(z.string()), '{"theirs":["ours"]}')
    .default({})
    .describe("An identity provider's scope names to ours, as JSON."),
  TESSERA_STEP_UP: jsonRecord(
    z.strictObject({
      acrValues: z.array(z.string().min(1)).max(20).optional(),
      maxAge: z.number().int().min(0).max(31_536_000).optional(),
    }),
    '{"Mutation.deleteVideo":{"maxAge":300}}',
  )
    .default({})
    .describe(
      'Fields that want a fresh or a stronger sign-in, as JSON: `acrValues` and `maxAge` in seconds, by coordinate.',
    ),
  TESSERA_AUTHORIZATION: z
    .enum(['filter', 'reject', 'dry-run'], { error: 'expected filter, reject or dry-run' })
    .default('filter')
    .describe(
      'Refused fields become null (filter), refuse the whole operation (reject), or are only reported.',
    ),
} as const
