/** Which form of incremental delivery a client gets by its `Accept` header, with several forms and quality values. */
import { expect, test } from 'vitest'
import { acceptedIncrementalType } from '../../../../gateway/graphql-http/incremental/index.ts'

const json = 'application/graphql-response+json, application/json;q=0.9'
const v02 = 'multipart/mixed;incrementalSpec=v0.2'
const of2022 = 'multipart/mixed;deferSpec=20220824'

test.each([
  // The first of those that it takes as gladly.
  [`${v02}, ${of2022}, ${json}`, { transport: 'multipart', dialect: 'v0.2' }],
  [`${of2022}, ${v02}, ${json}`, { transport: 'multipart', dialect: '20220824' }],
  [`text/event-stream, multipart/mixed, ${json}`, { transport: 'sse', dialect: 'v0.2' }],
  // Media types have no case.
  ['Multipart/Mixed;deferSpec=20220824', { transport: 'multipart', dialect: '20220824' }],
  // Else the one that it takes most gladly.
  [`${of2022};q=0.5, ${v02};q=0.8`, { transport: 'multipart', dialect: 'v0.2' }],
  [
    `multipart/mixed;q=0.1, text/event-stream;deferSpec=20220824;q=0.2`,
    { transport: 'sse', dialect: '20220824' },
  ],
  [`multipart/mixed ; Q=0.9 ; DeferSpec="20220824"`, { transport: 'multipart', dialect: '20220824' }],
  // A form that we do not know is passed over.
  [`multipart/mixed;incrementalSpec=v0.9, ${of2022};q=0.3`, { transport: 'multipart', dialect: '20220824' }],
  // The answer whole, if that is what it would rather have; a wildcard says nothing of the kind.
  [`${of2022};q=0.8, application/json`, undefined],
  [`application/json;q=0.8, ${of2022};q=0.8`, { transport: 'multipart', dialect: '20220824' }],
  [`*/*, ${of2022};q=0.8`, { transport: 'multipart', dialect: '20220824' }],
  [`${v02};q=0, ${json}`, undefined],
  [`${v02};q=much, ${json}`, undefined],
  [`${v02};q=, ${json}`, undefined],
  ['multipart/mixed;subscriptionSpec=1.0, application/json', undefined],
  ['multipart/form-data, text/event-streams', undefined],
  [json, undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (accept, expected) => {
  expect(acceptedIncrementalType(accept)).toEqual(expected)
})
