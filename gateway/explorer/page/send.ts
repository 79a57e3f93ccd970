/**
 * The one way from the page to the graph, for Apollo Sandbox and GraphiQL alike: it adds the picked token and,
 * where asked, the wish for an explanation, and tells the page what went to and fro.
 */
import type { Operation } from './operation.ts'
import type { Session } from './session.ts'

export interface Exchange {
  readonly operation: Operation
  /** Parsed JSON; undefined where it was none. */
  readonly answer: unknown
  readonly explained: boolean
}

export interface Sender {
  /** As `fetch`, which it stands for. */
  fetch(url: string, init: RequestInit): Promise<Response>
  send(operation: Operation, options?: SendOptions): Promise<unknown>
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to explain rather than run; as the page is set, unless said. */
  readonly explain?: boolean
}

export interface SenderOptions {
  readonly endpoint: string
  readonly session: Session
  readonly explaining: () => boolean
  readonly onExchange: (exchange: Exchange) => void
}

function operationIn(body: unknown): Operation | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || !('query' in parsed)) return undefined
    return typeof parsed.query === 'string' ? (parsed as Operation) : undefined
  } catch {
    return undefined
  }
}

/** What the page itself asks about the schema is nobody's operation. */
const isIntrospection = ({ query }: Operation): boolean => /\b(__schema|_service)\b/.test(query)

export function createSender({ endpoint, session, explaining, onExchange }: SenderOptions): Sender {
  async function dispatch(init: RequestInit, wanted: boolean): Promise<Response> {
    const operation = operationIn(init.body)
    const counts = operation !== undefined && !isIntrospection(operation)
    const explain = counts && wanted
    const headers = new Headers(init.headers)
    const own = headers.get('authorization')
    // Whoever writes a header by hand means it; one that we gave out may have been replaced since.
    if (own === null || session.isOurs(own)) {
      const authorization = await session.authorization()
      if (authorization === undefined) headers.delete('authorization')
      else headers.set('authorization', authorization)
    }
    if (explain) headers.set('tessera-explain', '1')
    const response = await fetch(endpoint, { ...init, headers, credentials: 'same-origin' })
    if (counts) {
      const text = await response.clone().text()
      onExchange({ operation, answer: jsonFrom(text), explained: explain })
    }
    return response
  }

  return {
    fetch: (url, init) => {
      // The token is for our graph alone.
      if (new URL(url, document.baseURI).href !== endpoint) return fetch(url, init)
      return dispatch(init, explaining())
    },
    async send(operation, { headers, explain = explaining() } = {}) {
      const response = await dispatch(
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/graphql-response+json, application/json;q=0.9',
            ...headers,
          },
          body: JSON.stringify(operation),
        },
        explain,
      )
      const text = await response.text()
      return jsonFrom(text) ?? { errors: [{ message: `The answer (${response.status}) is not JSON.` }] }
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
