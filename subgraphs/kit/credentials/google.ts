/**
 * Access tokens from a Google credentials file: a service account (a signed grant, RFC 7523) or an
 * authorized user (a refresh token). A token is fetched once for all who wait, kept until shortly before
 * it expires, and is never part of an error.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { readCredentialsFile, wrongFile } from './credentials-file.ts'
import { digest, type OpenCredential } from './open-credential.ts'
import { createTokenCache } from './token-cache.ts'
import { createTokenEndpoint, tokenUrlFrom } from './token-endpoint.ts'

export const defaultGoogleScope = 'https://www.googleapis.com/auth/cloud-platform'

const googleTokenUrl = 'https://oauth2.googleapis.com/token'

export type GoogleAccount = {
  readonly tokenUrl: URL
  /** Equal for the same account and key. */
  readonly identity: string
} & (
  | {
      readonly kind: 'service_account'
      readonly email: string
      readonly keyId: string | undefined
      readonly key: KeyObject
    }
  | {
      readonly kind: 'authorized_user'
      readonly clientId: string
      readonly clientSecret: string
      readonly refreshToken: string
    }
)

const fileShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('service_account'),
    client_email: z.string().min(1),
    private_key: z.string().min(1),
    private_key_id: z.string().optional(),
    token_uri: z.string().optional(),
  }),
  z.object({
    type: z.literal('authorized_user'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    refresh_token: z.string().min(1),
    token_uri: z.string().optional(),
  }),
])

/** Throws an Error that names the file and the fault, and quotes nothing of its content. */
export function readGoogleFile(file: string, service: string): GoogleAccount {
  const wrong = wrongFile(file, service)
  const shape = fileShape.safeParse(readCredentialsFile(file, wrong))
  if (!shape.success) {
    const keys = new Set(shape.error.issues.map(({ path }) => path.join('.')))
    throw wrong(
      keys.has('type')
        ? 'must have the type "service_account" or "authorized_user"'
        : `lacks a valid ${[...keys].join(', ')}`,
    )
  }
  const { data } = shape
  const tokenUrl = tokenUrlFrom(data.token_uri ?? googleTokenUrl)
  if (tokenUrl === undefined) throw wrong('has a token_uri that is not https')
  if (data.type === 'authorized_user') {
    return {
      kind: data.type,
      tokenUrl,
      identity: `${data.client_id}\0${data.refresh_token}`,
      clientId: data.client_id,
      clientSecret: data.client_secret,
      refreshToken: data.refresh_token,
    }
  }
  let key: KeyObject
  try {
    key = createPrivateKey(data.private_key)
  } catch {
    throw wrong('holds a private_key that is no PEM key')
  }
  if (key.asymmetricKeyType !== 'rsa') throw wrong('holds a private_key that is no RSA key')
  return {
    kind: data.type,
    tokenUrl,
    identity: `${data.client_email}\0${data.private_key_id ?? ''}`,
    email: data.client_email,
    keyId: data.private_key_id,
    key,
  }
}

export function createGoogleTokens(
  account: GoogleAccount,
  scopes: readonly string[],
  now: () => number = Date.now,
): OpenCredential {
  const key = digest('google', account.identity)
  const endpoint = createTokenEndpoint(account.tokenUrl, { now })
  const cache = createTokenCache({ now, most: 1 })

  async function grant(): Promise<URLSearchParams> {
    if (account.kind === 'authorized_user') {
      return new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: account.clientId,
        client_secret: account.clientSecret,
        refresh_token: account.refreshToken,
      })
    }
    const issued = Math.floor(now() / 1000)
    const assertion = await new SignJWT({ scope: scopes.join(' ') })
      .setProtectedHeader({
        alg: 'RS256',
        typ: 'JWT',
        ...(account.keyId === undefined ? {} : { kid: account.keyId }),
      })
      .setIssuer(account.email)
      .setAudience(account.tokenUrl.href)
      .setIssuedAt(issued)
      .setExpirationTime(issued + 3600)
      .sign(account.key)
    return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  }

  return {
    headers: () => cache.headers('', async () => endpoint.fetch(await grant())),
    key: () => key,
    renew: cache.renew,
    close: endpoint.close,
  }
}
