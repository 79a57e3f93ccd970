/** The caller of a request, as the access checks, the engine's hooks and the quota see it. */
export interface Identity {
  readonly subject?: string | undefined
  readonly scopes: ReadonlySet<string>
  readonly claims: Readonly<Record<string, unknown>>
  /** Whether a token was shown. */
  readonly authenticated: boolean
  /** Why a token was refused that was nevertheless shown: an operation with rules fails with it. */
  readonly tokenFault?: Error | undefined
}

/** The caller who shows no token. */
export const anonymous: Identity = Object.freeze({
  scopes: new Set<string>(),
  claims: Object.freeze({}),
  authenticated: false,
})

/** The caller if nobody is checked, because who is in front has done it: whatever token it shows is its own. */
export const unchecked: Identity = Object.freeze({ ...anonymous })

/**
 * Who calls, whichever token is shown: the subject, else the user or the client that the token names, each with its
 * issuer. Undefined if a token names none of them, and for anonymous callers.
 */
export function callerName({ authenticated, subject, claims }: Identity): readonly string[] | undefined {
  if (!authenticated) return undefined
  const issuer = String(claims.iss)
  if (subject !== undefined) return ['subject', issuer, subject]
  for (const claim of ['username', 'client_id'] as const) {
    const name = claims[claim]
    if (typeof name === 'string' && name !== '') return [claim, issuer, name]
  }
  return undefined
}
