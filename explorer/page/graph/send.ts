/**
 * Sends operations to the graph, for Apollo Sandbox and for our own editor: adds the token, and where wanted the
 * request for an explanation, and reports every exchange to the page.
 */
import { acceptsStream, deliveryOf, isEventStream } from '../stream/delivery.ts'
import { asEvents, inPieces, type Line, received, type Sent } from './deliver.ts'
import { type Exchange, jsonFrom } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to explain rather than run. */
  readonly explain?: boolean
  /** With the reason `leave` nothing is reported of what was under way. */
  readonly signal?: AbortSignal
}

export interface Sender {
  /** As `fetch`, in whose place Apollo Sandbox calls it. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Resolves when the exchange has been reported; rejects only if `signal` aborted it. */
  send(operation: Operation, options?: SendOptions): Promise<Exchange>
  /** The answer to a request for an explanation, of which nothing is reported; undefined if there is none. */
  explain(operation: Operation, signal: AbortSignal): Promise<unknown>
}

export interface SenderOptions {
  readonly endpoint: string
  readonly session: Session
  /** Whether operations of Apollo Sandbox are explained rather than run. */
  readonly explaining: () => boolean
  readonly onExchange: (exchange: Exchange) => void
}

const acceptsWhole = 'application/graphql-response+json, application/json;q=0.9'
const never = new AbortController().signal

function operationIn(body: unknown): Operation | undefined {
  if (typeof body !== 'string') return undefined
  const parsed = jsonFrom(body)
  if (typeof parsed !== 'object' || parsed === null || !('query' in parsed)) return undefined
  return typeof parsed.query === 'string' ? (parsed as Operation) : undefined
}

/** Apollo Sandbox asks for the schema by itself; that is no operation of the user's. */
const isIntrospection = ({ query }: Operation): boolean => /\b(__schema|_service)\b/.test(query)

/** Apollo Sandbox reads answers in parts by itself, as they come. */
const isInParts = (response: Response): boolean =>
  isEventStream(response) || response.headers.get('content-type')?.startsWith('multipart/') === true

function postOf(operation: Operation, accept: string, { headers, signal = never }: SendOptions): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(operation),
    signal,
  }
}

export function createSender({ endpoint, session, explaining, onExchange }: SenderOptions): Sender {
  async function request(init: RequestInit, explain: boolean): Promise<Sent> {
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
  const line: Line = { session, request, onExchange }

  async function dispatch(init: RequestInit, operation: Operation | undefined, explained: boolean) {
    const begun = performance.now()
    let answered: Sent
    try {
      answered = await request(init, explained)
    } catch (error) {
      if (operation !== undefined && init.signal?.aborted !== true)
        onExchange({ operation, explained, response: undefined })
      throw error
    }
    const { response, sent } = answered
    if (operation === undefined || isInParts(response)) return { response, exchange: undefined }
    const copy = { response: response.clone(), sent }
    return { response, exchange: await received(line, copy, { operation, explained, begun }) }
  }

  return {
    async fetch(url, init) {
      // The token is for our graph alone.
      if (new URL(url, document.baseURI).href !== endpoint) return fetch(url, init)
      const operation = operationIn(init.body)
      const counts = operation !== undefined && !isIntrospection(operation)
      return (await dispatch(init, counts ? operation : undefined, counts && explaining())).response
    },
    async send(operation, options = {}) {
      const { explain = false, signal = never } = options
      const delivery = explain ? 'whole' : deliveryOf(operation)
      const init = postOf(operation, delivery === 'whole' ? acceptsWhole : acceptsStream, options)
      const unanswered: Exchange = { operation, explained: explain, response: undefined }
      try {
        if (delivery === 'whole') return (await dispatch(init, operation, explain)).exchange ?? unanswered
        return await (delivery === 'pieces'
          ? inPieces(line, operation, init)
          : asEvents(line, operation, init, signal))
      } catch (error) {
        if (signal.aborted) throw error
        if (delivery !== 'whole') onExchange(unanswered)
        return unanswered
      }
    },
    async explain(operation, signal) {
      const { response } = await request(postOf(operation, acceptsWhole, { signal }), true)
      return jsonFrom(await response.text())
    },
  }
}
