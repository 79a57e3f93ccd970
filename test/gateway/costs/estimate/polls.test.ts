/** What subscriptions over polled services cost: a poll for all, and events what they select beyond it. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { createEstimator, createPollEstimator } from '../../../../gateway/costs/estimate/index.ts'
import { serviceCalls } from '../../../../subgraphs/index.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema(readSchemaFile('api'), { assumeValidSDL: true })
const polls = createPollEstimator({ schema, services: serviceCalls })
const events = createEstimator({ schema, services: serviceCalls })
const ids = Array.from({ length: 120 }, (_, i) => `v${i}`)

test.each([
  ['subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { snippet { title } } }', 3, 3, 15],
  [
    'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { snippet { title } fileDetails { fileName } } }',
    6,
    6,
    15,
  ],
  ['subscription { commentThreadAdded(videoId: "a") { gap } }', 1, 1, 15],
  ['subscription ($ids: [ID!]!) { renamed: messageChanged(messageIds: $ids) { text } }', 2, 0, 15],
  ['subscription { likeAdded(messageId: "1") { gap } }', 1, 0, 30],
  ['subscription { agentOperationChanged(name: "a") { done } }', 1, 0, 2],
  ['subscription { metricsQuery(query: "up") { resultType } }', 1, 0, 15],
])('a poll for %s', (text, calls, units, everySeconds) => {
  const operation = normalisedOf(schema, text)
  const poll = polls(operation, { ids })
  expect(Object.values(poll?.calls ?? {})).toEqual([calls])
  expect(poll).toMatchObject({ units, everySeconds })
  expect(events(operation, { ids })).toMatchObject({ units: 0, calls: {} })
})

test('an event costs what it selects of other calls, once and not for each id', () => {
  const operation = normalisedOf(
    schema,
    'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { commentThreads(first: 5) { nodes { threadId } } } }',
  )
  expect(events(operation, { ids })).toMatchObject({ units: 1, calls: { videos: 1 } })
  expect(polls(operation, { ids })).toMatchObject({ units: 3 })
})

test('nothing is polled for queries or for estimates', () => {
  expect(polls(normalisedOf(schema, '{ video(videoId: "a") { videoId } }'), {})).toBeUndefined()
  expect(polls(normalisedOf(schema, 'subscription { mediaQuotaChanged { used } }'), {})).toBeUndefined()
})
