/** Which requested fields a change of a message, or of what it includes, concerns. */
import { expect, test } from 'vitest'
import { facetNames, facetsOf, type RawMessage } from '../../../subgraphs/messages/facets.ts'

const requested = [
  'expansions attachments.poll_ids',
  'expansions author_id',
  'expansions entities.mentions.username',
  'poll.fields voting_status',
  'tweet.fields author_id',
  'tweet.fields non_public_metrics',
  'tweet.fields referenced_tweets',
  'user.fields pinned_tweet_id',
]
const ofAuthor = ['expansions author_id', 'author_id pinned_tweet_id']
const ada = { id: '9', name: 'Ada', username: 'ada', verified: false }
const bob = { id: '8', name: 'Bob', username: 'bob' }
const before: RawMessage = {
  message: {
    ...{ id: '5', text: 't', author_id: '9', public_metrics: { like_count: 1 } },
    entities: { mentions: [{ start: 0, end: 4, username: 'bob' }] },
  },
  includes: {
    users: [ada, bob],
    polls: [{ id: '7', options: [{ position: 1, votes: 1 }], voting_status: 'open' }],
  },
  errors: [],
}
const included = (kind: string, more: object): Partial<RawMessage> => ({
  includes: {
    ...before.includes,
    [kind]: (before.includes[kind] ?? []).map((object, at) => (at === 0 ? { ...object, ...more } : object)),
  },
})
const said = (more: object): Partial<RawMessage> => ({ message: { ...before.message, ...more } })

test.for<[what: string, change: Partial<RawMessage>, facets: string[]]>([
  ['the text', said({ text: 'u' }), ['message']],
  ['a field that nobody requested', said({ public_metrics: { like_count: 2 } }), []],
  ['the author', said({ author_id: '8' }), [...ofAuthor, 'tweet.fields author_id']],
  [
    'a field in the newer vocabulary',
    said({ referenced_posts: [{ type: 'quoted', id: '3' }] }),
    ['tweet.fields referenced_tweets'],
  ],
  ['the name of the author', included('users', { name: 'Lady Ada' }), ['expansions author_id']],
  ['a field of the author', included('users', { pinned_post_id: '3' }), ['author_id pinned_tweet_id']],
  [
    'the name of a user who is mentioned',
    { includes: { ...before.includes, users: [ada, { ...bob, name: 'Robert' }] } },
    ['expansions entities.mentions.username'],
  ],
  ['a field of the author that nobody requested', included('users', { verified: true }), []],
  ['votes', included('polls', { options: [{ position: 1, votes: 2 }] }), ['expansions attachments.poll_ids']],
  [
    'a field of a poll',
    included('polls', { voting_status: 'closed' }),
    ['attachments.poll_ids voting_status'],
  ],
  [
    'a field that may not be seen',
    { errors: [{ resource_id: '5', field: 'tweet.non_public_metrics', title: 'Field Authorization Error' }] },
    ['tweet.fields non_public_metrics'],
  ],
  ['a refusal of what nobody requested', { errors: [{ resource_id: '5', field: 'geo' }] }, []],
  [
    'an author who may not be seen',
    {
      includes: { ...before.includes, users: [bob] },
      errors: [{ value: '9', parameter: 'author_id' }],
    },
    [...ofAuthor, 'tweet.fields author_id'],
  ],
  ['an error that does not say what it is about', { errors: [{ title: 'Forbidden' }] }, ['message']],
])('%s', ([, change, facets]) => {
  const old = facetsOf(before, requested)
  const changed = facetsOf({ ...before, ...change }, requested)
  const differs = (name: string): boolean => JSON.stringify(old[name]) !== JSON.stringify(changed[name])
  expect(facetNames(requested).filter(differs).sort()).toEqual(facets.toSorted())
})

test('a message that may not be seen any more, and why, concerns everybody', () => {
  const hidden = (title: string) => facetsOf({ message: null, includes: {}, errors: [{ title }] }, [])
  expect(hidden('Forbidden')).toEqual({ message: [{ title: 'Forbidden' }] })
  expect(hidden('Gone')).not.toEqual(hidden('Forbidden'))
})

test('users whom only another subscriber requested concern nobody else', () => {
  const own = requested.filter((entry) => !entry.includes('mentions'))
  const alone = facetsOf({ ...before, includes: { ...before.includes, users: [ada] } }, own)
  const together = facetsOf(before, requested)
  for (const name of facetNames(own)) expect(together[name]).toEqual(alone[name])
})

test('subscribers of one operation hold one list of names', () => {
  expect(facetNames(requested)).toBe(facetNames(requested))
})
