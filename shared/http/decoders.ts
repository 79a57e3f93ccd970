/**
 * Decodes compressed bodies in the thread pool. The number of decoders is limited, because each holds a window and
 * its output. Other bodies wait in a bounded queue. Output beyond its bound is not kept.
 */
import type { Transform } from 'node:stream'
import { type Cancellation, notCancelled } from './cancellation.ts'
import { type Coding, createDecoder } from './codings.ts'
import { mostWindowBytes, windowBytesOf } from './compression-window.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** 'window': the window is too large. 'busy': too many bodies wait, or too much memory would be held. */
export type NotDecoded = 'too-large' | 'garbled' | 'window' | 'busy'

interface DecodingOptions {
  /** The most bytes of output. */
  readonly maxBytes: number
  /**
   * Receives the bytes that the decoding holds in addition to the compressed body. Returns false if that is too much.
   * It is not called after the decoding has ended or was cancelled.
   */
  readonly hold?: ((bytes: number) => boolean) | undefined
}

interface DecodersOptions {
  readonly atOnce: number
  readonly mostWaiting: number
  /** Each chunk costs a turn in the thread pool. */
  readonly chunkBytes: number
}

/** The complete output, or the reason why there is none. After a cancellation the result says nothing. */
type Decode = (
  bytes: Buffer,
  coding: Coding,
  options: DecodingOptions,
  cancellation?: Cancellation,
) => Promise<Buffer | NotDecoded>

export function createDecode({ atOnce, mostWaiting, chunkBytes }: DecodersOptions): Decode {
  const turns = createConcurrencyLimit(atOnce, mostWaiting)
  return async (bytes, coding, options, cancellation = notCancelled) => {
    const windowBytes = windowBytesOf(bytes, coding)
    if (windowBytes > mostWindowBytes) return 'window'
    if (!turns.acquire() && (await turns.wait(Number.POSITIVE_INFINITY, cancellation)) !== 'acquired')
      return 'busy'
    const { maxBytes, hold } = options
    const gathered = new GatheredBytes(maxBytes)
    const mayHold = (): boolean => cancellation.cancelled || hold?.(windowBytes + gathered.held) !== false
    let decoder: Transform | undefined
    let stop = (): void => {}
    try {
      if (!mayHold()) return 'busy'
      decoder = createDecoder(coding, chunkBytes)
      stop = cancellation.onCancel(() => decoder?.destroy())
      decoder.end(bytes)
      // Leaving the loop destroys the decoder.
      for await (const piece of decoder as AsyncIterable<Buffer>) {
        if (!gathered.add(piece)) return 'too-large'
        if (!mayHold()) return 'busy'
      }
      return gathered.take()
    } catch {
      // Without a decoder there is no memory for one.
      return decoder === undefined ? 'busy' : 'garbled'
    } finally {
      stop()
      decoder?.destroy()
      turns.release()
    }
  }
}

/** For request bodies. As many decode at a time as the thread pool has threads. */
export const decodeRequest = createDecode({ atOnce: 4, mostWaiting: 100, chunkBytes: 64 * 1024 })

/** For responses of services and subgraphs. Separate, so that request bodies do not delay them. */
export const decodeAnswer = createDecode({ atOnce: 4, mostWaiting: 1000, chunkBytes: 256 * 1024 })
