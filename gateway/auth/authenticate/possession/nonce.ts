/**
 * Nonces that clients put into their DPoP proofs (RFC 9449, section 9), so that no proof can be made in advance. They
 * are computed from the time and a secret: nothing is kept, and replicas with one secret accept each other's.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

export interface Nonces {
  /** The one that is given now. */
  current(): string
  isGood(nonce: unknown): boolean
}

/** A nonce is good in the time that it was given in, and in the next. */
const slotMs = 300_000

/** `secret`: shared by all replicas; a random one of this process without it. */
export function createNonces(secret: string | undefined, now: () => number): Nonces {
  const key = createSecretKey(secret === undefined ? randomBytes(32) : Buffer.from(secret))
  const made = new Map<number, string>()
  const nonceOf = (slot: number): string => {
    let nonce = made.get(slot)
    if (nonce === undefined) {
      nonce = createHmac('sha256', key).update(`tessera dpop nonce ${slot}`).digest('base64url').slice(0, 22)
      for (const old of made.keys()) if (old < slot - 1) made.delete(old)
      made.set(slot, nonce)
    }
    return nonce
  }
  const slot = (): number => Math.floor(now() / slotMs)
  return {
    current: () => nonceOf(slot()),
    // A nonce is public: comparing it tells nothing.
    isGood: (nonce) => nonce === nonceOf(slot()) || nonce === nonceOf(slot() - 1),
  }
}
