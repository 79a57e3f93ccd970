/**
 * Splits the bytes of a connection into frames, whatever the pieces in which they arrive. It keeps at most one
 * incomplete frame of bounded length, and copies no other bytes. With `takeData`, parts of bodies are passed on as
 * they arrive.
 */
import {
  type FrameType,
  frameTypes,
  headBytes,
  mostPayloadBytes,
  mostSealedBytes,
  sealBytes,
} from './protocol.ts'

/** `frame` contains head and payload. */
type TakeFrame = (type: FrameType, exchange: number, frame: Buffer) => void
/** `bytes` are a piece of the payload of a data frame. */
type TakeData = (exchange: number, bytes: Buffer) => void

const lastType = Math.max(...Object.values(frameTypes))

/**
 * Passes each frame within a sealed one to `take`, until that returns false. Returns false if they are not valid
 * frames.
 */
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
  /** How much of a data frame's payload is still to come, and its exchange. */
  #dataLeft = 0
  #dataExchange = 0
  /** An incomplete frame: first its head, then all of it, and how many bytes of it are here. */
  readonly #head = Buffer.alloc(headBytes)
  #frame: Buffer | undefined
  #held = 0
  #stopped = false

  /** Data frames go to `takeData` if it is given. */
  constructor(take: TakeFrame, takeData?: TakeData) {
    this.#take = take
    this.#takeData = takeData
  }

  /** How many bytes of an incomplete frame are kept. */
  get held(): number {
    return this.#held
  }

  /** The exchange of the incomplete frame; undefined if that is not known. */
  get unfinished(): number | undefined {
    if (this.#dataLeft > 0) return this.#dataExchange
    return this.#frame?.readUInt32BE(5)
  }

  /** Drops everything that arrives from now on. */
  stop(): void {
    this.#stopped = true
    this.#frame = undefined
    this.#held = 0
    this.#dataLeft = 0
  }

  /**
   * Passes each complete frame to `take`. Returns false if they are not valid frames, and the connection must then
   * be closed.
   */
  push(bytes: Buffer): boolean {
    let at = this.#readData(bytes, 0)
    while (at < bytes.length && !this.#stopped) {
      const next = this.#held > 0 ? this.#readOn(bytes, at) : this.#read(bytes, at)
      if (next === undefined) return false
      at = next
    }
    return true
  }

  /** Reads the frame that begins at `at`. Returns where the next one begins; undefined if it is not valid. */
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

  /** Completes the incomplete frame. No other bytes are copied. */
  #readOn(bytes: Buffer, from: number): number | undefined {
    let at = from
    if (this.#frame === undefined) {
      at = this.#hold(this.#head, bytes, at)
      if (this.#held < headBytes) return at
      // Continues as if the head had come together with what follows.
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

  /** Copies as much as there is room for. Returns where the rest begins. */
  #hold(into: Buffer, bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + into.length - this.#held)
    into.set(bytes.subarray(at, end), this.#held)
    this.#held += end - at
    return end
  }

  /** Passes on what has arrived of a data frame's payload. Returns where it ends. */
  #readData(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#dataLeft)
    if (end === from) return from
    this.#dataLeft -= end - from
    this.#takeData?.(this.#dataExchange, bytes.subarray(from, end))
    return end
  }
}

/** Where the frame at `at` ends, whose head is complete; undefined if the head is not valid. */
function endIn(bytes: Buffer, at: number): number | undefined {
  const length = bytes.readUInt32BE(at)
  const type = bytes[at + 4] ?? 0
  const most = type === frameTypes.sealed ? mostSealedBytes : mostPayloadBytes
  return length > most || type === 0 || type > lastType ? undefined : at + headBytes + length
}
