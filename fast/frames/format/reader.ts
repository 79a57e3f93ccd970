/**
 * Takes the frames out of the bytes of a connection, in whatever pieces these come. It holds one frame that is not whole
 * yet at most, whose length is bounded, and copies no other bytes. Who reads the parts of bodies gets their bytes as they
 * come.
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

/** Hands each of the frames in sealed ones to `take`, until it returns false. False if these are no frames. */
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
  /** A frame that is not whole: its head, until that is whole, then all of it; and how much of it is here. */
  readonly #head = Buffer.alloc(headBytes)
  #frame: Buffer | undefined
  #held = 0
  #stopped = false

  /** Data frames go to `takeData` if it is given. */
  constructor(take: TakeFrame, takeData?: TakeData) {
    this.#take = take
    this.#takeData = takeData
  }

  /** Bytes that are kept of a frame that is not whole. */
  get held(): number {
    return this.#held
  }

  /** The number of the exchange whose frame is not whole; undefined if that is not known. */
  get unfinished(): number | undefined {
    if (this.#dataLeft > 0) return this.#dataExchange
    return this.#frame?.readUInt32BE(5)
  }

  /** What comes from now on is dropped. */
  stop(): void {
    this.#stopped = true
    this.#frame = undefined
    this.#held = 0
    this.#dataLeft = 0
  }

  /** Hands each frame that is whole to `take`. False if these are no frames: the connection is of no use then. */
  push(bytes: Buffer): boolean {
    let at = this.#readData(bytes, 0)
    while (at < bytes.length && !this.#stopped) {
      const next = this.#held > 0 ? this.#readOn(bytes, at) : this.#read(bytes, at)
      if (next === undefined) return false
      at = next
    }
    return true
  }

  /** The frame that begins at `at`; where what follows begins. Undefined if it is none. */
  #read(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < headBytes) return this.#hold(this.#head, bytes, at)
    const end = endIn(bytes, at)
    if (end === undefined) return undefined
    const type = bytes[at + 4] as FrameType
    const exchange = bytes.readUInt32BE(at + 5)
    if (type === frameTypes.data && this.#takeData !== undefined) {
      this.#dataLeft = end - at - headBytes
      this.#dataExchange = exchange
      return this.#readData(bytes, at + headBytes)
    }
    if (end > bytes.length) {
      this.#frame = Buffer.allocUnsafeSlow(end - at)
      return this.#hold(this.#frame, bytes, at)
    }
    this.#take(type, exchange, bytes.subarray(at, end))
    return end
  }

  /** What follows of the frame that is not whole. No other bytes are copied. */
  #readOn(bytes: Buffer, from: number): number | undefined {
    let at = from
    if (this.#frame === undefined) {
      at = this.#hold(this.#head, bytes, at)
      if (this.#held < headBytes) return at
      // It goes on as if its head had come with what follows it.
      this.#held = 0
      if (this.#read(this.#head, 0) === undefined) return undefined
      if (this.#frame === undefined) return this.#readData(bytes, at)
    }
    at = this.#hold(this.#frame, bytes, at)
    if (this.#held < this.#frame.length) return at
    const frame = this.#frame
    this.#frame = undefined
    this.#held = 0
    this.#take(frame[4] as FrameType, frame.readUInt32BE(5), frame)
    return at
  }

  /** Keeps as much as there is room for; where the rest begins. */
  #hold(into: Buffer, bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + into.length - this.#held)
    into.set(bytes.subarray(at, end), this.#held)
    this.#held += end - at
    return end
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

/** Where the frame at `at`, whose head is whole, ends. Undefined if this is no head. */
function endIn(bytes: Buffer, at: number): number | undefined {
  const length = bytes.readUInt32BE(at)
  const type = bytes[at + 4] ?? 0
  const most = type === frameTypes.sealed ? mostSealedBytes : mostPayloadBytes
  return length > most || type === 0 || type > lastType ? undefined : at + headBytes + length
}
