/**
 * How a gateway proves itself to a subgraph service: `Tessera-Signature: t=<unix ms>,n=<nonce>,v1=<hmac>`, an
 * HMAC-SHA256 over the time, the nonce and the body. The nonce is the sender's name, made at random when its
 * process began, and a number that it counts up: it keeps two equal requests of the same moment apart, and what
 * was taken already is remembered with a bit each. Another router sends the static secret instead, in
 * `Router-Authorization: Bearer <secret>`. Comparison takes the same time whatever is wrong.
 */
import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { SeenNumbers } from './seen-numbers.ts'

export const signatureHeader = 'tessera-signature'
export const routerHeader = 'router-authorization'

/** How far a signature's time may be from ours, either way. */
export const signatureWindowMs = 60_000

/** Read once: to read the secret again for each signature costs a microsecond. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8')
}

function digest(key: KeyObject, time: string, nonce: string, body: string | Buffer): string {
  return createHmac('sha256', key).update(`${time}.${nonce}.`).update(body).digest('base64url')
}

/** Of texts of one length. */
function equal(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Tells nothing of the length either. */
function equalSecret(a: string, b: string): boolean {
  return equal(hash('sha256', a, 'hex'), hash('sha256', b, 'hex'))
}

/** No other process has this name. */
const sender = randomBytes(12).toString('base64url')
let signatures = 0

/** Answers the `Tessera-Signature` header of a body. */
export function createSigner(secret: string): (body: string | Buffer, now?: number) => string {
  const key = keyOf(secret)
  return (body, now = Date.now()) => {
    const time = String(now)
    signatures += 1
    const nonce = `${sender}.${signatures}`
    return `t=${time},n=${nonce},v1=${digest(key, time, nonce, body)}`
  }
}

export interface Proof {
  /** The `Tessera-Signature` header. */
  readonly signature: string | undefined
  /** The `Router-Authorization` header. */
  readonly router: string | undefined
  readonly body: string | Buffer
}

const form = /^t=(\d{1,16}),n=(([A-Za-z0-9_-]{16})\.([1-9]\d{0,14})),v1=([A-Za-z0-9_-]{43})$/

interface Sender {
  readonly taken: SeenNumbers
  lastAt: number
}

/** Checks proofs, and takes no signature twice. */
export function createVerifier(
  secret: string,
  options: { now?: () => number; windowMs?: number } = {},
): (proof: Proof) => boolean {
  const { now = Date.now, windowMs = signatureWindowMs } = options
  const key = keyOf(secret)
  const senders = new Map<string, Sender>()

  const senderOf = (name: string): Sender => {
    let known = senders.get(name)
    if (known === undefined) {
      // Whatever those had signed is out of the window.
      for (const [other, { lastAt }] of senders) if (lastAt < now() - 2 * windowMs) senders.delete(other)
      known = { taken: new SeenNumbers(), lastAt: 0 }
      senders.set(name, known)
    }
    known.lastAt = now()
    return known
  }

  return ({ signature, router, body }) => {
    if (signature !== undefined) {
      const [, time, nonce, name, number, mac] = form.exec(signature) ?? []
      if (time === undefined || nonce === undefined || name === undefined || mac === undefined) return false
      if (Math.abs(now() - Number(time)) > windowMs) return false
      return equal(mac, digest(key, time, nonce, body)) && senderOf(name).taken.take(Number(number))
    }
    if (router !== undefined) return router.startsWith('Bearer ') && equalSecret(router.slice(7), secret)
    return false
  }
}
