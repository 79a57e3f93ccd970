/**
 * The sample data of the message service: a dozen users, the accounts that like their messages, and 121 messages
 * with everything that a message can have. They are generated, and always the same.
 */
import type { Json, Message, SampleData, User } from './model.ts'
import { messageIdOf, sampleMessages } from './sample-ids.ts'
import { messageFrom, openAuthorOf, particulars, texts } from './sample-messages.ts'
import { createUsers, personAt } from './sample-users.ts'

function entityFrom(kind: string, whole: string, name: string, idByName: ReadonlyMap<string, string>): Json {
  if (kind === 'mentions') return { username: name, id: idByName.get(name) }
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

/**
 * The hashtags, cashtags, mentions and addresses of a text, each with its start and end in code points; undefined if
 * there are none. `idByName` has the ids of the users.
 */
function entitiesOf(text: string, idByName: ReadonlyMap<string, string>): Json | undefined {
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

const messageCount = 120

let made: SampleData | undefined

/** Each call returns its own maps. What is in them is shared, because nothing changes it in place. */
export function createSampleData(): SampleData {
  made ??= makeSampleData()
  return {
    ...made,
    users: new Map(made.users),
    messages: new Map(made.messages),
    likers: new Map(made.likers),
  }
}

function makeSampleData(): SampleData {
  const allUsers = createUsers()
  const users = new Map(allUsers.map((user) => [user.id, user]))
  const idByName = new Map(allUsers.map(({ username, id }) => [username, id]))
  const messages = new Map<string, Message>()
  const likers = new Map<string, readonly string[]>()
  const put = (index: number, id: string, author: string, text: string, fields: Json): void => {
    const note = fields.note_tweet as { text: string } | undefined
    const entities = entitiesOf(text, idByName)
    const note_tweet = note && { ...note, entities: entitiesOf(note.text, idByName) }
    messages.set(id, messageFrom(index, id, author, text, { entities, ...fields, note_tweet }))
    likers.set(id, likersOf(index, id, allUsers))
  }
  for (let index = 0; index < messageCount; index++) {
    const id = messageIdOf(index)
    const { text = texts[index % texts.length] ?? '', author, fields = {} } = particulars[id] ?? {}
    put(index, id, author ?? openAuthorOf(index), text, fields)
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

function likersOf(index: number, id: string, users: readonly User[]): string[] {
  if (id === sampleMessages.unliked) return []
  const count = id === sampleMessages.popular ? 250 : index % 5
  return users.slice(1, 1 + count).map((user) => user.id)
}

/** A message for benchmarks, which is computed from its id. */
export function syntheticMessage(id: string): Message | undefined {
  if (!/^77[0-9]{17}$/.test(id)) return undefined
  const index = Number(BigInt(id) % 1000n)
  const author = personAt(index % 9)
  return messageFrom(index, id, author, `Message ${id} of a benchmark, with enough text to weigh something.`)
}
