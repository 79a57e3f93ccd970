/** A subgraph of a test over HTTP: it hears each request whole, and answers with a result of GraphQL. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from './listen.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What is in the body of a request that is GraphQL. */
export interface AskedOperation {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export interface HttpSubgraph extends AsyncDisposable {
  readonly url: string
  readonly server: Server
}

export type MakeServer = (listener: (request: IncomingMessage, response: ServerResponse) => void) => Server

/** `answer` gives the result, or undefined if it has answered in another way. */
export async function serveSubgraph(
  answer: (asked: Asked, response: ServerResponse) => Promise<object | undefined>,
  {
    make = createServer,
    scheme = 'http',
  }: { readonly make?: MakeServer; readonly scheme?: 'http' | 'https' } = {},
): Promise<HttpSubgraph> {
  const server = make(async (request, response) => {
    const { method = '', url = '', headers } = request
    const result = await answer({ method, url, headers, body: await buffer(request) }, response)
    if (result === undefined) return
    response.setHeader('content-type', 'application/graphql-response+json')
    response.end(JSON.stringify(result))
  })
  const listening = await listen(server, scheme)
  return { ...listening, url: `${listening.url}/graphql`, server }
}

export const operationIn = ({ body }: Asked): AskedOperation => JSON.parse(body.toString()) as AskedOperation
