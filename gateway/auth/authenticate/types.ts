/** What the parts of authentication share: what a request shows, and what is known of a token that was checked. */
import type { Identity } from '../../../shared/identity.ts'

/** What a request shows beside its `Authorization` header, for tokens that are bound to a key of the client. */
export interface ProofMaterial {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  /** The address that the connection comes from. */
  readonly peer?: (() => string | undefined) | undefined
  /** The certificate that the client of the connection has proved to have, DER. */
  readonly certificate?: (() => Buffer | undefined) | undefined
  /** The body as it came, if that is at hand. */
  readonly body?: (() => Buffer | undefined) | undefined
  /** A header by its lower-case name. */
  header(name: string): string | undefined
}

/** What a token is bound to (`cnf`, RFC 7800); it is worth nothing to a client that does not prove that it has it. */
export type Confirmation = Readonly<Record<string, unknown>>

export interface Verified {
  readonly identity: Identity
  readonly confirmation: Confirmation | undefined
  /** Of its claims, as they came. */
  readonly characters: number
  /** Milliseconds since 1970; the moment from which the token is too old. */
  readonly until: number
  /** The moment from which it is looked at again: its key may have gone, or the token may have been revoked. */
  readonly again: number
}
