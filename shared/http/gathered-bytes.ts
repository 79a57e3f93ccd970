/**
 * Gathers the chunks of a body. An HTTP parser passes each chunk as an object that takes some hundred bytes. A list
 * of chunks of one byte would take hundreds of times the length of the body. Here chunks are copied into blocks,
 * which take at most about twice the length.
 */

/** The size of the first block. Each further one is half as long as everything before it, up to the largest. */
const leastBlockBytes = 1024
const mostBlockBytes = 64 * 1024
/** A chunk of this length has little overhead and is kept unchanged. */
const wholePieceBytes = 16 * 1024
/** The most unused memory of a first chunk that is kept unchanged. */
const slackBytes = 4 * 1024

const noBytes = Buffer.alloc(0)

export class GatheredBytes {
  readonly #mostBytes: number
  /** The blocks before the last one. Usually there are none. */
  #blocks: Buffer[] | undefined
  /** The current block, filled up to `#used`. */
  #last: Buffer = noBytes
  #used = 0
  #length = 0
  #held = 0

  /** At most `mostBytes` are gathered. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get length(): number {
    return this.#length
  }

  /** The bytes of memory that are used. */
  get held(): number {
    return this.#held
  }

  /** Returns false if the body exceeds its bound: then everything is dropped. */
  add(piece: Buffer): boolean {
    if (this.#length + piece.length > this.#mostBytes) {
      this.clear()
      return false
    }
    if (piece.length === 0) return true
    if (isKeptWhole(piece, this.#length === 0)) this.#append(piece, piece.length, piece.buffer.byteLength)
    else this.#copy(piece)
    this.#length += piece.length
    return true
  }

  /** Returns the whole body and keeps nothing of it. */
  take(): Buffer {
    let whole = this.#filled()
    if (this.#blocks !== undefined) {
      this.#blocks.push(whole)
      whole = Buffer.concat(this.#blocks, this.#length)
    }
    this.clear()
    return whole
  }

  clear(): void {
    this.#blocks = undefined
    this.#last = noBytes
    this.#used = 0
    this.#length = 0
    this.#held = 0
  }

  #copy(piece: Buffer): void {
    const room = Math.min(piece.length, this.#last.length - this.#used)
    if (room > 0) {
      this.#last.set(room === piece.length ? piece : piece.subarray(0, room), this.#used)
      this.#used += room
    }
    const rest = piece.length - room
    if (rest === 0) return
    const wanted = Math.max(leastBlockBytes, Math.ceil(this.#length / 2))
    const bytes = Math.max(rest, Math.min(mostBlockBytes, wanted))
    const block = Buffer.allocUnsafeSlow(bytes)
    block.set(room === 0 ? piece : piece.subarray(room))
    this.#append(block, rest, bytes)
  }

  #append(block: Buffer, used: number, held: number): void {
    if (this.#used > 0) {
      this.#blocks ??= []
      this.#blocks.push(this.#filled())
    }
    this.#last = block
    this.#used = used
    this.#held += held
  }

  #filled(): Buffer {
    return this.#used === this.#last.length ? this.#last : this.#last.subarray(0, this.#used)
  }
}

/** Whether a chunk is kept unchanged. The first one is usually the only one. */
function isKeptWhole({ length, buffer }: Buffer, isFirst: boolean): boolean {
  if (!isFirst && length < wholePieceBytes) return false
  return buffer.byteLength - length <= (isFirst ? slackBytes : length / 4)
}

/** Undefined if it has more than `mostBytes`. Leaving the loop destroys the stream and its connection. */
export async function gatherWithin(
  body: AsyncIterable<Buffer>,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const gathered = new GatheredBytes(mostBytes)
  for await (const piece of body) if (!gathered.add(piece)) return undefined
  return gathered.take()
}
