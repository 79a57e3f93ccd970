/** What the parts of signing in share. */

/** The operation that was refused, to run when the token is there: the one that is open. */
export interface RefusedRun {
  readonly operationName: string | undefined
}

/** What a token is needed for. */
export interface SignInWish {
  readonly scopes: readonly string[]
  /** Ways of signing in, any of which will do, separated by spaces. */
  readonly acrValues?: string | undefined
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge?: number | undefined
  /** Asks for the person even if the server knows one. */
  readonly again?: boolean | undefined
  readonly run?: RefusedRun | undefined
}

export interface SignedIn {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly endsAt: number | undefined
  readonly scopes: readonly string[]
  /** The subject. */
  readonly person: string
  readonly run: RefusedRun | undefined
}

/** What has to be known again when the browser comes back. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The query of the page's address. */
  readonly search: string
  readonly run?: RefusedRun | undefined
}
