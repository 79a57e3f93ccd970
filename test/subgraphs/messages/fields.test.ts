/** Only selected fields are requested. Requests use one vocabulary, and responses may use either. */

import { isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createMessagesSubgraph } from '../../../subgraphs/messages/index.ts'
import { faults } from '../../support/subgraph.ts'
import { messagesOver, params, problem } from './kit.ts'

const one = (selection: string): string => `{ message(messageId: "1") { ${selection} } }`

const everything = `text createdAt authorId conversationId inReplyToUserId communityId lang source possiblySensitive
  paidPartnership replySettings displayTextRange editControls { isEditEligible editableUntil editsRemaining }
  editHistoryMessageIds referencedMessages { type messageId } attachments { mediaKeys pollIds mediaSourceMessageIds }
  entities { hashtags { start end tag } mentions { username user { userId } } urls { url expandedUrl } annotations { normalizedText } }
  geo { placeId coordinates } publicMetrics { repostCount likeCount } nonPublicMetrics { impressionCount urlLinkClicks }
  contextAnnotations { domain { topicId name } entity { name } } note { text entities { cashtags { tag } } }
  withheld { copyright countryCodes scope } followersOnly article cardUri`

const shared = {
  id: '1',
  text: 'a &amp; b',
  created_at: '2026-08-01T12:00:00.000Z',
  author_id: '11',
  conversation_id: '1',
  in_reply_to_user_id: '12',
  community_id: '13',
  lang: 'en',
  source: 'App',
  possibly_sensitive: false,
  paid_partnership: true,
  reply_settings: 'mentionedUsers',
  display_text_range: [0, 5],
  edit_controls: { is_edit_eligible: true, editable_until: '2026-08-01T13:00:00.000Z', edits_remaining: 5 },
  attachments: { media_keys: ['3_1'], poll_ids: ['21'], media_source_tweet_id: ['31'] },
  entities: {
    hashtags: [{ start: 0, end: 2, tag: 'x' }],
    mentions: [{ start: 3, end: 5, username: 'ada', id: '14' }],
    urls: [{ start: 6, end: 9, url: 'https://t.example/a', expanded_url: 'https://example.org' }],
    annotations: [{ start: 0, end: 1, normalized_text: 'Paris' }],
  },
  geo: { place_id: 'p1', coordinates: { type: 'Point', coordinates: [2.3, 48.8] } },
  non_public_metrics: { impression_count: 9, url_link_clicks: 2 },
  context_annotations: [{ domain: { id: '66', name: 'Sports' }, entity: { id: '7', name: 'Chess' } }],
  withheld: { copyright: true, country_codes: ['FR'], scope: 'tweet' },
  scopes: { followers: true },
  article: { title: 'A' },
  card_uri: 'card://1',
}
const older = {
  ...shared,
  edit_history_tweet_ids: ['1', '2'],
  referenced_tweets: [{ type: 'replied_to', id: '41' }],
  note_tweet: { text: 'the whole', entities: { cashtags: [{ start: 0, end: 3, tag: 'TEA' }] } },
  public_metrics: { retweet_count: 3, like_count: 4 },
}
const newer = {
  ...shared,
  withheld: { ...shared.withheld, scope: 'post' },
  edit_history_post_ids: ['1', '2'],
  referenced_posts: [{ type: 'replied_to', id: '41' }],
  note_post: { text: 'the whole', entities: { cashtags: [{ start: 0, end: 3, tag: 'TEA' }] } },
  public_metrics: { repost_count: 3, like_count: 4 },
}

describe('a message', () => {
  test('reads the same in both vocabularies', async () => {
    const results = []
    for (const body of [older, newer]) {
      await using messages = await messagesOver({ body: { data: [body] } })
      const { data, errors } = await messages.run(one(everything))
      expect(errors).toEqual([])
      results.push(data.message)
    }
    expect(results[0]).toEqual(results[1])
    expect(results[0]).toEqual({
      text: 'a &amp; b',
      createdAt: '2026-08-01T12:00:00.000Z',
      authorId: '11',
      conversationId: '1',
      inReplyToUserId: '12',
      communityId: '13',
      lang: 'en',
      source: 'App',
      possiblySensitive: false,
      paidPartnership: true,
      replySettings: 'MENTIONED_USERS',
      displayTextRange: [0, 5],
      editControls: { isEditEligible: true, editableUntil: '2026-08-01T13:00:00.000Z', editsRemaining: 5 },
      editHistoryMessageIds: ['1', '2'],
      referencedMessages: [{ type: 'REPLIED_TO', messageId: '41' }],
      attachments: { mediaKeys: ['3_1'], pollIds: ['21'], mediaSourceMessageIds: ['31'] },
      entities: {
        hashtags: [{ start: 0, end: 2, tag: 'x' }],
        mentions: [{ username: 'ada', user: { userId: '14' } }],
        urls: [{ url: 'https://t.example/a', expandedUrl: 'https://example.org' }],
        annotations: [{ normalizedText: 'Paris' }],
      },
      geo: { placeId: 'p1', coordinates: { type: 'Point', coordinates: [2.3, 48.8] } },
      publicMetrics: { repostCount: 3, likeCount: 4 },
      nonPublicMetrics: { impressionCount: 9, urlLinkClicks: 2 },
      contextAnnotations: [{ domain: { topicId: '66', name: 'Sports' }, entity: { name: 'Chess' } }],
      note: { text: 'the whole', entities: { cashtags: [{ tag: 'TEA' }] } },
      withheld: { copyright: true, countryCodes: ['FR'], scope: 'MESSAGE' },
      followersOnly: true,
      article: { title: 'A' },
      cardUri: 'card://1',
    })
  })

  test('with only id and text from the service has null and empty lists', async () => {
    await using messages = await messagesOver({ body: { data: [{ id: '1', text: 't' }] } })
    const { data, errors } = await messages.run(one(everything))
    expect(errors).toEqual([])
    expect(data.message).toMatchObject({
      lang: null,
      referencedMessages: [],
      attachments: null,
      displayTextRange: null,
    })
  })

  test('takes values that are not known yet', async () => {
    const body = {
      id: '1',
      text: 't',
      reply_settings: 'neighbours',
      referenced_tweets: [{ type: 'mocked', id: '2' }],
    }
    await using messages = await messagesOver({ body: { data: [body] } })
    const { data, errors } = await messages.run(one('replySettings referencedMessages { type }'))
    expect(errors).toEqual([])
    expect(data.message).toEqual({
      replySettings: 'UNRECOGNIZED',
      referencedMessages: [{ type: 'UNRECOGNIZED' }],
    })
  })
})

describe('a lookup', () => {
  const body = { data: [{ id: '1', text: 't', author_id: '11' }] }

  test('requests only what always comes if nothing else is selected', async () => {
    await using messages = await messagesOver({ body })
    await messages.run(one('id messageId text'))
    expect(params(messages.arrived[0])).toEqual({})
  })

  test('asks for the selected fields, through fragments and aliases, and without what is skipped', async () => {
    await using messages = await messagesOver({ body })
    await messages.run(
      'query ($no: Boolean = false) { message(messageId: "1") { when: createdAt ...F lang @include(if: $no) } } fragment F on Message { publicMetrics { likeCount } }',
    )
    expect(params(messages.arrived[0])).toEqual({ 'tweet.fields': 'created_at,public_metrics' })
  })

  test('does not buy the author if only the id is selected', async () => {
    await using messages = await messagesOver({ body })
    const { data } = await messages.run(one('authorId author { userId }'))
    expect(params(messages.arrived[0])).toEqual({ 'tweet.fields': 'author_id' })
    expect(data.message).toEqual({ authorId: '11', author: { userId: '11' } })
  })

  test('expands exactly what is selected of others', async () => {
    await using messages = await messagesOver({ body })
    await messages.run(
      one(`author { name verifiedType } attachments { media { url viewCount } polls { votingStatus } }
        geo { place { country } } entities { mentions { user { name } } }`),
    )
    expect(params(messages.arrived[0])).toEqual({
      'tweet.fields': 'attachments,author_id,entities,geo',
      expansions:
        'attachments.media_keys,attachments.poll_ids,author_id,entities.mentions.username,geo.place_id',
      'user.fields': 'verified_type',
      'media.fields': 'public_metrics,url',
      'poll.fields': 'voting_status',
      'place.fields': 'country',
    })
  })

  test('uses the newer vocabulary if it is configured, and never both', async () => {
    await using messages = await messagesOver({ body }, { vocabulary: 'post' })
    await messages.run(
      one(`createdAt authorId author { name pinnedMessageId } note { text } referencedMessages { messageId }
        editHistoryMessageIds inReplyToUserId`),
    )
    expect(params(messages.arrived[0])).toEqual({
      'post.fields': 'created_at,note_post',
      expansions: 'author_id,in_reply_to_user_id,referenced_posts',
      'user.fields': 'pinned_post_id',
    })
  })

  test('asks once for what all selections of the moment need', async () => {
    await using messages = await messagesOver({ body })
    await messages.run('{ a: message(messageId: "1") { lang } b: message(messageId: "2") { source } }')
    expect(messages.arrived.map(({ query }) => [query.ids, query['tweet.fields']])).toEqual([
      ['1,2', 'lang,source'],
    ])
  })
})

describe('what an answer includes', () => {
  const includes = {
    users: [
      { id: '11', name: 'Ada', username: 'ada', public_metrics: { tweet_count: 5 }, verified_type: 'blue' },
    ],
    media: [{ media_key: '3_1', type: 'animated_gif', public_metrics: { view_count: 8 } }],
    polls: [{ id: '21', options: [{ position: 1, label: 'Yes', votes: 2 }], voting_status: 'closed' }],
    places: [{ id: 'p1', full_name: 'Paris, France', contained_within: ['f'] }],
  }
  const selection = `author { id userId name username verifiedType publicMetrics { messageCount } }
    attachments { media { mediaKey type viewCount variants { url } } polls { pollId options { label votes } votingStatus } }
    geo { place { placeId fullName containedWithin } }`

  test('is joined by id', async () => {
    await using messages = await messagesOver({ body: { data: [older], includes } })
    const { data, errors } = await messages.run(one(selection))
    expect(errors).toEqual([])
    expect(data.message).toEqual({
      author: {
        id: 'TWVzc2FnZVVzZXI6MTE',
        userId: '11',
        name: 'Ada',
        username: 'ada',
        verifiedType: 'BLUE',
        publicMetrics: { messageCount: 5 },
      },
      attachments: {
        media: [{ mediaKey: '3_1', type: 'ANIMATED_GIF', viewCount: 8, variants: [] }],
        polls: [{ pollId: '21', options: [{ label: 'Yes', votes: 2 }], votingStatus: 'CLOSED' }],
      },
      geo: { place: { placeId: 'p1', fullName: 'Paris, France', containedWithin: ['f'] } },
    })
  })

  test('is joined by name if a mention has no id', async () => {
    const mentions = [
      { start: 0, end: 4, username: 'ada' },
      { start: 5, end: 9, username: 'bob' },
    ]
    const body = { data: [{ id: '1', text: '@ada @bob', entities: { mentions } }], includes }
    await using messages = await messagesOver({ body })
    const { data, errors } = await messages.run(one('entities { mentions { user { userId name } } }'))
    expect(errors).toEqual([])
    expect(data.message.entities.mentions).toEqual([{ user: { userId: '11', name: 'Ada' } }, { user: null }])
  })

  test.for([
    ['resource-not-found', []],
    ['not-authorized-for-resource', ['message.author: FORBIDDEN']],
  ] as const)('and is not there (%s) fails only its own field', async ([name, expected]) => {
    const errors = [
      problem(name, { resource_id: '11', value: '11', parameter: 'author_id', resource_type: 'user' }),
    ]
    await using messages = await messagesOver({ body: { data: [older], errors } })
    const outcome = await messages.run(one('text author { name }'))
    expect(outcome.data.message).toEqual({ text: 'a &amp; b', author: null })
    expect(faults(outcome.errors)).toEqual(expected)
  })

  test('makes a field that only the author may see null with its own error', async () => {
    const errors = [
      problem('not-authorized-for-field', {
        resource_id: '1',
        field: 'non_public_metrics',
        parameter: 'tweet.fields',
      }),
    ]
    await using messages = await messagesOver({ body: { data: [{ id: '1', text: 't' }], errors } })
    const outcome = await messages.run(
      one('text nonPublicMetrics { impressionCount } organicMetrics { likeCount }'),
    )
    expect(outcome.data.message).toEqual({ text: 't', nonPublicMetrics: null, organicMetrics: null })
    expect(faults(outcome.errors)).toEqual(['message.nonPublicMetrics: FORBIDDEN'])
  })
})

describe('the schema', () => {
  const { schema } = createMessagesSubgraph({ baseUrl: 'http://127.0.0.1:1', credential: { kind: 'none' } })

  test('opens nothing of a message but its ids without the scopes of a lookup', () => {
    const type = schema.getType('Message')
    if (!isObjectType(type)) throw new Error('Message is missing')
    for (const field of Object.values(type.getFields())) {
      const scopes = JSON.stringify(field.astNode?.directives?.map((directive) => directive.name.value) ?? [])
      expect(scopes.includes('requiresScopes'), field.name).toBe(!['id', 'messageId'].includes(field.name))
    }
  })
})
