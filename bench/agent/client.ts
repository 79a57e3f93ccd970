/** An agent without a model. It calls tools over HTTP, and counts all that it sends and reads. */
import { tokensIn } from '../../gateway/mcp/tools/tool.ts'
import type { Graph } from '../../test/support/graph.ts'

/** One call in the context of a model. */
export interface Turn {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isError: boolean
}

export interface Reading {
  readonly status: number
  /** The response without the marks around strangers' text, as a reader understands it. */
  // biome-ignore lint/suspicious/noExplicitAny: scripts read what the tools answer
  readonly json: any
  readonly text: string
  readonly isError: boolean
  /** The scope of a challenge. */
  readonly scope: string | undefined
}

export interface AgentIdentity {
  /** Null for an anonymous agent. */
  readonly scope: string | null
  /** Each task has its own user, because budgets are by grant. */
  readonly subject: string
}

export class ScriptedAgent {
  readonly turns: Turn[] = []
  readonly #graph: Graph
  readonly #identity: AgentIdentity
  #id = 0

  constructor(graph: Graph, identity: AgentIdentity) {
    this.#graph = graph
    this.#identity = identity
  }

  /** The tokens of all that it sent and read. */
  get tokens(): number {
    return this.turns.reduce(
      (sum, { name, args, text }) =>
        sum + tokensIn(JSON.stringify({ name, arguments: args })) + tokensIn(text),
      0,
    )
  }

  /** The listed definitions of the tools. */
  async definitions(): Promise<readonly { readonly name: string }[]> {
    return (await this.#send('tools/list', {})).json.result.tools
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Reading> {
    const { json, status, challenge } = await this.#send('tools/call', { name, arguments: args })
    const [content] = json.result?.content ?? []
    const text: string = content?.text ?? JSON.stringify(json.error)
    const isError = json.error !== undefined || json.result.isError === true
    this.turns.push({ name, args, text, isError })
    const scope = /scope="([^"]*)"/.exec(challenge ?? '')?.[1]
    return { status, text, json: unmarked(text), isError, scope }
  }

  async #send(method: string, params: Readonly<Record<string, unknown>>) {
    this.#id += 1
    const { scope, subject } = this.#identity
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    }
    if (typeof params.name === 'string') headers['mcp-name'] = params.name
    if (scope !== null) headers.authorization = `Bearer ${await this.#graph.token(scope, subject)}`
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'scripted', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const response = await fetch(`${this.#graph.gateway.url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params: { ...params, _meta } }),
    })
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
      // biome-ignore lint/suspicious/noExplicitAny: the protocol's messages are read as they come
      json: (await response.json()) as any,
    }
  }
}

/** Undefined if it is not JSON, such as an error in words. */
export function unmarked(text: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  const number = (json as { marks?: unknown }).marks
  if (typeof number !== 'string') return json
  return JSON.parse(text.replaceAll(`<<${number}:`, '').replaceAll(`:${number}>>`, ''))
}
