import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleChannels, sampleVideos } from '../../sandbox/videos/index.ts'
import { startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { postJson } from '../support/post-json.ts'

const graph = await graphForFile()

describe('lookups of videos', () => {
  test('120 threads of 60 distinct videos resolve with 2 lookup calls', async () => {
    const { data, errors } = await graph.ask(
      `query ($channelId: ID!) { channel(channelId: $channelId) { commentThreads(first: 120) {
         nodes { threadId video { videoId snippet { title } statistics { viewCount } } } } } }`,
      { channelId: sampleChannels.busy },
    )
    expect(errors).toEqual([])
    const { nodes } = data.channel.commentThreads
    expect(nodes.length).toBe(120)
    expect(new Set(nodes.map((node: { video: { videoId: string } }) => node.video.videoId)).size).toBe(60)
    expect(graph.sandbox.calls('commentThreads.list').length).toBe(2)
    const lookups = graph.sandbox.calls('videos.list')
    expect(lookups.map(({ query }) => query.get('id')?.split(',').length).sort()).toEqual([10, 50])
    for (const { query } of lookups) expect(query.get('part')).toBe('snippet,statistics')
  })

  test('any number of ids is answered in the requested order, null for missing ones, 50 a call', async () => {
    const ids = [...sampleVideos.all.slice(0, 130), 'missing-one', sampleVideos.all[0]!]
    const { data } = await graph.ask('query ($ids: [ID!]!) { videos(videoIds: $ids) { videoId etag } }', {
      ids,
    })
    expect(data.videos.map((video: { videoId: string } | null) => video?.videoId ?? null)).toEqual(
      ids.map((id) => (id === 'missing-one' ? null : id)),
    )
    expect(graph.sandbox.calls('videos.list').length).toBe(3)
  })

  test('of different requests at the same moment share one call for each 50 videos', async () => {
    await using batching = await startGraph({ env: { TESSERA_MAX_BATCH: '60' } })
    const ids = sampleVideos.all.slice(0, 60)
    const query = 'query ($id: ID!) { video(videoId: $id) { videoId snippet { title } } }'
    // The operations of one HTTP batch are requests of their own, and they all begin at the same moment.
    const send = async () => {
      const response = await postJson(
        batching.url,
        ids.map((id) => ({ query, variables: { id } })),
      )
      return (await response.json()) as { data: { video: { videoId: string } } }[]
    }
    await send()
    batching.sandbox.reset()
    const answers = await send()
    expect(answers.map(({ data }) => data.video.videoId)).toEqual(ids)
    expect(batching.sandbox.calls('videos.list').length).toBe(2)
  })

  test('of one document name each video once, whatever it is called', async () => {
    const id = sampleVideos.own[0]
    const { data } = await graph.ask(
      `query ($id: ID!) { a: video(videoId: $id) { snippet { title } } b: video(videoId: $id) { status { license } }
         videos(videoIds: [$id, $id]) { contentDetails { duration } } }`,
      { id },
    )
    expect(data.videos.length).toBe(2)
    const [call, ...more] = graph.sandbox.calls('videos.list')
    expect(more).toEqual([])
    expect(call?.query.get('id')).toBe(id)
    expect(call?.query.get('part')).toBe('snippet,contentDetails,status')
  })

  test('with a malformed id fail at its position and leave the others alone', async () => {
    const { data, errors } = await graph.ask(
      `{ videos(videoIds: ["not an id!", "${sampleVideos.live}"]) { videoId kind } }`,
    )
    expect(data.videos[0]).toBeNull()
    expect(data.videos[1].videoId).toBe(sampleVideos.live)
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['videos', 0], 'BAD_USER_INPUT'],
    ])
  })

  test("keep the owner's parts in a separate call, which fails nothing else", async () => {
    const foreign = sampleVideos.live
    const { data, errors } = await graph.ask(
      'query ($id: ID!) { video(videoId: $id) { snippet { title } fileDetails { fileSize } } }',
      { id: foreign },
    )
    expect(typeof data.video.snippet.title).toBe('string')
    expect(data.video.fileDetails).toBeNull()
    expect(errors.map(({ path, extensions }) => [path, extensions.code, extensions.service])).toEqual([
      [['video', 'fileDetails'], 'FORBIDDEN', 'videos'],
    ])
    expect(graph.sandbox.calls('videos.list').map(({ query }) => query.get('part'))).toEqual([
      'snippet',
      'fileDetails',
    ])
  })

  test('give 64-bit numbers exactly, as text', async () => {
    const { data } = await graph.ask(
      `{ video(videoId: "${sampleVideos.own[0]}") { fileDetails { fileSize } } huge: video(videoId: "${sampleVideos.huge}") { statistics { viewCount } } }`,
    )
    expect(data.video.fileDetails.fileSize).toBe('9007199254740993')
    expect(data.huge.statistics.viewCount).toBe('18446744073709551615')
  })
})

const chart = `query ($first: Int, $after: String, $last: Int, $before: String) {
  chartVideos(chart: MOST_POPULAR, first: $first, after: $after, last: $last, before: $before) {
    nodes { videoId } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

async function chartPage(variables: Record<string, unknown>) {
  const { data, errors } = await graph.ask(chart, variables)
  expect(errors).toEqual([])
  return data.chartVideos as {
    nodes: { videoId: string }[]
    totalCount: number
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
  }
}

describe('walks through a chart of 120 videos', () => {
  test('with a constant size make one call a page, forward and backward, and yield every video once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (size) => {
        graph.sandbox.reset()
        const forward: string[] = []
        let page = await chartPage({ first: size })
        forward.push(...page.nodes.map(({ videoId }) => videoId))
        while (page.pageInfo.hasNextPage) {
          page = await chartPage({ first: size, after: page.pageInfo.endCursor })
          forward.push(...page.nodes.map(({ videoId }) => videoId))
        }
        expect(new Set(forward).size).toBe(120)
        expect(forward.length).toBe(120)
        const pages = Math.ceil(120 / size)
        expect(graph.sandbox.calls('videos.list').length).toBe(pages)
        const backward = page.nodes.map(({ videoId }) => videoId)
        while (page.pageInfo.hasPreviousPage) {
          page = await chartPage({ last: size, before: page.pageInfo.startCursor })
          backward.unshift(...page.nodes.map(({ videoId }) => videoId))
        }
        expect(backward).toEqual(forward)
        expect(graph.sandbox.calls('videos.list').length).toBe(2 * pages - 1)
      }),
      { numRuns: 12 },
    )
  })

  test('with any sizes, forward and then backward from any cursor, yield every video once', async () => {
    const whole = (await chartPage({ first: 120 })).nodes
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.constantFrom('startCursor', 'endCursor'), async (on, back, from) => {
        let page = await chartPage({ first: on[0] })
        let passed = 0
        for (const first of on.slice(1)) {
          if (!page.pageInfo.hasNextPage) break
          passed += page.nodes.length
          page = await chartPage({ first, after: page.pageInfo.endCursor })
        }
        let end = from === 'startCursor' ? passed : passed + page.nodes.length - 1
        let before = page.pageInfo[from]
        for (const last of back) {
          page = await chartPage({ last, before })
          expect(page.nodes).toEqual(whole.slice(end - page.nodes.length, end))
          end -= page.nodes.length
          before = page.pageInfo.startCursor ?? before
        }
        expect(end).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 30 },
    )
  })

  test('above the bound read several pages in one go', async () => {
    const page = await chartPage({ first: 120 })
    expect(page.nodes.length).toBe(120)
    expect(page.totalCount).toBe(120)
    expect(graph.sandbox.calls('videos.list').map(({ query }) => query.get('maxResults'))).toEqual([
      '50',
      '50',
      '20',
    ])
  })

  test('with a cursor of another list, or a mangled one, make no call', async () => {
    const threads = await graph.ask(
      `{ video(videoId: "${sampleVideos.discussed}") { commentThreads(first: 2) { pageInfo { endCursor } } } }`,
    )
    const foreign = threads.data.video.commentThreads.pageInfo.endCursor
    graph.sandbox.reset()
    for (const after of [foreign, 'x', foreign.slice(2)]) {
      const { data, errors } = await graph.ask(chart, { first: 2, after })
      expect(data).toEqual({ chartVideos: null })
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    }
    expect(graph.sandbox.journal).toEqual([])
  })
})

describe('comment threads', () => {
  test('of a list with short and empty pages are all found', async () => {
    const seen: string[] = []
    let after: string | null = null
    for (let pages = 0; pages < 50; pages++) {
      const {
        data,
      }: {
        data: {
          channel: {
            commentThreads: {
              nodes: { threadId: string }[]
              pageInfo: { hasNextPage: boolean; endCursor: string }
            }
          }
        }
      } = await graph.ask(
        `query ($id: ID!, $after: String) { channel(channelId: $id) { commentThreads(first: 6, after: $after) { nodes { threadId } pageInfo { hasNextPage endCursor } } } }`,
        { id: sampleChannels.gappy, after },
      )
      const { nodes, pageInfo } = data.channel.commentThreads
      seen.push(...nodes.map(({ threadId }) => threadId))
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(seen.length).toBe(23)
    expect(new Set(seen).size).toBe(23)
  })

  test('that are switched off, or none, or of no video are three different answers', async () => {
    const threads = (id: string) =>
      graph.ask(`{ video(videoId: "${id}") { commentThreads(first: 5) { totalCount nodes { threadId } } } }`)
    const off = await threads(sampleVideos.commentsDisabled)
    expect(off.data.video.commentThreads).toBeNull()
    expect(off.errors[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      upstream: { status: 403, reason: 'commentsDisabled' },
    })
    expect(off.errors[0]?.message).not.toMatch(/</)
    const none = await threads(sampleVideos.withoutComments)
    expect(none.data.video.commentThreads).toEqual({ totalCount: 0, nodes: [] })
    const missing = await graph.ask(
      '{ video(videoId: "nobody") { snippet { title } commentThreads { nodes { threadId } } } }',
    )
    expect([missing.data.video, missing.errors]).toEqual([null, []])
  })
})

describe('a page of a list', () => {
  test('is read once for an operation, however often objects with the list occur', async () => {
    const { data, errors } = await graph.ask(
      `query ($videoId: ID!, $messageId: ID!) {
         videos(videoIds: [$videoId, $videoId]) {
           commentThreads(first: 2) { nodes { threadId video { commentThreads(first: 2) { nodes { threadId } } } } }
         }
         messages(messageIds: [$messageId, $messageId]) { likingUsers(first: 3) { nodes { userId } } }
         agent(project: "demo") { intents(first: 2) { nodes { name agent { intents(first: 2) { nodes { name } } } } } }
       }`,
      { videoId: sampleVideos.discussed, messageId: sampleMessages.popular },
    )
    expect(errors).toEqual([])
    expect(data.videos[1]).toEqual(data.videos[0])
    expect(data.messages[1]).toEqual(data.messages[0])
    for (const list of ['commentThreads.list', 'messages.likingUsers', 'agents.intents.list'])
      expect(graph.sandbox.calls(list), list).toHaveLength(1)
  })

  test('has what each alias selects, as it has alone', async () => {
    const chart = (args: string) => `chartVideos(chart: MOST_POPULAR, first: 2${args})`
    const discussed = `video(videoId: "${sampleVideos.discussed}")`
    const popular = `message(messageId: "${sampleMessages.popular}")`
    const agent = 'agent(project: "demo")'
    const lists = [
      `${chart('')} { nodes { videoId } }`,
      `${chart('')} { nodes { snippet { localized { title } } } }`,
      `${chart(', hl: "de"')} { nodes { snippet { localized { title } } } }`,
      'ratedVideos(rating: DISLIKE, first: 2) { nodes { videoId } }',
      `${discussed} { commentThreads(first: 2) { nodes { threadId } } }`,
      `${discussed} { commentThreads(first: 2) { nodes { replies { commentId } } } }`,
      `${discussed} { commentThreads(first: 2, order: RELEVANCE) { nodes { threadId } } }`,
      `${popular} { likingUsers(first: 2) { nodes { userId } } }`,
      `${popular} { likingUsers(first: 2) { nodes { description } } }`,
      `${agent} { intents(first: 2) { nodes { displayName } } }`,
      `${agent} { intents(first: 2) { nodes { trainingPhrases { type } } } }`,
      `${agent} { intents(first: 2, languageCode: "de") { nodes { displayName } } }`,
    ]
    const together = await graph.ask(`{ ${lists.map((list, at) => `a${at}: ${list}`).join(' ')} }`)
    expect(together.errors).toEqual([])
    for (const [at, list] of lists.entries())
      expect(together.data[`a${at}`], list).toEqual((await graph.ask(`{ alone: ${list} }`)).data.alone)
  })

  test('that is refused has its error at each place, and is asked for once', async () => {
    const { data, errors } = await graph.ask(
      `query ($videoId: ID!) { video(videoId: $videoId) {
         one: commentThreads(first: 2) { nodes { threadId } } two: commentThreads(first: 2) { nodes { id } } } }`,
      { videoId: sampleVideos.commentsDisabled },
    )
    expect(data).toEqual({ video: { one: null, two: null } })
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['video', 'one'], 'FORBIDDEN'],
      [['video', 'two'], 'FORBIDDEN'],
    ])
    expect(graph.sandbox.calls('commentThreads.list')).toHaveLength(1)
  })

  test('of replies is read once for the aliases of a thread', async () => {
    const found = await graph.ask(
      `{ video(videoId: "${sampleVideos.discussed}") { commentThreads(first: 10) { nodes { threadId totalReplyCount } } } }`,
    )
    const { threadId } = found.data.video.commentThreads.nodes.find(
      ({ totalReplyCount }: { totalReplyCount: number }) => totalReplyCount > 0,
    )
    const { data } = await graph.ask(
      `query ($threadId: ID!) {
         some: commentThread(threadId: $threadId) { allReplies(first: 5) { nodes { commentId } } }
         same: commentThread(threadId: $threadId) { allReplies(first: 5) { nodes { commentId textOriginal } } }
       }`,
      { threadId },
    )
    expect(data.same.allReplies.nodes).toMatchObject(data.some.allReplies.nodes)
    expect(graph.sandbox.calls('comments.list')).toHaveLength(1)
  })

  test('of replies costs no call for a thread that has none', async () => {
    const { data, errors } = await graph.ask(
      `{ video(videoId: "${sampleVideos.discussed}") { commentThreads(first: 10) { nodes {
         totalReplyCount allReplies { nodes { commentId } totalCount pageInfo { hasNextPage endCursor } } } } } }`,
    )
    expect(errors).toEqual([])
    type Thread = { totalReplyCount: number; allReplies: unknown }
    const threads: Thread[] = data.video.commentThreads.nodes
    const silent = threads.filter(({ totalReplyCount }) => totalReplyCount === 0)
    expect(silent).not.toEqual([])
    for (const { allReplies } of silent)
      expect(allReplies).toEqual({
        nodes: [],
        totalCount: 0,
        pageInfo: { hasNextPage: false, endCursor: null },
      })
    expect(graph.sandbox.calls('comments.list')).toHaveLength(threads.length - silent.length)
  })

  test('is read again after each change in the same operation', async () => {
    const { data, errors } = await graph.ask(
      `mutation ($videoId: ID!, $userId: ID!, $messageId: ID!) {
         one: insertCommentThread(input: { videoId: $videoId, textOriginal: "One" }) { commentThread { ...threads } }
         two: insertCommentThread(input: { videoId: $videoId, textOriginal: "Two" }) { commentThread { ...threads } }
         liked: likeMessage(input: { userId: $userId, messageId: $messageId }) { message { ...likes } }
         unliked: unlikeMessage(input: { userId: $userId, messageId: $messageId }) { message { ...likes } }
         three: createIntent(input: { project: "demo", displayName: "Three" }) { intent { ...intents } }
         four: createIntent(input: { project: "demo", displayName: "Four" }) { intent { ...intents } }
       }
       fragment threads on CommentThread { video { commentThreads { nodes { topLevelComment { textOriginal } } } } }
       fragment likes on Message { likingUsers { totalCount } }
       fragment intents on Intent { agent { intents(first: 1000) { totalCount } } }`,
      {
        videoId: sampleVideos.withoutComments,
        userId: sampleMessages.demoUser,
        messageId: sampleMessages.unliked,
      },
    )
    expect(errors).toEqual([])
    const texts = ({ commentThread }: typeof data.one) =>
      commentThread.video.commentThreads.nodes.map(
        (node: typeof data.one) => node.topLevelComment.textOriginal,
      )
    expect(texts(data.one)).toEqual(['One'])
    expect(texts(data.two)).toEqual(['Two', 'One'])
    expect(data.liked.message.likingUsers.totalCount).toBe(1)
    expect(data.unliked.message.likingUsers.totalCount).toBe(0)
    const intents = ({ intent }: typeof data.three) => intent.agent.intents.totalCount
    expect(intents(data.four)).toBe(intents(data.three) + 1)
  })
})
