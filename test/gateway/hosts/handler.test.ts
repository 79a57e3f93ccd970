/** What a handler can be made from, and what is said if that is not enough. */
import { expect, test } from 'vitest'
import { createHandler, type HandlerOptions } from '../../../gateway/hosts/library.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { forEachService } from '../../../subgraphs/index.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

test("a handler with the addresses of the services serves Tessera's own graph", async () => {
  const sandbox = await startSandbox()
  const graph = createHandler({ serviceUrls: forEachService(() => sandbox.url) })
  try {
    const query = '{ video(videoId: "u62wyH56M7e") { videoId } }'
    expect(await graph.execute({ query })).toMatchObject({ data: { video: { videoId: 'u62wyH56M7e' } } })
    expect(sandbox.calls('videos.list')).toHaveLength(1)
  } finally {
    await graph.close()
    await sandbox.close()
  }
})

test("a handler serves a supergraph without any of the product's services", async () => {
  const graph = createHandler({ supergraph: readSchemaFile('supergraph') })
  expect(await graph.execute({ query: '{ __typename }' })).toMatchObject({ data: { __typename: 'Query' } })
  await graph.close()
})

test('a handler without a graph is refused by the types, and by a message that says what is missing', () => {
  // @ts-expect-error neither a supergraph nor addresses of services
  const nothing: HandlerOptions = {}
  expect(() => createHandler(nothing)).toThrow(
    /no URL for: videos, agents, messages, metrics.*serviceUrls, or give a supergraph/,
  )
})
