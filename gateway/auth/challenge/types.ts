/** What a client must ask its authorization server for: the parameters of `WWW-Authenticate`, by name. */
export interface Challenge {
  /** A code of RFC 6750, 9449 or 9470; none if there was no token. */
  readonly error?:
    | 'invalid_token'
    | 'insufficient_scope'
    | 'insufficient_user_authentication'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
    | undefined
  readonly error_description?: string | undefined
  /** Scopes to request in addition to those of the token, separated by spaces. */
  readonly scope?: string | undefined
  /** Ways of signing in, any of which is sufficient, separated by spaces. */
  readonly acr_values?: string | undefined
  /** The maximum age of the sign-in, in seconds. */
  readonly max_age?: number | undefined
}

/** A requirement on the sign-in, as a challenge states it. */
export interface ChallengedSignIn {
  readonly acrValues: readonly string[]
  readonly maxAge: number | undefined
}
