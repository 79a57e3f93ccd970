/** The caller of a request, for access checks, hooks and the quota. */
export interface Identity {
  readonly subject?: string | undefined
  readonly scopes: ReadonlySet<string>
  readonly claims: Readonly<Record<string, unknown>>
  /** Whether the caller sent a token. */
  readonly authenticated: boolean
  /** Why the token was rejected. An operation with access rules fails with this error. */
  readonly tokenFault?: Error | undefined
}

/** The caller without a token. */
export const anonymous: Identity = Object.freeze({
  scopes: new Set<string>(),
  claims: Object.freeze({}),
  authenticated: false,
})

/** The caller if callers are not checked, because a router in front has done it. */
export const unchecked: Identity = Object.freeze({ ...anonymous })

/**
 * Some issuers and hooks number their users, although RFC 7519 wants text. Undefined for a number that JSON has rounded,
 * which may be that of two users, and for anything else.
 */
export function subjectFrom(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined
}

/**
 * The name of a caller, independent of the token: the subject, otherwise the user or client that the token names,
 * each with its issuer. Undefined for anonymous callers, and if a token names none of them.
 */
export function callerName({ authenticated, subject, claims }: Identity): readonly string[] | undefined {
  if (!authenticated) return undefined
  const issuer = String(claims.iss)
  if (subject !== undefined && subject !== '') return ['subject', issuer, subject]
  // A subject of another form is somebody: the name of the client would stand for all its users.
  if (claims.sub != null && claims.sub !== '') return undefined
  for (const claim of ['username', 'client_id'] as const) {
    const name = claims[claim]
    if (typeof name === 'string' && name !== '') return [claim, issuer, name]
  }
  return undefined
}

/** The caller with its rights: equal for tokens that open the same to the same caller. */
export function rightsOf(identity: Identity): readonly unknown[] {
  const { iss, aud, client_id: client, azp, acr, auth_time: signedInAt, act } = identity.claims
  return [
    callerName(identity),
    ...[iss, aud, client ?? azp, acr, signedInAt, act],
    [...identity.scopes].sort(),
  ]
}
