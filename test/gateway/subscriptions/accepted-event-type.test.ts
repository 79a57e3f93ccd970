import { expect, test } from 'vitest'
import { acceptedEventType } from '../../../gateway/subscriptions/accepted-event-type.ts'

const parts = 'multipart/mixed;subscriptionSpec=1.0'

test.each([
  ['no stream of events', undefined, undefined],
  ['no stream of events', 'application/json, */*', undefined],
  ['server-sent events', 'application/json, text/event-stream', 'sse'],
  ['parts', parts, 'multipart'],
  [
    'parts in quotes and any case',
    'Multipart/Mixed; boundary="graphql"; SUBSCRIPTIONSPEC="1.0"',
    'multipart',
  ],
  ['the first of two with one quality', `${parts}, text/event-stream`, 'multipart'],
  ['the one of higher quality', `${parts};q=0.5, text/event-stream;q=0.9`, 'sse'],
  ['no parts of another version', 'multipart/mixed;subscriptionSpec=2.0', undefined],
  ['no parts of incremental delivery', 'multipart/mixed;incrementalSpec=v0.2', undefined],
])('a client accepts %s: %s', (_, accept, type) => {
  expect(acceptedEventType(accept)).toBe(type)
})
