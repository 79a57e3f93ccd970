/** Answers in chunks of one byte, to a process whose heap would not hold an object for each of them. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { postJson } from '../support/post-json.ts'
import { startTessera } from '../support/process.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startRouter, supergraphOf } from '../support/router.ts'

const chunks = 2_000_000

/** The heap that a gateway needs at its start, and half of what two million objects would take. */
const bounded = {
  NODE_OPTIONS: '--max-old-space-size=120',
  TESSERA_LOG_LEVEL: 'error',
  // However busy the machine is.
  TESSERA_UPSTREAM_TIMEOUT_MS: '600000',
  TESSERA_REQUEST_TIMEOUT_MS: '600000',
}

/** Text of so many bytes as there are chunks. */
const padded = (text: string, end = ''): Buffer => Buffer.from(text.padEnd(chunks - end.length) + end)

/** A response with this body, one byte a chunk. */
function inChunks(body: Buffer, ...headers: readonly string[]): readonly Buffer[] {
  const head = ['HTTP/1.1 200 OK', ...headers, 'transfer-encoding: chunked', '', ''].join('\r\n')
  const bytes = Buffer.from('1\r\n \r\n'.repeat(body.length))
  for (let at = 0; at < body.length; at++) bytes[at * 6 + 3] = body[at] ?? 0
  return [Buffer.from(head), bytes, Buffer.from('0\r\n\r\n')]
}

const json = 'content-type: application/json'

describe.each<[string, (body: Buffer) => readonly Buffer[]]>([
  ['as it is', (body) => inChunks(body, json)],
  // Without compressing anything: what is decoded has come in as many chunks.
  ['compressed', (body) => inChunks(gzipSync(body, { level: 0 }), json, 'content-encoding: gzip')],
])('an answer of two million chunks of one byte, %s', (_, response) => {
  test('of a service is read', async () => {
    const body = padded('{"kind":"videoListResponse","items":[{"id":"v","snippet":{"title":"T"}}]}')
    await using service = await startRawServer({ pieces: response(body) })
    const names = ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS']
    await using tessera = startTessera(['serve', '--port', '0'], {
      ...bounded,
      ...Object.fromEntries(names.map((name) => [`TESSERA_${name}_URL`, service.url])),
    })
    const answer = await postJson(await tessera.said('graph'), {
      query: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { snippet { title } } } }',
    })
    expect(await answer.json()).toEqual({ data: { chartVideos: { nodes: [{ snippet: { title: 'T' } }] } } })
  })

  test('of a remote subgraph is read', async () => {
    await using shop = await startRawServer({ pieces: response(padded('{"data":{"a":"whole"}}')) })
    const supergraph = supergraphOf([{ name: 'shop', sdl: 'type Query { a: String }', url: shop.url }])
    await using router = await startRouter({ supergraph, env: bounded, apart: true })
    expect((await router.ask('{ a }')).body).toEqual({ data: { a: 'whole' } })
  })
})

test('an event of two million chunks of one byte of a remote subgraph is read', async () => {
  const body = padded('event: next\ndata: {"data":{"a":"whole"}}', '\n\nevent: complete\ndata:\n\n')
  await using shop = await startRawServer({ pieces: inChunks(body, 'content-type: text/event-stream') })
  const sdl = 'type Query { b: String } type Subscription { a: String }'
  await using router = await startRouter({
    supergraph: supergraphOf([{ name: 'shop', sdl, url: shop.url }]),
    config: { traffic: { subgraphs: { shop: { subscriptions: { protocol: 'sse' } } } } },
    env: bounded,
    apart: true,
  })
  const answer = await postJson(
    `${router.origin}/graphql`,
    { query: 'subscription { a }' },
    { accept: 'text/event-stream' },
  )
  expect(await answer.text()).toContain('data: {"data":{"a":"whole"}}')
})
