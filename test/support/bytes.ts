/** Bytes that can be made again from any offset, for uploads too large to be held. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

const block = 65_536

/** The byte at `offset` is a function of the offset alone. */
function blockAt(index: number): Buffer {
  const bytes = Buffer.allocUnsafe(block)
  let state = (index * 2_654_435_761 + 1) >>> 0
  for (let i = 0; i < block; i += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, i)
  }
  return bytes
}

function* blocks(from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const index = Math.floor(at / block)
    const start = at - index * block
    const end = Math.min(block, start + (to - at))
    yield blockAt(index).subarray(start, end)
    at += end - start
  }
}

export function bytesFrom(from: number, to: number): Readable {
  return Readable.from(blocks(from, to))
}

export function sha256Of(total: number): string {
  const digest = createHash('sha256')
  for (const part of blocks(0, total)) digest.update(part)
  return digest.digest('hex')
}
