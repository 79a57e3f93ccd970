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
