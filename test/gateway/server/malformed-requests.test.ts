/** What `node:http` refuses before a handler sees it, and what it sends by itself between responses. */
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectBody, HeldBody } from '../../../gateway/server/body.ts'
import { ResponseSender } from '../../../gateway/server/response-sender.ts'
import { createNodeServer } from '../../../gateway/server/server.ts'
import { openTls, type Tls } from '../../../gateway/server/tls.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import type { RequestMetric } from '../../../gateway/telemetry/metrics/index.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { defaultConnections } from '../../support/connections.ts'
import { startGraph } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'
import { connectRaw, saidTo } from '../../support/raw-client.ts'
import { startServices } from '../../support/services.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'

const log = createLogger({ level: 'silent' })

async function serve(
  listener: RequestListener,
  { tls, headersTimeoutMs = 15_000 }: { tls?: Tls; headersTimeoutMs?: number } = {},
): Promise<{ url: string; counted: RequestMetric[] }> {
  const counted: RequestMetric[] = []
  const metrics = { request: (one: RequestMetric): void => void counted.push(one) }
  const server = createNodeServer(listener, defaultConnections({ headersTimeoutMs }), {
    tls,
    malformed: { metrics, log },
  })
  return { url: keep(await listen(server)).url, counted }
}

/** Status, code of the error, and that the form is that of all responses. */
function refusalIn(text: string): readonly [status: number, code: unknown] {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head.toLowerCase()).toContain('content-type: application/json')
  expect(head.toLowerCase()).toContain('connection: close')
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  const [error, ...others] = JSON.parse(body).errors
  expect(others).toEqual([])
  expect(error.message).toEqual(expect.any(String))
  return [Number(head.slice(9, 12)), error.extensions.code]
}

function selfSigned(): Tls {
  const folder = temporaryFolder()
  makeCertificate(folder, 'server')
  const files = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') }
  return openTls({ ...files, ca: undefined }, log)
}

const longHeaders = `GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(70_000)}\r\n\r\n`

describe.each([
  ['without TLS', false],
  ['over TLS', true],
])('%s', (_, secure) => {
  test.each([
    ['that is no HTTP', 'no HTTP\r\n\r\n', 400, 'BAD_REQUEST'],
    ['whose headers are too long', longHeaders, 431, 'REQUEST_TOO_LARGE'],
    [
      'with two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    ['without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'BAD_REQUEST'],
    ['with two hosts', 'GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'with a transfer coding that is not decoded',
      'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n',
      501,
      'BAD_REQUEST',
    ],
    [
      'that expects what nobody knows',
      'GET / HTTP/1.1\r\nhost: a\r\nexpect: 200-maybe\r\n\r\n',
      417,
      'BAD_REQUEST',
    ],
  ])('a request %s is refused in the form of GraphQL, and counted', async (_, text, status, code) => {
    const { url, counted } = await serve(() => expect.unreachable(), secure ? { tls: selfSigned() } : {})
    expect(refusalIn(await saidTo(url, text, secure))).toEqual([status, code])
    expect(counted.map((one) => [one.status, one.codes])).toEqual([[status, [code]]])
  })

  test('headers that do not come in time are refused in the same form', async () => {
    const tls = secure ? { tls: selfSigned() } : {}
    const { url, counted } = await serve(() => expect.unreachable(), { headersTimeoutMs: 300, ...tls })
    const half = 'GET / HTTP/1.1\r\nhost: a\r\n'
    expect(refusalIn(await saidTo(url, half, secure))).toEqual([408, 'REQUEST_TIMEOUT'])
    expect(counted).toHaveLength(1)
  })
})

test('plain text gets no answer on a port that speaks only TLS', async () => {
  const { url, counted } = await serve(() => expect.unreachable(), { tls: selfSigned() })
  expect(await saidTo(url, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')).not.toContain('HTTP/1.1')
  expect(counted).toEqual([])
})

test('a body that cannot be read is the fault of its own request', async () => {
  const { url } = await serve((request) => void request.resume())
  const garbled = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n'
  expect(refusalIn(await saidTo(url, garbled))).toEqual([400, 'BAD_REQUEST'])
})

/** A server whose first response waits until it is let go. */
async function serveSlowly(): Promise<{ url: string; release(): void; arrived: string[] }> {
  const responses: ServerResponse[] = []
  const arrived: string[] = []
  const { url } = await serve((request, response) => {
    arrived.push(request.url ?? '')
    request.resume()
    if (request.url === '/slow') {
      responses.push(response)
      response.write('first ')
    } else request.on('end', () => response.end('second'))
  })
  return { url, arrived, release: () => void responses[0]?.end('part') }
}

const slow = 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n'

test('what cannot be read waits for the response to the request before it', async () => {
  const { url, arrived, release } = await serveSlowly()
  const { socket, text, ended } = await connectRaw(url)
  socket.write(slow)
  await until(() => arrived.length === 1 && text().includes('first'), 'the first has begun')
  socket.write('no HTTP\r\n\r\n')
  // A round trip of another connection later nothing of a refusal has come.
  await saidTo(url, 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  expect(text()).not.toContain('400')
  release()
  await ended
  const [first, refusal] = text().split('0\r\n\r\n')
  expect(first).toContain('part')
  expect(refusalIn(refusal ?? '')).toEqual([400, 'BAD_REQUEST'])
})

test('a body that cannot be read, behind a response that takes long, is refused only once', async () => {
  const connections = defaultConnections({ bodyTimeoutMs: 50 })
  const first: ServerResponse[] = []
  const refusedFor: string[] = []
  const thrown: unknown[] = []
  const listener: RequestListener = (request, response) => {
    if (request.url === '/slow') {
      first.push(response)
      response.write('first ')
      return
    }
    collectBody(request, 1000, connections, new HeldBody(connections))
      .then((body) => {
        refusedFor.push(String(body))
        new ResponseSender(request, response).sendAndClose(408, [], '')
      })
      .catch((error: unknown) => thrown.push(error))
  }
  const { url } = keep(await listen(createNodeServer(listener, connections, { malformed: undefined })))
  const { socket, text, ended } = await connectRaw(url)
  socket.write(`${slow}POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n`)
  await until(() => refusedFor.length === 1, 'the body is late')
  expect([refusedFor, thrown]).toEqual([['late'], []])
  first[0]?.end('part')
  await ended
  const [, refusal] = text().split('0\r\n\r\n')
  expect(refusalIn(refusal ?? '')).toEqual([400, 'BAD_REQUEST'])
})

describe('100 Continue', () => {
  const expecting =
    'POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n'

  test('is sent immediately when nothing else is under way', async () => {
    const { url } = await serveSlowly()
    const { socket, text, ended } = await connectRaw(url)
    socket.write(expecting)
    await until(() => text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'), 'it goes on')
    socket.write('{}')
    await ended
    expect(text()).toContain('second')
  })

  test('is sent after the response to the request before, not within it', async () => {
    const { url, arrived, release } = await serveSlowly()
    const { socket, text, ended } = await connectRaw(url)
    socket.write(slow + expecting)
    await until(() => arrived.length === 2 && text().includes('first'), 'both have been read')
    expect(text()).not.toContain('100 Continue')
    release()
    await until(() => text().includes('100 Continue'), 'it goes on')
    expect(text().indexOf('part')).toBeLessThan(text().indexOf('HTTP/1.1 100 Continue'))
    socket.write('{}')
    await ended
    expect(text()).toContain('second')
  })

  test('is not sent for a body that came without waiting for it', async () => {
    const { url, arrived, release } = await serveSlowly()
    const { socket, text, ended } = await connectRaw(url)
    socket.write(`${slow}${expecting}{}`)
    await until(() => arrived.length === 2, 'both have been read')
    release()
    await ended
    expect(text()).not.toContain('100 Continue')
    expect(text()).toContain('second')
  })
})

test('a gateway and a subgraph service refuse headers that are too long', async () => {
  await using graph = await startGraph()
  await using services = await startServices('http://127.0.0.1:1', {}, ['nodes'])
  for (const url of [graph.url, services.urls.nodes])
    expect(refusalIn(await saidTo(url, longHeaders))).toEqual([431, 'REQUEST_TOO_LARGE'])
  const metrics = await (await fetch(new URL('/metrics', graph.url))).text()
  expect(metrics).toMatch(
    /tessera_requests_total\{[^}]*status="431"[^}]*\} 1|_count\{[^}]*status="431"[^}]*\} 1/,
  )
})
