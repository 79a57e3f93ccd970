/** Turns the library's answer into one of our HTTP responses, whole or as a stream of events. */
import type { ServerResponse } from 'node:http'
import { asByteString, byteString } from '../../../shared/json/byte-string.ts'
import type { HttpResponse } from '../../graphql-http/graphql-over-http.ts'
import { mediaRangesIn } from '../../graphql-http/media-ranges.ts'

const passedOn = ['content-type', 'mcp-protocol-version', 'allow']

const isEvents = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

function headOf(response: Response): string[] {
  return passedOn.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [name, value]
  })
}

/** `isLasting`: whether its events come for as long as the client listens. Others are gathered, so that a refusal may still take their place. */
export async function httpResponseOf(
  response: Response,
  accept: string | undefined,
  isLasting: boolean,
): Promise<HttpResponse> {
  const head = headOf(response)
  const { status, body } = response
  if (isLasting && body !== null && isEvents(response))
    return {
      status,
      head,
      body: asByteString(''),
      stream: (out, rest) => void send(body, out, status, [...rest, 'cache-control', 'no-store']),
    }
  const text = await response.text()
  if (!isEvents(response) || acceptsEvents(accept)) return { status, head, body: byteString(text) }
  // Clients of 2025-11-25 get one event, with the answer.
  const [, answer = ''] = /^data: ([^\n]*)/m.exec(text) ?? []
  return { status, head: ['content-type', 'application/json'], body: byteString(answer) }
}

const acceptsEvents = (accept = '*/*'): boolean =>
  mediaRangesIn(accept).some(({ name }) => ['text/event-stream', 'text/*', '*/*'].includes(name))

/** The most bytes of events that wait for a client; one that takes none is sent away. */
const mostWaiting = 256 * 1024

async function send(
  body: ReadableStream<Uint8Array>,
  out: ServerResponse,
  status: number,
  head: readonly string[],
): Promise<void> {
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (out.destroyed) {
    stop()
    return
  }
  out.once('close', stop)
  out.writeHead(status, [...head])
  out.flushHeaders()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      out.write(part.value)
      if (out.writableLength > mostWaiting) out.destroy()
    }
    out.end()
  } catch {
    out.destroy()
  }
}
