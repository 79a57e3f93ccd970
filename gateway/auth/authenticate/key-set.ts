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

export interface KeySetOptions {
  readonly url: string
  /** How long fetched keys are used without asking again. */
  readonly maxAgeMs?: number | undefined
  /** How long old keys remain valid while the address cannot be reached. */
  readonly staleMs?: number | undefined
  /** The least time between two fetches. */
  readonly cooldownMs?: number | undefined
  /** The same after a failed fetch. */
  readonly retryMs?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly maxBytes?: number | undefined
  /** Milliseconds, by default of the monotonic clock: a clock that is set back would hide rotated keys. */
  readonly now?: (() => number) | undefined
}

export type KeySet = ReturnType<typeof createKeySet>

const usualTimeoutMs = 5_000
const defaultMaxBytes = 1_048_576

const openClient = (url: string, timeoutMs: number): HttpClient =>
  createHttpClient(url, { connections: 1, connectTimeoutMs: timeoutMs })

/** The key set, whose keys are not checked yet. Bounded in time and bytes; follows no redirect. */
export async function fetchKeySet(url: string): Promise<JSONWebKeySet> {
  const client = openClient(url, usualTimeoutMs)
  try {
    return await readKeySet(client, url, usualTimeoutMs, defaultMaxBytes)
  } finally {
    await client.close()
  }
}

async function readKeySet(
  client: HttpClient,
  url: string,
  timeoutMs: number,
  maxBytes: number,
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

export function createKeySet({
  url,
  maxAgeMs = 600_000,
  staleMs = 3_600_000,
  cooldownMs = 30_000,
  retryMs = 5_000,
  timeoutMs = usualTimeoutMs,
  maxBytes = defaultMaxBytes,
  now = () => performance.now(),
}: KeySetOptions) {
  const client = openClient(url, timeoutMs)
  let keys: ReturnType<typeof createLocalJWKSet> | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  let running: Promise<boolean> | undefined

  const load = async (): Promise<void> => {
    keys = createLocalJWKSet(await readKeySet(client, url, timeoutMs, maxBytes))
  }

  /** Fetches the keys, once for all who wait; false if it failed. */
  const refresh = (): Promise<boolean> => {
    running ??= (async () => {
      triedAt = now()
      try {
        await load()
        fetchedAt = triedAt
        failure = undefined
        return true
      } catch (error) {
        failure = error
        return false
      } finally {
        running = undefined
      }
    })()
    return running
  }

  const mayTry = (): boolean => now() - triedAt >= (failure === undefined ? cooldownMs : retryMs)

  /** Fetches the keys, which may have been rotated. False if that fails, or if it is too soon to ask again. */
  const renew = async (): Promise<boolean> => (running !== undefined || mayTry()) && refresh()

  const away = (cause: unknown = failure) =>
    tesseraError(
      'UPSTREAM_UNAVAILABLE',
      "Tokens cannot be checked now: the issuer's keys cannot be fetched.",
      { retryAfter: Math.ceil(retryMs / 1000), cause },
    )

  /** Whether the last keys remain valid although the last fetch failed. */
  const areLeft = (): boolean =>
    keys !== undefined && failure !== undefined && now() - fetchedAt < maxAgeMs + staleMs

  /** The key among the fetched ones. A malformed or weak key is the issuer's fault. */
  const choose = async (
    from: ReturnType<typeof createLocalJWKSet>,
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
  ): Promise<CryptoKey> => {
    let key: CryptoKey
    try {
      key = await from(header, token)
    } catch (error) {
      const isOfIssuer = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSInvalid
      throw isOfIssuer ? away(error) : error
    }
    if (isWeak(key)) throw away(new Error('an RSA key of the key set has fewer than 2048 bits'))
    return key
  }

  return {
    /** The key that a token's header names. Rejects with jose's errors, or with `UPSTREAM_UNAVAILABLE`. */
    async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
      if (now() - fetchedAt >= maxAgeMs) {
        if (mayTry()) void refresh()
        // An address that fails may take long: the last keys do not wait for it.
        if (running !== undefined && !areLeft()) await running
      }
      if (keys === undefined || now() - fetchedAt >= maxAgeMs + staleMs) throw away()
      try {
        return await choose(keys, header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        const isRenewed = await renew()
        if (failure !== undefined) throw away()
        if (!isRenewed) throw error
        return await choose(keys, header, token)
      }
    },
    renew,
    close: () => client.close(),
  }
}
