/** An agent's client: the official one over a graph's MCP server, and one that sends what it is told, byte by byte. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { allScopes, type Json, type RunningGraph } from './graph.ts'

interface AgentOptions {
  /** Scopes of the token; none is anonymous. All of them by default. */
  readonly scope?: string | null
  readonly subject?: string
  /** The revision that the client insists on; 2026-07-28 by default. */
  readonly revision?: string
}

export interface Answered {
  readonly text: string
  readonly json: Json
  readonly isError: boolean
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

export interface Agent extends AsyncDisposable {
  readonly client: Client
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Answered>
}

/** A graph that serves agents. */
type Served = Pick<RunningGraph, 'gateway' | 'token'>

export const doorOf = (graph: Served): URL => new URL(`${graph.gateway.url}/mcp`)

export async function startAgent(graph: Served, options: AgentOptions = {}): Promise<Agent> {
  const { scope = allScopes, subject, revision = '2026-07-28' } = options
  const token = scope === null ? undefined : await graph.token(scope, subject)
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  )
  const transport = new StreamableHTTPClientTransport(doorOf(graph), {
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}) {
      return answeredFrom(await client.callTool({ name, arguments: { ...args } }))
    },
    async [Symbol.asyncDispose]() {
      await client.close()
    },
  }
}

function answeredFrom(result: object): Answered {
  const { content, isError, _meta } = result as {
    content: readonly { text: string }[]
    isError?: boolean
    _meta?: Readonly<Record<string, unknown>>
  }
  const text = content[0]?.text ?? ''
  return { text, json: parsedJson(text), isError: isError === true, meta: _meta }
}

let messages = 0

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface SendOptions {
  readonly scope?: string | null
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent instead of the message. */
  readonly body?: string
}

/** Posts a message of revision 2026-07-28, with what that revision wants in headers and `_meta`. */
async function post(
  graph: Served,
  id: number,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { scope = null, headers = {}, body }: SendOptions,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const name = params.name ?? params.uri ?? params.taskId
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? name : undefined,
    authorization: scope === null ? undefined : `Bearer ${await graph.token(scope)}`,
    ...headers,
  }
  const _meta = { ...envelope, ...(params._meta as object | undefined) }
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
  return fetch(doorOf(graph), {
    method: 'POST',
    signal,
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    body: body ?? JSON.stringify(message),
  })
}

/** Sends a message of revision 2026-07-28, and reads the whole answer. */
export async function send(
  graph: Served,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: SendOptions = {},
): Promise<{
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}> {
  const response = await post(graph, ++messages, method, params, options)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsedJson(text) }
}

export interface Listening extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The notifications so far, and the result with which the stream ended. */
  readonly messages: readonly Json[]
  readonly isOver: boolean
}

/** Listens by a stream of revision 2026-07-28. The id of the subscription is 1. */
export async function listen(
  graph: Served,
  notifications: Readonly<Record<string, unknown>>,
  { scope = null }: { readonly scope?: string | null } = {},
): Promise<Listening> {
  const controller = new AbortController()
  const { signal } = controller
  const response = await post(graph, 1, 'subscriptions/listen', { notifications }, { scope }, signal)
  const messages: unknown[] = []
  const listening = { status: response.status, headers: response.headers, messages, isOver: false }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const reading = (async () => {
    if (!isStream) {
      messages.push(JSON.parse(await response.text()))
      return
    }
    let rest = ''
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const lines = (rest + new TextDecoder().decode(part)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data:')) messages.push(JSON.parse(line.slice(5)))
    }
  })()
    .catch(() => {})
    .finally(() => {
      listening.isOver = true
    })
  if (!isStream) await reading
  return Object.assign(listening, {
    async [Symbol.asyncDispose]() {
      controller.abort()
      await reading
    },
  })
}
