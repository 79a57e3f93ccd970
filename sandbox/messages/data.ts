/**
 * The sample data of the short-message stand-in: a dozen people, the accounts that like what they write, and some
 * 120 messages with everything that a message can have. Made in code, the same each time; keys are the service's
 * older spelling, which `project.ts` translates.
 */
export type Json = { readonly [key: string]: unknown }
export interface User extends Json {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly protected: boolean
}
export interface Message extends Json {
  readonly id: string
  readonly text: string
  readonly author_id: string
}
export interface SampleData {
  readonly users: Map<string, User>
  readonly messages: Map<string, Message>
  readonly media: ReadonlyMap<string, Json>
  readonly polls: ReadonlyMap<string, Json>
  readonly places: ReadonlyMap<string, Json>
  /** User ids, newest like first; protected and suspended ones among them. */
  readonly likers: Map<string, string[]>
}

const firstMessageId = 1_780_000_000_000_000_000n
const messageIdStep = 4_194_304_000_000n // about a quarter of an hour between two messages
const fanCount = 240
const messageCount = 120

/** Ids that tests ask for, by what is particular about them. */
export const sampleMessages = {
  /** The owner of every token that names nobody. */
  demoUser: '2244994945',
  protectedUser: '3000000009',
  /** A plain one with hashtag, mention, address and cashtag. */
  ordinary: messageIdOf(0),
  /** Its text is cut; `note_tweet` has all of it. */
  long: messageIdOf(1),
  /** `&amp;`, `&lt;` and `&gt;` in its text. */
  escaped: messageIdOf(2),
  photo: messageIdOf(3),
  video: messageIdOf(4),
  poll: messageIdOf(5),
  place: messageIdOf(6),
  reply: messageIdOf(7),
  quote: messageIdOf(8),
  repost: messageIdOf(9),
  /** Quotes a message that nobody but its followers may see. */
  quotesProtected: messageIdOf(10),
  edited: messageIdOf(11),
  withheld: messageIdOf(12),
  /** Written by the demo user: its private metrics may be read. */
  own: messageIdOf(13),
  /** From the service's first days. */
  shortId: '20',
  /** Liked by 250 accounts, some of which are never shown. */
  popular: messageIdOf(14),
  unliked: messageIdOf(15),
  /** Hands out a next token for ever, with nothing new behind it. */
  endlessLikes: messageIdOf(16),
  protected: messageIdOf(17),
  unknown: '1999999999999999999',
  malformed: 'not-an-id',
} as const

function messageIdOf(index: number): string {
  return String(firstMessageId + BigInt(index) * messageIdStep)
}

const people: readonly (readonly [id: string, username: string, name: string, extra?: Json])[] = [
  [
    '2244994945',
    'tessera_demo',
    'Demo',
    { verified: true, verified_type: 'blue', description: 'Tries things out.' },
  ],
  ['12', 'first_account', 'An early account', { location: 'San Francisco', verified_type: 'none' }],
  [
    '3000000001',
    'ada_counts',
    'Ada',
    { verified: true, verified_type: 'blue', subscription_type: 'Premium' },
  ],
  ['3000000002', 'grace_compiles', 'Grace', { url: 'https://t.co/grace', location: 'Arlington, VA' }],
  ['3000000003', 'city_water', 'City Water Works', { verified: true, verified_type: 'government' }],
  ['3000000004', 'mosaic_museum', 'Mosaic Museum', { verified: true, verified_type: 'business' }],
  ['3000000005', 'radia_trees', 'Radia 🌳', { connection_status: ['following', 'followed_by'] }],
  ['3000000006', 'weather_hill', 'Weather on the Hill', { parody: false }],
  ['3000000007', 'kitchen_tiles', 'Kitchen & Tiles', { description: 'Tiles &amp; grout.' }],
  ['3000000008', 'night_bus', 'Night Bus', { most_recent: 8 }],
  ['3000000009', 'quiet_corner', 'Quiet Corner', { protected: true }],
  [
    '3000000010',
    'alan_m',
    'Alan',
    {
      affiliation: {
        badge_url: 'https://pbs.example/badge.png',
        user_id: ['3000000004'],
        url: 'https://mosaic.example',
        description: 'Mosaic Museum',
      },
    },
  ],
]

function userFrom([id, username, name, extra = {}]: (typeof people)[number], index: number): User {
  const { most_recent: recent, ...fields } = extra
  return {
    id,
    name,
    username,
    created_at: new Date(Date.UTC(2010 + (index % 12), index % 12, 1 + index)).toISOString(),
    description: `${name} writes here.`,
    location: 'somewhere',
    profile_image_url: `https://pbs.example/profile/${username}_normal.jpg`,
    protected: false,
    verified: false,
    verified_type: 'none',
    public_metrics: {
      followers_count: 100 + 37 * index,
      following_count: 12 + index,
      tweet_count: 10 * (index + 1),
      listed_count: index,
      like_count: 3 * index,
      media_count: index % 5,
    },
    pinned_tweet_id: messageIdOf(index % 8),
    most_recent_tweet_id: messageIdOf(typeof recent === 'number' ? recent : 100 + index),
    entities: { description: { hashtags: [{ start: 0, end: 5, tag: 'tiles' }] } },
    ...fields,
  }
}

function fanFrom(index: number): User {
  const number = String(index).padStart(3, '0')
  // Every twentieth account is protected: it likes, but is not shown.
  const hidden = index % 20 === 19
  return {
    ...userFrom(
      [String(4_000_000_000 + index), `reader_${number}`, `Reader ${number}`, { protected: hidden }],
      index,
    ),
    description: 'Reads more than it writes.',
  }
}

function entityFrom(kind: string, whole: string, name: string, idByName: ReadonlyMap<string, string>): Json {
  if (kind === 'mentions') {
    const id = idByName.get(name)
    return { username: name, ...(id === undefined ? {} : { id }) }
  }
  if (kind !== 'urls') return { tag: name }
  const address = `mosaic.example/${name.toLowerCase()}`
  return {
    url: whole,
    expanded_url: `https://${address}`,
    display_url: address,
    unwound_url: `https://${address}`,
    status: 200,
    title: 'Mosaic',
    description: 'About tiles.',
    images: [{ url: 'https://pbs.example/news.jpg', width: 1200, height: 630 }],
  }
}

/** Where each `#tag`, `$TAG`, `@name` and address stands, counted in code points. */
export function entitiesOf(text: string, users: ReadonlyMap<string, User>): Json | undefined {
  const idByName = new Map([...users.values()].map(({ username, id }) => [username, id]))
  const found: Record<string, Json[]> = {}
  const patterns = {
    hashtags: /#([\p{L}\p{N}_]+)/gu,
    cashtags: /\$([A-Z]{1,6})\b/g,
    mentions: /@([A-Za-z0-9_]{1,15})/g,
    urls: /https:\/\/t\.co\/([A-Za-z0-9]+)/g,
  }
  for (const [kind, pattern] of Object.entries(patterns)) {
    for (const match of text.matchAll(pattern)) {
      const start = [...text.slice(0, match.index)].length
      const span = { start, end: start + [...match[0]].length }
      const entity = entityFrom(kind, match[0], match[1] ?? '', idByName)
      found[kind] = [...(found[kind] ?? []), { ...span, ...entity }]
    }
  }
  return Object.keys(found).length === 0 ? undefined : found
}

const thoughts = [
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

/** What every message has; `particulars` says more of some. */
function messageFrom(
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

function particularsOf(index: number): { text?: string; author?: string; fields?: Json } {
  const id = messageIdOf(index)
  switch (id) {
    case sampleMessages.ordinary:
      return {
        fields: {
          context_annotations: [
            {
              domain: { id: '131', name: 'Unified Entity', description: 'Interests and hobbies' },
              entity: { id: '847', name: 'Arts & culture', description: 'Arts' },
            },
          ],
        },
      }
    case sampleMessages.long:
      return {
        text: `${longText.slice(0, 275)}… https://t.co/more`,
        fields: { note_tweet: { text: longText } },
      }
    case sampleMessages.escaped:
      return { text: 'Tiles &amp; grout: if 1 &lt; 2 then 2 &gt; 1 #math' }
    case sampleMessages.photo:
      return { fields: { attachments: { media_keys: ['3_1780000000000000301', '3_1780000000000000302'] } } }
    case sampleMessages.video:
      return {
        fields: {
          attachments: {
            media_keys: ['13_1780000000000000401'],
            media_source_tweet_id: [sampleMessages.photo],
          },
        },
      }
    case sampleMessages.poll:
      return { fields: { attachments: { poll_ids: ['1780000000000000501'] } } }
    case sampleMessages.place:
      return {
        fields: {
          geo: {
            place_id: '01a9a39529b27f36',
            coordinates: { type: 'Point', coordinates: [-73.9998279, 40.74118764] },
          },
        },
      }
    case sampleMessages.reply:
      return {
        fields: {
          in_reply_to_user_id: authorOf(0),
          conversation_id: sampleMessages.ordinary,
          referenced_tweets: [{ type: 'replied_to', id: sampleMessages.ordinary }],
        },
      }
    case sampleMessages.quote:
      return { fields: { referenced_tweets: [{ type: 'quoted', id: sampleMessages.photo }] } }
    case sampleMessages.repost:
      return {
        text: 'RT @ada_counts: A tessera is a tile, a token and a key. #mosaic',
        fields: { referenced_tweets: [{ type: 'retweeted', id: messageIdOf(20) }] },
      }
    case sampleMessages.quotesProtected:
      return { fields: { referenced_tweets: [{ type: 'quoted', id: sampleMessages.protected }] } }
    case sampleMessages.edited:
      return { fields: { edit_history_tweet_ids: [messageIdOf(21), id] } }
    case sampleMessages.withheld:
      return { fields: { withheld: { copyright: false, country_codes: ['DE', 'FR'], scope: 'tweet' } } }
    case sampleMessages.own:
      return { author: sampleMessages.demoUser, text: 'My own words, counted privately.' }
    case sampleMessages.popular:
      return { fields: { public_metrics: { ...metricsOf(index), like_count: 250 } } }
    case sampleMessages.unliked:
      return { fields: { public_metrics: { ...metricsOf(index), like_count: 0 } } }
    case sampleMessages.protected:
      return { author: sampleMessages.protectedUser, text: 'For followers only.' }
    default:
      return {}
  }
}

function authorOf(index: number): string {
  // The protected account writes one message in twelve, like everybody.
  return people[(index * 5 + 2) % people.length]?.[0] ?? sampleMessages.demoUser
}

function openAuthorOf(index: number): string {
  const author = authorOf(index)
  // The messages with a name are meant to be seen.
  return index < 22 && author === sampleMessages.protectedUser ? '3000000002' : author
}

const media: readonly Json[] = [
  {
    media_key: '3_1780000000000000301',
    type: 'photo',
    url: 'https://pbs.example/media/row.jpg',
    width: 1600,
    height: 900,
    alt_text: 'A row of blue tiles',
    public_metrics: {},
  },
  {
    media_key: '3_1780000000000000302',
    type: 'animated_gif',
    preview_image_url: 'https://pbs.example/tweet_video_thumb/spin.jpg',
    variants: [{ bit_rate: 0, content_type: 'video/mp4', url: 'https://video.example/spin.mp4' }],
    width: 480,
    height: 480,
  },
  {
    media_key: '13_1780000000000000401',
    type: 'video',
    preview_image_url: 'https://pbs.example/ext_tw_video_thumb/grout.jpg',
    duration_ms: 46_947,
    width: 1920,
    height: 1080,
    public_metrics: { view_count: 6_865_141 },
    variants: [
      { bit_rate: 632_000, content_type: 'video/mp4', url: 'https://video.example/320.mp4' },
      { content_type: 'application/x-mpegURL', url: 'https://video.example/list.m3u8' },
    ],
  },
]
const polls: readonly Json[] = [
  {
    id: '1780000000000000501',
    options: [
      { position: 1, label: 'Square', votes: 37 },
      { position: 2, label: 'Hexagon', votes: 41 },
    ],
    duration_minutes: 1440,
    end_datetime: '2026-06-03T01:21:25.000Z',
    voting_status: 'closed',
  },
]
const places: readonly Json[] = [
  {
    id: '01a9a39529b27f36',
    full_name: 'Manhattan, NY',
    name: 'Manhattan',
    country: 'United States',
    country_code: 'US',
    place_type: 'city',
    contained_within: ['94965b2c45386f87'],
    geo: { type: 'Feature', bbox: [-74.026675, 40.683935, -73.910408, 40.877483], properties: {} },
  },
]

export function createSampleData(): SampleData {
  const known = [...people.map(userFrom), ...Array.from({ length: fanCount }, (_, index) => fanFrom(index))]
  const users = new Map(known.map((user) => [user.id, user]))
  const messages = new Map<string, Message>()
  const likers = new Map<string, string[]>()
  const put = (index: number, id: string, author: string, text: string, fields: Json): void => {
    const note = fields.note_tweet as { text: string } | undefined
    const entities = entitiesOf(text, users)
    const noteEntities = note === undefined ? undefined : entitiesOf(note.text, users)
    messages.set(
      id,
      messageFrom(index, id, author, text, {
        ...(entities === undefined ? {} : { entities }),
        ...fields,
        ...(note === undefined ? {} : { note_tweet: { ...note, entities: noteEntities } }),
      }),
    )
    likers.set(id, likersOf(index, id, known))
  }
  for (let index = 0; index < messageCount; index++) {
    const { text = thoughts[index % thoughts.length] ?? '', author, fields = {} } = particularsOf(index)
    put(index, messageIdOf(index), author ?? openAuthorOf(index), text, fields)
  }
  put(messageCount, sampleMessages.shortId, '12', 'just setting up my tiles', {
    created_at: '2006-03-21T20:50:14.000Z',
  })
  return {
    users,
    messages,
    likers,
    media: new Map(media.map((item) => [String(item.media_key), item])),
    polls: new Map(polls.map((item) => [String(item.id), item])),
    places: new Map(places.map((item) => [String(item.id), item])),
  }
}

function likersOf(index: number, id: string, known: readonly User[]): string[] {
  if (id === sampleMessages.unliked) return []
  const count = id === sampleMessages.popular ? 250 : index % 5
  return known.slice(1, 1 + count).map((user) => user.id)
}

const syntheticId = /^77[0-9]{17}$/

/** A message of a benchmark: it exists because somebody asks for it, and says the same each time. */
export function syntheticMessage(id: string): Message | undefined {
  if (!syntheticId.test(id)) return undefined
  const index = Number(BigInt(id) % 1000n)
  const author = people[index % 9]?.[0] ?? sampleMessages.demoUser
  return messageFrom(index, id, author, `Message ${id} of a benchmark, with enough text to weigh something.`)
}
