import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { bytesFrom, sha256Of } from '../support/bytes.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { startFaultyServer } from '../support/faulty-server.ts'
import { type Graph, type Json, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { startServices } from '../support/services.ts'

const graph = await graphForFile()

const insert = `mutation ($input: InsertVideoInput!) { insertVideo(input: $input) { upload { url method expiresAt chunkSize } } }`
const state = `query ($url: String!) { videoUpload(url: $url) { receivedBytes totalBytes complete video { id videoId snippet { title } status { uploadStatus privacyStatus } } } }`

async function begin(graph: Graph, contentLength: number, more: Record<string, unknown> = {}) {
  const { data, errors } = await graph.ask(insert, {
    input: {
      snippet: { title: 'A long walk', tags: ['slow'] },
      status: { privacyStatus: 'private' },
      contentType: 'video/mp4',
      contentLength: String(contentLength),
      ...more,
    },
  })
  expect(errors).toEqual([])
  return data.insertVideo.upload as { url: string; method: string; expiresAt: string; chunkSize: number }
}

interface PutAnswer {
  readonly status: number
  readonly range: string | undefined
  readonly json: Json
}

/** A PUT that may be cut off after so many bytes, as a broken connection does; then there is no answer. */
function put(
  url: string,
  headers: Record<string, string | number>,
  body?: NodeJS.ReadableStream,
  cutAfter = Number.POSITIVE_INFINITY,
): Promise<PutAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'PUT', headers })
    let cut = false
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          range: response.headers.range,
          json: text === '' ? undefined : JSON.parse(text),
        })
      })
    })
    sent.on('error', (error) => (cut ? resolve(undefined) : reject(error)))
    if (body === undefined) {
      sent.end()
      return
    }
    let count = 0
    body.on('data', (chunk: Buffer) => {
      if (cut) return
      count += chunk.length
      if (count > cutAfter) {
        cut = true
        sent.destroy()
        return
      }
      if (!sent.write(chunk)) {
        body.pause()
        sent.once('drain', () => body.resume())
      }
    })
    body.on('end', () => sent.end())
  })
}

const offsetAfter = (range: string | undefined): number =>
  Number(/^bytes=0-(\d+)$/.exec(range ?? '')?.[1] ?? -1) + 1

async function sendWithResets(url: string, total: number, cuts: readonly number[]): Promise<PutAnswer> {
  const left = [...cuts]
  let offset = 0
  for (let attempts = 0; attempts < 50; attempts++) {
    const cutAt = left.shift()
    const headers = {
      'content-type': 'Video/MP4',
      'content-length': total - offset,
      ...(offset === 0 ? {} : { 'content-range': `bytes ${offset}-${total - 1}/${total}` }),
    }
    const answer = await put(
      url,
      headers,
      bytesFrom(offset, total),
      cutAt === undefined ? undefined : cutAt - offset,
    )
    // Bytes of a broken connection may still be on their way when the next one begins: then ask again.
    const isPassing = answer !== undefined && [409, 416, 503].includes(answer.status)
    if (answer !== undefined && !isPassing) return answer
    const asked = await put(url, { 'content-range': `bytes */${total}`, 'content-length': 0 })
    expect(asked?.status).toBe(308)
    offset = offsetAfter(asked?.range)
  }
  throw new Error('the upload did not get on in 50 attempts')
}

const mebibytes = campaignSize(256)
const total = mebibytes * 1024 * 1024
const randomCuts = (): number[] =>
  fc
    .sample(fc.integer({ min: 1024 * 1024, max: total - 1024 * 1024 }), { numRuns: 3, seed: 20261120 })
    .sort((a, b) => a - b)

describe(`an upload of ${mebibytes} MiB with three resets at random offsets`, () => {
  test('arrives whole, and its last answer tells the video', async () => {
    const { url, method } = await begin(graph, total)
    expect([method, new URL(url).host]).toEqual(['PUT', new URL(graph.url).host])
    const answer = await sendWithResets(url, total, randomCuts())
    expect(answer.status).toBe(201)
    expect(graph.sandbox.uploads).toEqual([
      { videoId: answer.json.id, bytes: total, sha256: sha256Of(total), contentType: 'video/mp4' },
    ])
    const done = await graph.ask(state, { url })
    expect(done.errors).toEqual([])
    expect(done.data.videoUpload).toMatchObject({
      totalBytes: String(total),
      complete: true,
      video: { id: answer.json.globalId, videoId: answer.json.id, snippet: { title: 'A long walk' } },
    })
  })

  test('arrives whole if the videos subgraph is a service behind the gateway', async () => {
    await using sandbox = await startSandbox()
    const address = 'https://graph.example.com'
    await using services = await startServices(sandbox.url, { TESSERA_PUBLIC_URL: address }, ['videos'])
    await using graph = await startGraph({ env: services.env })
    const { url } = await begin(graph, total)
    const answer = await sendWithResets(url.replace(address, graph.gateway.url), total, randomCuts())
    expect(answer.status).toBe(201)
    expect(sandbox.uploads.map(({ sha256 }) => sha256)).toEqual([sha256Of(total)])
    const direct = await fetch(url.replace(address, new URL(services.urls.videos).origin), { method: 'PUT' })
    expect(direct.status).toBe(401)
  })
})

describe('parts', () => {
  test('are answered 308 with what has arrived, the last one 201', async () => {
    const size = 3 * 262_144 + 100
    const { url } = await begin(graph, size)
    for (let first = 0; first < size; first += 262_144) {
      const end = Math.min(first + 262_144, size)
      const answer = await put(
        url,
        { 'content-length': end - first, 'content-range': `bytes ${first}-${end - 1}/${size}` },
        bytesFrom(first, end),
      )
      expect(answer?.status).toBe(end === size ? 201 : 308)
      if (end < size) expect(answer?.range).toBe(`bytes=0-${end - 1}`)
    }
    expect(graph.sandbox.uploads[0]?.sha256).toBe(sha256Of(size))
  })

  test.each([
    ['a range that is none', { 'content-range': 'bytes 0-1' }, 400, /FIRST-LAST\/TOTAL/],
    ['another total', { 'content-range': 'bytes 0-9/11' }, 400, /1000000 were announced/],
    ['a range outside the file', { 'content-range': 'bytes 0-1000000/1000000' }, 400, /within the file/],
    [
      'a part of an odd size',
      { 'content-range': 'bytes 0-9/1000000', 'content-length': '10' },
      400,
      /multiple of 262144/,
    ],
    ['another length than announced', { 'content-length': '10' }, 400, /must be the 1000000 bytes/],
    ['another type', { 'content-type': 'video/webm', 'content-length': '1000000' }, 415, /video\/mp4/],
  ])('with %s are refused with what was expected', async (_what, headers, status, message) => {
    const { url } = await begin(graph, 1_000_000)
    const length = Number((headers as Record<string, string>)['content-length'] ?? 10)
    const answer = await put(url, { ...headers, 'content-length': length }, bytesFrom(0, length))
    expect(answer?.status).toBe(status)
    expect(answer?.json.errors[0].message).toMatch(message)
    expect(graph.sandbox.calls('videos.upload')).toEqual([])
  })
})

test.each(['Video/MP4', 'video/mp4;codecs="avc1.42E01E"', 'video/mp4 ; codecs=vp9'])(
  'a file whose type is sent as %s is the one that was announced',
  async (type) => {
    const { url } = await begin(graph, 100)
    const answer = await put(url, { 'content-length': 100, 'content-type': type }, bytesFrom(0, 100))
    expect(answer?.status).toBe(201)
  },
)

test('a file that is sent again as a whole, because its answer was lost, has the same answer', async () => {
  const size = 8 * 1024 * 1024
  const { url } = await begin(graph, size)
  const send = () => put(url, { 'content-length': size }, bytesFrom(0, size))
  const first = await send()
  for (const _ of [1, 2, 3]) expect(await send()).toEqual(first)
  expect(first?.status).toBe(201)
  expect(graph.sandbox.uploads).toHaveLength(1)
})

test('a long part from a wrong offset is refused as that', async () => {
  const size = 8 * 1024 * 1024
  const { url } = await begin(graph, 2 * size)
  const headers = { 'content-length': size, 'content-range': `bytes ${size}-${2 * size - 1}/${2 * size}` }
  expect((await put(url, headers, bytesFrom(size, 2 * size)))?.status).toBe(416)
})

test('a scripted refusal of a long file arrives', async () => {
  const size = 8 * 1024 * 1024
  const { url } = await begin(graph, size)
  graph.sandbox.fail({ kind: 'status', status: 415, operation: 'videos.upload' })
  expect((await put(url, { 'content-length': size }, bytesFrom(0, size)))?.status).toBe(415)
})

describe('an address', () => {
  test.each(['GET', 'HEAD', 'POST', 'PATCH'])('that is asked by %s names its method', async (method) => {
    const { url } = await begin(graph, 1_000_000)
    const body = method === 'POST' || method === 'PATCH' ? new Uint8Array(1_000_000) : null
    const { status, headers } = await fetch(url, { method, body })
    expect([status, headers.get('allow')]).toEqual([405, 'PUT'])
  })

  test('that was changed or made elsewhere is refused without a call', async () => {
    const { url } = await begin(graph, 100)
    for (const wrong of [`${url.slice(0, -3)}abc`, `${graph.gateway.url}/upload/x`]) {
      expect((await put(wrong, { 'content-length': 100 }, bytesFrom(0, 100)))?.status).toBe(403)
    }
    const { errors } = await graph.ask(state, { url: `${graph.gateway.url}/upload/x` })
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect(graph.sandbox.calls('videos.upload')).toEqual([])
    expect(url).not.toContain(graph.sandbox.url.slice('http://'.length))
  })

  test('is valid on every replica with the same secret, and on no other', async () => {
    await using first = await startGraph({ env: { TESSERA_UPLOAD_SECRET: 'x'.repeat(32) } })
    const urls = Object.fromEntries(['videos'].map((name) => [name, first.sandbox.url]))
    await using second = await startGraph({ env: { TESSERA_UPLOAD_SECRET: 'x'.repeat(32) }, urls })
    await using third = await startGraph({ env: { TESSERA_UPLOAD_SECRET: 'y'.repeat(32) }, urls })
    const { url } = await begin(first, 100)
    const on = (graph: Graph) => url.replace(first.gateway.url, graph.gateway.url)
    expect((await put(on(third), { 'content-length': 100 }, bytesFrom(0, 100)))?.status).toBe(403)
    expect((await put(on(second), { 'content-length': 100 }, bytesFrom(0, 100)))?.status).toBe(201)
  })

  test('is open to pages of other sites', async () => {
    const { url } = await begin(graph, 100)
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-range',
      },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  })
})

test.each([
  [{ snippet: {} }, /`input.snippet.title`/],
  [{ snippet: { title: '<b>' } }, /`input.snippet.title`/],
  [{ contentType: 'text/plain' }, /`input.contentType`/],
  [{ contentLength: '0' }, /`input.contentLength`/],
  [{ status: { privacyStatus: 'public', publishAt: '2027-01-01T00:00:00Z' } }, /`input.status.publishAt`/],
])('insertVideo with %j is refused before a session is opened', async (more, message) => {
  const input = { snippet: { title: 't' }, contentType: 'video/mp4', contentLength: '10', ...more }
  const { errors } = await graph.ask(insert, { input })
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  expect(errors[0]?.message).toMatch(message)
  expect(graph.sandbox.calls('videos.insert')).toEqual([])
})

test.each([
  '..%2f..%2fgraphql',
  '%2e%2e/graphql',
  'a.b.c.d.e%3Fx=1',
  'a.b.c.d.e%0d%0ax:1',
  'a.b.c.d.e/../../graphql',
  'not-an-address',
])('%s is no address of an upload, and reaches no subgraph', async (token) => {
  await using stand = await startFaultyServer()
  await using graph = await startGraph({
    env: {
      TESSERA_VIDEOS_SUBGRAPH_URL: `${stand.url}/graphql`,
      TESSERA_SUBGRAPH_SECRET: 'a secret of gateways',
    },
  })
  // `fetch` would rewrite the path.
  const status = await new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(graph.url)
    const request = httpRequest({ hostname, port, path: `/upload/${token}`, method: 'PUT' })
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject)
    request.end('bytes')
  })
  expect([403, 404]).toContain(status)
  expect(stand.arrived).toEqual([])
})

test('an upload reaches a remote subgraph with a signature and not with the secret', async () => {
  await using stand = await startFaultyServer()
  const secret = 'a secret of gateways'
  await using graph = await startGraph({
    env: { TESSERA_VIDEOS_SUBGRAPH_URL: `${stand.url}/graphql`, TESSERA_SUBGRAPH_SECRET: secret },
  })
  await put(`${graph.gateway.url}/upload/a..b.c.d`, { 'content-length': 0 })
  expect(stand.arrived).toMatchObject([
    { method: 'PUT', url: '/upload/a..b.c.d', headers: { 'tessera-signature': expect.any(String) } },
  ])
  expect(JSON.stringify(stand.arrived)).not.toContain(secret)
})

test('an upload with bytes that stop coming is ended, and can be continued', async () => {
  await using graph = await startGraph({ env: { TESSERA_BODY_TIMEOUT_MS: '200' } })
  const { url } = await begin(graph, 1_000_000)
  const ended = await new Promise<boolean>((resolve) => {
    const headers = { 'content-range': 'bytes 0-999999/1000000', 'content-length': 1_000_000 }
    const request = httpRequest(url, { method: 'PUT', headers: { 'content-type': 'video/mp4', ...headers } })
    request.on('error', () => resolve(true)).on('response', () => resolve(false))
    request.write(Buffer.alloc(300_000))
  })
  expect(ended).toBe(true)
  const { data } = await graph.ask(state, { url })
  expect(data.videoUpload.complete).toBe(false)
})
