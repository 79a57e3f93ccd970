/**
 * Access tokens from a Google credentials file: a service account (a signed grant, RFC 7523) or an
 * authorized user (a refresh token). A token is fetched once for all who wait, kept until shortly before
 * it expires, and is never part of an error.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { Pool } from 'undici'
import { z } from 'zod'
import type { Cancellation } from '../../../contract/http/cancellation.ts'
import { exchange } from '../../../contract/http/exchange.ts'
import { parseBody, parseJson } from '../upstream/json.ts'

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

/** Throws an Error that names the file and what is wrong with it, and nothing of its content. */
export function readGoogleFile(file: string, service: string): GoogleAccount {
  const wrong = (fault: string): Error => new Error(`the credentials file of ${service} (${file}) ${fault}`)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`cannot be read: ${error instanceof Error && 'code' in error ? error.code : 'unknown fault'}`)
  }
  let content: unknown
  try {
    content = parseJson(text)
  } catch {
    throw wrong('is not JSON')
  }
  const shape = fileShape.safeParse(content)
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

/** The grant is a secret: it travels in clear only within this machine. */
function tokenUrlFrom(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback) ? url : undefined
}

export interface GoogleTokens {
  /** The header, at once where a token is at hand. Rejects with an Error that may be logged. */
  headers(): readonly string[] | Promise<readonly string[]>
  /**
   * After a token was refused: whether another can be had. One that is new is not dropped, for the next
   * would be refused as well.
   */
  forget(shown: readonly string[]): boolean
  close(): Promise<void>
}

const fetchTimeoutMs = 10_000
const maxAnswerBytes = 64 * 1024
/** A token is not used in its last minute: a call that leaves with it must still arrive. */
const marginMs = 60_000
/** After a failure no token is requested for so long: a wrong file must not load the token server. */
const failurePauseMs = 1000
const renewPauseMs = 30_000

const tokenShape = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive(),
})

export function createGoogleTokens(
  account: GoogleAccount,
  scopes: readonly string[],
  now: () => number = Date.now,
): GoogleTokens {
  const pool = new Pool(account.tokenUrl.origin, {
    connections: 1,
    connectTimeout: fetchTimeoutMs,
    allowH2: false,
  })
  const closing = new Set<() => void>()
  let closed = false
  let current:
    | { readonly headers: readonly string[]; readonly since: number; readonly until: number }
    | undefined
  let failure: { readonly error: Error; readonly until: number } | undefined
  let pending: Promise<readonly string[]> | undefined

  const cancellation: Cancellation = {
    deadline: Number.POSITIVE_INFINITY,
    get cancelled() {
      return closed
    },
    onCancel(listener) {
      closing.add(listener)
      return () => closing.delete(listener)
    },
  }

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

  async function fetchToken(): Promise<readonly string[]> {
    const asked = now()
    const got = await exchange(
      pool,
      {
        method: 'POST',
        path: account.tokenUrl.pathname + account.tokenUrl.search,
        headers: ['accept', 'application/json', 'content-type', 'application/x-www-form-urlencoded'],
        body: (await grant()).toString(),
        deadline: performance.now() + fetchTimeoutMs,
        maxBytes: maxAnswerBytes,
      },
      cancellation,
    )
    if (got.loss !== undefined)
      throw new Error(`the token server gave no answer: ${got.loss}`, { cause: got.cause })
    if (got.status !== 200) throw new Error(`the token server answered ${got.status}${errorCodeIn(got.body)}`)
    const token = tokenShape.safeParse(jsonFrom(got.body))
    if (!token.success) throw new Error('the token server answered without a token')
    const headers = ['authorization', `Bearer ${token.data.access_token}`]
    const lifeMs = token.data.expires_in * 1000
    current = { headers, since: asked, until: asked + Math.max(lifeMs - marginMs, lifeMs / 2) }
    return headers
  }

  return {
    headers() {
      if (current !== undefined && now() < current.until) return current.headers
      if (pending !== undefined) return pending
      if (failure !== undefined && now() < failure.until) return Promise.reject(failure.error)
      pending = fetchToken()
        .catch((reason: unknown) => {
          const error = reason instanceof Error ? reason : new Error('no token')
          failure = { error, until: now() + failurePauseMs }
          throw error
        })
        .finally(() => {
          pending = undefined
        })
      return pending
    },
    forget(shown) {
      if (current?.headers === shown) {
        if (now() - current.since < renewPauseMs) return false
        current = undefined
      }
      return true
    },
    close() {
      closed = true
      for (const listener of [...closing]) listener()
      return pool.destroy()
    },
  }
}

function jsonFrom(body: Buffer): unknown {
  try {
    return parseBody(body)
  } catch {
    return undefined
  }
}

/** OAuth's own name of the fault, which holds no secret; its description might. */
function errorCodeIn(body: Buffer): string {
  const read = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) }).safeParse(jsonFrom(body))
  return read.success ? ` (${read.data.error})` : ''
}
