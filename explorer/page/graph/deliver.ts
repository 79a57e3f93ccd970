/** Receives a response that comes whole, in pieces, or as events, and reports it to the page as it arrives. */

import { jsonFrom } from '../json.ts'
import { isEventStream } from '../stream/delivery.ts'
import { follow } from '../stream/follow.ts'
import { createPace } from '../stream/pace.ts'
import { createAssembler } from '../stream/pieces.ts'
import { readEvents } from '../stream/read-events.ts'
import { type Exchange, timingsFrom } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface Line {
  readonly session: Session
  /** Sends the request with the session's token. `sent` is the header that was used. */
  readonly request: (init: RequestInit, explain: boolean) => Promise<Sent>
  readonly onExchange: (exchange: Exchange) => void
}

export interface Sent {
  readonly response: Response
  readonly sent: string | null
}

/** Milliseconds between two reports of a response that is still arriving. */
const breathMs = 50

/** Reads the whole response and reports it. */
export async function received(
  { session, onExchange }: Line,
  { response, sent }: Sent,
  of: { readonly operation: Operation; readonly explained: boolean; readonly begun: number },
): Promise<Exchange> {
  const { begun, ...rest } = of
  const text = await response.text()
  const exchange: Exchange = {
    ...rest,
    response: {
      status: response.status,
      text,
      answer: jsonFrom(text),
      milliseconds: performance.now() - begun,
      services: timingsFrom(response.headers.get('server-timing')),
    },
  }
  if (sent !== null) session.judge(sent, exchange.response?.answer)
  onExchange(exchange)
  return exchange
}

/** Reports the response again after each piece. */
export async function inPieces(line: Line, operation: Operation, init: RequestInit): Promise<Exchange> {
  const begun = performance.now()
  const answered = await line.request(init, false)
  const { response, sent } = answered
  if (!isEventStream(response)) return received(line, answered, { operation, explained: false, begun })
  const assembler = createAssembler()
  const services = timingsFrom(response.headers.get('server-timing'))
  let text = ''
  let exchange: Exchange = { operation, explained: false, response: undefined }
  const pace = createPace(() => line.onExchange(exchange), breathMs)
  try {
    await readEvents(response, {
      onEvent({ event, data }) {
        if (event !== 'next') return
        text += data
        const milliseconds = performance.now() - begun
        const assembly = assembler.add(jsonFrom(data), milliseconds)
        const { answer } = assembly
        const { status } = response
        exchange = { ...exchange, response: { status, text, answer, milliseconds, services, assembly } }
        pace.soon()
      },
    })
  } catch (error) {
    const { response: soFar } = exchange
    if (init.signal?.aborted === true || soFar === undefined) throw error
    exchange = { ...exchange, response: { ...soFar, isCut: true } }
  } finally {
    pace.stop()
  }
  if (sent !== null) line.session.judge(sent, exchange.response?.answer)
  line.onExchange(exchange)
  return exchange
}

/** Reports the feed after every change. Resolves when the subscription has ended. */
export async function asEvents(
  line: Line,
  operation: Operation,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Exchange> {
  const { session } = line
  const begun = performance.now()
  let sent: string | null = null
  let exchange: Exchange = { operation, explained: false, response: undefined }
  const refused = await follow({
    operation,
    signal,
    async open(lastEventId) {
      const headers = new Headers(init.headers)
      if (lastEventId !== undefined) headers.set('last-event-id', asHeader(lastEventId))
      const answered = await line.request({ ...init, headers }, false)
      sent = answered.sent
      return answered.response
    },
    hasNewToken: async () => {
      if (sent === null || !session.isOurs(sent)) return false
      return (await session.authorization()) !== sent
    },
    onChange(feed) {
      if (signal.reason === 'leave') return
      const { latest: answer } = feed
      exchange = {
        ...exchange,
        feed,
        response: {
          status: 200,
          text: feed.events[0]?.text ?? '',
          answer: answer ?? {},
          milliseconds: performance.now() - begun,
          services: [],
        },
      }
      if (sent !== null && feed.status.kind === 'ended') session.judge(sent, answer)
      line.onExchange(exchange)
    },
  })
  if (refused === undefined) return exchange
  return received(line, { response: refused.response, sent }, { operation, explained: false, begun })
}

/** A header contains bytes, which the gateway reads as UTF-8. */
const asHeader = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))
