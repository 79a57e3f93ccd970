/**
 * A streamed response. Each piece is sent immediately, and nothing is compressed. A compressor would take 256 kB
 * for each response, and hold pieces back until there are enough of them. What a client does not read is counted. A
 * stream that writes nothing for a while sends a heartbeat; one timer serves all streams.
 */
import type { ServerResponse } from 'node:http'
import type { ByteString } from '../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import { IntrusiveSet, notInSet, type SetItem } from '../../../shared/runtime/intrusive-set.ts'

/** Headers that keep proxies from compressing or buffering a stream. */
const streamingHead: readonly string[] = [
  'cache-control',
  'no-store, no-transform',
  'x-accel-buffering',
  'no',
]

export interface StreamOptions {
  /** The HTTP status; 200 by default. */
  readonly status?: number | undefined
  /** Headers, names and values in turn, without content type and cache control. */
  readonly head?: readonly string[] | undefined
  /** A heartbeat is sent after this long without another piece; none by default. */
  readonly heartbeatMs?: number | undefined
  /** Whether the head waits for the first write, which follows at once. Otherwise it leaves immediately. */
  readonly headWaits?: boolean | undefined
  /** The most bytes that wait for the client. A further piece ends the response. */
  readonly mostBytes: number
  readonly closing?: Closing | undefined
}

/**
 * Called once when the response is over, whichever side ended it. It is an object, because a function for each takes
 * more memory.
 */
export interface Closing {
  closed(): void
}

export class Stream implements SetItem {
  setIndex = notInSet
  #last = 0
  readonly #response: ServerResponse
  readonly #mostBytes: number
  readonly #heartbeat: ByteString
  readonly #heartbeatMs: number | undefined
  readonly #closing: Closing | undefined
  #listeners: (() => void)[] | undefined
  #isOver = false

  /** Writes the head of the response. */
  constructor(response: ServerResponse, contentType: string, options: StreamOptions, heartbeat: ByteString) {
    const { status = 200, head = [], heartbeatMs } = options
    response.writeHead(status, ['content-type', contentType, ...streamingHead, ...head])
    this.#response = response
    this.#mostBytes = options.mostBytes
    this.#heartbeat = heartbeat
    this.#heartbeatMs = heartbeatMs
    this.#closing = options.closing
    response.on('close', () => this.#over())
    // The head leaves now: a client may wait for it before it does anything else.
    if (options.headWaits !== true) response.flushHeaders()
    if (heartbeatMs !== undefined) beatFor(this, heartbeatMs)
    this.#last = currentMs()
    if (response.destroyed) this.#over()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Bytes in this process that the client has not read. */
  get waitingBytes(): number {
    return this.#response.writableLength
  }

  /** Whether the next piece would leave at once. */
  get isReady(): boolean {
    return !this.#isOver && !this.#response.writableNeedDrain
  }

  /**
   * Sends pieces, one after the other. False: so much waits for the client that the next piece should wait, too
   * (`ready`). After the end nothing is sent.
   */
  write(...pieces: readonly JsonText[]): boolean {
    const response = this.#response
    if (this.#isOver) return false
    if (response.writableLength > this.#mostBytes) {
      response.destroy()
      return false
    }
    this.#last = currentMs()
    // Not corked: a corked response does not report that it must drain. Node sends everything written in one turn in
    // one packet anyway. Each write is a chunk with its own head, so consecutive texts are joined.
    let text = ''
    for (const part of pieces.flat()) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      if (text !== '') response.write(text, 'latin1')
      text = ''
      response.write(part)
    }
    if (text !== '') response.write(text, 'latin1')
    return this.isReady
  }

  /** Calls `listener` once, as soon as nothing waits for the client, or the response is over. */
  ready(listener: () => void): void {
    if (this.#isOver || this.isReady) {
      listener()
      return
    }
    if (this.#listeners !== undefined) {
      this.#listeners.push(listener)
      return
    }
    this.#listeners = [listener]
    this.#response.once('drain', () => this.#tell())
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    stopBeating(this)
    this.#response.end()
  }

  /** Sends a heartbeat if it is due. A client that reads nothing needs none. */
  beat(now: number): void {
    if (this.#heartbeatMs === undefined || now - this.#last < this.#heartbeatMs) return
    if (this.waitingBytes === 0) this.write(this.#heartbeat)
  }

  #tell(): void {
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    for (const listener of listeners) listener()
  }

  #over(): void {
    this.#isOver = true
    stopBeating(this)
    this.#tell()
    this.#closing?.closed()
  }
}

/** In whole milliseconds, which need no object of their own. */
const currentMs = (): number => Math.round(performance.now())

const beating = new IntrusiveSet<Stream>()
let timer: NodeJS.Timeout | undefined
let timerMs = Number.POSITIVE_INFINITY

function beatFor(stream: Stream, everyMs: number): void {
  beating.add(stream)
  if (everyMs >= timerMs) return
  clearInterval(timer)
  timerMs = everyMs
  // At most a quarter late.
  timer = setInterval(
    () => {
      const now = performance.now()
      for (const one of beating.items()) one.beat(now)
    },
    Math.max(1, everyMs / 4),
  ).unref()
}

function stopBeating(stream: Stream): void {
  beating.delete(stream)
  if (beating.size > 0 || timer === undefined) return
  clearInterval(timer)
  timer = undefined
  timerMs = Number.POSITIVE_INFINITY
}
