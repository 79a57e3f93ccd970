/** One request as it is written. Throws undici's `InvalidArgumentError` where it is no plain request of HTTP/1.1. */
import { errors } from 'undici'

export interface PlainRequest {
  readonly method: string
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string | null
}

const methodForm = /^[A-Z]{1,20}$/
/** Without a body these say that it is empty. */
const withBodies = new Set(['POST', 'PUT', 'PATCH'])
const notInPath = /[^\x21-\x7e]/
const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const notInValue = /[^\t\x20-\x7e\x80-\xff]/
/** They say how the request is framed and what becomes of the connection, which is decided here. */
const ours = new Set([
  ...[
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'keep-alive',
    'upgrade',
    'expect',
    'te',
    'trailer',
  ],
])

/** Names that may be sent, which were sent before. */
const soundNames = new Set<string>()
const mostNames = 256

/** `host`: the value of that header. Text is one character for each byte. */
export function requestBytes(request: PlainRequest, host: string): string | Buffer {
  const { method, path, headers, body } = request
  if (!methodForm.test(method)) throw new errors.InvalidArgumentError('invalid request method')
  if (path.charCodeAt(0) !== 0x2f || notInPath.test(path))
    throw new errors.InvalidArgumentError('invalid request path')
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    const value = headers[at + 1] as string
    if (!soundNames.has(name)) checkName(name)
    if (notInValue.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`)
    head += `${name}: ${value}\r\n`
  }
  if (body === null && !withBodies.has(method)) return `${head}\r\n`
  return withBody(head, body ?? '')
}

function checkName(name: string): void {
  if (!nameForm.test(name) || ours.has(name.toLowerCase()))
    throw new errors.InvalidArgumentError('invalid header key')
  if (soundNames.size < mostNames) soundNames.add(name)
}

function withBody(head: string, body: string): Buffer {
  const length = Buffer.byteLength(body)
  const whole = `${head}content-length: ${length}\r\n\r\n`
  const bytes = Buffer.allocUnsafe(whole.length + length)
  bytes.write(whole, 'latin1')
  bytes.write(body, whole.length)
  return bytes
}
