/**
 * The Model Context Protocol itself, by `@modelcontextprotocol/server`: revision 2026-07-28, and the stateless mode for
 * clients of 2025-11-25. The library is loaded when the first request comes.
 */
import type { McpHttpHandler, Server, ServerNotifier } from '@modelcontextprotocol/server'
import type { Exchange } from '../exchange.ts'

export type Library = typeof import('@modelcontextprotocol/server')

/** Makes the server of one message. */
export type Serve = (library: Library, exchange: Exchange) => Server

export interface ProtocolOptions {
  readonly serve: Serve
  failed(error: Error): void
}

export interface Protocol {
  /** Answers one message. `request` has the headers and the address; `body` is the message. */
  answer(request: Request, body: unknown, exchange: Exchange): Promise<Response>
  /** Tells those who listen what has changed. */
  readonly notify: ServerNotifier
  close(): Promise<void>
}

export async function openProtocol({ serve, failed }: ProtocolOptions): Promise<Protocol> {
  const library = await import('@modelcontextprotocol/server')
  const handler = library.createMcpHandler(({ authInfo }) => serve(library, exchangeIn(authInfo)), {
    responseMode: 'auto',
    onerror: failed,
  })
  return {
    answer: (request, body, exchange) =>
      handler.fetch(request, { parsedBody: body, authInfo: carrying(exchange) }),
    notify: handler.notify,
    close: () => handler.close(),
  }
}

type AuthInfo = NonNullable<NonNullable<Parameters<McpHttpHandler['fetch']>[1]>['authInfo']>

/** The library hands this on as it is: our exchange is in it, and no token. */
const carrying = (exchange: Exchange): AuthInfo => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { exchange },
})

function exchangeIn(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange
  if (exchange === undefined) throw new Error('a request came past the gate')
  return exchange as Exchange
}
