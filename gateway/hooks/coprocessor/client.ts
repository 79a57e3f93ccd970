/**
 * Calls a coprocessor: JSON by POST over kept-alive connections, with a timeout and a bound in bytes in both
 * directions. An error names neither the address nor the content.
 */
import { createHttpClient } from '../../../shared/http/client.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { HookTimeout } from '../run.ts'

interface CoprocessorClientOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly connections: number
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export class CoprocessorError extends Error {
  override readonly name = 'CoprocessorError'
}

export function createCoprocessorClient(options: CoprocessorClientOptions) {
  const { timeoutMs, maxBytes } = options
  const url = new URL(options.url)
  const path = `${url.pathname}${url.search}`
  const client = createHttpClient(url, {
    connections: options.connections,
    connectTimeoutMs: Math.min(5000, timeoutMs),
  })
  const json = 'application/json'
  const headers = ['content-type', json, 'accept', json, ...options.headers.flat()]
  return {
    async ask(question: object): Promise<unknown> {
      const body = JSON.stringify(question)
      if (Buffer.byteLength(body) > maxBytes)
        throw new CoprocessorError(`the request is longer than ${maxBytes} bytes`)
      const deadline = performance.now() + timeoutMs
      const ask = () => client.send({ method: 'POST', path, headers, body, maxBytes }, deadline)
      let answer = await ask()
      // A kept connection may just have been closed. In rare cases the request has arrived, and arrives twice.
      if (answer.loss === 'connection' && performance.now() < deadline) answer = await ask()
      const { loss, status } = answer
      if (loss !== undefined) {
        const Failure = loss === 'timeout' ? HookTimeout : CoprocessorError
        throw new Failure(`the coprocessor did not respond (${loss})`)
      }
      if (status !== 200) throw new CoprocessorError(`the coprocessor answered ${status}: expected 200`)
      const said = parsedJson(answer.body)
      if (said === undefined) throw new CoprocessorError('the coprocessor did not return JSON')
      return said
    },
    close: () => client.close(),
  }
}
