/**
 * Sends operations to the graph, for Apollo Sandbox and for our own editor: adds the token, and where wanted the
 * request for an explanation, and reports every exchange to the page.
 */
import { acceptsStream, deliveryOf, isEventStream } from '../stream/delivery.ts'
import type { Feed } from '../stream/feed.ts'
import { follow } from '../stream/follow.ts'
import { createPace } from '../stream/pace.ts'
import { type Assembly, createAssembler } from '../stream/pieces.ts'
import { readEvents } from '../stream/read-events.ts'
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface Exchange {
  readonly operation: Operation
  readonly explained: boolean
  /** Undefined if the gateway could not be reached. */
  readonly response: Received | undefined
  /** Of a subscription that has begun: what it has brought so far. */
  readonly feed?: Feed | undefined
}

export interface Received {
  readonly status: number
  readonly text: string
  /** Parsed JSON; undefined if it was none. */
  readonly answer: unknown
  readonly milliseconds: number
  /** Each service that was called, from `Server-Timing`. */
  readonly services: readonly ServiceTiming[]
  /** Of an answer that comes in pieces: those that are there. */
  readonly assembly?: Assembly | undefined
  /** Whether the connection was lost before the last piece. */
  readonly isCut?: boolean
}

export interface ServiceTiming {
  readonly service: string
  readonly milliseconds: number
  readonly calls: string
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to explain rather than run; as the page is set, unless given. */
  readonly explain?: boolean
  /** With the reason `leave` nothing is reported of what was under way. */
  readonly signal?: AbortSignal
}

export interface Sender {
  /** As `fetch`, in whose place Apollo Sandbox calls it. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Resolves when the exchange has been reported; rejects only if `signal` aborted it. */
  send(operation: Operation, options?: SendOptions): Promise<Exchange>
}

export interface SenderOptions {
  readonly endpoint: string
  readonly session: Session
  readonly explaining: () => boolean
  readonly onExchange: (exchange: Exchange) => void
}

function operationIn(body: unknown): Operation | undefined {
  if (typeof body !== 'string') return undefined
  const parsed = jsonFrom(body)
  if (typeof parsed !== 'object' || parsed === null || !('query' in parsed)) return undefined
  return typeof parsed.query === 'string' ? (parsed as Operation) : undefined
}

/** Apollo Sandbox asks for the schema by itself; that is no operation of the user's. */
const isIntrospection = ({ query }: Operation): boolean => /\b(__schema|_service)\b/.test(query)

export function createSender({ endpoint, session, explaining, onExchange }: SenderOptions): Sender {
  /** Sends it with the token of the session; `sent` is the header that went with it. */
  async function request(init: RequestInit, explain: boolean) {
    const headers = new Headers(init.headers)
    const own = headers.get('authorization')
    // A header written by hand stays; one with a token of this session may be out of date.
    if (own === null || session.isOurs(own)) {
      const authorization = await session.authorization()
      if (authorization === undefined) headers.delete('authorization')
      else headers.set('authorization', authorization)
    }
    if (explain) headers.set('tessera-explain', '1')
    const response = await fetch(endpoint, { ...init, headers, credentials: 'same-origin' })
    return { response, sent: headers.get('authorization') }
  }

  async function dispatch(init: RequestInit, operation: Operation | undefined, explain: boolean) {
    const begun = performance.now()
    let answered: Awaited<ReturnType<typeof request>>
    try {
      answered = await request(init, explain)
    } catch (error) {
      if (operation !== undefined && init.signal?.aborted !== true)
        onExchange({ operation, explained: explain, response: undefined })
      throw error
    }
    const { response, sent } = answered
    if (operation === undefined || isInParts(response)) return { response, exchange: undefined }
    const exchange = await received(operation, explain, response.clone(), sent, begun)
    return { response, exchange }
  }

  /** Reads the whole answer, and reports it. */
  async function received(
    operation: Operation,
    explained: boolean,
    response: Response,
    sent: string | null,
    begun: number,
  ): Promise<Exchange> {
    const text = await response.text()
    const exchange: Exchange = {
      operation,
      explained,
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

  /** Reports the answer anew with each piece. */
  async function inPieces(operation: Operation, init: RequestInit): Promise<Exchange> {
    const begun = performance.now()
    const { response, sent } = await request(init, false)
    if (!isEventStream(response)) return received(operation, false, response, sent, begun)
    const assembler = createAssembler()
    const services = timingsFrom(response.headers.get('server-timing'))
    let text = ''
    let exchange: Exchange = { operation, explained: false, response: undefined }
    const pace = createPace(() => onExchange(exchange), breathMs)
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
    if (sent !== null) session.judge(sent, exchange.response?.answer)
    onExchange(exchange)
    return exchange
  }

  /** Reports what came after every change; resolves when the subscription has ended. */
  async function asEvents(operation: Operation, init: RequestInit, signal: AbortSignal): Promise<Exchange> {
    const begun = performance.now()
    let sent: string | null = null
    let exchange: Exchange = { operation, explained: false, response: undefined }
    const refused = await follow({
      operation,
      signal,
      async open(lastEventId) {
        const headers = new Headers(init.headers)
        if (lastEventId !== undefined) headers.set('last-event-id', asHeader(lastEventId))
        const { response, sent: now } = await request({ ...init, headers }, false)
        sent = now
        return response
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
        onExchange(exchange)
      },
    })
    return refused === undefined ? exchange : received(operation, false, refused.response, sent, begun)
  }

  return {
    async fetch(url, init) {
      // The token is for our graph alone.
      if (new URL(url, document.baseURI).href !== endpoint) return fetch(url, init)
      const operation = operationIn(init.body)
      const counts = operation !== undefined && !isIntrospection(operation)
      return (await dispatch(init, counts ? operation : undefined, counts && explaining())).response
    },
    async send(operation, { headers, explain = explaining(), signal = never } = {}) {
      const delivery = explain ? 'whole' : deliveryOf(operation)
      const init: RequestInit = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: delivery === 'whole' ? acceptsWhole : acceptsStream,
          ...headers,
        },
        body: JSON.stringify(operation),
        signal,
      }
      const unanswered: Exchange = { operation, explained: explain, response: undefined }
      try {
        if (delivery === 'whole') return (await dispatch(init, operation, explain)).exchange ?? unanswered
        return await (delivery === 'pieces' ? inPieces(operation, init) : asEvents(operation, init, signal))
      } catch (error) {
        if (signal.aborted) throw error
        if (delivery !== 'whole') onExchange(unanswered)
        return unanswered
      }
    },
  }
}

const acceptsWhole = 'application/graphql-response+json, application/json;q=0.9'
/** Milliseconds between two reports of an answer that is coming. */
const breathMs = 50
const never = new AbortController().signal

/** Apollo Sandbox reads answers in parts by itself, as they come. */
const isInParts = (response: Response): boolean =>
  isEventStream(response) || response.headers.get('content-type')?.startsWith('multipart/') === true

/** A header carries bytes; the gateway reads them as UTF-8. */
const asHeader = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads `videos;dur=13.2;desc="1 calls"`, separated by commas. */
function timingsFrom(header: string | null): ServiceTiming[] {
  return [...(header ?? '').matchAll(/(?<![\w-])([\w-]+);dur=([\d.]+)(?:;desc="([^"]*)")?/g)].map(
    ([, service = '', duration, calls = '']) => ({ service, milliseconds: Number(duration), calls }),
  )
}
