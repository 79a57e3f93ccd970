/** The types that the parts of signing in share. */

/** The refused operation, which is run when the token is there. It is the one that is open. */
interface RefusedRun {
  readonly operationName: string | undefined
}

/** The reason for a new token. */
export interface SignInOptions {
  readonly scopes: readonly string[]
  /** Ways of signing in, separated by spaces. Any of them is enough. */
  readonly acrValues?: string | undefined
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge?: number | undefined
  /** Asks the user to sign in even if the server knows one. */
  readonly again?: boolean | undefined
  readonly run?: RefusedRun | undefined
}

export interface SignedIn {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly endsAt: number | undefined
  readonly scopes: readonly string[]
  /** The subject of the token. */
  readonly person: string
  readonly run: RefusedRun | undefined
}

/** What must be remembered until the browser returns. */
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
