/**
 * HMAC-SHA256 of many short texts with one key. Two calls of `crypto.hash` over prepared pads are cheaper than
 * `createHmac`, which creates a native object for each text.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

/** The base64url of the HMAC of `head`, as UTF-8, followed by `body`. */
export type Hmac = (head: string, body: string | Buffer) => string

const blockBytes = 64
const digestBytes = 32
const innerPad = 0x36
const outerPad = 0x5c

/** Longer texts are hashed in chunks. */
const scratchBytes = 32 * 1024
const scratch = Buffer.allocUnsafeSlow(scratchBytes)

export function createSha256Hmac(secret: string): Hmac {
  const key = createSecretKey(secret, 'utf8')
  const inner = padded(secret, innerPad)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  padded(secret, outerPad).copy(outer)

  return (head, body) => {
    // A UTF-16 code unit takes at most three bytes.
    const bodyBytes = typeof body === 'string' ? body.length * 3 : body.length
    if (blockBytes + head.length * 3 + bodyBytes > scratchBytes) return long(key, head, body)
    inner.copy(scratch)
    let end = blockBytes + scratch.write(head, blockBytes)
    end += typeof body === 'string' ? scratch.write(body, end) : body.copy(scratch, end)
    outer.write(hash('sha256', scratch.subarray(0, end), 'binary'), blockBytes, 'latin1')
    return hash('sha256', outer, 'base64url')
  }
}

function padded(secret: string, pad: number): Buffer {
  const bytes = Buffer.from(secret)
  const key = bytes.length > blockBytes ? hash('sha256', bytes, 'buffer') : bytes
  const block = Buffer.alloc(blockBytes, pad)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}

function long(key: KeyObject, head: string, body: string | Buffer): string {
  return createHmac('sha256', key).update(head).update(body).digest('base64url')
}
