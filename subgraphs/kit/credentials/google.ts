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

interface GoogleAccount {
  readonly tokenUrl: URL
  /** Equal for the same account and key. */
  readonly identity: string
  /** The form that the account sends for a token. */
  grant(scopes: readonly string[], now: number): Promise<Record<string, string>>
}

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
    const { client_id, client_secret, refresh_token } = data
    return {
      tokenUrl,
      identity: `${client_id}\0${refresh_token}`,
      grant: async () => ({ grant_type: 'refresh_token', client_id, client_secret, refresh_token }),
    }
  }
  const { client_email: email, private_key_id: keyId } = data
  let key: KeyObject
  try {
    key = createPrivateKey(data.private_key)
  } catch {
    throw wrong('holds a private_key that is no PEM key')
  }
  if (key.asymmetricKeyType !== 'rsa') throw wrong('holds a private_key that is no RSA key')
  return {
    tokenUrl,
    identity: `${email}\0${keyId ?? ''}`,
    async grant(scopes, now) {
      const issued = Math.floor(now / 1000)
      const assertion = await new SignJWT({ scope: scopes.join(' ') })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
        .setIssuer(email)
        .setAudience(tokenUrl.href)
        .setIssuedAt(issued)
        .setExpirationTime(issued + 3600)
        .sign(key)
      return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
    },
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

  const ask = async () => endpoint.fetch(new URLSearchParams(await account.grant(scopes, now())))
  return {
    headers: () => cache.headers('', ask),
    key: () => key,
    renew: cache.renew,
    close: endpoint.close,
  }
}
