/**
 * `tessera mcp`: for clients of agents that start a program and use its standard input and output. Each line is a
 * message, which is sent to a running gateway. The gateway's responses are written as lines. It stores nothing.
 */
import { EventStreamReader } from '../../shared/http/event-stream.ts'
import { knownReasonOf } from '../../shared/http/failure-reason.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { messageOf, systemCodeOf } from '../../shared/runtime/thrown.ts'
import { type Command, exitCodes, type Io, UsageError } from './command.ts'

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly taskId?: unknown
    readonly requestId?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
  readonly result?: { readonly protocolVersion?: unknown }
}

/** Longer lines are refused. */
const mostCharacters = 4_000_000
const mostEventBytes = 8_000_000

class Bridge {
  readonly #url: string
  readonly #token: string | undefined
  readonly #io: Io
  /** Messages that can be cancelled, by their ids. */
  readonly #underWay = new Map<unknown, AbortController>()
  /** The protocol version that a client of 2025-11-25 has agreed on, which names it only once. */
  #revision: string | undefined

  constructor(url: string, token: string | undefined, io: Io) {
    this.#url = url
    this.#token = token
    this.#io = io
  }

  async take(line: string): Promise<void> {
    const message = parsedJson(line)
    if (message === undefined) {
      this.#fail(null, -32700, 'This line is not JSON: expected one JSON-RPC message.')
      return
    }
    if (!isObject(message)) {
      this.refuse('This line is no JSON-RPC message: expected an object.')
      return
    }
    const { id, method, params } = message as Message
    if (method === 'notifications/cancelled') this.#underWay.get(params?.requestId)?.abort()
    const controller = new AbortController()
    if (id !== undefined) this.#underWay.set(id, controller)
    try {
      await this.#send(message, line, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted && id !== undefined)
        this.#fail(id, -32603, `The gateway at ${this.#url} does not respond: ${reasonIn(error)}`)
    } finally {
      this.#underWay.delete(id)
    }
  }

  /** Answers an unreadable message, so that its client does not wait for ever. */
  refuse(message: string): void {
    this.#fail(null, -32600, message)
  }

  leave(): void {
    for (const controller of this.#underWay.values()) controller.abort()
  }

  async #send({ id, method, params }: Message, body: string, signal: AbortSignal): Promise<void> {
    const own = params?._meta?.['io.modelcontextprotocol/protocolVersion']
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`
    const revision = typeof own === 'string' ? own : this.#revision
    if (revision !== undefined && method !== 'initialize') headers['mcp-protocol-version'] = revision
    if (typeof own === 'string' && typeof method === 'string') {
      headers['mcp-method'] = method
      const name = params?.name ?? params?.uri ?? params?.taskId
      if (typeof name === 'string') headers['mcp-name'] = headerText(name)
    }
    const response = await fetch(this.#url, { method: 'POST', headers, body, signal })
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      const isAnswered = await this.#passEvents(response, id, method === 'initialize')
      if (id !== undefined && !isAnswered)
        this.#fail(id, -32603, `The gateway at ${this.#url} ended its response before the answer.`)
      return
    }
    const text = await response.text()
    // A notification has no answer, even if the gateway refuses it.
    if (text === '' || id === undefined) return
    try {
      this.#pass(text, id)
    } catch {
      this.#fail(
        id,
        -32603,
        `${this.#url} answered ${response.status} without a message: is /mcp open there?`,
      )
    }
  }

  /** Resolves to whether one of them answers the message with this id. */
  async #passEvents(response: Response, id: unknown, isBeginning: boolean): Promise<boolean> {
    let isAnswered = false
    const reader = new EventStreamReader({
      mostBytes: mostEventBytes,
      event: ({ data }) => {
        const message = this.#pass(data, id)
        if (message.method === undefined && message.id === id) isAnswered = true
        // The gateway may know only an older revision than the client asked for.
        const revision = message.result?.protocolVersion
        if (isBeginning && typeof revision === 'string') this.#revision = revision
      },
      // A lost stream is not resumed, so its pause does not matter.
      retry: () => undefined,
    })
    for await (const part of response.body ?? [])
      if (!reader.read(Buffer.from(part))) throw new Error('an event is too long')
    return isAnswered
  }

  /**
   * Passes a message on as it was sent, so that its numbers keep their digits. A refusal that came before the message was
   * read has no id: it becomes the answer to `id`. Throws if the text is no message.
   */
  #pass(text: string, id: unknown): Message {
    const message: unknown = JSON.parse(text)
    if (!isObject(message) || !['method', 'result', 'error'].some((member) => member in message))
      throw new Error('no JSON-RPC message')
    const isWithoutId = message.error !== undefined && message.id === null
    const passed = isWithoutId ? JSON.stringify({ ...message, id }) : text.replaceAll(/[\r\n]/g, ' ').trim()
    this.#io.out(`${passed}\n`)
    return isWithoutId ? { ...message, id } : (message as Message)
  }

  #fail(id: unknown, code: number, message: string): void {
    this.#io.out(`${JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id })}\n`)
  }
}

/** Why a request failed: what `fetch` throws has the reason as its cause. */
function reasonIn(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return (cause instanceof Error ? knownReasonOf(cause) : undefined) ?? messageOf(error)
}

/** As the protocol writes it in a header, which takes plain text only. */
const headerText = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

const tooLong = Symbol('a line that is too long')

/** Bounds the length of a line. Ends without an error if the input is closed. */
export async function* linesOf(
  input: AsyncIterable<string>,
  most = mostCharacters,
): AsyncGenerator<string | typeof tooLong> {
  let rest = ''
  let isSkipping = false
  try {
    for await (const part of input) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!isSkipping) yield line.length > most ? tooLong : line
        isSkipping = false
      }
      if (rest.length > most) {
        if (!isSkipping) yield tooLong
        isSkipping = true
        rest = ''
      }
    }
  } catch (error) {
    if (systemCodeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
  if (rest !== '' && !isSkipping) yield rest
}

export const mcpCommand: Command = {
  synopsis: '[--url URL] [--token T]',
  options: {
    url: {
      value: 'URL',
      help: "the agents' endpoint of a running gateway; http://127.0.0.1:4000/mcp by default",
    },
    token: {
      value: 'T',
      help: "the user's token; better set the variable MCP_TOKEN, which others on this machine cannot see",
    },
  },
  example: 'tessera mcp --url https://graph.example.com/mcp',

  async run(args, io) {
    const url = args.string('url') ?? 'http://127.0.0.1:4000/mcp'
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError('--url expects an http or https address, such as http://127.0.0.1:4000/mcp')
    const bridge = new Bridge(url, args.string('token') ?? io.env.MCP_TOKEN, io)
    const underWay = new Set<Promise<void>>()
    void io.stopped().then(() => process.stdin.destroy())
    for await (const line of linesOf(process.stdin.setEncoding('utf8'))) {
      if (line === tooLong) {
        bridge.refuse(`This line has more than ${mostCharacters} characters: a message is never so long.`)
        continue
      }
      if (line.trim() === '') continue
      const taken = bridge.take(line).finally(() => underWay.delete(taken))
      underWay.add(taken)
    }
    // Requests are still answered. Streams that would never end are closed.
    const late = setTimeout(() => bridge.leave(), 10_000)
    await Promise.all(underWay)
    clearTimeout(late)
    return exitCodes.done
  },
}
