/** Types that the parts of authentication share: what a request presents, and what is known of a verified token. */
import type { Identity } from '../../../shared/identity.ts'

/** What a request presents for tokens that are bound to a key of the client, except the `Authorization` header. */
export interface ProofMaterial {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** The address of the connection. */
  readonly peer?: (() => string | undefined) | undefined
  /** The address of the client, which is that of the connection unless a trusted proxy passes on another. */
  readonly address?: (() => string | undefined) | undefined
  /** The certificate that the client of the connection has proved to have, DER. */
  readonly certificate?: (() => Buffer | undefined) | undefined
  /** The body as received, if it is available. */
  readonly body?: (() => Buffer | undefined) | undefined
  /** The proofs of this HTTP request that are used, by their ids, if its operations share them. */
  readonly usedProofs?: Map<string, boolean | Promise<boolean>> | undefined
  /** A header by its lower-case name. */
  header(name: string): string | undefined
}

/** The key to which a token is bound (`cnf`, RFC 7800). */
export type Confirmation = Readonly<Record<string, unknown>>

export interface Verified {
  readonly identity: Identity
  readonly confirmation: Confirmation | undefined
  /** The length of its claims, as received. */
  readonly characters: number
  /** Milliseconds since 1970: from then on the token is expired. */
  readonly until: number
  /** From then on the token is verified again: its key may have gone, or it may have been revoked. By `AuthenticatorOptions.steady`. */
  readonly again: number
}
