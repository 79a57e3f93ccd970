/**
 * Sends operations to the graph, with the token and, if wanted, the header that asks for an explanation. It reports
 * every exchange of our own editor to the page. Incremental responses and events are reported as they arrive.
 */

import { jsonFrom } from '../json.ts'
import { showExchange } from '../result/views.ts'
import { endpoint } from '../settings.ts'
import { ResponseAssembler } from '../stream/incremental-response.ts'
import { isEventStream, readEvents } from '../stream/read-events.ts'
import { subscribe } from '../stream/subscribe.ts'
import { createThrottle } from '../stream/throttle.ts'
import { type HttpExchange, timingsFrom } from './http-exchange.ts'
import { deliveryModeOf, type Operation } from './operation.ts'
import { session } from './session.ts'

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the operation is explained instead of run. */
  readonly explain?: boolean
  /** If it is aborted with the reason `leave`, what was under way is not reported. */
  readonly signal?: AbortSignal
}

/** A response, and the `Authorization` header for which it came. */
interface Answered {
  readonly response: Response
  readonly sent: string | null
}

/** An operation that was sent, and when. */
interface Asked extends Pick<HttpExchange, 'operation' | 'explained'> {
  readonly begun: number
}

const acceptsWhole = 'application/graphql-response+json, application/json;q=0.9'
/** Events or payloads, and JSON for an error before the first one. */
const acceptsStream = 'text/event-stream, application/graphql-response+json;q=0.9, application/json;q=0.8'
const never = new AbortController().signal
/** Milliseconds between two reports of a response that is still arriving. */
const breathMs = 50

/** Replaces `fetch` for Apollo Sandbox. The token is only for our graph. */
export async function fetchForSandbox(url: string, init: RequestInit): Promise<Response> {
  if (new URL(url, location.href).href !== endpoint) return fetch(url, init)
  return (await request(init, false)).response
}

/** Resolves when the exchange has been reported. Rejects only if `signal` aborted it. */
export async function sendOperation(operation: Operation, options: SendOptions = {}): Promise<HttpExchange> {
  const { explain = false, signal = never } = options
  const delivery = explain ? 'whole' : deliveryModeOf(operation)
  const init = postOf(operation, delivery === 'whole' ? acceptsWhole : acceptsStream, options)
  const asked = { operation, explained: explain, begun: performance.now() }
  try {
    if (delivery === 'events') return await asEvents(asked, init, signal)
    const answered = await request(init, explain)
    const arrivesIncrementally = delivery === 'incremental' && isEventStream(answered.response)
    return await (arrivesIncrementally
      ? receivedIncrementally(answered, asked, signal)
      : received(answered, asked))
  } catch (error) {
    if (signal.aborted) throw error
    return showExchange(unanswered(asked))
  }
}

/**
 * Sends an operation without reporting anything. A document that does not fit the schema yet gets status 200, because
 * the browser's console lists every other one as an error. `answer` is undefined if the response is not JSON.
 */
export async function sendQuietly(operation: Operation, options: SendOptions = {}) {
  const { response } = await request(postOf(operation, 'application/json', options), options.explain ?? false)
  return { status: response.status, answer: jsonFrom(await response.text()) }
}

async function request(init: RequestInit, explain: boolean): Promise<Answered> {
  const headers = new Headers(init.headers)
  const own = headers.get('authorization')
  // A header that the user wrote is kept. One with a token of this session may be out of date and is replaced.
  if (own === null || session.isOurs(own)) {
    const authorization = await session.authorization()
    if (authorization === undefined) headers.delete('authorization')
    else headers.set('authorization', authorization)
  }
  if (explain) headers.set('tessera-explain', '1')
  const response = await fetch(endpoint, { ...init, headers, credentials: 'same-origin' })
  return { response, sent: headers.get('authorization') }
}

const unanswered = ({ operation, explained }: Asked): HttpExchange => ({
  operation,
  explained,
  response: undefined,
})

/** Reads the whole response and reports it. */
async function received({ response, sent }: Answered, { begun, ...asked }: Asked): Promise<HttpExchange> {
  const text = await response.text()
  const answer = jsonFrom(text)
  const { status } = response
  const milliseconds = performance.now() - begun
  if (sent !== null) session.judge(sent, answer)
  return showExchange({
    ...asked,
    response: { status, text, answer, milliseconds, services: timingsFrom(response) },
  })
}

/** Reports the response again after each payload. */
async function receivedIncrementally(
  { response, sent }: Answered,
  asked: Asked,
  signal: AbortSignal,
): Promise<HttpExchange> {
  const { status } = response
  const assembler = new ResponseAssembler()
  const services = timingsFrom(response)
  let text = ''
  let exchange = unanswered(asked)
  const throttle = createThrottle(() => showExchange(exchange), breathMs)
  try {
    await readEvents(response, {
      onEvent({ event, data }) {
        if (event !== 'next') return
        text += data
        const milliseconds = performance.now() - asked.begun
        const assembly = assembler.add(jsonFrom(data), milliseconds)
        const { answer } = assembly
        exchange = { ...exchange, response: { status, text, answer, milliseconds, services, assembly } }
        throttle.soon()
      },
    })
  } catch (error) {
    if (signal.aborted || exchange.response === undefined) throw error
  } finally {
    throttle.stop()
  }
  const { response: soFar } = exchange
  // A proxy may end a response properly although the server has not.
  if (soFar?.assembly?.isOver === false) exchange = { ...exchange, response: { ...soFar, isCut: true } }
  if (sent !== null) session.judge(sent, exchange.response?.answer)
  return showExchange(exchange)
}

/** Reports the subscription after every change. Resolves when the subscription has ended. */
async function asEvents(asked: Asked, init: RequestInit, signal: AbortSignal): Promise<HttpExchange> {
  let sent: string | null = null
  let exchange = unanswered(asked)
  const refused = await subscribe({
    operation: asked.operation,
    signal,
    open: async (lastEventId) => {
      const headers = new Headers(init.headers)
      if (lastEventId !== undefined) headers.set('last-event-id', asHeader(lastEventId))
      const answered = await request({ ...init, headers }, false)
      sent = answered.sent
      return answered.response
    },
    hasNewToken: async () =>
      sent !== null && session.isOurs(sent) && (await session.authorization()) !== sent,
    onChange: (subscription) => {
      if (signal.reason === 'leave') return
      const { latest: answer, events, status } = subscription
      const milliseconds = performance.now() - asked.begun
      const response = { status: 200, text: events[0]?.text ?? '', milliseconds, services: [] }
      exchange = { ...exchange, subscription, response: { ...response, answer: answer ?? {} } }
      if (sent !== null && status.kind === 'ended') session.judge(sent, answer)
      showExchange(exchange)
    },
  })
  return refused === undefined ? exchange : received({ response: refused, sent }, asked)
}

function postOf(operation: Operation, accept: string, { headers, signal = never }: SendOptions): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(operation),
    signal,
  }
}

/** A header contains bytes, which the gateway reads as UTF-8. */
const asHeader = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))
