/**
 * Takes the frames out of the bytes of a connection, in whatever pieces these come. It holds one frame that is not whole
 * yet at most, whose length is bounded. Who reads the parts of bodies gets their bytes as they come, without a copy.
 */
import {
  type FrameType,
  frameTypes,
  headBytes,
  mostPayloadBytes,
  mostSealedBytes,
  sealBytes,
} from './protocol.ts'

/** `frame` are all of its bytes, with head and payload. */
export type TakeFrame = (type: FrameType, exchange: number, frame: Buffer) => void
/** `bytes` are what has come of the payload of a data frame. */
export type TakeData = (exchange: number, bytes: Buffer) => void

const lastType = Math.max(...Object.values(frameTypes))

/** Hands each of the frames in sealed ones to `take`, until it returns false. False where these are no frames. */
export function readSealed(sealed: Buffer, take: (...frame: Parameters<TakeFrame>) => boolean): boolean {
  const last = sealed.length - sealBytes
  let at = headBytes
  while (last - at >= headBytes) {
    const end = at + headBytes + sealed.readUInt32BE(at)
    const type = sealed[at + 4] ?? 0
    if (end > last || type === 0 || type >= frameTypes.sealed) return false
    if (!take(type as FrameType, sealed.readUInt32BE(at + 5), sealed.subarray(at, end))) return true
    at = end
  }
  return at === last
}

export class FrameReader {
  readonly #take: TakeFrame
  readonly #takeData: TakeData | undefined
  /** What is still to come of the payload of a data frame, and its exchange. */
  #dataLeft = 0
  #dataExchange = 0
  /** Of one frame that is not whole, with what is missing of it; `needed` is that of its head until this is here. */
  #pieces: Buffer[] = []
  #held = 0
  #needed = headBytes
  #stopped = false

  /** Data frames go to `takeData` where it is given. */
  constructor(take: TakeFrame, takeData?: TakeData) {
    this.#take = take
    this.#takeData = takeData
  }

  /** Bytes that are kept of a frame that is not whole. */
  get held(): number {
    return this.#held
  }

  /** The number of the exchange whose frame is not whole; undefined where that is not known. */
  get unfinished(): number | undefined {
    if (this.#dataLeft > 0) return this.#dataExchange
    if (this.#held < headBytes) return undefined
    return Buffer.concat(this.#pieces).readUInt32BE(5)
  }

  /** What comes from now on is dropped. */
  stop(): void {
    this.#stopped = true
    this.#pieces = []
    this.#held = 0
    this.#dataLeft = 0
  }

  /** Hands each frame that is whole to `take`. False where these are no frames: the connection is of no use then. */
  push(chunk: Buffer): boolean {
    if (this.#stopped) return true
    let bytes = chunk
    let at = this.#readData(bytes, 0)
    if (this.#stopped) return true
    if (this.#held > 0) {
      this.#pieces.push(chunk)
      this.#held += chunk.length
      if (this.#held < this.#needed) return true
      bytes = Buffer.concat(this.#pieces, this.#held)
      this.#pieces = []
      this.#held = 0
    }
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUInt32BE(at)
      const type = bytes[at + 4] ?? 0
      const most = type === frameTypes.sealed ? mostSealedBytes : mostPayloadBytes
      if (length > most || type === 0 || type > lastType) return false
      const exchange = bytes.readUInt32BE(at + 5)
      const end = at + headBytes + length
      if (type === frameTypes.data && this.#takeData !== undefined) {
        this.#dataLeft = length
        this.#dataExchange = exchange
        at = this.#readData(bytes, at + headBytes)
      } else if (end > bytes.length) {
        this.#needed = headBytes + length
        break
      } else {
        this.#take(type as FrameType, exchange, bytes.subarray(at, end))
        at = end
      }
      if (this.#stopped) return true
    }
    const rest = bytes.length - at
    if (rest > 0) {
      if (rest < headBytes) this.#needed = headBytes
      this.#pieces.push(at === 0 ? bytes : bytes.subarray(at))
      this.#held = rest
    }
    return true
  }

  /** Hands on what there is of the payload of a data frame. Returns where it ends. */
  #readData(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#dataLeft)
    if (end === from) return from
    this.#dataLeft -= end - from
    this.#takeData?.(this.#dataExchange, bytes.subarray(from, end))
    return end
  }
}
