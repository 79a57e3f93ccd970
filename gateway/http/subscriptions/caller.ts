/**
 * Who holds subscriptions: a connection, or a request that is answered event by event. Who that is, is asked again for
 * every event, so that a token which has ended or was revoked is worth nothing from then on. It can be exchanged for
 * another one of the same caller.
 */
import { tesseraError } from '../../../contract/errors.ts'
import { anonymous, type Identity } from '../../../contract/identity.ts'
import type { Authenticator, Shown } from '../../access/authenticate/index.ts'

export interface CallerOptions {
  readonly authenticator: Authenticator
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** The names of the headers. */
  names(): readonly string[]
  /** The address that the connection comes from. */
  peer(): string | undefined
  /** The certificate that the client of the connection has proved to have, DER. */
  readonly certificate?: (() => Buffer | undefined) | undefined
}

/** The most characters of the key of a caller. */
const longestKey = 300

export class Caller {
  readonly #options: CallerOptions
  #authorization: string | undefined
  /** When its token ends, in milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY

  constructor(options: CallerOptions) {
    this.#options = options
    this.#authorization = options.header('authorization')
  }

  header(name: string): string | undefined {
    return name === 'authorization' ? this.#authorization : this.#options.header(name)
  }

  names(): readonly string[] {
    return this.#options.names()
  }

  peer(): string | undefined {
    return this.#options.peer()
  }

  certificate(): Buffer | undefined {
    return this.#options.certificate?.()
  }

  /** Whom limits for each caller count for: the subject of a token, else the address. */
  keyOf(identity: Identity): string {
    const { subject, claims, authenticated } = identity
    const key =
      authenticated && subject !== undefined
        ? `s ${String(claims.iss)} ${subject}`
        : `a ${this.#options.peer() ?? ''}`
    return key.slice(0, longestKey)
  }

  /** Notes when the token of this identity ends. */
  noteEnd({ claims }: Identity): void {
    this.until = typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY
  }

  /** Who it is now. Throws or rejects where the token has ended, or is not good any more. */
  identity(): Identity | Promise<Identity> {
    const { authenticator } = this.#options
    if (this.#authorization === undefined) return anonymous
    return (authenticator.again ?? authenticator.authenticate)(this.#authorization)
  }

  /** Takes another token, of the same subject and issuer. Rejects with `UNAUTHENTICATED` otherwise. */
  async renew(authorization: string, shown: Shown): Promise<void> {
    const { authenticator } = this.#options
    const before = await orNobody(() => this.identity())
    const next = await authenticator.authenticate(authorization, shown)
    const isSame =
      before === undefined ||
      (before.authenticated && before.subject === next.subject && before.claims.iss === next.claims.iss)
    if (!isSame || !next.authenticated)
      throw tesseraError(
        'UNAUTHENTICATED',
        'A token can be renewed by another one of the same subject alone.',
      )
    this.#authorization = authorization
    this.noteEnd(next)
  }
}

async function orNobody(identity: () => Identity | Promise<Identity>): Promise<Identity | undefined> {
  try {
    return await identity()
  } catch {
    return undefined
  }
}
