/**
 * Reads the body of a response as server-sent events. The size of an event is bounded, so that no server can fill
 * the page's memory.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface EventReader {
  readonly onEvent: (event: EventSourceMessage) => void
  /** Called if the server says after how many milliseconds to reconnect. */
  readonly onRetry?: (milliseconds: number) => void
  /** The most characters of one event. */
  readonly most?: number
}

const mostCharacters = 32_000_000

/** Resolves when the server has ended the response. Rejects if the connection breaks, or if an event is too long. */
export async function readEvents(
  response: Response,
  { onEvent, onRetry, most = mostCharacters }: EventReader,
): Promise<void> {
  if (response.body === null) return
  let isTooLong = false
  const parser = createParser({
    onEvent,
    ...(onRetry === undefined ? {} : { onRetry }),
    maxBufferSize: most,
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') isTooLong = true
    },
  })
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      if (isTooLong) throw new TooLong(`One event has more than ${most} characters.`)
    }
  } finally {
    // Closes the connection if reading stops early.
    reader.cancel().catch(() => {})
  }
}

export class TooLong extends Error {}
