/**
 * How a gateway proves itself to a subgraph service: `Tessera-Signature: t=<unix ms>,n=<nonce>,v1=<hmac>`, an
 * HMAC-SHA256 over the time, the nonce and the body. The nonce keeps two equal requests of the same moment apart.
 * Another router sends the static secret instead, in `Router-Authorization: Bearer <secret>`. Comparison takes the
 * same time whatever is wrong.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export const signatureHeader = 'tessera-signature'
export const routerHeader = 'router-authorization'

/** How far a signature's time may be from ours, either way. */
export const signatureWindowMs = 60_000

function digest(secret: string, time: string, nonce: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(`${time}.${nonce}.`).update(body).digest('base64url')
}

/** Of texts of one length. */
function equal(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Tells nothing of the length either. */
function equalSecret(a: string, b: string): boolean {
  return equal(hash('sha256', a, 'hex'), hash('sha256', b, 'hex'))
}

/** No other process begins its nonces like this one; what follows is counted. */
const nonceStart = randomBytes(9).toString('base64url')
let nonces = 0

export function sign(secret: string, body: string | Buffer, now = Date.now()): string {
  const time = String(now)
  nonces += 1
  const nonce = `${nonceStart}${nonces.toString(36)}`
  return `t=${time},n=${nonce},v1=${digest(secret, time, nonce, body)}`
}

export interface Proof {
  /** The `Tessera-Signature` header. */
  readonly signature: string | undefined
  /** The `Router-Authorization` header. */
  readonly router: string | undefined
  readonly body: string | Buffer
}

/** Checks proofs and remembers the signatures of the last window, so that none is taken twice. */
export function createVerifier(
  secret: string,
  options: { now?: () => number; windowMs?: number } = {},
): (proof: Proof) => boolean {
  const { now = Date.now, windowMs = signatureWindowMs } = options
  const seen = new Map<string, number>()

  const fresh = (signature: string, time: number): boolean => {
    for (const [old, at] of seen) {
      if (at > now() - 2 * windowMs) break
      seen.delete(old)
    }
    if (seen.has(signature)) return false
    seen.set(signature, time)
    return true
  }

  return ({ signature, router, body }) => {
    if (signature !== undefined) {
      const parts = /^t=(\d{1,16}),n=([A-Za-z0-9_-]{8,64}),v1=([A-Za-z0-9_-]{43})$/.exec(signature)
      const [, time, nonce, mac] = parts ?? []
      if (time === undefined || nonce === undefined || mac === undefined) return false
      if (Math.abs(now() - Number(time)) > windowMs) return false
      return equal(mac, digest(secret, time, nonce, body)) && fresh(mac, now())
    }
    if (router !== undefined) return router.startsWith('Bearer ') && equalSecret(router.slice(7), secret)
    return false
  }
}
