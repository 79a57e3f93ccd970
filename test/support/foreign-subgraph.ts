/**
 * A subgraph as somebody else would serve it: graphql-js behind the servers of `graphql-ws`, `graphql-sse` and
 * `graphql-http`, on one port. Connections can be cut, and refused.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ExecutionResult, FormattedExecutionResult, GraphQLSchema } from 'graphql'
import { createHandler as createHttpHandler } from 'graphql-http/lib/use/http'
import { createHandler as createSseHandler } from 'graphql-sse/lib/use/http'
import { useServer as serveWebSockets } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { listen } from './listen.ts'

export interface ForeignSubgraph extends AsyncDisposable {
  readonly url: string
  /** The headers of each request that subscribed, and of `connection_init` its payload. */
  readonly asked: readonly { readonly headers: IncomingHttpHeaders; readonly payload?: unknown }[]
  /** The `onError` of each subscription. */
  readonly told: readonly unknown[]
  /** The connections that are open. */
  readonly connections: number
  /** The sockets of it. */
  readonly sockets: ReadonlySet<Socket>
  cut(): void
  /** Answers each request with this status and nothing else; undefined answers as before. */
  refuse(status: number | undefined): void
  /** How many requests were answered so. */
  readonly refused: number
}

export interface ForeignOptions {
  /** Names each event, so that a subscription can go on after it. */
  readonly idOf?: ((data: Readonly<Record<string, unknown>>) => string | undefined) | undefined
  readonly keyOf?: ((data: Readonly<Record<string, unknown>>) => string | undefined) | undefined
  /** Whether `connection_init` is good; false closes with 4403. */
  readonly admits?: ((payload: Readonly<Record<string, unknown>> | undefined) => boolean) | undefined
}

export async function startForeignSubgraph(
  schema: GraphQLSchema,
  { idOf, keyOf, admits }: ForeignOptions = {},
): Promise<ForeignSubgraph> {
  const asked: { headers: IncomingHttpHeaders; payload?: unknown }[] = []
  const told: unknown[] = []
  let status: number | undefined
  let refused = 0

  const named = (result: ExecutionResult): ExecutionResult => {
    const data = result.data ?? {}
    const extensions = { eventId: idOf?.(data), eventKey: keyOf?.(data) }
    return extensions.eventId === undefined && extensions.eventKey === undefined
      ? result
      : { ...result, extensions: { ...result.extensions, ...JSON.parse(JSON.stringify(extensions)) } }
  }
  const queries = createHttpHandler({ schema, context: () => ({}) })
  const events = createSseHandler({
    schema,
    context: (request) => ({ lastEventId: (request.raw as IncomingMessage).headers['last-event-id'] }),
    onNext: (_context, _request, result) => named(result as ExecutionResult),
  })
  const server = createServer((request, response) => {
    if (status !== undefined) {
      refused += 1
      response.writeHead(status).end()
      return
    }
    if (request.headers.accept === 'text/event-stream') {
      asked.push({ headers: request.headers })
      const body: Buffer[] = []
      void once(
        request.on('data', (part: Buffer) => body.push(part)),
        'end',
      ).then(() => {
        // The handler knows nothing of the parameter.
        told.push((JSON.parse(Buffer.concat(body).toString()) as { onError?: unknown }).onError)
        const { method, url, headers } = request
        const again = Object.assign(Readable.from(body), { method, url, headers })
        return events(again as unknown as IncomingMessage, response)
      })
    } else void queries(request, response)
  })
  const webSockets = new WebSocketServer({ noServer: true })
  const disposable = serveWebSockets(
    {
      schema,
      context: (_context, _id, { extensions }) => ({ lastEventId: extensions?.lastEventId }),
      onConnect({ connectionParams, extra }) {
        asked.push({ headers: extra.request.headers, payload: connectionParams })
        return admits?.(connectionParams) ?? true
      },
      onSubscribe: (_context, _id, payload) => void told.push((payload as { onError?: unknown }).onError),
      onNext: (_context, _id, _payload, _args, result) =>
        named(result as ExecutionResult) as FormattedExecutionResult,
    },
    webSockets,
  )
  server.on('upgrade', (request, socket, head) => {
    if (status !== undefined) {
      refused += 1
      socket.end(`HTTP/1.1 ${status} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    } else
      webSockets.handleUpgrade(request, socket, head, (open) => webSockets.emit('connection', open, request))
  })
  const listening = await listen(server)
  const { sockets } = listening
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${listening.url}/graphql`,
    asked,
    told,
    sockets,
    get connections() {
      return sockets.size
    },
    cut,
    get refused() {
      return refused
    },
    refuse(refusal) {
      status = refusal
    },
    async [Symbol.asyncDispose]() {
      cut()
      await disposable.dispose()
      await listening[Symbol.asyncDispose]()
    },
  }
}
