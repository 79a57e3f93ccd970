/**
 * DPoP proofs (RFC 9449): a JWT that the client signs for one request, with the key to which its token is bound. This
 * module makes all checks of section 4.3; a proof is valid once, and only for a short time.
 */
import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  EmbeddedJWK,
  type FlattenedJWSInput,
  type JWK,
  type JWSHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../../../shared/runtime/maps.ts'
import { asymmetric } from '../algorithms.ts'
import { refuse } from '../refused-token.ts'
import type { ProofMaterial } from '../types.ts'
import type { ProofMemory } from './replay.ts'

export interface DpopOptions {
  /** Whether a token that is not bound to a key is refused. */
  readonly required: boolean
  /** The address that clients use for this server, without the path of the request. */
  readonly addresses: () => readonly string[]
  readonly memory: ProofMemory
  /** Required in every proof, if given. */
  readonly nonces?: Nonces | undefined
}

/** The accepted difference between a proof's time and ours. */
const windowSeconds = 60

/** Algorithms of asymmetric keys: a proof by a shared secret proves nothing. */
export const dpopAlgorithms = asymmetric

/** Keys and signatures of ML-DSA take 9,700 characters at most. */
const longestProof = 12_288
const longestId = 256
/** Cached keys of clients: reading one costs about as much as verifying a signature with it. */
const keptKeys = 200

interface ClientKey {
  readonly key: CryptoKey
  readonly thumbprint: string
}

const wrong = (what: string, cause?: unknown) => refuse('proof', `The DPoP proof ${what}.`, cause)

type CheckProof = (shown: ProofMaterial, token: string, thumbprint: unknown) => Promise<void>

export function createProofCheck(options: DpopOptions, now: () => number): CheckProof {
  const { addresses, memory, nonces } = options

  const isHere = (htu: unknown, url: string): boolean => {
    const target = typeof htu === 'string' ? URL.parse(htu) : null
    if (target === null) return false
    const [path = ''] = url.split('?', 1)
    const named = target.origin + target.pathname
    return addresses().some((address) => URL.parse(address + path)?.href === named)
  }

  const known = new LRUCache<string, ClientKey>({ max: keptKeys })

  /** By the text of the whole JWK: a JWK that jose refuses is never cached. */
  async function keyIn(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<ClientKey> {
    const text = JSON.stringify(header.jwk)
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const key = await EmbeddedJWK(header, token)
    const read = { key, thumbprint: await calculateJwkThumbprint(header.jwk as JWK) }
    known.set(text, read)
    return read
  }

  return async (shown, token, thumbprint) => {
    const proof = shown.header('dpop')
    if (proof === undefined) throw wrong('is missing: send one in the DPoP header')
    if (proof.length > longestProof) throw wrong(`is longer than ${longestProof} bytes`)
    let claims: JWTPayload
    let proven: string | undefined
    const keyOf = async (header: JWSHeaderParameters, input: FlattenedJWSInput): Promise<CryptoKey> => {
      const { key, thumbprint } = await keyIn(header, input)
      proven = thumbprint
      return key
    }
    try {
      const { payload } = await jwtVerify(proof, keyOf, {
        typ: 'dpop+jwt',
        algorithms: [...dpopAlgorithms],
        currentDate: new Date(now()),
      })
      claims = payload
    } catch (cause) {
      throw wrong('is not signed with its own key', cause)
    }
    if (proven === undefined || proven !== thumbprint)
      throw refuse('binding', 'The token is bound to another key than that of the DPoP proof.')
    const { htm, htu, iat, jti, ath, nonce } = claims
    if (htm !== shown.method) throw wrong('is for another method')
    if (!isHere(htu, shown.url ?? '')) throw wrong('is for another address')
    if (ath !== hash('sha256', token, 'base64url')) throw wrong('is for another token')
    if (iat === undefined || Math.abs(now() / 1000 - iat) > windowSeconds)
      throw wrong('is too old, or from the future')
    if (typeof jti !== 'string' || jti === '' || jti.length > longestId)
      throw wrong('has no id of its own (jti)')
    if (nonces !== undefined && !nonces.isGood(nonce))
      throw refuse('nonce', 'The DPoP proof lacks the nonce that this server sent in DPoP-Nonce.')
    const id = hash('sha256', `${String(thumbprint)}\0${jti}`, 'base64url')
    const isNew = shown.usedProofs?.get(id) ?? memory.take(id, 2 * windowSeconds * 1000)
    shown.usedProofs?.set(id, isNew)
    if (!(await isNew)) throw wrong('was used before')
  }
}

type Nonces = ReturnType<typeof createNonces>

/** A nonce is valid in the period in which it was given, and in the next one. */
const slotMs = 300_000

/**
 * Nonces for proofs (section 9), so that none can be made in advance. They are computed from the time and a secret:
 * nothing is stored, and replicas with the same secret accept each other's. `secret` is shared by all replicas; by
 * default it is random and belongs to this process.
 */
export function createNonces(secret: string | undefined, now: () => number) {
  const key = createSecretKey(secret === undefined ? randomBytes(32) : Buffer.from(secret))
  const made = new Map<number, string>()
  const nonceOf = (slot: number): string =>
    getOrInsert(made, slot, () => {
      for (const old of made.keys()) if (old < slot - 2) made.delete(old)
      return createHmac('sha256', key).update(`tessera dpop nonce ${slot}`).digest('base64url').slice(0, 22)
    })
  const slot = (): number => Math.floor(now() / slotMs)
  return {
    current: () => nonceOf(slot()),
    // A nonce is public, so comparing it reveals nothing. That of the next period is from a replica whose clock is ahead.
    isGood: (nonce: unknown): boolean => [-1, 0, 1].some((ahead) => nonce === nonceOf(slot() + ahead)),
  }
}
