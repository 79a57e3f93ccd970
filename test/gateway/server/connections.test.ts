/** What one client may hold of a server, seen over raw connections: half requests, and responses that are not read. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { type Graph, startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { connectRaw } from '../../support/raw-client.ts'
import { serviceSecret, startServices } from '../../support/services.ts'

const startLimited = (env: Record<string, string>): Promise<Graph> =>
  startGraph({ env: { TESSERA_LOG_LEVEL: 'silent', ...env } })

const head = (length: number): string =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

async function answersOthers(graph: Graph): Promise<void> {
  const { data, errors } = await graph.ask('{ __typename }', {}, { scope: null })
  expect({ data, errors }).toEqual({ data: { __typename: 'Query' }, errors: [] })
}

describe('a connection is ended', () => {
  test.each([
    ['nothing comes', ''],
    ['half of the headers comes', 'POST /graphql HTTP/1.1\r\nhost: x\r\n'],
  ])('if %s within the time for headers', async (_what, sent) => {
    await using graph = await startLimited({ TESSERA_HEADERS_TIMEOUT_MS: '1000' })
    const client = await connectRaw(graph.url)
    client.socket.write(sent)
    await client.ended
    expect(client.text()).toMatch(/^HTTP\/1\.1 408/)
    await answersOthers(graph)
  })

  test('if half of a body comes within the time for bodies, with a code', async () => {
    await using graph = await startLimited({ TESSERA_BODY_TIMEOUT_MS: '500' })
    const client = await connectRaw(graph.url)
    client.socket.write(`${head(100)}{"query":`)
    await client.ended
    expect(client.text()).toMatch(/^HTTP\/1\.1 408/)
    expect(client.text()).toContain('"code":"REQUEST_TIMEOUT"')
    await answersOthers(graph)
  })

  test('if a body comes a byte at a time, once its time is over', async () => {
    await using graph = await startLimited({ TESSERA_BODY_TIMEOUT_MS: '300' })
    const client = await connectRaw(graph.url)
    client.socket.write(head(10_000))
    const drip = setInterval(() => client.socket.write('x'), 20)
    onTestFinished(() => clearInterval(drip))
    await client.ended
    expect(client.text()).toContain('"code":"REQUEST_TIMEOUT"')
  })

  test('if the body of another route does not come', async () => {
    await using graph = await startLimited({ TESSERA_BODY_TIMEOUT_MS: '500' })
    const client = await connectRaw(graph.url)
    client.socket.write(head(100).replace('/graphql', '/explorer/token'))
    await client.ended
    await answersOthers(graph)
  })

  test('if its client reads nothing of a long response', async () => {
    await using graph = await startLimited({ TESSERA_WRITE_TIMEOUT_MS: '200', TESSERA_INTROSPECTION: 'true' })
    const fields = 'kind name description fields { name description args { name description } }'
    const query = `{ __schema { types { ${fields} ofType { name } } } }`
    const body = JSON.stringify({ query })
    const client = await connectRaw(graph.url)
    client.socket.pause()
    // Enough of them to fill what the system buffers between the two.
    client.socket.write(`${head(Buffer.byteLength(body))}${body}`.repeat(200))
    // A client that reads nothing learns of the end only when it writes.
    const writing = setInterval(() => client.socket.write(' '), 50)
    onTestFinished(() => clearInterval(writing))
    await client.ended
    await answersOthers(graph)
  })

  test('if there are as many as there may be', async () => {
    await using graph = await startLimited({ TESSERA_MAX_CONNECTIONS: '3' })
    const first = await Promise.all([1, 2, 3].map(() => connectRaw(graph.url)))
    const further = await connectRaw(graph.url)
    await further.ended
    expect(further.text()).toBe('')
    for (const { socket } of first) socket.destroy()
    await Promise.all(first.map(({ ended }) => ended))
    await expect
      .poll(() =>
        answersOthers(graph).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})

test('concurrent bodies take no more memory together than is set for them', async () => {
  await using graph = await startLimited({ TESSERA_MAX_PENDING_BYTES: '1000000' })
  const half = 'x'.repeat(600_000)
  const clients = [await connectRaw(graph.url), await connectRaw(graph.url)]
  for (const { socket } of clients) socket.write(`${head(700_000)}${half}`)
  // Which of the two is over the limit depends on whose bytes are read first.
  await expect
    .poll(() => clients.map(({ text }) => text()).filter((said) => said !== ''))
    .toEqual([expect.stringMatching(/^HTTP\/1\.1 503(.|\s)*retry-after: 1(.|\s)*"code":"SERVICE_BUSY"/)])
  // Small ones are still taken, and what was given up counts no more.
  await answersOthers(graph)
  for (const { socket } of clients) socket.destroy()
  const body = JSON.stringify({ query: `{ __typename } # ${half}` })
  await expect
    .poll(async () => {
      const { status } = await postJson(graph.url, body)
      return status
    })
    .toBe(200)
})

test('a request that takes long to be answered is not cut by any of the times', async () => {
  await using slow = await startFaultyServer((response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}'), 700)
  })
  await using graph = await startGraph({
    urls: { videos: slow.url },
    env: {
      TESSERA_HEADERS_TIMEOUT_MS: '1000',
      TESSERA_BODY_TIMEOUT_MS: '300',
      TESSERA_WRITE_TIMEOUT_MS: '300',
    },
  })
  expect((await graph.ask('{ video(videoId: "none") { etag } }')).data).toEqual({ video: null })
})

test('a subgraph service ends such connections as well', async () => {
  await using services = await startServices(
    'http://127.0.0.1:1',
    { TESSERA_BODY_TIMEOUT_MS: '500', TESSERA_HEADERS_TIMEOUT_MS: '1000' },
    ['nodes'],
  )
  const half = await connectRaw(services.urls.nodes)
  half.socket.write(`${head(100)}{"query":`)
  const silent = await connectRaw(services.urls.nodes)
  await Promise.all([half.ended, silent.ended])
  expect(half.text()).toContain('"code":"REQUEST_TIMEOUT"')
  const { status } = await postJson(services.urls.nodes, '{"query":"{ __typename }"}', {
    'router-authorization': `Bearer ${serviceSecret}`,
  })
  expect(status).toBe(200)
})
