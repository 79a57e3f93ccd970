/** How callers' tokens are checked, and the effect of a refusal. */

import { isIP } from 'node:net'
import { z } from 'zod'
import { exactUrl, flag, integer, jsonRecord, list } from '../fields.ts'

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  if (family === 0 || text.split('/').length > 2) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

export const accessVariables = {
  TESSERA_JWT_JWKS_URL: exactUrl.optional().describe("Address of the issuer's key set."),
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
  TESSERA_JWT_TYPE: z
    .string()
    .regex(/^[\w.+/-]{1,100}$/, 'expected a type such as at+jwt')
    .optional()
    .describe('The `typ` that tokens must have, such as at+jwt; then RFC 9068 says which claims they need.'),
  TESSERA_JWT_REQUIRED_CLAIMS: list
    .optional()
    .describe('The claims that tokens must have, such as exp sub client_id.'),
  TESSERA_INTROSPECTION_URL: exactUrl
    .optional()
    .describe(
      'The address at which tokens that are no JWTs are checked (RFC 7662); all tokens, if no key is configured.',
    ),
  TESSERA_INTROSPECTION_CLIENT_ID: z.string().min(1).optional().describe('Who asks there: the client id.'),
  TESSERA_INTROSPECTION_CLIENT_SECRET: z.string().min(1).optional().describe('Who asks there: the secret.'),
  TESSERA_INTROSPECTION_CLIENT_AUTH: z
    .enum(['basic', 'post'], { error: 'expected basic or post' })
    .default('basic')
    .describe(
      'How the secret is shown there: in a header (basic, client_secret_basic) or in the form (post, client_secret_post).',
    ),
  TESSERA_INTROSPECTION_CLIENT_KEY: z
    .string()
    .refine((text) => text.includes('PRIVATE KEY-----'), 'expected a private key in PEM form')
    .optional()
    .describe(
      'Who asks there: a private key in PEM form instead of the secret (private_key_jwt, RFC 7523), for TESSERA_JWT_ISSUER or else the address itself.',
    ),
  TESSERA_INTROSPECTION_CLIENT_KEY_ID: z.string().min(1).optional().describe('The `kid` of that key.'),
  TESSERA_INTROSPECTION_CACHE_SECONDS: integer(0, 3_600)
    .default(30)
    .describe('How long an answer is kept: a revoked token is seen after that time.'),
  TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS: integer(0, 300)
    .default(5)
    .describe('How far the clocks of this server and of issuers may be apart: for `exp` and `nbf`.'),
  TESSERA_TOKEN_MAX_BYTES: integer(256, 49_152)
    .default(16_384)
    .describe('The longest token that is taken; a request head as a whole has 64 KiB at most.'),
  TESSERA_DPOP: z
    .enum(['off', 'accept', 'require'], { error: 'expected off, accept or require' })
    .default('off')
    .describe('Whether tokens that are bound to a key by DPoP (RFC 9449) are taken, or no others.'),
  TESSERA_DPOP_NONCE: flag.default(false).describe('Whether DPoP proofs must have a nonce of this server.'),
  TESSERA_DPOP_NONCE_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('Makes the nonces; the same on all replicas. A random one without it.'),
  TESSERA_CLIENT_CERTIFICATE_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header, such as Client-Cert')
    .transform((name) => name.toLowerCase())
    .optional()
    .describe(
      'The header in which a proxy passes the certificate of the client on, for tokens that are bound to it (RFC 8705).',
    ),
  TESSERA_CLIENT_CERTIFICATE_PROXIES: list
    .default([])
    .refine(
      (addresses) => addresses.every(isNetwork),
      'expected addresses or networks, such as 10.0.0.1 10.1.0.0/16',
    )
    .describe('The addresses of those proxies; from others the header is not believed.'),
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
      'Fields that require a fresh or a stronger sign-in, as JSON: `acrValues` and `maxAge` in seconds, by coordinate.',
    ),
  TESSERA_AUTHORIZATION: z
    .enum(['filter', 'reject', 'dry-run'], { error: 'expected filter, reject or dry-run' })
    .default('filter')
    .describe(
      'Refused fields become null (filter), refuse the whole operation (reject), or are only reported.',
    ),
} as const
