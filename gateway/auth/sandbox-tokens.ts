/**
 * Tokens that we sign ourselves, and those that only a sandbox accepts. The latter are signed and verified with one
 * secret, which is made for each test or kept in a folder (`cli/sandbox-token.ts`). The caller must know that every
 * service is the sandbox: with a real service these tokens must not be accepted.
 */
import type { KeyObject } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { SignJWT } from 'jose'
import { anonymous, type Identity } from '../../shared/identity.ts'
import { type Authenticator, createAuthenticator, refuse } from './authenticate/index.ts'
import { claimedIssuer } from './authenticate/issuer.ts'
import type { ScopeAliases } from './authenticate/scopes.ts'

const issuer = 'tessera-sandbox'
const audience = 'tessera-sandbox'
const algorithm = 'HS256'

export interface TokenOptions {
  /** Scopes, separated by spaces. */
  readonly scope?: string | undefined
  readonly subject?: string | undefined
  /** Its lifetime: `30m`, `1h`, `7d`. One hour by default. */
  readonly expires?: string | undefined
}

/** How a token is signed, and the claims that do not depend on the request for it. */
export interface Signing {
  readonly key: Uint8Array | KeyObject
  readonly algorithm: string
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const longest = 366 * 86_400

/** `1h`, `30m`, `7d`, `45s` as seconds. Throws an error that says what was expected. */
export function secondsFrom(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const seconds = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  if (!(seconds > 0 && seconds <= longest))
    throw new Error(`expected a time such as 30m, 1h or 7d, of at most 366d, got ${JSON.stringify(text)}`)
  return seconds
}

/** The RFC 6749 grammar of scopes, so that the token has exactly the requested ones. */
function scopeFrom(text: string): string {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '')
  const wrong = scopes.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  if (wrong !== undefined)
    throw new Error(`expected scopes separated by spaces, got ${JSON.stringify(wrong)}`)
  return [...new Set(scopes)].join(' ')
}

/** Throws an error that says what was expected if the request is invalid. */
export async function signToken(
  { scope = '', subject = 'demo', expires = '1h' }: TokenOptions,
  by: Signing,
  now: () => number = Date.now,
): Promise<string> {
  const issuedAt = Math.floor(now() / 1000)
  const token = new SignJWT({ scope: scopeFrom(scope) })
    .setProtectedHeader({ alg: by.algorithm, typ: 'JWT' })
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secondsFrom(expires))
  if (by.issuer !== undefined) token.setIssuer(by.issuer)
  if (by.audience !== undefined) token.setAudience(by.audience)
  return token.sign(by.key)
}

export const signSandboxToken = (
  options: TokenOptions,
  key: Uint8Array,
  now?: () => number,
): Promise<string> => signToken(options, { key, algorithm, issuer, audience }, now)

/**
 * Accepts the tokens that are signed with this secret, and no others. A request with any other header is anonymous if it
 * selects only public fields. An operation to which a rule applies still fails with the reason.
 */
export function createSandboxAuthenticator(
  secret: Uint8Array,
  aliases?: ScopeAliases,
  now: () => number = Date.now,
): Authenticator {
  const authenticator = createAuthenticator({
    key: { kind: 'secret', secret },
    issuer,
    audience,
    algorithms: [algorithm],
    aliases,
    now,
  })
  const asAnonymous = (error: unknown, header: string | undefined): Identity => {
    if (!(error instanceof GraphQLError) || error.extensions.code !== 'UNAUTHENTICATED') throw error
    return { ...anonymous, tokenFault: explained(error, header) }
  }
  return {
    authenticate(header) {
      try {
        const identity = authenticator.authenticate(header)
        return identity instanceof Promise
          ? identity.catch((error: unknown) => asAnonymous(error, header))
          : identity
      } catch (error) {
        return asAnonymous(error, header)
      }
    },
    close: () => authenticator.close(),
  }
}

/**
 * Each folder has its own key, so a token from another folder has a wrong signature here. The error says where to make
 * a valid one. The unverified content of the token is used only for the message.
 */
function explained(refusal: GraphQLError, header: string | undefined): GraphQLError {
  const { authentication } = refusal.extensions as { authentication?: { reason?: unknown } }
  const token = header?.slice(header.indexOf(' ') + 1) ?? ''
  if (authentication?.reason !== 'signature' || claimedIssuer(token) !== issuer) return refusal
  return refuse(
    'signature',
    'The token was made with the key of another folder. Make one by `tessera token` in the folder in which this server was started: its key is in `.tessera` there.',
    refusal,
  )
}
