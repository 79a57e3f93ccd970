/**
 * The Model Context Protocol itself, by `@modelcontextprotocol/server`: revision 2026-07-28, and the stateless mode for
 * clients of 2025-11-25. This is the only file that knows the library; it is loaded when the first request comes.
 */
import type { McpHttpHandler, McpRequestContext, Server } from '@modelcontextprotocol/server'
import type { Exchange } from '../exchange.ts'
import type { ToolAnswer, ToolDefinition } from '../tools/tool.ts'
import { ProtocolFault } from './errors.ts'

export interface ProtocolOptions {
  readonly version: string
  readonly instructions: string
  /** The longest that clients may keep a list, in milliseconds. */
  readonly listMs: number
  tools(exchange: Exchange): Promise<readonly ToolDefinition[]>
  /** Throws a `ProtocolFault` if there is no such tool. */
  call(name: string, args: Readonly<Record<string, unknown>>, exchange: Exchange): Promise<ToolAnswer>
  failed(error: Error): void
}

export interface Protocol {
  /** Answers one message. `request` has the headers and the address; `body` is the message. */
  answer(request: Request, body: unknown, exchange: Exchange): Promise<Response>
  close(): Promise<void>
}

export async function openProtocol(options: ProtocolOptions): Promise<Protocol> {
  const library = await import('@modelcontextprotocol/server')
  const handler = library.createMcpHandler((context) => serverFor(library, options, context), {
    responseMode: 'auto',
    onerror: options.failed,
  })
  return {
    answer: (request, body, exchange) =>
      handler.fetch(request, { parsedBody: body, authInfo: carrying(exchange) }),
    close: () => handler.close(),
  }
}

type Library = typeof import('@modelcontextprotocol/server')
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

function serverFor(library: Library, options: ProtocolOptions, { authInfo }: McpRequestContext): Server {
  const exchange = exchangeIn(authInfo)
  const lists = { ttlMs: options.listMs, cacheScope: 'public' } as const
  const server = new library.Server(
    { name: 'tessera', title: 'Tessera', version: options.version },
    {
      capabilities: { tools: {} },
      instructions: options.instructions,
      cacheHints: { 'tools/list': lists, 'server/discover': lists },
    },
  )
  const asFault = (error: unknown): unknown =>
    error instanceof ProtocolFault ? new library.ProtocolError(error.code, error.message, error.data) : error
  server.setRequestHandler('tools/list', async () => ({
    tools: (await options.tools(exchange)).map((tool) => ({ ...tool })) as never,
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { envelope, inputResponses } = mcpReq
    const capabilities = (envelope as Envelope | undefined)?.['io.modelcontextprotocol/clientCapabilities']
    exchange.elicits = capabilities?.elicitation !== undefined
    if (inputResponses !== undefined)
      exchange.answered = {
        state: mcpReq.requestState<string>(),
        isAccepted: library.acceptedContent(inputResponses, question)?.[agreed] === true,
      }
    try {
      const answer = await options.call(params.name, params.arguments ?? {}, exchange)
      if (answer.ask === undefined) return resultOf(answer)
      const { message, state } = answer.ask
      return library.inputRequired({
        inputRequests: { [question]: library.inputRequired.elicit({ message, requestedSchema }) },
        requestState: state,
      })
    } catch (error) {
      throw asFault(error)
    }
  })
  return server
}

/** What the user is asked, by the names that come back. */
const question = 'confirm'
const agreed = 'agree'
const requestedSchema = {
  type: 'object' as const,
  properties: { [agreed]: { type: 'boolean' as const, title: 'Make this change' } },
  required: [agreed],
}

interface Envelope {
  readonly 'io.modelcontextprotocol/clientCapabilities'?: { readonly elicitation?: unknown }
}

function resultOf({ text, isError, strangers, structured }: ToolAnswer) {
  return {
    content: [{ type: 'text' as const, text }],
    ...(isError === true ? { isError } : {}),
    ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
    ...(strangers === undefined ? {} : { _meta: { 'tessera/strangers': [...strangers] } }),
  }
}
