/**
 * The caller of subscriptions: a connection, or a request that is answered by events. The caller is authenticated again
 * for every event, so that an expired or revoked token gets no further event. A caller can replace its token by another
 * one of its own.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { tesseraError } from '../../shared/errors.ts'
import { headerOf } from '../../shared/http/headers.ts'
import { anonymous, callerName, type Identity } from '../../shared/identity.ts'
import type { Authenticator, ProofMaterial } from '../auth/authenticate/index.ts'
import { networkOf } from '../auth/client-address.ts'
import { proofMaterialOf } from '../auth/client-certificate.ts'
import type { HttpRequest } from '../graphql-http/http-operation.ts'

const noHeaders: readonly string[] = []

/** The most characters of the key of a caller. */
const longestKey = 300

export class Caller {
  readonly #authenticator: Authenticator
  readonly #headers: IncomingHttpHeaders
  readonly #socket: Socket | undefined
  readonly #address: string | undefined
  /** Names and values in turn. There are one or two, for which a Map would take four times the memory. */
  readonly #given: readonly string[]
  #authorization: string | undefined
  /** The name of the caller by its first token, as JSON. `key` is the same text. */
  #name: string | undefined
  /** When its token expires, in milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY

  /** `given`: headers that override those of the request, by their lower-case names. */
  constructor(
    authenticator: Authenticator,
    { headers, socket, address }: Pick<HttpRequest, 'headers' | 'socket' | 'address'>,
    given?: ReadonlyMap<string, string>,
  ) {
    shareValues(headers)
    this.#authenticator = authenticator
    this.#headers = headers
    this.#socket = socket
    this.#address = address
    this.#given = given === undefined || given.size === 0 ? noHeaders : [...given].flat()
    this.#authorization = this.#sent('authorization')
  }

  /** A header by its lower-case name. */
  header(name: string): string | undefined {
    return name === 'authorization' ? this.#authorization : this.#sent(name)
  }

  #sent(name: string): string | undefined {
    const at = this.#given.findIndex((each, index) => index % 2 === 0 && each === name)
    return at >= 0 ? this.#given[at + 1] : headerOf(this.#headers, name)
  }

  names(): readonly string[] {
    const given = this.#given.filter((_, index) => index % 2 === 0)
    return [...new Set([...Object.keys(this.#headers), ...given])]
  }

  /**
   * What may prove that a token is its own: `proof` of DPoP, and the certificate. A proxy vouches for that in the headers
   * of the request, and knows no others.
   */
  shown({ method, url }: Pick<ProofMaterial, 'method' | 'url'>, proof: string | undefined): ProofMaterial {
    const header = (name: string) => (name === 'dpop' ? proof : headerOf(this.#headers, name))
    return proofMaterialOf({ method, url, header, socket: this.#socket, address: this.#address })
  }

  /** The caller for whom limits count: the subject of the token, otherwise the network of the address. */
  key(): string {
    return (this.#name ?? `a ${networkOf(this.#address)}`).slice(0, longestKey)
  }

  /** Notes when the token of this identity expires, and at first whose it is. */
  noteEnd(identity: Identity): void {
    const { claims } = identity
    this.#name ??= JSON.stringify(callerName(identity))
    const { clockToleranceMs = 0 } = this.#authenticator
    this.until =
      typeof claims.exp === 'number' ? claims.exp * 1000 + clockToleranceMs : Number.POSITIVE_INFINITY
  }

  /** The identity now. Throws or rejects if the token has expired or is no longer valid. */
  identity(): Identity | Promise<Identity> {
    const authenticator = this.#authenticator
    if (this.#authorization === undefined) return anonymous
    return (authenticator.again ?? authenticator.authenticate)(this.#authorization)
  }

  /** The token as hooks changed it. */
  replace(authorization: string | undefined): void {
    this.#authorization = authorization
  }

  /** Replaces the token. Rejects with `UNAUTHENTICATED` if its subject or issuer differs. */
  async renew(authorization: string, shown: ProofMaterial): Promise<void> {
    const next = await this.#authenticator.authenticate(authorization, shown)
    const name = callerName(next)
    if (name === undefined || JSON.stringify(name) !== this.#name)
      throw tesseraError('UNAUTHENTICATED', 'A token can be renewed only by one of the same subject.')
    this.#authorization = authorization
    this.noteEnd(next)
  }
}

/** Headers whose values are neither secret nor specific to one client. */
const usual: ReadonlySet<string> = new Set(
  [
    'accept accept-encoding accept-language cache-control connection content-length content-type dnt host origin',
    'pragma priority referer te upgrade user-agent sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest',
    'sec-fetch-mode sec-fetch-site sec-websocket-extensions sec-websocket-protocol sec-websocket-version',
    'apollographql-client-name apollographql-client-version via x-forwarded-host x-forwarded-port x-forwarded-proto',
  ].flatMap((names) => names.split(' ')),
)

/** The most shared values, and the most characters of one. */
const shared = new LRUCache<string, string>({ max: 1000 })
const longest = 512

/**
 * Replaces each common value by its shared copy. Headers are kept as long as a subscription lasts. Clients of one kind
 * send the same values, and each request has its own copy.
 */
function shareValues(headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || value.length > longest || !usual.has(name)) continue
    const known = shared.get(value)
    if (known === undefined) shared.set(value, value)
    else headers[name] = known
  }
}
