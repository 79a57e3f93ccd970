/**
 * Sends operations to the graph, for Apollo Sandbox and for our own editor: adds the token, and where wanted the
 * request for an explanation, and reports every exchange to the page.
 */
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface Exchange {
  readonly operation: Operation
  readonly explained: boolean
  /** Undefined where the gateway could not be reached. */
  readonly response: Received | undefined
}

export interface Received {
  readonly status: number
  readonly text: string
  /** Parsed JSON; undefined where it was none. */
  readonly answer: unknown
  readonly milliseconds: number
  /** Each service that was called, from `Server-Timing`. */
  readonly services: readonly ServiceTiming[]
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
  readonly signal?: AbortSignal
}

export interface Sender {
  /** As `fetch`, in whose place Apollo Sandbox calls it. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Resolves when the exchange has been reported; rejects only where `signal` aborted it. */
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
  async function dispatch(init: RequestInit, operation: Operation | undefined, explain: boolean) {
    const headers = new Headers(init.headers)
    const own = headers.get('authorization')
    // A header written by hand stays; one with a token of this session may be out of date.
    if (own === null || session.isOurs(own)) {
      const authorization = await session.authorization()
      if (authorization === undefined) headers.delete('authorization')
      else headers.set('authorization', authorization)
    }
    if (explain) headers.set('tessera-explain', '1')
    const sent = headers.get('authorization')
    const begun = performance.now()
    let response: Response
    try {
      response = await fetch(endpoint, { ...init, headers, credentials: 'same-origin' })
    } catch (error) {
      if (operation !== undefined && init.signal?.aborted !== true)
        onExchange({ operation, explained: explain, response: undefined })
      throw error
    }
    if (operation === undefined) return { response, exchange: undefined }
    const text = await response.clone().text()
    const exchange: Exchange = {
      operation,
      explained: explain,
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
    return { response, exchange }
  }

  return {
    async fetch(url, init) {
      // The token is for our graph alone.
      if (new URL(url, document.baseURI).href !== endpoint) return fetch(url, init)
      const operation = operationIn(init.body)
      const counts = operation !== undefined && !isIntrospection(operation)
      return (await dispatch(init, counts ? operation : undefined, counts && explaining())).response
    },
    async send(operation, { headers, explain = explaining(), signal } = {}) {
      const init: RequestInit = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json, application/json;q=0.9',
          ...headers,
        },
        body: JSON.stringify(operation),
        ...(signal === undefined ? {} : { signal }),
      }
      const unanswered: Exchange = { operation, explained: explain, response: undefined }
      try {
        return (await dispatch(init, operation, explain)).exchange ?? unanswered
      } catch (error) {
        if (signal?.aborted === true) throw error
        return unanswered
      }
    },
  }
}

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
