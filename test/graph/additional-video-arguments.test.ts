/** Further ways to read videos and comments, through the gateway and with their calls. */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { graphForFile } from '../support/graph-for-file.ts'

const graph = await graphForFile()

const [first = '', second = ''] = sampleVideos.all

describe('videos', () => {
  test('are shown in a language and a size, each in separate calls', async () => {
    const { data, errors } = await graph.ask(
      `query ($a: ID!, $b: ID!) {
         small: video(videoId: $a, maxWidth: 320, hl: "de") { player { embedWidth embedHeight } snippet { localized { title } } }
         large: video(videoId: $a, maxHeight: 720) { player { embedHeight } }
         plain: videos(videoIds: [$a, $b]) { player { embedWidth } }
         list: chartVideos(chart: MOST_POPULAR, first: 2, maxWidth: 640) { nodes { player { embedWidth } } } }`,
      { a: first, b: second },
    )
    expect(errors).toEqual([])
    expect(data.small.player).toEqual({ embedWidth: '320', embedHeight: '180' })
    expect(data.large.player).toEqual({ embedHeight: '720' })
    expect(data.plain).toEqual([{ player: { embedWidth: null } }, { player: { embedWidth: null } }])
    expect(data.list.nodes).toEqual(Array(2).fill({ player: { embedWidth: '640' } }))
    const calls = graph.sandbox.calls('videos.list').map(({ query }) => new URLSearchParams(query))
    expect(
      calls.map((query) => `${query.get('hl')} ${query.get('maxWidth')} ${query.get('maxHeight')}`).sort(),
    ).toEqual(['de 320 null', 'null 640 null', 'null null 720', 'null null null'])
  })

  test.each(['maxWidth: 71', 'maxHeight: 8193', 'hl: "de&id=x"'])(
    '%s is refused without a call',
    async (wrong) => {
      const { errors } = await graph.ask(`{ video(videoId: "${first}", ${wrong}) { player { embedWidth } } }`)
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
      expect(graph.sandbox.journal).toEqual([])
    },
  )
})

describe('comment threads', () => {
  test('by empty search terms are all threads, read once', async () => {
    const { data, errors } = await graph.ask(
      `query ($id: ID!) { video(videoId: $id) {
         all: commentThreads(first: 2) { nodes { id } pageInfo { endCursor } }
         searched: commentThreads(first: 2, searchTerms: "") { nodes { id } pageInfo { endCursor } } } }`,
      { id: first },
    )
    expect(errors).toEqual([])
    expect(data.video.searched).toEqual(data.video.all)
    const calls = graph.sandbox.calls('commentThreads.list')
    expect(calls.map(({ query }) => new URLSearchParams(query).get('searchTerms'))).toEqual([null])
  })

  test('are found by their ids with one call, and null if there is none', async () => {
    const list = await graph.ask(
      `query ($id: ID!) { video(videoId: $id) { commentThreads(first: 2) { nodes { id threadId } } } }`,
      { id: first },
    )
    const [a, b] = list.data.video.commentThreads.nodes
    const before = graph.sandbox.calls('commentThreads.list').length
    const { data, errors } = await graph.ask(
      `query ($a: ID!, $b: ID!) { a: commentThread(threadId: $a) { id } b: commentThread(threadId: $b) { id replies { commentId } }
         none: commentThread(threadId: "none") { id } }`,
      { a: a.threadId, b: b.threadId },
    )
    expect(errors).toEqual([])
    expect([data.a.id, data.b.id, data.none]).toEqual([a.id, b.id, null])
    expect(graph.sandbox.calls('commentThreads.list').length - before).toBe(1)
    const wrong = await graph.ask('{ commentThread(threadId: "a,b") { id } }')
    expect(wrong.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })

  test('have all their replies, in pages', async () => {
    const { data } = await graph.ask(
      `query ($id: ID!) { video(videoId: $id) { commentThreads(first: 20) { nodes { threadId totalReplyCount replies { commentId } } } } }`,
      { id: first },
    )
    const thread = data.video.commentThreads.nodes.find(
      ({ totalReplyCount, replies }: { totalReplyCount: number; replies: unknown[] }) =>
        totalReplyCount > replies.length,
    )
    const seen: string[] = []
    let after: string | null = null
    do {
      const page = await graph.ask(
        `query ($id: ID!, $after: String) { commentThread(threadId: $id) { allReplies(first: 3, after: $after) {
           nodes { commentId parentId } pageInfo { hasNextPage endCursor } } } }`,
        { id: thread.threadId, after },
      )
      expect(page.errors).toEqual([])
      const { nodes, pageInfo } = page.data.commentThread.allReplies
      for (const { commentId, parentId } of nodes) {
        expect(parentId).toBe(thread.threadId)
        seen.push(commentId)
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toHaveLength(thread.totalReplyCount)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(
      expect.arrayContaining(thread.replies.map(({ commentId }: { commentId: string }) => commentId)),
    )
    expect(graph.sandbox.calls('comments.list')).toHaveLength(Math.ceil(seen.length / 3))
  })

  test('of a channel and of all its videos come together', async () => {
    const { data: owner } = await graph.ask(`{ video(videoId: "${first}") { channel { channelId } } }`)
    const { channelId } = owner.video.channel
    const { data, errors } = await graph.ask(
      `query ($id: ID!) { channel(channelId: $id) { allCommentThreads(first: 100) { nodes { channelId videoId } } } }`,
      { id: channelId },
    )
    expect(errors).toEqual([])
    const { nodes } = data.channel.allCommentThreads
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.some(({ videoId }: { videoId: string | null }) => videoId === first)).toBe(true)
    const query = new URLSearchParams(graph.sandbox.calls('commentThreads.list').at(-1)?.query)
    expect(query.get('allThreadsRelatedToChannelId')).toBe(channelId)
  })

  test('that wait for the owner are only for the owner', async () => {
    const query = `{ video(videoId: "${first}") { moderatedCommentThreads(status: HELD_FOR_REVIEW) { nodes { threadId } }
      commentThreads(first: 100) { nodes { threadId } } } }`
    const { data, errors } = await graph.ask(query)
    expect(errors).toEqual([])
    const [held] = data.video.moderatedCommentThreads.nodes
    expect(data.video.moderatedCommentThreads.nodes).toHaveLength(1)
    expect(data.video.commentThreads.nodes).not.toContainEqual(held)
    const before = graph.sandbox.calls('commentThreads.list').length
    const closed = await graph.ask(query, {}, { scope: 'media.read media.write' })
    expect(closed.errors[0]?.extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
    expect(closed.data.video.moderatedCommentThreads).toBeNull()
    const calls = graph.sandbox.calls('commentThreads.list').slice(before)
    expect(calls.map(({ query: sent }) => new URLSearchParams(sent).get('moderationStatus'))).toEqual([null])
  })
})
