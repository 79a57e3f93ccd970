/** Clients whose first write's answer is lost on its way: each sends it again under the same key, and it is made once. */
import { expect, test } from 'vitest'
import { createClient as createApolloClient } from '../../examples/apollo-client/src/client.ts'
import { WriteCommentDocument } from '../../examples/apollo-client/src/operations.generated.ts'
import { createClient } from '../../examples/fetch/client.ts'
import { CommentDocument } from '../../examples/fetch/operations.generated.ts'
import { createEnvironment } from '../../examples/relay/src/environment.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { startFaultyServer } from '../support/faulty-server.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'
import { startTessera } from '../support/process.ts'
import { temporaryFile } from '../support/temporary.ts'

/** Passes requests on to the graph; the answer to the first one that changed something is lost with its connection. */
async function startLosing(graph: Graph, isChanged: () => boolean) {
  let isLost = false
  const server = await startFaultyServer(async (response, { headers, body }) => {
    const { authorization = '', 'idempotency-key': key } = headers
    const answer = await postJson(graph.url, body, {
      authorization,
      ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
    })
    const text = await answer.text()
    if (!isLost && isChanged()) {
      isLost = true
      response.socket?.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  return {
    url: `${server.url}/graphql`,
    /** The keys of all requests; undefined of one that has none. */
    keys: () => server.arrived.map(({ headers }) => headers['idempotency-key']),
    isLost: () => isLost,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const videoId = sampleVideos.own[0] ?? ''

/** As Relay's compiler leaves it, whose artefacts only a bundler can load. */
const write =
  'mutation Write($input: InsertCommentThreadInput!) { insertCommentThread(input: $input) { commentThread { threadId } } }'

const clients: readonly [name: string, writeBy: (url: string, token: string) => Promise<unknown>][] = [
  [
    'plain fetch',
    (url, token) => createClient({ url, token }).ask(CommentDocument, { videoId, text: 'Once' }),
  ],
  [
    'Apollo Client',
    (url, token) =>
      createApolloClient(url, { token }).mutate({
        mutation: WriteCommentDocument,
        variables: { videoId, text: 'Once' },
      }),
  ],
  [
    'Relay',
    (url, token) =>
      createEnvironment(url, { token, onErrors: () => {} })
        .getNetwork()
        .execute(
          { operationKind: 'mutation', name: 'Write', id: null, cacheID: 'write', text: write, metadata: {} },
          { input: { videoId, textOriginal: 'Once' } },
          {},
        )
        .toPromise(),
  ],
]

test.each(clients)('a comment by %s', async (_, writeBy) => {
  await using graph = await startGraph()
  await using losing = await startLosing(graph, () => graph.sandbox.writes.length > 0)
  expect(await writeBy(losing.url, await graph.token('media.read media.write'))).toBeTruthy()
  expect(losing.isLost()).toBe(true)
  const keys = losing.keys()
  expect(keys.length).toBeGreaterThan(1)
  expect([new Set(keys).size, keys[0]]).toEqual([1, expect.stringMatching(/^"[0-9a-f-]{36}"$/)])
  expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(1)
})

test('an upload by the command line', async () => {
  await using graph = await startGraph()
  await using losing = await startLosing(graph, () => graph.sandbox.calls('videos.insert').length > 0)
  const film = temporaryFile('film.mp4', Buffer.alloc(300_000, 7))
  const args = ['--title', 'Once', '--url', losing.url, '--token', await graph.token('media.upload')]
  await using upload = startTessera(['upload', film, ...args])
  expect([await upload.ended, upload.output()]).toEqual([0, expect.stringMatching(/^video /m)])
  expect(losing.isLost()).toBe(true)
  const keys = losing.keys()
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  expect(graph.sandbox.uploads).toHaveLength(1)
})
