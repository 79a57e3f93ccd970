import type { IncomingHttpHeaders } from 'node:http'
import { startFaultyServer } from './faulty-server.ts'

export interface Arrived {
  readonly method: string
  /** As it came: still escaped, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Parsed; undefined if there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared, not used
  readonly body: any
  /** Whether the caller did not wait for the answer. */
  givenUp: boolean
}

export interface Scripted {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; nothing at all if it is undefined. */
  readonly body?: unknown
  /** Sent as it is, instead. */
  readonly text?: string
}

export interface ScriptedService extends AsyncDisposable {
  readonly url: string
  readonly arrived: Arrived[]
}

export async function startScripted(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
): Promise<ScriptedService> {
  const arrived: Arrived[] = []
  const server = await startFaultyServer(async (response, { method, url, headers, body }) => {
    const [path = '', search = ''] = url.split('?')
    const one: Arrived = {
      ...{ method, path, headers },
      query: Object.fromEntries(new URLSearchParams(search)),
      body: body === '' ? undefined : JSON.parse(body),
      givenUp: false,
    }
    response.once('close', () => {
      if (!response.writableEnded) one.givenUp = true
    })
    arrived.push(one)
    const scripted = typeof answer === 'function' ? await answer(one) : answer
    response.writeHead(scripted.status ?? 200, { 'content-type': 'application/json', ...scripted.headers })
    response.end(scripted.text ?? (scripted.body === undefined ? '' : JSON.stringify(scripted.body)))
  })
  return { ...server, arrived }
}

/** Stands before another service: what arrives here goes on to it, without a body, once `until` resolves. */
export function startBefore(
  url: () => string,
  until: (arrived: Arrived) => Promise<unknown>,
): Promise<ScriptedService> {
  return startScripted(async (arrived) => {
    await until(arrived)
    const { method, path, query, headers } = arrived
    const answer = await fetch(new URL(`${path}?${new URLSearchParams(query)}`, url()), {
      method,
      headers: headers.authorization === undefined ? {} : { authorization: headers.authorization },
    })
    return { status: answer.status, text: await answer.text() }
  })
}
