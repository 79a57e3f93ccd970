/** Incremental responses to clients of every kind: old HTTP, other methods, compression, batches, and those that read nothing. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { allScopes } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { until } from '../../support/router.ts'
import { endOf } from '../../support/wait.ts'
import { ask, startSetting } from './kit.ts'
import { startPages } from './pages.ts'

const setting = keepForFile(await startSetting({ TESSERA_MAX_BATCH: '5' }))

const form = 'multipart/mixed;incrementalSpec=v0.2'
const text = '{ item(id: "2") { name ... @defer { stars } } }'
const whole = { data: { item: { name: 'Item 2', stars: 20 } } }

/** A connection of which a test sees the bytes. */
async function open(url: string): Promise<{ socket: Socket; seen: () => string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let seen = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    seen += chunk
  })
  await once(socket, 'connect')
  return { socket, seen: () => seen }
}

function post(version: string, query: string, more: readonly string[] = []): string {
  const body = JSON.stringify({ query })
  const lines = [
    `POST /graphql HTTP/${version}`,
    'host: test',
    'content-type: application/json',
    `accept: ${form}`,
    `content-length: ${body.length}`,
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

test('HTTP/1.0 knows no chunks: payloads come as they are, and the connection ends with them', async () => {
  setting.hold()
  const { socket, seen } = await open(setting.url)
  socket.write(post('1.0', text))
  await until(() => seen().includes('"hasNext":true'), 'the first part is there')
  setting.release()
  await once(socket, 'close')
  const [head = '', ...body] = seen().split('\r\n\r\n')
  expect(head).not.toMatch(/transfer-encoding/i)
  expect(body.join('\r\n\r\n')).toMatch(/^--graphql\r\n[\s\S]*"hasNext":false\}\r\n--graphql--\r\n$/)
})

test('GET has incremental responses, too; HEAD is refused as it is without them', async () => {
  const url = `${setting.url}?query=${encodeURIComponent(text)}`
  const got = await fetch(url, { headers: { accept: form } })
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toContain('multipart/mixed')
  expect(await got.text()).toMatch(/"hasNext":true[\s\S]*"stars":20[\s\S]*--graphql--\r\n$/)
  const change = encodeURIComponent('mutation { rename(id: "4", name: "x") { name ... @defer { stars } } }')
  const refused = await fetch(`${setting.url}?query=${change}`, { headers: { accept: form } })
  expect(refused.status).toBe(405)
  await refused.text()
  const head = await fetch(url, { method: 'HEAD', headers: { accept: form } })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, POST, PUT, DELETE'])
})

test.each([form, 'text/event-stream'])(
  '%s is not compressed: each payload is sent immediately',
  async (accept) => {
    setting.hold()
    await using answer = await ask(setting.url, text, accept, { headers: { 'accept-encoding': 'gzip, br' } })
    expect((await answer.next()).hasNext).toBe(true)
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    setting.release()
    expect((await answer.rest()).at(-1).hasNext).toBe(false)
  },
)

test('operations of a batch are answered whole', async () => {
  const response = await postJson(setting.url, [{ query: text }, { query: '{ tags @stream }' }], {
    accept: `${form}, application/json`,
  })
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual([whole, { data: { tags: ['a', 'b', 'c'] } }])
})

test('incremental responses follow each other on one connection', async () => {
  const { socket, seen } = await open(setting.url)
  socket.write(post('1.1', text) + post('1.1', text) + post('1.1', '{ tags }', ['connection: close']))
  await once(socket, 'close')
  expect(seen().match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  expect(seen().match(/"hasNext":false/g)).toHaveLength(2)
})

test('a client that reads nothing is disconnected amid its payloads, with what is fetched for it', async () => {
  await using pages = await startPages({ TESSERA_WRITE_TIMEOUT_MS: '200' })
  // More than what the kernel takes for a client.
  pages.titleBytes = 200_000
  const query =
    '{ chartVideos(chart: MOST_POPULAR, first: 120) { nodes @stream(initialCount: 1) { snippet { title } } } }'
  const { socket } = await open(pages.graph.url)
  socket.on('error', () => {})
  const authorization = `authorization: Bearer ${await pages.graph.token(allScopes)}`
  socket.write(post('1.1', query, [authorization]))
  socket.pause()
  await until(() => pages.isAsked('p50'), 'the second page is asked for')
  await until(() => pages.service.arrived.some(({ givenUp }) => givenUp), 'the second page is given up')
  const closed = endOf(socket)
  socket.resume()
  await closed
  expect(pages.tokens()).toEqual([undefined, 'p50'])
})
