/**
 * Every operation of the four services, driven through the gateway: the exact request that left, the typed
 * result, one input that is refused before any call, and one failure of the service.
 */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { operations } from '../support/operations.ts'

const graph = await graphForFile()

test('the table has each of the 25 operations once', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(25)
  const count = (service: string): number =>
    operations.filter((operation) => operation.service === service).length
  expect(['videos', 'agents', 'messages', 'metrics'].map(count)).toEqual([6, 11, 3, 5])
})

describe.each(operations)('$name', ({ name, service, ask, variables, sent, query, body, gives, wrong }) => {
  test('leaves as exactly one request, and gives its typed result', async () => {
    const { data } = await graph.ask(ask, variables)
    const calls = graph.sandbox.calls(name)
    expect(calls.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`)).toEqual([sent])
    expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual(query ?? {})
    const text = calls[0]?.body ?? ''
    if (body !== undefined) expect(JSON.parse(text)).toEqual(body)
    else expect(['', '{}']).toContain(text)
    expect(data).toEqual(gives)
  })

  test('refuses a wrong input before any call', async () => {
    const { errors } = await graph.ask(wrong.ask)
    expect(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']).toContain(errors[0]?.extensions.code)
    expect(errors[0]?.message).toMatch(wrong.says)
    expect(graph.sandbox.calls(name)).toEqual([])
  })

  test('tells a failure of the service with code, service and path', async () => {
    graph.sandbox.fail({ operation: name, kind: 'status', status: 429, headers: { 'retry-after': '60' } })
    const { errors } = await graph.ask(ask, variables)
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(error.extensions).toMatchObject({ code: 'RATE_LIMITED', service, upstream: { status: 429 } })
    }
    expect(errors[0]?.path?.length).toBeGreaterThan(0)
    expect(graph.sandbox.calls(name).length).toBe(1)
  })
})

test('texts of every script arrive as they were sent, in short answers and long ones, however often they are asked for', async () => {
  const texts = ['日本 é 😀 "q" \\ \n', 'é'.repeat(2000), '日'.repeat(2000), '😀'.repeat(1000), 'plain']
  const write = `mutation ($text: String!) {
    insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: $text }) {
      commentThread { topLevelComment { textOriginal } } } }`
  for (const text of texts) {
    const { data } = await graph.ask(write, { text })
    expect(data.insertCommentThread.commentThread.topLevelComment.textOriginal).toBe(text)
  }
  const read = `{ video(videoId: "${sampleVideos.own[0]}") {
    commentThreads(first: ${texts.length}, order: TIME) { nodes { topLevelComment { textOriginal } } } } }`
  for (let times = 0; times < 5; times++) {
    const { data } = await graph.ask(read)
    const found = data.video.commentThreads.nodes.map(
      (node: { topLevelComment: { textOriginal: string } }) => node.topLevelComment.textOriginal,
    )
    expect(found).toEqual(texts.toReversed())
  }
})
