/** Which requested fields a change of a message, or of what it includes, concerns. */
import { expect, test } from 'vitest'
import { facetNames, facetsOf, type RawMessage } from '../../../subgraphs/messages/facets.ts'

const requested = [
  'expansions attachments.poll_ids',
  'expansions author_id',
  'poll.fields voting_status',
  'tweet.fields author_id',
  'tweet.fields non_public_metrics',
  'tweet.fields referenced_tweets',
  'user.fields pinned_tweet_id',
]
const before: RawMessage = {
  message: { id: '5', text: 't', author_id: '9', public_metrics: { like_count: 1 } },
  includes: {
    users: [{ id: '9', name: 'Ada', username: 'ada', verified: false }],
    polls: [{ id: '7', options: [{ position: 1, votes: 1 }], voting_status: 'open' }],
  },
  errors: [],
}
const included = (kind: string, more: object): Partial<RawMessage> => ({
  includes: { ...before.includes, [kind]: [{ ...before.includes[kind]?.[0], ...more }] },
})
const said = (more: object): Partial<RawMessage> => ({ message: { ...before.message, ...more } })

test.for<[what: string, change: Partial<RawMessage>, facets: string[]]>([
  ['the text', said({ text: 'u' }), ['message']],
  ['a field that nobody requested', said({ public_metrics: { like_count: 2 } }), []],
  ['a field', said({ author_id: '8' }), ['tweet.fields author_id']],
  [
    'a field in the newer vocabulary',
    said({ referenced_posts: [{ type: 'quoted', id: '3' }] }),
    ['tweet.fields referenced_tweets'],
  ],
  ['the name of the author', included('users', { name: 'Lady Ada' }), ['expansions author_id']],
  ['a field of the author', included('users', { pinned_post_id: '3' }), ['user.fields pinned_tweet_id']],
  ['a field of the author that nobody requested', included('users', { verified: true }), []],
  ['votes', included('polls', { options: [{ position: 1, votes: 2 }] }), ['expansions attachments.poll_ids']],
  ['a field of a poll', included('polls', { voting_status: 'closed' }), ['poll.fields voting_status']],
  [
    'a field that may not be seen',
    { errors: [{ resource_id: '5', field: 'tweet.non_public_metrics', title: 'Field Authorization Error' }] },
    ['tweet.fields non_public_metrics'],
  ],
  ['a refusal of what nobody requested', { errors: [{ resource_id: '5', field: 'geo' }] }, []],
  [
    'an author who may not be seen',
    { includes: { polls: before.includes.polls ?? [] }, errors: [{ value: '9', parameter: 'author_id' }] },
    ['expansions author_id', 'tweet.fields author_id', 'user.fields pinned_tweet_id'],
  ],
])('%s', ([, change, facets]) => {
  const old = facetsOf(before, requested)
  const changed = facetsOf({ ...before, ...change }, requested)
  const differs = (name: string): boolean => JSON.stringify(old[name]) !== JSON.stringify(changed[name])
  expect(facetNames(requested).filter(differs).sort()).toEqual(facets)
})

test('a message that may not be seen any more, and why, concerns everybody', () => {
  const hidden = (title: string) => facetsOf({ message: null, includes: {}, errors: [{ title }] }, [])
  expect(hidden('Forbidden')).toEqual({ message: [{ title: 'Forbidden' }] })
  expect(hidden('Gone')).not.toEqual(hidden('Forbidden'))
})
