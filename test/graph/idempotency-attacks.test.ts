/** Idempotency keys as an attacker sends them, and processes that die in the middle. */
import { connect } from 'node:net'
import type { FormattedExecutionResult } from 'graphql'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { answerFrom, type GraphAnswer, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { keep } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'
import { startTessera } from '../support/process.ts'
import { startInFront } from '../support/router.ts'
import { signToken, tokenSecret } from '../support/token.ts'

const graph = await graphForFile()

const comment = `mutation ($text: String!) {
  f: insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: $text }) { commentThread { threadId } }
}`

/** Sends the bytes as they are; resolves to the first line of what comes back. */
function sendRaw(url: string, key: string, authorization: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const body = JSON.stringify({ query: comment, variables: { text: 'No' } })
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `authorization: ${authorization}`,
    `idempotency-key: ${key}`,
    'connection: close',
  ]
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
  })
}

describe('a key', () => {
  test('of 10 kB, with control characters or beyond ASCII is refused, and nothing is done', async () => {
    const long = 'x'.repeat(10_000)
    const ask = (idempotencyKey: unknown): Promise<GraphAnswer> =>
      graph.ask(comment, { text: 'No' }, { extensions: { idempotencyKey } })
    for (const key of [long, 'a\u0000b', 'a\nb', 'a\u001bb', 'a\u007fb', 'schlüssel', '🔑', ' ']) {
      for (const form of [key, { f: key }]) {
        const { status, errors } = await ask(form)
        expect([status, errors[0]?.extensions.code], JSON.stringify(key.slice(0, 10))).toEqual([
          400,
          'BAD_REQUEST',
        ])
        // A refusal does not give back what was sent.
        expect(errors[0]?.message.length).toBeLessThan(400)
      }
    }
    const header = await graph.ask(comment, { text: 'No' }, { headers: { 'idempotency-key': long } })
    expect(header.status).toBe(400)
    const authorization = `Bearer ${await graph.token('media.read media.write')}`
    for (const key of ['a\u0000b', 'a\u0001b', 'a\u007fb', 'a\tb', 'a\nb: c\rd'])
      expect(await sendRaw(graph.url, key, authorization), JSON.stringify(key)).toBe(
        'HTTP/1.1 400 Bad Request',
      )
    expect(await sendRaw(graph.url, 'sound', authorization)).toBe('HTTP/1.1 200 OK')
    expect(graph.sandbox.writes).toHaveLength(1)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, 'k']))
    expect((await ask(many)).status).toBe(400)
    expect(graph.sandbox.writes).toHaveLength(1)
  })

  test('that a running request holds is refused for another operation immediately', async () => {
    graph.sandbox.fail({ kind: 'late', operation: 'commentThreads.insert', delayMs: 2000 })
    const headers = { 'idempotency-key': 'held' }
    const first = graph.ask(comment, { text: 'First' }, { headers })
    await expect.poll(() => graph.sandbox.writes.length).toBe(1)
    const other = await graph.ask(comment, { text: 'Second' }, { headers })
    expect([other.status, other.errors[0]?.extensions.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    // Another caller neither waits for it nor sees its answer.
    const authorization = `Bearer ${await graph.token('media.read media.write', 'eve')}`
    const eve = await graph.ask(
      comment,
      { text: 'First' },
      { scope: null, headers: { ...headers, authorization } },
    )
    expect(eve.errors).toEqual([])
    expect(eve.headers.get('idempotency-replayed')).toBeNull()
    expect(eve.data.f).not.toEqual((await first).data.f)
    expect(graph.sandbox.writes).toHaveLength(2)
  })

  test('that is the same for two fields stands for both', async () => {
    const two = comment
      .replace('f: insert', 'a: insert')
      .replace(/\}\s*$/, `${comment.slice(comment.indexOf('f:'), -1).replace('f: insert', 'b: insert')}}`)
    const extensions = { idempotencyKey: { a: 'k', b: 'k' } }
    const first = await graph.ask(two, { text: 'Both' }, { extensions })
    expect(first.errors).toEqual([])
    expect((await graph.ask(two, { text: 'Both' }, { extensions })).text).toBe(first.text)
    expect(graph.sandbox.writes).toHaveLength(2)
  })
})

test('a client that leaves while it runs and sends it again immediately has written once', async () => {
  await using graph = await startGraph({ env: { TESSERA_IDEMPOTENCY_SETTLE_MS: '0' } })
  for (let turn = 0; turn < 3; turn += 1) {
    const text = `left ${turn}`
    const headers = { 'idempotency-key': text }
    graph.sandbox.fail({ kind: 'late', operation: 'commentThreads.insert', delayMs: 1000 })
    const leaving = new AbortController()
    const left = graph.ask(comment, { text }, { headers, signal: leaving.signal }).catch(() => undefined)
    await expect.poll(() => graph.sandbox.writes.length).toBe(turn + 1)
    leaving.abort()
    await left
    await expect
      .poll(async () => (await graph.ask(comment, { text }, { headers })).errors, { interval: 100 })
      .toEqual([])
    expect(graph.sandbox.writes).toHaveLength(turn + 1)
  }
})

test('an upload continues at another gateway when the one that took it is killed, and makes one video', async () => {
  const size = 4 * 1024 * 1024
  const secret = 'a secret of the uploads, long enough'
  const sandbox = keep(await startSandbox())
  const start = async () => {
    const gateway = keep(
      startTessera(['serve', '--port', '0'], {
        ...Object.fromEntries(
          ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, sandbox.url]),
        ),
        TESSERA_JWT_SECRET: secret,
        TESSERA_UPLOAD_SECRET: secret,
        TESSERA_LOG_LEVEL: 'error',
      }),
    )
    return { gateway, origin: new URL(await gateway.said('graph')).origin }
  }
  const [first, second] = await Promise.all([start(), start()])
  const token = await signToken({ scope: 'media.upload media.read', sub: 'uploader' }, secret)
  const authorization = `Bearer ${token}`
  const ask = async (origin: string, query: string, variables: object) => {
    const answer = await postJson(
      `${origin}/graphql`,
      { query, variables },
      { authorization, 'idempotency-key': 'upload' },
    )
    return answerFrom(answer)
  }
  const opened = await ask(
    first.origin,
    'mutation ($size: UInt64!) { insertVideo(input: { snippet: { title: "Killed" }, contentType: "video/mp4", contentLength: $size }) { upload { url } } }',
    { size: String(size) },
  )
  const { url } = opened.data.insertVideo.upload
  const { pathname } = new URL(url)
  const half = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(size / 2)),
    // The other half never comes.
  })
  const cut = fetch(first.origin + pathname, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'video/mp4', 'content-range': `bytes 0-${size - 1}/${size}` },
    body: half,
    duplex: 'half',
  } as RequestInit).catch(() => undefined)
  const received = async (): Promise<number> =>
    Number(
      (
        await ask(second.origin, 'query ($url: String!) { videoUpload(url: $url) { receivedBytes } }', {
          url: second.origin + pathname,
        })
      ).data.videoUpload.receivedBytes,
    )
  await expect.poll(received).toBeGreaterThan(0)
  first.gateway.child.kill('SIGKILL')
  await first.gateway.ended
  await cut
  const put = (range: string, body?: Uint8Array<ArrayBuffer>) =>
    fetch(second.origin + pathname, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'video/mp4', 'content-range': range },
      body: body ?? null,
    })
  // Bytes of the broken connection may still be on their way.
  let state: Response | undefined
  await expect
    .poll(async () => {
      state = await put(`bytes */${size}`)
      return state.status
    })
    .toBe(308)
  const offset = Number(/^bytes=0-(\d+)$/.exec(state?.headers.get('range') ?? '')?.[1] ?? -1) + 1
  expect(offset).toBeGreaterThan(0)
  const done = await put(`bytes ${offset}-${size - 1}/${size}`, new Uint8Array(size - offset))
  expect(done.status).toBe(201)
  const again = await put(`bytes */${size}`)
  const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id
  expect(await idOf(again)).toBe(await idOf(done))
  expect(sandbox.uploads).toHaveLength(1)
})

test('a token with fewer rights gets no answer of its caller that has what it may not see', async () => {
  let made = 0
  const { router } = await startInFront(
    {
      things: {
        sdl: `
          type Query { things: Int }
          type Mutation { make: Thing @requiresScopes(scopes: [["make"]]) }
          type Thing { id: Int  secret: String @requiresScopes(scopes: [["secret"]])  other: Int @authenticated }`,
        resolvers: { Mutation: { make: () => ({ id: ++made, secret: 'hidden' }) } },
      },
    },
    { env: { TESSERA_JWT_SECRET: tokenSecret } },
  )
  const make = async (scope: string) => {
    const authorization = `Bearer ${await signToken({ scope })}`
    const query = 'mutation { make { id secret other } }'
    const { status, body } = await router.ask(query, { authorization, 'idempotency-key': 'k' })
    const { data, errors = [] } = body as FormattedExecutionResult
    return [status, data, errors.map(({ extensions }) => extensions?.code)]
  }
  const whole = [200, { make: { id: 1, secret: 'hidden', other: null } }, []]
  expect(await make('make secret')).toEqual(whole)
  expect(await make('make secret more')).toEqual(whole)
  expect(await make('make')).toEqual([200, { make: null }, ['OUTCOME_NOT_KEPT']])
  expect((await make('secret'))[2]).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
  expect(await make('make secret')).toEqual(whole)
  expect(made).toBe(1)
})
