/**
 * Nonces for the DPoP proofs of clients (RFC 9449, section 9), so that no proof can be made in advance. They are
 * computed from the time and a secret: nothing is stored, and replicas with the same secret accept each other's.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

export type Nonces = ReturnType<typeof createNonces>

/** A nonce is valid in the period in which it was given, and in the next one. */
const slotMs = 300_000

/** `secret` is shared by all replicas; by default it is random and belongs to this process. */
export function createNonces(secret: string | undefined, now: () => number) {
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
    // A nonce is public, so comparing it reveals nothing.
    isGood: (nonce: unknown): boolean => nonce === nonceOf(slot()) || nonce === nonceOf(slot() - 1),
  }
}
