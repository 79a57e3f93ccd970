/**
 * Decodes compressed bodies in the thread pool. The number of decoders is limited, because each holds a window and
 * its output. Other bodies wait in a bounded queue. Output beyond its bound is not kept.
 */
import type { Transform } from 'node:stream'
import { type Coding, createDecoder } from './codings.ts'
import { mostWindowBytes, windowBytesOf } from './compression-window.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** 'window': the window is too large. 'busy': too many bodies wait, or too much memory would be held. */
export type NotDecoded = 'too-large' | 'garbled' | 'window' | 'busy'

export interface DecodingOptions {
  /** The most bytes of output. */
  readonly maxBytes: number
  /**
   * Receives the bytes that the decoding holds in addition to the compressed body. Returns false if that is too much.
   * Nothing is held after the decoding is done or stopped.
   */
  readonly hold?: ((bytes: number) => boolean) | undefined
}

export interface DecodersOptions {
  readonly atOnce: number
  readonly mostWaiting: number
  /** Each chunk costs a turn in the thread pool. */
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

  /** The bytes of the decoder and of its output. */
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

  /** The bytes of decoders, of their output, and of waiting bodies. */
  get held(): number {
    let sum = 0
    for (const one of this.#running) sum += one.bytes.length + one.held
    for (const one of this.#waiting) sum += one.bytes.length
    return sum
  }

  /**
   * Passes the complete output, or the reason why there is none, to `done`, possibly synchronously. The returned
   * function stops the decoding: `done` is not called after that.
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

  /** Returns false if it was over already. */
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

/** For request bodies. As many decode at a time as the thread pool has threads. */
export const requestDecoders = new Decoders({ atOnce: 4, mostWaiting: 100, chunkBytes: 64 * 1024 })

/** For responses of services and subgraphs. Separate, so that request bodies do not delay them. */
export const answerDecoders = new Decoders({ atOnce: 4, mostWaiting: 1000, chunkBytes: 256 * 1024 })
