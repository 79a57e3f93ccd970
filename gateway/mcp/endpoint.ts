/** The way of one HTTP request of `/mcp`: the gate, the token, the protocol, and the status of what was refused. */
import { hash } from 'node:crypto'
import { headerOf } from '../../shared/http/headers.ts'
import type { Identity } from '../../shared/identity.ts'
import type { GraphqlOverHttp, HttpRequest } from '../graphql-http/graphql-over-http.ts'
import { callerOf } from '../pipeline/caller.ts'
import type { AgentClient, Exchange, McpGraph } from './exchange.ts'
import { createIdentifier, type IdentifierOptions } from './identify.ts'
import { createGate, type GateOptions } from './protocol/gate.ts'
import type { Protocol } from './protocol/library.ts'
import { httpResponseOf } from './protocol/response.ts'

export interface EndpointOptions extends GateOptions, IdentifierOptions {
  /** The graph that serves now. */
  readonly graph: () => McpGraph
  /** Called when the first message comes. */
  readonly open: () => Promise<Protocol>
}

export interface Endpoint {
  readonly respond: GraphqlOverHttp
  close(): Promise<void>
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const gate = createGate(options)
  const { identify, challenged } = createIdentifier(options)
  let opened: Promise<Protocol> | undefined
  return {
    async respond(http, watch) {
      const passed = gate(http)
      if ('status' in passed) return passed
      const message = passed.body as Message
      const identity = await identify(http, message.id)
      if ('status' in identity) return identity
      const exchange: Exchange = {
        http,
        graph: options.graph(),
        identity,
        caller: callerOfHttp(http, identity),
        client: clientIn(message),
        watch,
        elicits: false,
        answered: undefined,
        challenge: undefined,
      }
      opened ??= options.open()
      const answer = await (await opened).answer(requestFor(http), message, exchange)
      const response = await httpResponseOf(answer, message.method === 'subscriptions/listen')
      const { challenge: refused } = exchange
      return refused === undefined
        ? response
        : challenged(http, refused.challenge, refused.message, message.id)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** The headers that the protocol has, and no other: no token goes on to it. */
const protocolHeaders = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
]

function requestFor({ url, headers }: HttpRequest): Request {
  const passed = new Headers()
  for (const name of protocolHeaders) {
    const value = headerOf(headers, name)
    if (value !== undefined) passed.set(name, value)
  }
  return new Request(new URL(url, 'http://mcp.invalid'), { method: 'POST', headers: passed })
}

/** Callers without a token are told apart by their addresses. */
function callerOfHttp({ headers, socket }: HttpRequest, identity: Identity): string {
  const known = callerOf({ identity, header: (name) => headerOf(headers, name) })
  return known === '' ? hash('sha256', `address ${socket?.remoteAddress ?? ''}`, 'base64') : known
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The program as it names itself, if that is plain text. */
function clientIn({ params }: Message): AgentClient | undefined {
  if (!isObject(params)) return undefined
  const meta = isObject(params._meta) ? params._meta['io.modelcontextprotocol/clientInfo'] : undefined
  const info = meta ?? params.clientInfo
  if (!isObject(info)) return undefined
  const name = plain(info.name)
  return name === undefined ? undefined : { name, version: plain(info.version) }
}

function plain(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\x20-\x7e]{1,100}$/.test(text) ? text : undefined
}
