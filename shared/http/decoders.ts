/**
 * Decodes compressed bodies outside of the event loop's thread: few at a time, as each decoder holds a window beside what
 * comes out of it, and the rest in a bounded queue. Nothing is held of what comes out beyond its bound.
 */
import type { Transform } from 'node:stream'
import { type Coding, createDecoder } from './codings.ts'
import { mostWindowBytes, windowBytesOf } from './compression-window.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** 'window': it was compressed with too large a window; 'busy': too many wait, or too much would be held. */
export type NotDecoded = 'too-large' | 'garbled' | 'window' | 'busy'

export interface DecodingOptions {
  /** The most bytes that may come out. */
  readonly maxBytes: number
  /**
   * Is told how many bytes the decoding holds by now, beside the compressed body; false if that is too much. Nothing is
   * held any more when the decoding is done or stopped.
   */
  readonly hold?: ((bytes: number) => boolean) | undefined
}

export interface DecodersOptions {
  readonly atOnce: number
  readonly mostWaiting: number
  /** Each piece costs a turn through the thread pool. */
  readonly chunkBytes: number
}

class Decoding {
  readonly bytes: Buffer
  readonly coding: Coding
  readonly options: DecodingOptions
  readonly done: (result: Buffer | NotDecoded) => void
  readonly windowBytes: number
  readonly #gathered: GatheredBytes
  #decoder: Transform | undefined

  constructor(
    bytes: Buffer,
    coding: Coding,
    options: DecodingOptions,
    done: (result: Buffer | NotDecoded) => void,
  ) {
    this.bytes = bytes
    this.coding = coding
    this.options = options
    this.done = done
    this.windowBytes = windowBytesOf(bytes, coding)
    this.#gathered = new GatheredBytes(options.maxBytes)
  }

  /** Of the decoder and of what came out. */
  get held(): number {
    return this.#decoder === undefined ? 0 : this.windowBytes + this.#gathered.held
  }

  begin(chunkBytes: number, end: (result: Buffer | NotDecoded) => void): void {
    const decoder = createDecoder(this.coding, chunkBytes)
    this.#decoder = decoder
    if (!this.#mayHold()) {
      end('busy')
      return
    }
    decoder.on('data', (piece: Buffer) => {
      if (this.#decoder === undefined) return
      if (!this.#gathered.add(piece)) end('too-large')
      else if (!this.#mayHold()) end('busy')
    })
    decoder.once('end', () => end(this.#gathered.take()))
    decoder.on('error', () => end('garbled'))
    decoder.end(this.bytes)
  }

  stop(): void {
    this.#decoder?.destroy()
    this.#decoder = undefined
    this.#gathered.clear()
  }

  #mayHold(): boolean {
    return this.options.hold?.(this.held) !== false
  }
}

export class Decoders {
  readonly #options: DecodersOptions
  readonly #running = new Set<Decoding>()
  readonly #waiting = new Set<Decoding>()

  constructor(options: DecodersOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running.size
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** The bytes that are held by decoders, by what came out of them, and by bodies that wait for one. */
  get held(): number {
    let sum = 0
    for (const one of this.#running) sum += one.bytes.length + one.held
    for (const one of this.#waiting) sum += one.bytes.length
    return sum
  }

  /**
   * Passes to `done` the whole of what comes out, or why there is none, which may be within this very call. The function
   * that is returned stops it: `done` is not called after that.
   */
  decode(
    bytes: Buffer,
    coding: Coding,
    options: DecodingOptions,
    done: (result: Buffer | NotDecoded) => void,
  ): () => void {
    const one = new Decoding(bytes, coding, options, done)
    if (one.windowBytes > mostWindowBytes) done('window')
    else if (this.#running.size < this.#options.atOnce) this.#begin(one)
    else if (this.#waiting.size < this.#options.mostWaiting) this.#waiting.add(one)
    else done('busy')
    return () => {
      if (!this.#waiting.delete(one)) this.#over(one)
    }
  }

  #begin(one: Decoding): void {
    this.#running.add(one)
    one.begin(this.#options.chunkBytes, (result) => {
      if (this.#over(one)) one.done(result)
    })
  }

  /** False if it was over before. */
  #over(one: Decoding): boolean {
    if (!this.#running.delete(one)) return false
    one.stop()
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      this.#begin(next)
    }
    return true
  }
}

/** For the bodies of requests. As many decode at once as the thread pool has threads. */
export const requestDecoders = new Decoders({ atOnce: 4, mostWaiting: 100, chunkBytes: 64 * 1024 })

/** For what services and subgraphs answer: apart, so that no client's bodies hold up answers. */
export const answerDecoders = new Decoders({ atOnce: 4, mostWaiting: 1000, chunkBytes: 256 * 1024 })
