/** The messages subgraph over the stand-in that keeps the service's rules. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { createMessagesSubgraph } from '../../../subgraphs/messages/index.ts'
import { faults, run } from '../../support/subgraph.ts'

const sandbox = await startSandbox()
const tweet = createMessagesSubgraph({ baseUrl: sandbox.url, credential: { kind: 'none' } })
const post = createMessagesSubgraph({
  baseUrl: sandbox.url,
  credential: { kind: 'none' },
  vocabulary: 'post',
})

beforeEach(() => sandbox.reset())
afterAll(async () => {
  await tweet.close()
  await post.close()
  await sandbox.close()
})

const ids = [
  sampleMessages.ordinary,
  sampleMessages.long,
  sampleMessages.escaped,
  sampleMessages.photo,
  sampleMessages.video,
  sampleMessages.poll,
  sampleMessages.place,
  sampleMessages.reply,
  sampleMessages.quote,
  sampleMessages.repost,
  sampleMessages.withheld,
  sampleMessages.own,
  sampleMessages.shortId,
]
/** Everything that both vocabularies have a way to ask for. */
const everything = `query ($ids: [ID!]!) { messages(messageIds: $ids) { id messageId text createdAt
  author { ...U } inReplyToUser { ...U } conversationId communityId lang possiblySensitive paidPartnership
  replySettings displayTextRange editControls { isEditEligible editableUntil editsRemaining } editHistoryMessageIds
  referencedMessages { type messageId message { messageId text author { username } } }
  attachments { mediaKeys pollIds mediaSourceMessageIds
    media { mediaKey type url previewImageUrl width height durationMs altText viewCount variants { bitRate contentType url } }
    polls { pollId options { position label votes } durationMinutes endDatetime votingStatus } }
  entities { hashtags { start end tag } cashtags { tag } urls { url expandedUrl displayUrl } annotations { normalizedText probability type }
    mentions { username user { userId name } } }
  geo { placeId coordinates place { placeId fullName name country countryCode placeType containedWithin geo } }
  publicMetrics { repostCount replyCount likeCount quoteCount bookmarkCount impressionCount }
  contextAnnotations { domain { topicId name description } entity { topicId name } }
  note { text entities { hashtags { tag } } } withheld { copyright countryCodes scope } followersOnly cardUri } }
  fragment U on MessageUser { id userId name username createdAt description location url profileImageUrl protected
    verified verifiedType publicMetrics { followersCount followingCount messageCount listedCount likeCount } }`

describe('the messages subgraph over the sandbox', () => {
  test('reads every kind of message, the same in both vocabularies', async () => {
    const [older, newer] = [await run(tweet, everything, { ids }), await run(post, everything, { ids })]
    expect(older.errors).toEqual([])
    expect(newer.errors).toEqual([])
    expect(older.data.messages.map((message: { messageId: string }) => message.messageId)).toEqual(ids)
    // In the newer one a reply's own version ids are not asked for, because there they would be bought.
    expect(newer.data).toEqual(older.data)
  })

  test('requests nothing that the service does not know', async () => {
    await run(tweet, everything, { ids })
    await run(post, everything, { ids })
    expect(sandbox.journal.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('reads two hundred ids in two calls, in order', async () => {
    const wanted = Array.from({ length: 200 }, (_, n) =>
      n % 50 === 0 ? ids[n / 50]! : String(1_000_000_000 + n),
    )
    const { data, errors } = await run(
      tweet,
      'query ($ids: [ID!]!) { messages(messageIds: $ids) { messageId text } }',
      { ids: wanted },
    )
    expect(errors).toEqual([])
    expect(sandbox.calls('messages.lookup').length).toBe(2)
    expect(data.messages.map((message: { messageId: string } | null) => message?.messageId ?? null)).toEqual(
      wanted.map((id, n) => (n % 50 === 0 ? id : null)),
    )
  })

  test('reports a quoted message that the caller may not see at its place', async () => {
    const { data, errors } = await run(
      tweet,
      'query ($id: ID!) { message(messageId: $id) { text referencedMessages { messageId message { text } } } }',
      { id: sampleMessages.quotesProtected },
    )
    expect(data.message.referencedMessages[0].message).toBeNull()
    expect(faults(errors)).toEqual(['message.referencedMessages.0.message: FORBIDDEN'])
  })

  test("gives private counts of the caller's own message, and refuses those of others one by one", async () => {
    const { data, errors } = await run(
      tweet,
      'query ($ids: [ID!]!) { messages(messageIds: $ids) { text nonPublicMetrics { impressionCount } } }',
      { ids: [sampleMessages.own, sampleMessages.ordinary] },
    )
    expect(data.messages[0].nonPublicMetrics.impressionCount).toBeGreaterThan(0)
    expect(data.messages[1]).toMatchObject({ nonPublicMetrics: null })
    expect(faults(errors)).toEqual(['messages.1.nonPublicMetrics: FORBIDDEN'])
  })

  test.for([7, 50, 100, 130])('walks all who like a message by %d, past hidden users', async (first) => {
    const read = async (size: number, after: string | null) => {
      const { data, errors } = await run(
        tweet,
        `query ($id: ID!, $first: Int, $after: String) { message(messageId: $id) {
           likingUsers(first: $first, after: $after) { nodes { userId } pageInfo { hasNextPage endCursor } } } }`,
        { id: sampleMessages.popular, first: size, after },
      )
      expect(errors).toEqual([])
      const { nodes, pageInfo } = data.message.likingUsers
      return {
        users: nodes.map((user: { userId: string }) => user.userId) as string[],
        next: (pageInfo.hasNextPage ? pageInfo.endCursor : null) as string | null,
      }
    }
    const all = await read(1000, null)
    expect(all.next).toBeNull()
    expect(all.users.length).toBeGreaterThan(200)
    expect(new Set(all.users).size).toBe(all.users.length)
    sandbox.reset()
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(first, after)
      seen.push(...page.users)
      after = page.next
    } while (after !== null)
    expect(seen).toEqual(all.users)
  })

  test('ends a list with endless tokens', async () => {
    const { data, errors } = await run(
      tweet,
      'query ($id: ID!) { message(messageId: $id) { likingUsers(first: 5000) { nodes { userId } pageInfo { hasNextPage } } } }',
      { id: sampleMessages.endlessLikes },
    )
    expect(errors).toEqual([])
    expect(data.message.likingUsers.pageInfo.hasNextPage).toBe(false)
    expect(sandbox.calls('messages.likingUsers').length).toBeLessThan(6)
  })

  test('likes a message, which then counts one more', async () => {
    const likes = 'query ($id: ID!) { message(messageId: $id) { publicMetrics { likeCount } } }'
    const before = await run(tweet, likes, { id: sampleMessages.ordinary })
    const { data, errors } = await run(
      tweet,
      'mutation ($input: LikeMessageInput!) { likeMessage(input: $input) { liked message { publicMetrics { likeCount } } } }',
      { input: { userId: sampleMessages.demoUser, messageId: sampleMessages.ordinary } },
    )
    expect(errors).toEqual([])
    expect(data.likeMessage).toEqual({
      liked: true,
      message: { publicMetrics: { likeCount: before.data.message.publicMetrics.likeCount + 1 } },
    })
    expect(sandbox.writes.length).toBe(1)
  })

  test('is refused the like of another user', async () => {
    const { errors } = await run(
      tweet,
      'mutation ($input: LikeMessageInput!) { likeMessage(input: $input) { liked } }',
      { input: { userId: '12', messageId: sampleMessages.ordinary } },
    )
    expect(faults(errors)).toEqual(['likeMessage: FORBIDDEN'])
  })

  test('shows the service the scopes of the caller, which it checks itself', async () => {
    const subgraph = createMessagesSubgraph({
      baseUrl: sandbox.url,
      credential: { kind: 'bearer', token: 'scopes:tweet.read+users.read' },
    })
    const { data, errors } = await run(
      subgraph,
      'query ($id: ID!) { message(messageId: $id) { text likingUsers { nodes { userId } } } }',
      { id: sampleMessages.ordinary },
    )
    await subgraph.close()
    expect(data.message.text).not.toBeNull()
    expect(faults(errors)).toEqual(['message.likingUsers: FORBIDDEN'])
  })

  test('says how long to wait when the window is used up', async () => {
    const ask = 'query ($id: ID!) { message(messageId: $id) { likingUsers(first: 1) { nodes { userId } } } }'
    let last = await run(tweet, ask, { id: sampleMessages.ordinary })
    for (let call = 1; call <= 75 && last.errors.length === 0; call++) {
      last = await run(tweet, ask, { id: sampleMessages.ordinary })
    }
    expect(last.errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', upstream: { status: 429 } })
    expect(last.errors[0]?.extensions.retryAfter).toBeGreaterThan(0)
  })
})
