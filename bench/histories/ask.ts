/** One attempt of a client at one gateway, and the meaning of its response. */
import { Agent, request } from 'undici'
import { unmarked } from '../agent/client.ts'
import type { Ending, RefusalNumbers } from './record.ts'

export interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

export interface Heard {
  readonly ending: Ending
  /** Whether there was a response. */
  readonly answered: boolean
  readonly codes: readonly string[]
  /** The value of the one root field, `f`. */
  readonly value: unknown
  readonly spent: number | undefined
  readonly refusal: RefusalNumbers | undefined
  /** Whether the service itself said that nothing is left. */
  readonly shut: boolean
}

interface GraphError {
  readonly extensions?: {
    readonly code?: string
    readonly outcome?: string
    readonly quota?: RefusalNumbers
    readonly upstream?: { readonly reason?: string }
  }
}

/** Codes which say that this attempt changed nothing, unless the outcome is declared unknown. */
const refusals: ReadonlySet<string> = new Set([
  'CONFLICT',
  'FORBIDDEN',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_UNAVAILABLE',
  'NOT_FOUND',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'SERVICE_BUSY',
  'SERVICE_STOPPING',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
])

const unheard: Heard = {
  ending: 'unknown',
  answered: false,
  codes: [],
  value: undefined,
  spent: undefined,
  refusal: undefined,
  shut: false,
}

const patienceMs = 6000

/** Connections to the gateways. There are many, so that one request does not wait for another. */
export function createCaller() {
  const agent = new Agent({ connections: 64, connect: { timeout: 1000 } })

  async function ask(url: string, { query, variables, headers }: Asked): Promise<Heard> {
    let text: string
    try {
      const { body } = await request(`${url}/graphql`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(patienceMs),
      })
      text = await body.text()
    } catch {
      return unheard
    }
    return heardFrom(text)
  }

  /** Sends a file to an upload address. Returns the id of the video, if one was made. */
  async function put(url: string, headers: Readonly<Record<string, string>>): Promise<Heard> {
    try {
      const { statusCode, body } = await request(url, {
        method: 'PUT',
        dispatcher: agent,
        headers: { 'content-type': 'video/mp4', ...headers },
        body: 'ten bytes.',
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await body.text()
      const answered = { ...unheard, answered: true, codes: [String(statusCode)] }
      if (statusCode !== 200 && statusCode !== 201) return answered
      return { ...answered, ending: 'done', value: (JSON.parse(text) as { id?: string }).id }
    } catch {
      return unheard
    }
  }

  /** Calls the agents' tool that runs a document. Returns its result as text. */
  async function run(url: string, asked: Asked, confirmation?: string): Promise<string | undefined> {
    const { query, variables, headers } = asked
    const given = confirmation === undefined ? {} : { confirmation }
    const params = { name: 'execute_operation', arguments: { document: query, variables, ...given } }
    try {
      const { body } = await request(`${url}/mcp`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        signal: AbortSignal.timeout(patienceMs),
      })
      return toolTextIn(await body.text())
    } catch {
      return undefined
    }
  }

  /** The confirmation that a change needs; undefined if the gateway returns none. */
  async function askBack(url: string, asked: Asked): Promise<string | undefined> {
    const answer = unmarked((await run(url, asked)) ?? '') as { confirmation?: string } | undefined
    return answer?.confirmation
  }

  async function confirm(url: string, asked: Asked, confirmation: string): Promise<Heard> {
    const text = await run(url, asked, confirmation)
    return text === undefined ? unheard : heardFromTool(text)
  }

  return { ask, put, askBack, confirm, close: () => agent.destroy() }
}

export type Caller = ReturnType<typeof createCaller>

/** The text of a tool's result, from an event or JSON; undefined if there is none. */
function toolTextIn(body: string): string | undefined {
  const [, data = body] = /^data: ?(.*)$/m.exec(body) ?? []
  const message = JSON.parse(data) as { result?: { content?: readonly { text?: string }[] } }
  return message.result?.content?.[0]?.text
}

export function heardFromTool(text: string): Heard {
  const answer = unmarked(text) as
    | { data?: { f?: unknown } | null; errors?: { code: string; quota?: RefusalNumbers }[] }
    | undefined
  // The result is in words, such as for a confirmation that is too old by this gateway's clock.
  if (answer === undefined)
    return {
      ...unheard,
      answered: true,
      ending: text.includes('Nothing was changed') ? 'refused' : 'unknown',
    }
  const { data, errors = [] } = answer
  const value = data?.f ?? undefined
  const codes = errors.map(({ code }) => code)
  const isUnknown = text.includes('It is UNKNOWN')
  const refused = codes.length > 0 && !isUnknown && codes.every((code) => refusals.has(code))
  return {
    ...unheard,
    ending: value !== undefined ? 'done' : refused ? 'refused' : 'unknown',
    answered: true,
    codes,
    value,
    refusal: errors.find(({ code }) => code === 'QUOTA_EXCEEDED')?.quota,
  }
}

export function heardFrom(text: string): Heard {
  let answer: {
    data?: { f?: unknown } | null
    errors?: GraphError[]
    extensions?: { quota?: { spent?: number } }
  }
  try {
    answer = JSON.parse(text) as typeof answer
  } catch {
    return unheard
  }
  const { data, errors = [], extensions } = answer
  const value = data?.f ?? undefined
  const codes = errors.map(({ extensions: more }) => more?.code ?? 'none')
  const isUnknown = errors.some(({ extensions: more }) => more?.outcome === 'unknown')
  const refused = codes.length > 0 && !isUnknown && codes.every((code) => refusals.has(code))
  return {
    ending: value !== undefined ? 'done' : refused ? 'refused' : 'unknown',
    answered: true,
    codes,
    value,
    spent: extensions?.quota?.spent,
    refusal: errors.find(({ extensions: more }) => more?.code === 'QUOTA_EXCEEDED')?.extensions?.quota,
    shut: errors.some(({ extensions: more }) => more?.upstream?.reason === 'quotaExceeded'),
  }
}
