/**
 * Reads the body of a response as server-sent events. The size of an event is bounded, so that no server can fill
 * the page's memory.
 */
import { type EventSourceMessage, ParseError } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'

interface EventReader {
  readonly onEvent: (event: EventSourceMessage) => void
  /** Called if the server says after how many milliseconds to reconnect. */
  readonly onRetry?: (milliseconds: number) => void
}

/** The most characters of one event. */
export const mostCharacters = 32_000_000

export const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** Resolves when the server has ended the response. Rejects if the connection breaks, or if an event is too long. */
export async function readEvents(response: Response, { onEvent, onRetry }: EventReader): Promise<void> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry, maxBufferSize: mostCharacters }))
  // Reading to the end, or an error in `onEvent`, closes the connection.
  await events?.pipeTo(new WritableStream({ write: onEvent }))
}

/** Whether reading failed because of an event that is too long. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof ParseError && error.type === 'max-buffer-size-exceeded'
