/** Further trusted issuers, in addition to that of the variables. */
import { z } from 'zod'
import { count } from './fields.ts'

const text = z.string({ error: 'expected a text' }).min(1, 'expected a text').max(10_000)
const address = text.refine(
  (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  'expected an http or https address',
)

const introspection = z
  .strictObject({
    url: address.describe('Where tokens are checked (RFC 7662).'),
    clientId: text.describe('Who asks there: the client id.'),
    clientSecret: text.optional().describe('Who asks there: the secret.'),
    clientAuth: z
      .enum(['basic', 'post'], { error: 'expected basic or post' })
      .default('basic')
      .describe('How the secret is shown there: in a header (basic) or in the form (post).'),
    clientKey: text
      .optional()
      .describe(
        'Who asks there: a private key in PEM form instead of the secret (private_key_jwt, RFC 7523).',
      ),
    clientKeyId: text.optional().describe('The `kid` of that key.'),
    cacheSeconds: count(0, 3_600)
      .default(30)
      .describe('How long an answer is kept: a revoked token is seen after that time.'),
  })
  .refine(
    ({ clientSecret, clientKey }) => (clientSecret === undefined) !== (clientKey === undefined),
    'expected one of clientSecret and clientKey',
  )

const issuer = z
  .strictObject({
    issuer: text.describe('The `iss` of its tokens, which tells whose a token is.'),
    jwksUrl: address.optional().describe('Address of its key set.'),
    publicKey: text
      .refine((value) => value.includes('-----BEGIN'), 'expected a public key in PEM form')
      .optional()
      .describe('Its public key, PEM.'),
    secret: text.min(32, 'expected at least 32 characters').optional().describe('The secret shared with it.'),
    introspection: introspection
      .optional()
      .describe('For tokens that are no JWTs; for all tokens, if it has no key here.'),
    audience: z
      .union([text, z.array(text).min(1)])
      .optional()
      .describe('The `aud` that its tokens must carry: one of these.'),
    algorithms: z.array(text).min(1).optional().describe('The signature algorithms that are taken.'),
    type: text.optional().describe('The `typ` that its tokens must have, such as at+jwt.'),
    requiredClaims: z.array(text).optional().describe('The claims that its tokens must have.'),
    scopes: z.record(text, z.array(text)).optional().describe('Its scope names to ours.'),
  })
  .refine(({ jwksUrl, publicKey, secret, introspection: asked }) => {
    const keys = [jwksUrl, publicKey, secret].filter((key) => key !== undefined)
    return keys.length === 1 || (keys.length === 0 && asked !== undefined)
  }, 'expected one of jwksUrl, publicKey and secret, or introspection')

export type IssuerSection = z.output<typeof issuer>

export const issuersSection = z
  .array(issuer, { error: 'expected a list of issuers' })
  .max(100, 'expected at most 100 issuers')
  .default([])
  .describe('Issuers whose tokens are taken beside the one of the variables.')
