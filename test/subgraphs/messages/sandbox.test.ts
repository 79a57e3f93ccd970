/** The messages subgraph over the stand-in that keeps the service's rules. */
import { afterAll, expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { createMessagesSubgraph } from '../../../subgraphs/messages/index.ts'
import { run } from '../../support/subgraph.ts'

const sandbox = await startSandbox()
const options = { baseUrl: sandbox.url, credential: { kind: 'none' } } as const
const tweet = createMessagesSubgraph(options)
const post = createMessagesSubgraph({ ...options, vocabulary: 'post' })

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

test('every kind of message is read, the same in both vocabularies, by what the service knows', async () => {
  const [older, newer] = [await run(tweet, everything, { ids }), await run(post, everything, { ids })]
  expect(older.errors).toEqual([])
  expect(newer.errors).toEqual([])
  expect(older.data.messages.map((message: { messageId: string }) => message.messageId)).toEqual(ids)
  // In the newer one a reply's own version ids are not asked for, because there they would be bought.
  expect(newer.data).toEqual(older.data)
  expect(sandbox.journal.filter(({ status }) => status !== 200)).toEqual([])
})
