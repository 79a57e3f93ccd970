/**
 * The keys of a token issuer, fetched from its JWKS address.
 *
 * Hides when the address is asked: at the first token, when the keys have become old, and when a token names an unknown
 * key or has a wrong signature, but never sooner than a pause after the last attempt. A fetch is bounded in time and size
 * and follows no redirect. While the address is away, the last keys remain valid for a while. Without keys no token can
 * be verified, and that is the gateway's fault (503).
 */
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose'
import { tesseraError } from '../../../shared/errors.ts'
import { createHttpClient, type HttpClient } from '../../../shared/http/client.ts'
import { withoutByteOrderMark } from '../../../shared/json/byte-order-mark.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { leastRsaBits } from './algorithms.ts'

/** The options, with their defaults. */
const usual = {
  /** How long fetched keys are used without asking again. */
  maxAgeMs: 600_000,
  /** How long old keys remain valid while the address cannot be reached. */
  staleMs: 3_600_000,
  /** The least time between two fetches. */
  cooldownMs: 30_000,
  /** The same after a failed fetch. */
  retryMs: 5_000,
  timeoutMs: 5_000,
  maxBytes: 1_048_576,
  /** Milliseconds, by default of the monotonic clock: a clock that is set back would hide rotated keys. */
  now: () => performance.now(),
}

export type KeySetOptions = Readonly<{ url: string } & Partial<typeof usual>>

type Keys = ReturnType<typeof createLocalJWKSet>

const openClient = (url: string, timeoutMs: number): HttpClient =>
  createHttpClient(url, { connections: 1, connectTimeoutMs: timeoutMs })

/** The key set, whose keys are not checked yet. Bounded in time and bytes; follows no redirect. */
export async function fetchKeySet(url: string): Promise<JSONWebKeySet> {
  const client = openClient(url, usual.timeoutMs)
  try {
    return await readKeySet(client, { url, ...usual })
  } finally {
    await client.close()
  }
}

async function readKeySet(
  client: HttpClient,
  { url, timeoutMs, maxBytes }: { url: string; timeoutMs: number; maxBytes: number },
): Promise<JSONWebKeySet> {
  const { pathname, search } = new URL(url)
  const { loss, status, body, cause } = await client.send(
    {
      method: 'GET',
      path: pathname + search,
      headers: ['accept', 'application/jwk-set+json, application/json'],
      body: undefined,
      maxBytes,
    },
    performance.now() + timeoutMs,
  )
  if (loss === 'too-large') throw new Error(`the key set is larger than ${maxBytes} bytes`)
  if (loss !== undefined) throw new Error(`the address of the key set did not respond: ${loss}`, { cause })
  if (status !== 200) throw new Error(`the address of the key set returned status ${status}`)
  const set: unknown = JSON.parse(withoutByteOrderMark(body.toString('utf8')))
  if (!isObject(set) || !Array.isArray(set.keys)) throw new Error('the response is no key set')
  // Keys of an unknown form are ignored (RFC 7517, section 5); jose refuses the whole set for an entry that is no object.
  return { keys: set.keys.filter(isObject) }
}

export function isWeak({ algorithm }: CryptoKey): boolean {
  const bits = 'modulusLength' in algorithm ? algorithm.modulusLength : undefined
  return typeof bits === 'number' && bits < leastRsaBits
}

export class KeySet {
  readonly #options
  readonly #client: HttpClient
  #keys: Keys | undefined
  #fetchedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #failure: unknown
  #running: Promise<boolean> | undefined

  constructor(options: KeySetOptions) {
    this.#options = { ...usual, ...options }
    this.#client = openClient(options.url, this.#options.timeoutMs)
  }

  /** The key that a token's header names. Rejects with jose's errors, or with `UPSTREAM_UNAVAILABLE`. */
  async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const { now, maxAgeMs } = this.#options
    if (now() - this.#fetchedAt >= maxAgeMs) {
      if (this.#mayTry()) void this.#refresh()
      // An address that fails may take long: the last keys do not wait for it.
      const areLeft = this.#failure !== undefined && this.#valid() !== undefined
      if (this.#running !== undefined && !areLeft) await this.#running
    }
    const keys = this.#valid()
    if (keys === undefined) throw this.#away()
    try {
      return await this.#choose(keys, header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const isRenewed = await this.renew()
      if (this.#failure !== undefined) throw this.#away()
      if (!isRenewed) throw error
      return await this.#choose(this.#keys ?? keys, header, token)
    }
  }

  /** Fetches the keys, which may have been rotated. False if that fails, or if it is too soon to ask again. */
  async renew(): Promise<boolean> {
    return (this.#running !== undefined || this.#mayTry()) && this.#refresh()
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  /** The last keys, unless they are too old. */
  #valid(): Keys | undefined {
    const { now, maxAgeMs, staleMs } = this.#options
    return now() - this.#fetchedAt < maxAgeMs + staleMs ? this.#keys : undefined
  }

  #mayTry(): boolean {
    const { now, cooldownMs, retryMs } = this.#options
    return now() - this.#triedAt >= (this.#failure === undefined ? cooldownMs : retryMs)
  }

  /** Fetches the keys, once for all who wait; false if it failed. */
  #refresh(): Promise<boolean> {
    this.#running ??= this.#fetch().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #fetch(): Promise<boolean> {
    this.#triedAt = this.#options.now()
    try {
      this.#keys = createLocalJWKSet(await readKeySet(this.#client, this.#options))
      this.#fetchedAt = this.#triedAt
      this.#failure = undefined
      return true
    } catch (error) {
      this.#failure = error
      return false
    }
  }

  #away(cause: unknown = this.#failure) {
    const message = "Tokens cannot be checked now: the issuer's keys cannot be fetched."
    const retryAfter = Math.ceil(this.#options.retryMs / 1000)
    return tesseraError('UPSTREAM_UNAVAILABLE', message, { retryAfter, cause })
  }

  /** The key among the fetched ones. A malformed or weak key is the issuer's fault. */
  async #choose(keys: Keys, header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    let key: CryptoKey
    try {
      key = await keys(header, token)
    } catch (error) {
      const isOfIssuer = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSInvalid
      throw isOfIssuer ? this.#away(error) : error
    }
    if (isWeak(key)) throw this.#away(new Error('an RSA key of the key set has fewer than 2048 bits'))
    return key
  }
}
