/**
 * Reads server-sent events (HTML Living Standard, section 9.2) from chunks of bytes. The memory for an incomplete
 * event is bounded. A longer event is an error.
 */
import { createParser } from 'eventsource-parser'

export interface ServerSentEvent {
  readonly event: string
  readonly data: string
  /** The last id of the stream. Undefined if it had none, or an empty one. */
  readonly id: string | undefined
}

/** Longer retry times are ignored. */
const mostRetryMs = 999_999_999

export interface EventStreamOptions {
  readonly mostBytes: number
  event(event: ServerSentEvent): void
  retry(milliseconds: number): void
}

export class EventStreamReader {
  readonly #parser
  #id: string | undefined
  #isTooLong = false

  constructor({ mostBytes, event, retry }: EventStreamOptions) {
    this.#parser = createParser({
      maxBufferSize: mostBytes,
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#isTooLong = true
      },
      onId: (id) => {
        this.#id = id === '' ? undefined : textOf(id)
      },
      onEvent: ({ event: name = 'message', data }) => {
        // The parser buffers nothing of an event that is in one chunk.
        if (data.length > mostBytes) this.#isTooLong = true
        else if (!this.#isTooLong) event({ event: name, data: textOf(data), id: this.#id })
      },
      onRetry: (milliseconds) => {
        if (milliseconds <= mostRetryMs) retry(milliseconds)
      },
    })
  }

  /** False if an event is too long: then nothing more is read. */
  read(chunk: Buffer): boolean {
    // The parser gets a character for each byte, so that it counts bytes.
    if (!this.#isTooLong) this.#parser.feed(chunk.toString('latin1'))
    return !this.#isTooLong
  }
}

const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
