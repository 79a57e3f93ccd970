/** Connections of a client: how many, how long, and what becomes of them when something goes wrong. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type HttpResult,
} from '../../../shared/http/client.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { deadUrl } from '../../support/faulty-server.ts'
import { type ByteScript, startRawServer } from '../../support/raw-server.ts'
import { testRequest } from '../../support/request.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'

const clientOf = (url: string, connections = 1): HttpClient =>
  createHttpClient(url, { connections, connectTimeoutMs: 5000 })

const ask = (client: HttpClient, asked: Partial<HttpRequest> = {}, ms = 20_000): Promise<HttpResult> =>
  client.send(
    { method: 'GET', path: '/', headers: [], body: undefined, maxBytes: 1_000_000, ...asked },
    performance.now() + ms,
  )

const silent: ByteScript = { pieces: [] }
const head = 'HTTP/1.1 200 OK\r\n'

describe('a request', () => {
  test('is written as it is, with its length', async () => {
    await using server = await startRawServer()
    const client = clientOf(server.url)
    const headers = ['content-type', 'application/json', 'X-Caf', 'caf\xe9']
    expect(
      await ask(client, { method: 'POST', path: '/a?b=%20c', headers, body: '{"text":"é€😀"}' }),
    ).toMatchObject({ status: 200, wasSent: true, body: Buffer.from('fine') })
    const [line, ...rest] = (server.requests[0] ?? '').split('\r\n')
    expect(line).toBe('POST /a?b=%20c HTTP/1.1')
    expect(rest).toEqual(
      expect.arrayContaining(['content-type: application/json', 'X-Caf: caf\xe9', 'content-length: 20']),
    )
    expect(Buffer.from(rest.at(-1) ?? '', 'latin1').toString('utf8')).toBe('{"text":"é€😀"}')
    await client.close()
  })

  test.each<[string, Partial<HttpRequest>]>([
    ['a line break in a header', { headers: ['x', 'a\r\ny: b'] }],
    ['a character beyond Latin-1 in a header', { headers: ['x', '€'] }],
    ['a name that is none', { headers: ['x y', '1'] }],
    ['a line break in its path', { path: '/a\r\nx: y' }],
    ['a blank in its path', { path: '/a b' }],
    ['a coding of its own', { headers: ['Transfer-Encoding', 'chunked'] }],
    ['an expectation', { headers: ['Expect', '100-continue'] }],
  ])('with %s does not leave', async (_, asked) => {
    await using server = await startRawServer()
    const client = clientOf(server.url)
    expect(await ask(client, asked)).toMatchObject({ loss: 'unsendable', wasSent: false })
    expect(await ask(client)).toMatchObject({ status: 200 })
    expect(server.requests).toHaveLength(1)
    await client.close()
  })

  test('waits for its turn if all connections are in use, and leaves the queue when it is cancelled', async () => {
    await using server = await startRawServer(silent)
    const client = clientOf(server.url, 2)
    const requests = Array.from({ length: 4 }, () => testRequest())
    const ends = requests.map((request) =>
      client.send(
        { method: 'GET', path: '/', headers: [], body: undefined, maxBytes: 1000 },
        performance.now() + 20_000,
        request,
      ),
    )
    await until(() => server.requests.length === 2, 'two requests')
    requests[2]?.cancel()
    expect(await ends[2]).toMatchObject({ loss: 'cancelled', wasSent: false })
    server.usual = { pieces: [`${head}content-length: 0\r\n\r\n`] }
    requests[0]?.cancel()
    expect(await ends[0]).toMatchObject({ loss: 'cancelled', wasSent: true })
    expect(await ends[3]).toMatchObject({ status: 200 })
    expect(server.requests).toHaveLength(3)
    await client.close()
    expect(await ends[1]).toMatchObject({ loss: 'connection', wasSent: true })
  })

  test('that waits for its turn ends by its deadline', async () => {
    await using server = await startRawServer(silent)
    const client = clientOf(server.url)
    const first = ask(client)
    expect(await ask(client, {}, 100)).toMatchObject({ loss: 'timeout', wasSent: false })
    await until(() => server.requests.length === 1, 'a request')
    await client.close()
    expect(await first).toMatchObject({ loss: 'connection' })
  })
})

describe('a response', () => {
  test.each([
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['another protocol', 'SMTP/1.1 200 OK\r\n\r\n'],
    ['a line feed alone', `${head}x: 1\nv: 2\r\ncontent-length: 0\r\n\r\n`],
    ['a name with a blank', `${head}x : 1\r\ncontent-length: 0\r\n\r\n`],
    ['no name', `${head}: 1\r\ncontent-length: 0\r\n\r\n`],
    ['a line without a colon', `${head}x\r\ncontent-length: 0\r\n\r\n`],
    ['a zero byte', `${head}x: \0\r\ncontent-length: 0\r\n\r\n`],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a length that is none', `${head}content-length: -1\r\n\r\n`],
    ['a length with a sign', `${head}content-length: +1\r\n\r\na`],
    ['a length and chunks', `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a head that is too long', `${head}x: ${'a'.repeat(70_000)}`],
    ['a chunk without a size', `${head}transfer-encoding: chunked\r\n\r\nxyz\r\n\r\n`],
    ['a chunk that is too long', `${head}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`],
    ['bytes that are not HTTP and no end', 'ready when you are'],
    ['an upgrade that was not asked for', 'HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('with %s is refused, and its connection is not used again', async (_, text) => {
    await using server = await startRawServer()
    server.scripts = [{ pieces: [text] }]
    const client = clientOf(server.url)
    const { loss, wasSent } = await ask(client)
    expect(loss).toMatch(/^(garbled|truncated|connection)$/)
    expect(wasSent).toBe(true)
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await client.close()
  })

  test('with more behind it ends with its length, and its connection is not used again', async () => {
    await using server = await startRawServer()
    const more = 'HTTP/1.1 500 no\r\ncontent-length: 0\r\n\r\n'
    server.scripts = [{ pieces: [`${head}content-length: 4\r\n\r\nfine${more}`] }]
    const client = clientOf(server.url)
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await client.close()
  })

  test.each([
    ['as its length says', `${head}content-length: 10\r\n\r\nabcdefghij`],
    ['as its chunks show', `${head}transfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nfghij\r\n0\r\n\r\n`],
    ['as its end shows', `${head}\r\nabcdefghij`],
  ])('that is larger than allowed, %s, is given up', async (_, text) => {
    await using server = await startRawServer()
    server.scripts = [{ pieces: [text] }]
    const client = clientOf(server.url)
    expect(await ask(client, { maxBytes: 4 })).toMatchObject({ loss: 'too-large', body: Buffer.alloc(0) })
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    await client.close()
  })

  test('with a connection that breaks within it is truncated', async () => {
    await using server = await startRawServer()
    server.scripts = [{ pieces: [`${head}content-length: 50\r\n\r\nhalf`], closes: true }]
    const client = clientOf(server.url)
    expect(await ask(client)).toMatchObject({ loss: 'truncated', wasSent: true, status: 200 })
    await client.close()
  })
})

describe('a connection', () => {
  test('is used again, and opened again if the server closed it meanwhile, also for a write', async () => {
    await using server = await startRawServer()
    const client = clientOf(server.url)
    for (const method of ['GET', 'POST'] as const) {
      const before = server.sockets.length
      expect(await ask(client)).toMatchObject({ status: 200 })
      expect(await ask(client)).toMatchObject({ status: 200 })
      expect(server.sockets).toHaveLength(Math.max(1, before))
      const last = server.sockets.at(-1)
      last?.end()
      if (last?.closed === false) await once(last, 'close')
      expect(await ask(client, { method })).toMatchObject({ loss: undefined, status: 200 })
    }
    expect(server.sockets).toHaveLength(3)
    await client.close()
  })

  test('on which something comes that was not asked for is not used again', async () => {
    await using server = await startRawServer()
    const client = clientOf(server.url)
    expect(await ask(client)).toMatchObject({ status: 200 })
    const [first] = server.sockets
    first?.write(`${head}content-length: 5\r\n\r\nwrong`)
    if (first?.closed === false) await once(first, 'close')
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await client.close()
  })

  test('that may live so long only is exchanged for another one', async () => {
    await using server = await startRawServer()
    const client = createHttpClient(server.url, { connections: 1, connectTimeoutMs: 5000, lifeMs: 1 })
    expect(await ask(client)).toMatchObject({ status: 200 })
    await until(async () => {
      expect(await ask(client)).toMatchObject({ status: 200 })
      return server.sockets.length > 1
    }, 'another connection')
    await client.close()
  })

  test('with a request that timed out is not used again', async () => {
    await using server = await startRawServer()
    server.scripts = [{ pieces: [`${head}content-length: 50\r\n\r\nhalf`] }]
    const client = clientOf(server.url)
    expect(await ask(client, {}, 500)).toMatchObject({ loss: 'timeout', wasSent: true })
    expect(await ask(client)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await client.close()
  })

  test('that cannot be had ends the request, which has not left', async () => {
    const client = clientOf(await deadUrl())
    expect(await ask(client)).toMatchObject({ loss: 'connection', wasSent: false })
    await client.close()
  })

  test('is closed with the client, with what is under way and what waits', async () => {
    await using server = await startRawServer(silent)
    const client = clientOf(server.url)
    const ends = [ask(client), ask(client)]
    await until(() => server.requests.length === 1, 'a request')
    await client.close()
    expect(await ends[0]).toMatchObject({ loss: 'connection', wasSent: true })
    expect(await ends[1]).toMatchObject({ loss: 'connection', wasSent: false })
    expect(await ask(client)).toMatchObject({ loss: 'connection', wasSent: false })
    await until(() => server.sockets.every(({ closed }) => closed), 'no open socket')
    expect(server.requests).toHaveLength(1)
  })

  test('with TLS is used again, and is refused if the certificate is not trusted', async () => {
    const folder = temporaryFolder()
    makeCertificate(folder, 'own')
    const [cert, key] = ['own.pem', 'own.key'].map((name) => readFileSync(join(folder, name), 'utf8'))
    let opened = 0
    let requests = 0
    const server = createTlsServer({ cert, key }, (_request, response) => {
      requests += 1
      response.end(`answer ${requests}`)
    })
    server.on('secureConnection', () => {
      opened += 1
    })
    server.listen(0, 'localhost')
    await once(server, 'listening')
    const url = `https://localhost:${(server.address() as AddressInfo).port}`
    const trusting = createHttpClient(url, { connections: 1, connectTimeoutMs: 5000, tls: { ca: cert } })
    for (const number of [1, 2, 3])
      expect(await ask(trusting)).toMatchObject({ status: 200, body: Buffer.from(`answer ${number}`) })
    expect(opened).toBe(1)
    const stranger = clientOf(url)
    expect(await ask(stranger)).toMatchObject({ loss: 'connection', wasSent: false })
    expect(requests).toBe(3)
    await Promise.all([trusting.close(), stranger.close()])
    server.close()
    await once(server, 'close')
  })
})
