/** The sample users: a dozen who write, and many who like. */
import type { Json, User } from './model.ts'
import { messageIdOf, sampleMessages } from './sample-ids.ts'

const fanCount = 240

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
  const { most_recent: recent = 100 + index, ...fields } = extra
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
    most_recent_tweet_id: messageIdOf(Number(recent)),
    entities: { description: { hashtags: [{ start: 0, end: 5, tag: 'tiles' }] } },
    ...fields,
  }
}

function fanFrom(index: number): User {
  const number = String(index).padStart(3, '0')
  // Every twentieth account is protected: its likes count, but it is not shown.
  const hidden = index % 20 === 19
  return {
    ...userFrom(
      [String(4_000_000_000 + index), `reader_${number}`, `Reader ${number}`, { protected: hidden }],
      index,
    ),
    description: 'Reads more than it writes.',
  }
}

export function createUsers(): User[] {
  return [...people.map(userFrom), ...Array.from({ length: fanCount }, (_, index) => fanFrom(index))]
}

/** The id of the person at an index, which may exceed their number. */
export function personAt(index: number): string {
  return people[index % people.length]?.[0] ?? sampleMessages.demoUser
}
