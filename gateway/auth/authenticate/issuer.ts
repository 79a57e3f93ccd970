/**
 * One trusted issuer: how its JWTs are verified, and the rules for the claims of its tokens. The same rules hold for
 * introspection responses.
 */
import { decodeJwt, errors, type JWTPayload } from 'jose'
import { type Identity, subjectFrom } from '../../../shared/identity.ts'
import type { IntrospectionOptions } from './introspection.ts'
import { expiredSince, lacksClaim, refusalFrom, refuseClaim } from './refused-token.ts'
import { type ScopeAliases, scopeReader } from './scopes.ts'
import { createTokenVerifier, type TokenKey, type TokenVerifier } from './token-verifier.ts'
import type { Confirmation, Verified } from './types.ts'

export interface IssuerOptions {
  /** The key for its JWTs; without one they are introspected, or refused. */
  readonly key?: TokenKey | undefined
  readonly introspection?: IntrospectionOptions | undefined
  readonly issuer?: string | undefined
  readonly audience?: string | readonly string[] | undefined
  /** By default all algorithms that fit the key. */
  readonly algorithms?: readonly string[] | undefined
  /** The required `typ` of JWTs: `at+jwt`. Without it they may have none, `JWT` or `at+jwt`. */
  readonly type?: string | undefined
  readonly requiredClaims?: readonly string[] | undefined
  readonly aliases?: ScopeAliases | undefined
}

interface IssuerSettings {
  readonly clockTolerance: number
  readonly rememberMs: number
  readonly now: () => number
  readonly steady: () => number
}

export type Issuer = ReturnType<typeof createIssuer>

/** What RFC 9068 requires in every access token. */
const profileClaims = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'] as const
/** Types of JWTs that are access tokens, if no type is required; all others have another purpose. */
const accessTokenTypes: ReadonlySet<string> = new Set([
  'jwt',
  'at+jwt',
  'application/at+jwt',
  'application/jwt',
])

const listOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value

/** The issuer that a JWT claims to have, before it is verified. */
export function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

export function createIssuer(
  options: IssuerOptions,
  { clockTolerance, rememberMs, now, steady }: IssuerSettings,
) {
  const proof: TokenVerifier | undefined =
    options.key === undefined ? undefined : createTokenVerifier(options.key, options.algorithms)
  const { issuer } = options
  const audiences = listOf(options.audience)
  const type = options.type?.toLowerCase().replace(/^application\//, '')
  // A token without an end could not be withdrawn, so each must have one whatever the configuration says.
  const required = ['exp', ...(options.requiredClaims ?? (type === 'at+jwt' ? profileClaims : []))]
  const scopesOf = scopeReader(options.aliases)

  const verified = (claims: JWTPayload, again: number, characters: number): Verified => {
    const identity: Identity = Object.freeze({
      subject: subjectFrom(claims.sub),
      scopes: scopesOf(claims),
      claims: Object.freeze(claims),
      authenticated: true,
    })
    return {
      identity,
      confirmation: confirmationIn(claims),
      characters,
      until: claims.exp === undefined ? Number.POSITIVE_INFINITY : (claims.exp + clockTolerance) * 1000,
      again,
    }
  }

  return {
    takesJwts: proof !== undefined,
    /** Whether a token that names this issuer may be from it. */
    owns: (claimed: unknown): boolean => issuer === undefined || claimed === issuer,

    async verify(token: string): Promise<Verified> {
      if (proof === undefined) throw refuseClaim('iss')
      const again = steady() + rememberMs
      try {
        const { payload, protectedHeader } = await proof.verify(token, {
          algorithms: proof.algorithms,
          clockTolerance,
          currentDate: new Date(now()),
          requiredClaims: required,
          ...(issuer === undefined ? {} : { issuer }),
          ...(audiences === undefined ? {} : { audience: [...audiences] }),
          ...(type === undefined ? {} : { typ: type }),
        })
        const { typ } = protectedHeader
        if (type === undefined && typ !== undefined && !accessTokenTypes.has(String(typ).toLowerCase()))
          throw new errors.JWTClaimValidationFailed('another type', payload, 'typ', 'check_failed')
        return verified(payload, again, token.length)
      } catch (error) {
        throw refusalFrom(error) ?? error
      }
    },

    /** Checks the claims of an introspected token, and makes an identity of them. */
    accept(given: JWTPayload, ms: number, characters: number): Verified {
      const seconds = now() / 1000
      const { iss, aud, exp, nbf } = given
      // RFC 7662 leaves most claims optional: present claims must fit, and required ones must be present.
      if (issuer !== undefined && iss !== undefined && iss !== issuer) throw refuseClaim('iss')
      if (audiences !== undefined && !(listOf(aud) ?? []).some((one) => audiences.includes(one)))
        throw refuseClaim('aud')
      if (exp !== undefined && !(exp + clockTolerance > seconds)) throw expiredSince(given)
      if (nbf !== undefined && !(nbf - clockTolerance <= seconds)) throw refuseClaim('nbf')
      const missing = (options.requiredClaims ?? []).find((claim) => given[claim] === undefined)
      if (missing !== undefined) throw lacksClaim(missing)
      // The only issuer is known if the response omits it: names of callers are unique only together with it.
      const claims = iss === undefined && issuer !== undefined ? { ...given, iss: issuer } : given
      return verified(claims, steady() + ms, characters)
    },

    close: async (): Promise<void> => proof?.close(),
  }
}

function confirmationIn({ cnf }: JWTPayload): Confirmation | undefined {
  if (cnf === undefined || cnf === null) return undefined
  // A `cnf` that is no object confirms nothing, but the token is not unbound either.
  return typeof cnf === 'object' && !Array.isArray(cnf) ? (cnf as Confirmation) : { unknown: cnf }
}
