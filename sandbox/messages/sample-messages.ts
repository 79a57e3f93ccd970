/** The sample messages: the fields that most of them have, and the special fields of the named ones. */
import type { Json, Message } from './model.ts'
import { messageIdOf, sampleMessages } from './sample-ids.ts'
import { personAt } from './sample-users.ts'

export const texts = [
  'Laid the first row of #tiles today with @mosaic_museum, see https://t.co/abc and $TSLA',
  'A tessera is a tile, a token and a key. #mosaic',
  'Water will be off in the old town from 9 to 11. #water @night_bus',
  'Grout dries slower than you think. 🙂 #tiles',
  'Who counts the bees? @ada_counts does.',
  'Compiled on the first try. Suspicious. @grace_compiles',
  'The last bus leaves at 00:40. #nightbus',
]
const longText = `${'A mosaic is read from afar and made from near. '.repeat(12)}End of note. #mosaic @ada_counts`

function metricsOf(index: number): Json {
  return {
    retweet_count: index % 17,
    reply_count: index % 7,
    like_count: index % 5,
    quote_count: index % 3,
    bookmark_count: index % 4,
    impression_count: 100 * index,
  }
}

function privateMetricsOf(index: number): Json {
  return { impression_count: 100 * index, user_profile_clicks: index % 9, url_link_clicks: index % 11 }
}

export function messageFrom(
  index: number,
  id: string,
  authorId: string,
  text: string,
  particulars: Json = {},
): Message {
  const createdAt = new Date(Date.UTC(2026, 5, 1) + index * 977_003)
  return {
    id,
    text,
    author_id: authorId,
    conversation_id: id,
    created_at: createdAt.toISOString(),
    lang: 'en',
    possibly_sensitive: false,
    reply_settings: index % 6 === 5 ? 'following' : 'everyone',
    display_text_range: [0, [...text].length],
    edit_history_tweet_ids: [id],
    edit_controls: {
      edits_remaining: 5,
      is_edit_eligible: index % 2 === 0,
      editable_until: new Date(createdAt.getTime() + 3_600_000).toISOString(),
    },
    public_metrics: metricsOf(index),
    non_public_metrics: privateMetricsOf(index),
    organic_metrics: { ...metricsOf(index), ...privateMetricsOf(index) },
    ...particulars,
  }
}

interface Particulars {
  readonly text?: string
  readonly author?: string
  readonly fields?: Json
}

export const particulars: Readonly<Record<string, Particulars>> = {
  [sampleMessages.ordinary]: {
    fields: {
      context_annotations: [
        {
          domain: { id: '131', name: 'Unified Entity', description: 'Interests and hobbies' },
          entity: { id: '847', name: 'Arts & culture', description: 'Arts' },
        },
      ],
    },
  },
  [sampleMessages.long]: {
    text: `${longText.slice(0, 275)}… https://t.co/more`,
    fields: { note_tweet: { text: longText } },
  },
  [sampleMessages.escaped]: { text: 'Tiles &amp; grout: if 1 &lt; 2 then 2 &gt; 1 #math' },
  [sampleMessages.photo]: {
    fields: { attachments: { media_keys: ['3_1780000000000000301', '3_1780000000000000302'] } },
  },
  [sampleMessages.video]: {
    fields: {
      attachments: { media_keys: ['13_1780000000000000401'], media_source_tweet_id: [sampleMessages.photo] },
    },
  },
  [sampleMessages.poll]: { fields: { attachments: { poll_ids: ['1780000000000000501'] } } },
  [sampleMessages.place]: {
    fields: {
      geo: {
        place_id: '01a9a39529b27f36',
        coordinates: { type: 'Point', coordinates: [-73.9998279, 40.74118764] },
      },
    },
  },
  [sampleMessages.reply]: {
    fields: {
      in_reply_to_user_id: authorOf(0),
      conversation_id: sampleMessages.ordinary,
      ...referring('replied_to', sampleMessages.ordinary),
    },
  },
  [sampleMessages.quote]: { fields: referring('quoted', sampleMessages.photo) },
  [sampleMessages.repost]: {
    text: 'RT @ada_counts: A tessera is a tile, a token and a key. #mosaic',
    fields: referring('retweeted', messageIdOf(20)),
  },
  [sampleMessages.quotesProtected]: { fields: referring('quoted', sampleMessages.protected) },
  [sampleMessages.edited]: {
    fields: { edit_history_tweet_ids: [messageIdOf(21), sampleMessages.edited] },
  },
  [sampleMessages.withheld]: {
    fields: { withheld: { copyright: false, country_codes: ['DE', 'FR'], scope: 'tweet' } },
  },
  [sampleMessages.own]: { author: sampleMessages.demoUser, text: 'My own words, counted privately.' },
  [sampleMessages.popular]: { fields: { public_metrics: { ...metricsOf(14), like_count: 250 } } },
  [sampleMessages.unliked]: { fields: { public_metrics: { ...metricsOf(15), like_count: 0 } } },
  [sampleMessages.protected]: { author: sampleMessages.protectedUser, text: 'For followers only.' },
}

function referring(type: string, id: string): Json {
  return { referenced_tweets: [{ type, id }] }
}

function authorOf(index: number): string {
  return personAt(index * 5 + 2)
}

export function openAuthorOf(index: number): string {
  const author = authorOf(index)
  // The messages that `sampleMessages` names are visible to all callers.
  return index < 22 && author === sampleMessages.protectedUser ? '3000000002' : author
}
