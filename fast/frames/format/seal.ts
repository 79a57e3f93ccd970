/**
 * Seals of the frames that a gateway sends: an HMAC over those of one write, with a key of the connection alone. Who
 * stands between gateway and service can neither change a caller's headers or variables, nor repeat, leave out or
 * reorder frames.
 *
 * The key is made of the shared secret, the gateway's signature of the upgrade and the service's nonce: it is another
 * one for each connection, which only holders of the secret have.
 */
import { timingSafeEqual } from 'node:crypto'
import { createSha256Hmac, type Hmac } from '../../../shared/http/hmac.ts'
import { framesProtocol, sealBytes } from './protocol.ts'

/** The seals of one direction of one connection, each for the next sealed frames, with their head. */
export type Seal = (frames: Buffer) => string

/** Makes the seals of a connection from the signature and the nonce of its upgrade. */
export type Sealing = (signature: string, nonce: string) => Seal

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

/** Whether sealed frames end with their seal; takes the same time whatever is wrong. */
export function isSealed(frames: Buffer, seal: Seal): boolean {
  const end = frames.length - sealBytes
  if (end < 0) return false
  const expected = Buffer.from(seal(frames.subarray(0, end)), 'latin1')
  return timingSafeEqual(expected, frames.subarray(end))
}
