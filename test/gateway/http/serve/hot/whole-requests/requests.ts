/** HTTP/1.1 requests as text: plain ones, and random ones of which many are not quite valid. */
import fc from 'fast-check'

export const post = (body: string, headers: readonly string[] = [], path = '/graphql'): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: a',
    'content-type: application/json',
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

/** Of the two, the gate of these tests refuses the one and lets the other through. */
export const refused = post('{"query":"{ a }"}')
export const begins = post('{"query":"{ begin }"}')

const headerLines = fc.constantFrom(
  'x-request-id: abc',
  'X-Request-Id:def',
  'x-request-id:',
  'x-request-id: a b',
  'Connection: keep-alive',
  'connection: Keep-Alive, TE',
  'connection: close',
  'proxy-connection: close',
  'content-length: 0',
  'Content-Length: 17',
  'content-length : 5',
  'transfer-encoding: chunked',
  'Transfer-Encoding: identity',
  'content-encoding: gzip',
  'expect: 100-continue',
  'upgrade: websocket',
  'origin: https://a.example',
  'trailer: x-a',
  'accept: */*',
  'Accept: multipart/mixed',
  'cookie: a=b',
  'authorization: Bearer \u00e9',
  'x-a: b\tc',
  'x-a: b\u0001',
  ' folded: x',
  'folded:\r\n x',
  'bare\nlf: x',
  'x y: z',
  ': z',
  'no-colon',
)
const bodies = fc.oneof(
  fc.constantFrom('{"query":"{ a }"}', '{"query":"{ begin }"}', '{}', ''),
  fc.constantFrom(refused, begins, `${refused}${refused}`),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const requestLines = fc.oneof(
  { weight: 10, arbitrary: fc.constant('POST /graphql HTTP/1.1') },
  fc.constantFrom(
    ...[
      'GET /graphql HTTP/1.1',
      'POST /graphql HTTP/1.0',
      'POST /graphql?a HTTP/1.1',
      'POST  /graphql HTTP/1.1',
    ],
    ...['POST /other HTTP/1.1', 'HEAD /graphql HTTP/1.1', 'post /graphql HTTP/1.1', 'POST /graphql HTTP/2.0'],
  ),
)
export const requests = fc
  .record({
    line: requestLines,
    host: fc.constantFrom('host: a', 'Host:a', 'host: a', undefined),
    before: fc.array(headerLines, { maxLength: 2 }),
    length: fc.constantFrom('content-length: ', 'Content-Length:', 'content-length:\t', undefined),
    off: fc.constantFrom(0, 0, 0, 0, 1, -1),
    after: fc.constantFrom('', '', '', ' ', '\t', ', 3'),
    body: bodies,
  })
  .map(({ line, host, before, length, off, after, body }) => {
    const bytes = Buffer.byteLength(body, 'latin1')
    const lengths = length === undefined ? [] : [`${length}${Math.max(0, bytes + off)}${after}`]
    return [line, ...(host === undefined ? [] : [host]), ...before, ...lengths, '', body].join('\r\n')
  })
