/**
 * The seals of the frames that a gateway sends: an HMAC over the frames of one write, with a key of this connection
 * only. Somebody between gateway and service can neither change a caller's headers or variables, nor repeat, omit
 * or reorder frames.
 *
 * The key is made from the shared secret, the gateway's signature of the upgrade and the service's nonce. So each
 * connection has another one, which only holders of the secret can compute.
 */
import { timingSafeEqual } from 'node:crypto'
import { createSha256Hmac, type Hmac } from '../../../shared/http/hmac.ts'
import { framesProtocol, sealBytes } from './protocol.ts'

/** Computes the seals of one direction of one connection. Each call seals the next frames, head included. */
export type Seal = (frames: Buffer) => string

/** Makes the seals of a connection from the signature and the nonce of its upgrade. */
type Sealing = (signature: string, nonce: string) => Seal

export function createSealing(secret: string): Sealing {
  const derive: Hmac = createSha256Hmac(secret)
  return (signature, nonce) => {
    const hmac = createSha256Hmac(derive(`${framesProtocol}\n${signature}\n${nonce}`, ''))
    let count = 0
    return (frames) => {
      count += 1
      return hmac(`${count}\n`, frames).slice(0, sealBytes)
    }
  }
}

/** Whether sealed frames end with the right seal. It takes the same time wherever they differ. */
export function isSealed(frames: Buffer, seal: Seal): boolean {
  const end = frames.length - sealBytes
  if (end < 0) return false
  const expected = Buffer.from(seal(frames.subarray(0, end)), 'latin1')
  return timingSafeEqual(expected, frames.subarray(end))
}
