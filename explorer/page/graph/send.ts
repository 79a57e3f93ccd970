/**
 * Sends operations to the graph, for Apollo Sandbox and for our own editor. It adds the token and, if wanted, the
 * header that asks for an explanation, and reports every exchange to the page.
 */

import { jsonFrom } from '../json.ts'
import { acceptsStream, deliveryModeOf, isEventStream } from '../stream/delivery.ts'
import { asEvents, inPieces, type Line, received, type Sent } from './deliver.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the operation is explained instead of run. */
  readonly explain?: boolean
  /** If it is aborted with the reason `leave`, what was under way is not reported. */
  readonly signal?: AbortSignal
}

export interface Sender {
  /** Replaces `fetch` for Apollo Sandbox. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Resolves when the exchange has been reported. Rejects only if `signal` aborted it. */
  send(operation: Operation, options?: SendOptions): Promise<Exchange>
  /** Returns an explanation without reporting anything; undefined if there is none. */
  explain(operation: Operation, signal: AbortSignal): Promise<unknown>
}

export interface SenderOptions {
  readonly endpoint: string
  readonly session: Session
  /** Whether operations of Apollo Sandbox are explained instead of run. */
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

/** Apollo Sandbox asks for the schema by itself, which is no operation of the user. */
const isIntrospection = ({ query }: Operation): boolean => /\b(__schema|_service)\b/.test(query)

/** Apollo Sandbox reads responses in parts by itself. */
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
      // The token is only for our graph.
      if (new URL(url, document.baseURI).href !== endpoint) return fetch(url, init)
      const operation = operationIn(init.body)
      const counts = operation !== undefined && !isIntrospection(operation)
      return (await dispatch(init, counts ? operation : undefined, counts && explaining())).response
    },
    async send(operation, options = {}) {
      const { explain = false, signal = never } = options
      const delivery = explain ? 'whole' : deliveryModeOf(operation)
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
