/** The limits of requests also apply to messages over WebSockets: each refusal is the one that a POST gets. */
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { startGraph } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import type { LiveGateway } from '../../support/live-graph.ts'
import { postJson } from '../../support/post-json.ts'
import { connect, listen, openRaw, start, wait } from './kit.ts'

interface Asked {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

/** The codes of the errors of an operation over a WebSocket. */
function overWebSocket(live: LiveGateway, asked: Asked, headers = {}): Promise<unknown[]> {
  const client = connect(live, { headers })
  return new Promise<unknown[]>((resolve, reject) => {
    let codes: unknown[] = []
    client.subscribe(asked, {
      next: ({ errors }) => {
        codes = codesOf(errors)
      },
      error: (given) => (Array.isArray(given) ? resolve(codesOf(given)) : reject(given)),
      complete: () => resolve(codes),
    })
  }).finally(() => client.dispose())
}

async function byPost(live: LiveGateway, asked: Asked): Promise<unknown[]> {
  const response = await postJson(live.url, asked, { accept: 'application/graphql-response+json' })
  return codesOf(((await response.json()) as { errors?: unknown }).errors)
}

const codesOf = (errors: unknown): unknown[] =>
  ((errors ?? []) as { extensions?: { code?: unknown } }[]).map(({ extensions }) => extensions?.code)

test.each<[string, Asked, Record<string, string>]>([
  ['tokens', { query: `{ ${'__typename '.repeat(20)} }` }, { TESSERA_MAX_TOKENS: '10' }],
  ['depth', { query: '{ __schema { types { fields { type { name } } } } }' }, { TESSERA_MAX_DEPTH: '3' }],
  [
    'levels of brackets',
    { query: `{ ${'... { '.repeat(11)} __typename ${'}'.repeat(11)} }` },
    { TESSERA_MAX_NESTING: '10' },
  ],
  [
    'levels of variables',
    {
      query: 'query ($to: Int) { __typename @skip(if: false) now }',
      variables: { to: JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`) },
    },
    { TESSERA_MAX_NESTING: '10' },
  ],
  ['aliases', { query: '{ a: __typename b: __typename c: __typename }' }, { TESSERA_MAX_ALIASES: '2' }],
])('the limit on %s', async (_, asked, env) => {
  const live = await start({ env })
  const refused = await byPost(live, asked)
  expect(refused).not.toEqual([])
  expect(await overWebSocket(live, asked)).toEqual(refused)
})

test('rate limits, which POST and WebSocket share', async () => {
  const live = await start({
    file: { rateLimits: [{ name: 'all', limit: 3, windowSeconds: 3600, by: ['address'] }] },
  })
  const asked = { query: '{ __typename }' }
  expect(await byPost(live, asked)).toEqual([])
  expect(await overWebSocket(live, asked)).toEqual([])
  expect(await overWebSocket(live, asked)).toEqual([])
  expect(await overWebSocket(live, asked)).toEqual(['RATE_LIMITED'])
  expect(await byPost(live, asked)).toEqual(['RATE_LIMITED'])
})

test('rate limits of the address that a trusted proxy passes on', async () => {
  const rateLimits = [{ name: 'all', limit: 1, windowSeconds: 3600, by: ['address'] }]
  const live = await start({ file: { rateLimits, server: { trustedProxies: ['127.0.0.0/8'] } } })
  const codes: unknown[] = []
  for (const address of ['192.0.2.1', '192.0.2.2', '198.51.100.1, 192.0.2.1'])
    codes.push(...(await overWebSocket(live, { query: '{ __typename }' }, { 'x-forwarded-for': address })))
  expect(codes).toEqual(['RATE_LIMITED'])
})

test('the bound on units of one caller, whatever equal subscriptions are running', async () => {
  const graph = keep(await startGraph({ env: { TESSERA_QUOTA_DAILY: '10000' } }))
  const query = `subscription { videoChanged(videoIds: ["${sampleVideos.own[0]}"]) { videoId } }`
  const others = listen(graph.url, { query })
  await expect.poll(() => others.events.length, wait).toBe(1)
  const response = await postJson(
    graph.url,
    { query },
    { accept: 'text/event-stream', 'tessera-max-units': '5' },
  )
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE' } }],
  })
  others.stop()
})

async function raw(live: LiveGateway) {
  const { socket, received, closed } = await openRaw(live)
  return {
    socket,
    /** The code of the frame that closes it (RFC 6455, section 5.5.1). */
    code: async () => {
      await closed
      expect(received()[0]).toBe(0x88)
      return received().readUInt16BE(2)
    },
  }
}

const tooManyPieces = 1008
const bounded = { env: { TESSERA_MAX_BODY_BYTES: '20000' } }

test('a message in many tiny fragments is closed long before it is as long as a message may be', async () => {
  const { socket, code } = await raw(await start(bounded))
  const first = Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x20])
  const next = Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0x20])
  socket.write(Buffer.concat([first, ...Array.from({ length: 1000 }, () => next)]))
  expect(await code()).toBe(tooManyPieces)
})

test('a message that comes byte by byte is closed long before it is whole', async () => {
  const { socket, code } = await raw(await start(bounded))
  const head = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(19_000, 2)
  socket.write(head)
  for (let sent = 0; sent < 18_999 && socket.writable && !socket.readableEnded; sent++) {
    socket.write('x')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await code()).toBe(tooManyPieces)
})
