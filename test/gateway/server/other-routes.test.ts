/** Requests to addresses beside that of the graph. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveGateway, startLiveGraph } from '../../support/live-graph.ts'
import { saidTo } from '../../support/raw-client.ts'
import { askServer, type RouteAsked } from '../../support/routes.ts'

let live: LiveGateway
let port = 0
beforeAll(async () => {
  live = await startLiveGraph({ env: { TESSERA_CORS_ORIGINS: 'https://app.example' } })
  port = Number(new URL(live.url).port)
})
afterAll(() => live[Symbol.asyncDispose]())

const ask = (path: string, asked?: RouteAsked) => askServer(port, path, asked)
const codeOf = (text: string): unknown => JSON.parse(text).errors[0].extensions.code

describe('a body', () => {
  const mostBytes = 16 * 1024
  const post = async (path: string, bytes: number, headers = {}): Promise<unknown[]> => {
    const got = await ask(path, { method: 'POST', headers, body: 'x'.repeat(bytes) })
    return [got.status, codeOf(got.text), got.headers.connection, got.headers.allow]
  }

  test('that no route takes is read up to 16 KiB, and its length is not what is wrong', async () => {
    expect(await post('/nowhere', mostBytes)).toEqual([404, 'NOT_FOUND', 'close', undefined])
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      expect(await post('/nowhere', mostBytes + 1, headers)).toEqual([404, 'NOT_FOUND', 'close', undefined])
      expect(await post('/health/live', mostBytes + 1, headers)).toEqual([
        405,
        'BAD_REQUEST',
        'close',
        'GET, HEAD',
      ])
    }
  })

  test('that is announced too long is refused before it comes', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: ${mostBytes + 1}\r\n\r\n`)
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 404 /)
    socket.destroy()
  })

  test('that is of no known type, or garbled, does not change that there is nothing', async () => {
    for (const type of ['', 'json', 'application/json', 'text/plain; charset=x'])
      expect(
        (await ask('/nowhere', { method: 'POST', headers: { 'content-type': type }, body: '{' })).status,
      ).toBe(404)
  })

  test('of GET is not waited for', async () => {
    const body = { method: 'GET', headers: { 'content-length': '4' }, body: '{{{{' }
    expect((await ask('/health/live', body)).text).toBe('{"live":true}')
  })
})

test('a path may be encoded and have a last slash, and HEAD is answered as GET without a body', async () => {
  for (const path of ['/health/live', '/health/live/', '/health/live?x=%zz', '/he%61lth/live']) {
    const got = await ask(path)
    expect([path, got.status, got.text]).toEqual([path, 200, '{"live":true}'])
    const head = await ask(path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '13'])
  }
})

test('a whole URL as the target is read by its path, for GraphQL as for every other route', async () => {
  expect((await ask('http://other.example/health/live?x')).text).toBe('{"live":true}')
  const graph = await ask('http://other.example/graphql?query=%7B__typename%7D')
  expect(JSON.parse(graph.text)).toEqual({ data: { __typename: 'Query' } })
})

test('an unknown path is 404, another method 405, and a path that cannot be decoded 400', async () => {
  for (const path of ['/health%2Flive', '/health//live', '//health/live', '/nowhere', '/graphqlx']) {
    const { status, text, headers } = await ask(path)
    expect([path, status, codeOf(text)]).toEqual([path, 404, 'NOT_FOUND'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'])
    expect([method, (await ask('/health/live', { method })).status]).toEqual([method, 405])
  for (const path of ['/%', '/nowhere/%zz', '/health/%ff']) {
    const { status, text } = await ask(path)
    expect([path, status, codeOf(text)]).toEqual([path, 400, 'BAD_REQUEST'])
  }
})

test('a connection stays open after each of these answers', async () => {
  const requests = [
    'GET /health/live',
    'GET /nowhere',
    'GET /%',
    'POST /nowhere',
    'HEAD /metrics',
    'GET /health/live',
  ]
  const last = requests.length - 1
  const bytes = requests.map((line, at) => {
    const body = line.startsWith('POST') ? 'content-type: x\r\ncontent-length: 1\r\n\r\n{' : '\r\n'
    return `${line} HTTP/1.1\r\nhost: x\r\n${at === last ? 'connection: close\r\n' : ''}${body}`
  })
  const text = await saidTo(live.url, bytes.join(''))
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [200, 404, 400, 404, 200, 200].map((status) => `HTTP/1.1 ${status}`),
  )
})

describe('a page of another site', () => {
  const origin = 'https://app.example'

  test('may read every answer if its origin is allowed, and learns so from the preflight', async () => {
    for (const path of ['/health/live', '/nowhere', '/metrics', '/graphql?query=%7B__typename%7D']) {
      const { headers } = await ask(path, { headers: { origin } })
      expect([path, headers['access-control-allow-origin']]).toEqual([path, origin])
    }
    const preflight = { origin, 'access-control-request-method': 'PUT' }
    const { status, headers } = await ask('/upload/x', { method: 'OPTIONS', headers: preflight })
    expect([status, headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(headers['access-control-allow-methods']).toBe('GET,POST,PUT,DELETE,OPTIONS')
  })

  test('may read nothing if its origin is not allowed, and the answer varies by Origin', async () => {
    const { headers } = await ask('/', { headers: { origin: 'https://else.example' } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers.vary).toBe('Origin, accept')
    expect((await ask('/')).headers.vary).toBe('Origin, accept')
  })
})
