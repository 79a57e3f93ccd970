/** How callers' tokens are checked, and the effect of a refusal. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import {
  exactUrl,
  flag,
  headerName,
  integer,
  list,
  matching,
  networks,
  oneOf,
  privateKey,
  publicKey,
  record,
  signingSecret,
  text,
} from '../settings/kinds.ts'

export const jwt = lazily(() =>
  section(
    {
      jwksUrl: exactUrl.optional().describe("Address of the issuer's key set."),
      publicKey: publicKey.optional().describe("The issuer's public key, PEM."),
      secret: signingSecret.optional().describe('The secret shared with the issuer.'),
      issuer: text('a text').optional().describe('The `iss` that tokens must carry.'),
      audience: text('a text').optional().describe('The `aud` that tokens must carry.'),
      algorithms: list.optional().describe('The signature algorithms that are taken, such as RS256 ES256.'),
      type: matching(/^[\w.+/-]{1,100}$/, 'a type such as at+jwt')
        .optional()
        .describe(
          'The `typ` that tokens must have, such as at+jwt; then RFC 9068 says which claims they need.',
        ),
      requiredClaims: list
        .optional()
        .describe('The claims that tokens must have, such as exp sub client_id.'),
    },
    'The first issuer of tokens, and the key by which its JWTs are verified: one of `jwksUrl`, `publicKey` and `secret`.',
  ),
)

const clientAuth = oneOf('basic', 'post')
const keptSeconds = integer(0, 3_600)

export const tokenIntrospection = lazily(() =>
  section(
    {
      url: exactUrl
        .optional()
        .describe(
          'The address at which tokens that are no JWTs are checked (RFC 7662); all tokens, if no key is configured.',
        ),
      clientId: text('a text').optional().describe('The client id of the gateway there.'),
      clientSecret: text('a text')
        .meta({ secret: true })
        .optional()
        .describe('The client secret of the gateway there.'),
      clientAuth: clientAuth
        .default('basic')
        .describe(
          'How the secret is shown there: in a header (basic, client_secret_basic) or in the form (post, client_secret_post).',
        ),
      clientKey: privateKey
        .meta({ secret: true })
        .optional()
        .describe(
          'A private key in PEM form instead of the secret (private_key_jwt, RFC 7523). The audience is `jwt.issuer`, or else the address itself.',
        ),
      clientKeyId: text('a text').optional().describe('The `kid` of that key.'),
      cacheSeconds: keptSeconds
        .default(30)
        .describe('How long an answer is kept: a revoked token is seen after that time.'),
    },
    'Tokens of the first issuer that are checked by asking it.',
  ).meta({ prefix: 'TESSERA_INTROSPECTION_' }),
)

export const token = lazily(() =>
  section(
    {
      clockToleranceSeconds: integer(0, 300)
        .default(5)
        .describe('How much the clocks of this server and of issuers may differ, for `exp` and `nbf`.'),
      maxBytes: integer(256, 49_152)
        .default(16_384)
        .describe('The longest token that is taken; a request head as a whole has 64 KiB at most.'),
    },
    'Tokens of every issuer.',
  ),
)

export const dpop = lazily(() =>
  section(
    {
      mode: oneOf('off', 'accept', 'require')
        .default('off')
        .describe(
          'Whether tokens that are bound to a key by DPoP (RFC 9449) are refused, accepted, or required.',
        )
        .meta({ env: 'TESSERA_DPOP' }),
      nonce: flag.default(false).describe('Whether DPoP proofs must have a nonce of this server.'),
      nonceSecret: signingSecret
        .optional()
        .describe('Makes the nonces; the same on all replicas. A random one by default.'),
    },
    'Tokens that are bound to a key of the client.',
  ),
)

export const clientCertificate = lazily(() =>
  section(
    {
      header: headerName
        .transform((name) => name.toLowerCase())
        .optional()
        .describe(
          'The header in which a proxy passes the certificate of the client on, for tokens that are bound to it (RFC 8705).',
        ),
      proxies: networks
        .default([])
        .describe('The addresses of those proxies; the header is ignored if it comes from another address.'),
    },
    'Tokens that are bound to a certificate of the client.',
  ),
)

export const authorization = lazily(() =>
  section(
    {
      mode: oneOf('filter', 'reject', 'dry-run')
        .default('filter')
        .describe(
          'Refused fields become null (filter), refuse the whole operation (reject), or are only reported.',
        )
        .meta({ env: 'TESSERA_AUTHORIZATION', reload: true }),
      refusedStatus: oneOf('auto', '200')
        .default('auto')
        .describe(
          'The status of an operation of which authorization leaves nothing: 401 or 403 (auto), or 200 with `data: null` and the errors, for clients that show no body of a 401 or 403. A refused token is 401 either way.',
        ),
      scopeAliases: record(z.array(z.string()), '{"theirs":["ours"]}')
        .default({})
        .describe("Translates an identity provider's scope names to ours."),
      stepUp: record(
        z.strictObject({
          acrValues: z.array(z.string().min(1)).max(20).optional(),
          maxAge: z.number().int().min(0).max(31_536_000).optional(),
        }),
        '{"Mutation.deleteVideo":{"maxAge":300}}',
      )
        .default({})
        .describe(
          'Fields that require a fresh or a stronger sign-in: `acrValues` and `maxAge` in seconds, by coordinate.',
        ),
    },
    'What tokens open, and what happens to the rest.',
  ).meta({ prefix: 'TESSERA_' }),
)

const word = text('a text', (value) => value !== '' && value.length <= 10_000)

const introspection = lazily(() =>
  z
    .strictObject({
      url: exactUrl.describe('Where tokens are checked (RFC 7662).'),
      clientId: word.describe('The client id of the gateway there.'),
      clientSecret: word.optional().describe('The client secret of the gateway there.'),
      clientAuth: clientAuth
        .default('basic')
        .describe('How the secret is shown there: in a header (basic) or in the form (post).'),
      clientKey: word
        .optional()
        .describe(
          'Who asks there: a private key in PEM form instead of the secret (private_key_jwt, RFC 7523).',
        ),
      clientKeyId: word.optional().describe('The `kid` of that key.'),
      cacheSeconds: keptSeconds
        .default(30)
        .describe('How long an answer is kept: a revoked token is seen after that time.'),
    })
    .refine(
      ({ clientSecret, clientKey }) => (clientSecret === undefined) !== (clientKey === undefined),
      'expected one of clientSecret and clientKey',
    ),
)

const issuer = lazily(() =>
  z
    .strictObject({
      issuer: word.describe('The `iss` of its tokens, by which they are recognised.'),
      jwksUrl: exactUrl.optional().describe('Address of its key set.'),
      publicKey: publicKey.optional().describe('Its public key, PEM.'),
      secret: signingSecret.optional().describe('The secret shared with it.'),
      introspection: introspection
        .optional()
        .describe('For tokens that are no JWTs; for all tokens, if it has no key here.'),
      audience: z
        .union([word, z.array(word).min(1)])
        .optional()
        .describe('The `aud` that its tokens must carry: one of these.'),
      algorithms: z.array(word).min(1).optional().describe('The signature algorithms that are taken.'),
      type: word.optional().describe('The `typ` that its tokens must have, such as at+jwt.'),
      requiredClaims: z.array(word).optional().describe('The claims that its tokens must have.'),
      scopes: z.record(word, z.array(word)).optional().describe('Translates its scope names to ours.'),
    })
    .refine(({ jwksUrl, publicKey, secret, introspection: asked }) => {
      const keys = [jwksUrl, publicKey, secret].filter((key) => key !== undefined)
      return keys.length === 1 || (keys.length === 0 && asked !== undefined)
    }, 'expected one of jwksUrl, publicKey and secret, or introspection'),
)

export type IssuerSection = z.output<typeof issuer>

export const issuers = lazily(() =>
  z
    .array(issuer, { error: 'expected a list of issuers' })
    .max(100, 'expected at most 100 issuers')
    .default([])
    .describe('Issuers whose tokens are accepted in addition to those of `jwt.issuer`.')
    .meta({ secret: true }),
)
