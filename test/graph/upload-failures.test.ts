/**
 * The service's message about a refused part of an upload is passed on, and the upload can continue afterwards.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answerFrom, type Graph, startGraph } from '../support/graph.ts'
import { type Arrived, type Scripted, startScripted } from '../support/scripted-service.ts'
import { until } from '../support/wait.ts'

const insert = `mutation { insertVideo(input: {
  snippet: { title: "T" }, contentLength: "5", contentType: "video/mp4" }) { upload { url } } }`
const video = { kind: 'media#video', id: 'new', etag: 'e' }

/** A service whose session answers as `part` says. */
const withSession = (part: (arrived: Arrived, calls: number) => Scripted) => {
  let parts = 0
  return (arrived: Arrived): Scripted =>
    arrived.method === 'POST' ? { headers: { location: '/session' } } : part(arrived, ++parts)
}

async function begin(graph: Graph, headers: Record<string, string> = {}): Promise<string> {
  const { data, errors } = await graph.ask(insert, {}, { headers })
  expect(errors).toEqual([])
  return data.insertVideo.upload.url
}

const put = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', ...headers },
    body: '12345',
    redirect: 'manual',
  })

test.each([
  [{ status: 408 }, 504, 'UPSTREAM_TIMEOUT', '1'],
  [{ status: 429 }, 429, 'RATE_LIMITED', null],
  [{ status: 429, headers: { 'retry-after': '17' } }, 429, 'RATE_LIMITED', '17'],
  [{ status: 401 }, 503, 'UPSTREAM_UNAVAILABLE', '1'],
  [{ status: 403 }, 403, 'FORBIDDEN', null],
  [{ status: 307, headers: { location: 'http://127.0.0.1:9/' } }, 502, 'UPSTREAM_BAD_RESPONSE', null],
  [{ status: 503, headers: { 'retry-after': '33' } }, 503, 'UPSTREAM_UNAVAILABLE', '33'],
  [{ status: 500 }, 503, 'UPSTREAM_UNAVAILABLE', '1'],
  [{ status: 416 }, 416, 'BAD_USER_INPUT', null],
  [{ status: 400 }, 400, 'BAD_USER_INPUT', null],
  [{ status: 409 }, 409, 'CONFLICT', '1'],
  [{ status: 410 }, 410, 'NOT_FOUND', null],
])('%j of the service is %i %s, and the session stays', async (scripted, status, code, retryAfter) => {
  await using service = await startScripted(
    withSession((_, calls) => (calls === 1 ? scripted : { status: 201, body: video })),
  )
  await using graph = await startGraph({ urls: { videos: service.url } })
  const url = await begin(graph)
  const refused = await put(url)
  const { errors } = await answerFrom(refused)
  expect([refused.status, errors[0]?.extensions.code, refused.headers.get('retry-after')]).toEqual([
    status,
    code,
    retryAfter,
  ])
  expect((await put(url)).status).toBe(201)
  expect(service.arrived).toHaveLength(3)
})

test.each([
  ['no bytes and no length', undefined, /5 bytes; it has 0/],
  ['too few bytes', '123', /5 bytes; it has 3/],
  ['too many bytes', '123456', /5 bytes; it has more/],
])('%s, whose number no header says, are the fault of the client', async (_, bytes, message) => {
  await using graph = await startGraph()
  const url = await begin(graph)
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) => {
      const sent = request(url, { method: 'PUT', headers: { 'content-type': 'video/mp4' } }, async (answer) =>
        resolve({ status: answer.statusCode, text: await textOf(answer) }),
      )
      sent.on('error', reject)
      if (bytes === undefined) sent.useChunkedEncodingByDefault = false
      else sent.write(bytes)
      sent.end()
    },
  )
  expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
  expect(text).toMatch(message)
})

test('a client that still sends can read the refusal, because its connection is not reset', async () => {
  await using graph = await startGraph()
  const { hostname, port } = new URL(graph.gateway.url)
  const size = 8 * 1024 * 1024
  const head = `PUT /upload/a..b.c.d HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${size}\r\n\r\n`
  const sendAll = (): Promise<string> =>
    new Promise((resolve) => {
      let came = ''
      const socket = connect(Number(port), hostname, () => socket.write(head))
      socket.once('data', () => socket.write(Buffer.alloc(size)))
      socket.on('data', (chunk) => {
        came += chunk.toString()
      })
      socket.on('error', ({ message }) => resolve(message))
      socket.on('end', () => resolve(came))
    })
  // A client on a busy machine may send the rest too late.
  await until(async () => /^HTTP\/1\.1 403 .*FORBIDDEN/s.test(await sendAll()), 'all is sent and answered')
})

test.each(['bytes=0-5', '0-2', 'bytes=1-2', 'bytes=0-'])(
  'an offset that the service gives as %s is not passed on',
  async (range) => {
    await using service = await startScripted(withSession(() => ({ status: 308, headers: { range } })))
    await using graph = await startGraph({ urls: { videos: service.url } })
    const refused = await put(await begin(graph))
    const { errors } = await answerFrom(refused)
    expect([refused.status, errors[0]?.extensions.code]).toEqual([502, 'UPSTREAM_BAD_RESPONSE'])
  },
)

test('a fresh credential that comes with a later part is used', async () => {
  await using service = await startScripted(
    withSession(({ headers }) =>
      headers.authorization === 'Bearer fresh' ? { status: 201, body: video } : { status: 401 },
    ),
  )
  await using graph = await startGraph({
    urls: { videos: service.url },
    env: { TESSERA_VIDEOS_CREDENTIAL: 'forward' },
  })
  const url = await begin(graph, { 'x-videos-authorization': 'Bearer old' })
  const refused = await put(url)
  expect(refused.status).toBe(401)
  expect((await put(url, { 'x-videos-authorization': 'Bearer fresh' })).status).toBe(201)
  expect(service.arrived.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old',
    'Bearer old',
    'Bearer fresh',
  ])
})

test.each([
  [{ status: 429, headers: { 'retry-after': '9', 'content-type': 'text/html' }, text: '<p>slow' }, 429, '9'],
  [{ status: 307, headers: { location: '/elsewhere' } }, 502, null],
  [{ status: 403, headers: { 'content-type': 'text/html' }, text: '<p>no' }, 503, '1'],
  [{ status: 503, headers: { 'retry-after': '4' }, text: 'away' }, 503, '4'],
])('%j of a proxy before a remote subgraph is answered %i', async (scripted, status, retryAfter) => {
  await using stand = await startScripted(scripted)
  await using graph = await startGraph({
    env: {
      TESSERA_VIDEOS_SUBGRAPH_URL: `${stand.url}/graphql`,
      TESSERA_SUBGRAPH_SECRET: 'a secret of gateways',
    },
  })
  const answer = await fetch(`${graph.gateway.url}/upload/a..b.c.d`, { method: 'PUT', redirect: 'manual' })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter])
  expect(answer.headers.get('location')).toBeNull()
})
