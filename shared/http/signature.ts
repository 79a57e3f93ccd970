/**
 * Authenticates a gateway to a subgraph service: `Tessera-Signature: t=<unix ms>,n=<nonce>,v2=<hmac>`, an HMAC-SHA256
 * over everything that the service uses: time, nonce, method, path, audience (the subgraph's name), the caller's
 * forwarded headers, and the body. A signed request is valid for one subgraph and path, and no proxy can exchange the
 * caller's token or credential.
 *
 * The nonce is the random name of the sending process and a counter. It distinguishes equal requests of the same
 * moment, and one bit for each number records what was accepted. Other routers send the static secret instead, in
 * `Router-Authorization: Bearer <secret>`. Comparisons take constant time.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { getOrInsert } from '../runtime/maps.ts'
import { createSha256Hmac, type Hmac } from './hmac.ts'
import { ReplayWindow } from './replay-window.ts'

export const signatureHeader = 'tessera-signature'
export const routerHeader = 'router-authorization'

/** The most difference between a signature's time and ours, in either direction. */
const signatureWindowMs = 60_000

/** A request as it is signed and verified. */
export interface SignedRequest {
  readonly method: string
  /** The path of the request line, with its query. */
  readonly path: string
  /** The name of the subgraph that the request is for. */
  readonly audience: string
  /** A header of the request, by its lower-case name. */
  header(name: string): string | undefined
  /** Empty if the body is a stream. */
  readonly body: string | Buffer
}

/** The names for the last audience. A process signs for few audiences and verifies for one. */
let lastAudience: { readonly name: string; readonly headers: readonly string[] } | undefined

function namesFor(audience: string): readonly string[] {
  if (lastAudience?.name !== audience) lastAudience = { name: audience, headers: forwardedHeaders(audience) }
  return lastAudience.headers
}

/** The caller's headers that a subgraph receives: the token, and the credential for its service. */
export function forwardedHeaders(audience: string): readonly [token: string, credential: string] {
  return ['authorization', `x-${audience.toLowerCase()}-authorization`]
}

function digest(hmac: Hmac, time: string, nonce: string, request: SignedRequest): string {
  const { method, path, audience, body } = request
  // One line for each value. No value can contain a line break.
  let head = `v2\n${time}\n${nonce}\n${method}\n${path}\n${audience}\n`
  for (const name of namesFor(audience)) {
    const value = request.header(name)
    head += value === undefined ? `${name}\n` : `${name}:${value}\n`
  }
  return hmac(head, body)
}

/** Compares texts of equal length in constant time. */
function equal(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Does not reveal the length either. */
function equalSecret(a: string, b: string): boolean {
  return equal(hash('sha256', a, 'hex'), hash('sha256', b, 'hex'))
}

/** The unique name of this process. */
const sender = randomBytes(12).toString('base64url')
let signatures = 0

/** Makes the value of the `Tessera-Signature` header of a request. */
export function createSigner(secret: string): (request: SignedRequest, now?: number) => string {
  const hmac = createSha256Hmac(secret)
  return (request, now = Date.now()) => {
    const time = String(now)
    signatures += 1
    const nonce = `${sender}.${signatures}`
    return `t=${time},n=${nonce},v2=${digest(hmac, time, nonce, request)}`
  }
}

const form = /^t=(\d{1,16}),n=(([A-Za-z0-9_-]{16})\.([1-9]\d{0,14})),v2=([A-Za-z0-9_-]{43})$/

interface Sender {
  readonly taken: ReplayWindow
  lastAt: number
}

/** Verifies requests by either header, and accepts each signature once. */
export function createVerifier(
  secret: string,
  options: { now?: () => number; windowMs?: number } = {},
): (request: SignedRequest) => boolean {
  const { now = Date.now, windowMs = signatureWindowMs } = options
  const hmac = createSha256Hmac(secret)
  const senders = new Map<string, Sender>()

  const senderOf = (name: string): Sender => {
    const known = getOrInsert(senders, name, () => {
      // Signatures of these senders are outside of the time window.
      for (const [other, { lastAt }] of senders) if (lastAt < now() - 2 * windowMs) senders.delete(other)
      return { taken: new ReplayWindow(), lastAt: 0 }
    })
    known.lastAt = now()
    return known
  }

  return (request) => {
    const signature = request.header(signatureHeader)
    const router = request.header(routerHeader)
    if (signature !== undefined) {
      const [, time, nonce, name, number, mac] = form.exec(signature) ?? []
      if (time === undefined || nonce === undefined || name === undefined || mac === undefined) return false
      if (Math.abs(now() - Number(time)) > windowMs) return false
      return equal(mac, digest(hmac, time, nonce, request)) && senderOf(name).taken.take(Number(number))
    }
    if (router !== undefined) return /^bearer /i.test(router) && equalSecret(router.slice(7), secret)
    return false
  }
}
