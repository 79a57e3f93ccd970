/**
 * A response of server-sent events (HTML Living Standard, section 9.2), as GraphQL over SSE uses them: events with a
 * name, one line of JSON, and an id from which a client can resume.
 */
import type { ServerResponse } from 'node:http'
import { asByteString, byteString } from '../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import { Stream, type StreamOptions } from './stream.ts'

interface SseEvent {
  readonly event: string
  /** JSON, or nothing. */
  readonly data?: JsonText | undefined
  /** The client sends it as `Last-Event-ID` when it reconnects. Left out if it would break its line, or is too long. */
  readonly id?: string | undefined
}

/**
 * A line of the next event, and no block of its own: Spring's client takes a block without a name for the end of the
 * subscription.
 */
const comment = asByteString(':\n')
const lineEnd = asByteString('\n\n')
const dataField = asByteString('data: ')

/** A class, so that ten thousand of them share their functions. */
export class Sse {
  readonly stream: Stream

  constructor(response: ServerResponse, options: StreamOptions) {
    this.stream = new Stream(response, 'text/event-stream; charset=utf-8', options, comment)
  }

  /** Sends one event; false as in `Stream.write`. */
  send({ event, data, id }: SseEvent): boolean {
    const named = `${id === undefined || !isEventId(id) ? '' : `id: ${id}\n`}event: ${event}\n`
    // No client dispatches an event without data, so the protocol has an empty data line.
    const line = data === undefined ? noData : oneLine(data)
    return this.stream.write(byteString(named), dataField, line, lineEnd)
  }

  /** Tells the client how long to wait, in milliseconds, before it reconnects. */
  retry(milliseconds: number): boolean {
    return this.stream.write(asByteString(`retry: ${Math.round(milliseconds)}\n\n`))
  }

  end(): void {
    this.stream.end()
  }
}

export const longestEventId = 512

/** Whether a text can be the id of an event: it is on one line, and returns in a header. */
export function isEventId(text: string): boolean {
  return text.length <= longestEventId && !/[\r\n\0]/.test(text)
}

const noData = asByteString('')

/** A line break between tokens of JSON is equivalent to a space, and there is none within them. */
function oneLine(json: JsonText): JsonText {
  if (typeof json === 'string') return hasBreak(json) ? asByteString(json.replace(/[\r\n]/g, ' ')) : json
  return json.map((piece) => {
    if (typeof piece === 'string')
      return hasBreak(piece) ? asByteString(piece.replace(/[\r\n]/g, ' ')) : piece
    if (!piece.includes(0x0a) && !piece.includes(0x0d)) return piece
    const copy = Buffer.from(piece)
    for (let at = 0; at < copy.length; at++) if (copy[at] === 0x0a || copy[at] === 0x0d) copy[at] = 0x20
    return copy
  })
}

const hasBreak = (text: string): boolean => text.includes('\n') || text.includes('\r')
