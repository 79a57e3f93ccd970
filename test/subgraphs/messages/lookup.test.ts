/** Lookups by id: batches, order, and errors at exactly the positions that are missing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import { faults } from '../../support/subgraph.ts'
import { lookup, messagesOver, problem, problemOf } from './kit.ts'

const many = 'query ($ids: [ID!]!) { messages(messageIds: $ids) { messageId text } }'
const entities = (selection: string): string =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on Message { ${selection} } } }`

describe('messages', () => {
  test('come in the order asked, repeated ids included, each sent once', async () => {
    await using messages = await messagesOver(lookup)
    const { data, errors } = await messages.run(many, { ids: ['7', '3', '7', '5'] })
    expect(errors).toEqual([])
    expect(data.messages.map((message: { text: string }) => message.text)).toEqual([
      'text 7',
      'text 3',
      'text 7',
      'text 5',
    ])
    expect(messages.arrived.map(({ path, query }) => [path, query.ids])).toEqual([['/2/tweets', '7,3,5']])
  })

  test('of any number cost one call a hundred, each id at its own position whatever becomes of it', async () => {
    const id = fc.oneof(
      fc.integer({ min: 1, max: 999 }).map(String),
      fc.integer({ min: 1000, max: 1999 }).map(String),
      fc.integer({ min: 2000, max: 9999 }).map(String),
      fc.constantFrom('abc', '-1', '01', '0', '12345678901234567890', '', '1,2', ' 1'),
    )
    await using messages = await messagesOver(lookup)
    await fc.assert(
      fc.asyncProperty(fc.array(id, { maxLength: 250 }), async (ids) => {
        messages.arrived.length = 0
        const { data, errors } = await messages.run(many, { ids })
        const wellFormed = new Set(ids.filter((one) => /^[1-9][0-9]{0,3}$/.test(one)))
        expect(messages.arrived.length).toBe(Math.ceil(wellFormed.size / 100))
        const expected = ids.map((one) =>
          /^[1-9][0-9]{0,2}$/.test(one) ? { messageId: one, text: `text ${one}` } : null,
        )
        expect(data.messages).toEqual(expected)
        const codes = ids.flatMap((one, index) => {
          if (!wellFormed.has(one)) return [`messages.${index}: BAD_USER_INPUT`]
          return one.length > 3 && !one.startsWith('1') ? [`messages.${index}: FORBIDDEN`] : []
        })
        expect(faults(errors)).toEqual(codes.sort())
      }),
      { numRuns: 30 },
    )
  })

  test('name the argument and the position of a malformed id', async () => {
    await using messages = await messagesOver(lookup)
    const { errors } = await messages.run(many, { ids: ['1', 'x'] })
    expect(errors[0]?.extensions.argument).toBe('messageIds[1]')
  })

  test('of an empty list cost nothing', async () => {
    await using messages = await messagesOver(lookup)
    expect((await messages.run(many, { ids: [] })).data).toEqual({ messages: [] })
    expect(messages.arrived).toEqual([])
  })

  test('of one failed call fail together, those of the next call stand', async () => {
    await using messages = await messagesOver((arrived) =>
      arrived.query.ids?.startsWith('1,') === true ? { status: 500, text: 'down' } : lookup(arrived),
    )
    const ids = Array.from({ length: 150 }, (_, n) => String(n + 1))
    const { data, errors } = await messages.run(many, { ids })
    expect(data.messages.filter((message: unknown) => message !== null).length).toBe(50)
    expect(new Set(errors.map((error) => error.extensions.code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']))
    expect(errors.length).toBe(100)
  })

  test('keep ids past 2^53 exact', async () => {
    const id = '9007199254740993123'
    await using messages = await messagesOver(({ query }) => ({
      body: { data: [{ id: query.ids, text: 't' }] },
    }))
    expect((await messages.run(many, { ids: [id] })).data.messages[0].messageId).toBe(id)
  })
})

describe('a message', () => {
  const one = 'query ($id: ID!) { message(messageId: $id) { id text } }'

  test('is null, and no error, if there is none, though the status is 200 and `data` is missing', async () => {
    await using messages = await messagesOver(lookup)
    expect(await messages.run(one, { id: '1500' })).toEqual({ data: { message: null }, errors: [] })
  })

  test('that the caller may not see is null with an error, though the status is 200', async () => {
    await using messages = await messagesOver(lookup)
    const { data, errors } = await messages.run(one, { id: '5000' })
    expect(data).toEqual({ message: null })
    expect(errors[0]?.extensions).toEqual({
      code: 'FORBIDDEN',
      service: 'messages',
      upstream: { reason: 'not-authorized-for-resource' },
    })
    expect(errors[0]?.message).not.toContain('secret')
  })

  test.for([
    ['https://api.twitter.com/2/problems/not-authorized-for-resource', 'FORBIDDEN'],
    ['https://api.x.com/2/problems/resource-unavailable', 'FORBIDDEN'],
    ['https://api.x.com/2/problems/disallowed-resource', 'FORBIDDEN'],
    ['https://api.x.com/2/problems/internal-error', 'UPSTREAM_UNAVAILABLE'],
    ['https://api.x.com/2/problems/field-hydration-failure', 'UPSTREAM_UNAVAILABLE'],
    ['https://api.x.com/2/problems/something-new', 'UPSTREAM_UNAVAILABLE'],
  ] as const)('with the problem %s is %s', async ([type, code]) => {
    await using messages = await messagesOver({ body: { errors: [problemOf('', '1', { type })] } })
    expect(faults((await messages.run(one, { id: '1' })).errors)).toEqual([`message: ${code}`])
  })

  test('takes a problem about nothing in particular for its own if it is missing', async () => {
    await using messages = await messagesOver({ body: { errors: [problem('internal-error')] } })
    expect(faults((await messages.run(one, { id: '1' })).errors)).toEqual(['message: UPSTREAM_UNAVAILABLE'])
  })

  test('without a trace in the answer is null', async () => {
    await using messages = await messagesOver({ body: { meta: { result_count: 0 } } })
    expect(await messages.run(one, { id: '1' })).toEqual({ data: { message: null }, errors: [] })
  })

  test.for([[[]], [{ data: { id: '1' } }], [{ data: [{ text: 'no id' }] }], [null], ['text']] as const)(
    "in an answer of another shape (%j) is the service's fault",
    async ([body]) => {
      await using messages = await messagesOver({ body })
      expect(faults((await messages.run(one, { id: '1' })).errors)).toEqual([
        'message: UPSTREAM_BAD_RESPONSE',
      ])
    },
  )

  test('is asked for once in a request, and again only for what it lacks', async () => {
    await using messages = await messagesOver((arrived) => {
      const answer = lookup(arrived)
      const body = answer.body as { data: Record<string, unknown>[] }
      for (const message of body.data) message.referenced_tweets = [{ type: 'quoted', id: '1' }]
      return answer
    })
    // The quoted message is itself: what was read for the root serves it if it needs no more.
    await messages.run('{ message(messageId: "1") { text lang referencedMessages { message { text } } } }')
    expect(messages.arrived.length).toBe(1)
    await messages.run('{ message(messageId: "1") { text referencedMessages { message { text lang } } } }')
    expect(messages.arrived.slice(1).map(({ query }) => query['tweet.fields'])).toEqual([
      'referenced_tweets',
      'lang',
    ])
  })
})

describe('references', () => {
  test('by either key resolve in one call', async () => {
    await using messages = await messagesOver(lookup)
    const { data, errors } = await messages.run(entities('messageId text'), {
      r: [
        { __typename: 'Message', messageId: '2' },
        { __typename: 'Message', id: toGlobalId('Message', '3') },
        { __typename: 'Message', messageId: '1500' },
        { __typename: 'Message', messageId: 'x' },
        { __typename: 'Message', id: toGlobalId('Video', '3') },
      ],
    })
    expect(data._entities).toEqual([
      { __typename: 'Message', messageId: '2', text: 'text 2' },
      { __typename: 'Message', messageId: '3', text: 'text 3' },
      null,
      null,
      null,
    ])
    expect(faults(errors)).toEqual(['_entities.3: BAD_USER_INPUT', '_entities.4: BAD_USER_INPUT'])
    expect(messages.arrived.map(({ query }) => query.ids)).toEqual(['2,3,1500'])
  })

  test('with only ids selected cost no call', async () => {
    await using messages = await messagesOver(lookup)
    const { data } = await messages.run(entities('id messageId'), {
      r: [{ __typename: 'Message', messageId: '2' }],
    })
    expect(data._entities).toEqual([
      { __typename: 'Message', id: toGlobalId('Message', '2'), messageId: '2' },
    ])
    expect(messages.arrived).toEqual([])
  })

  test('of different requests at the same moment share calls, unless sharing is off', async () => {
    for (const share of [true, false]) {
      await using messages = await messagesOver(lookup, { share })
      const [a, b] = await Promise.all([
        messages.run(many, { ids: ['1'] }),
        messages.run(many, { ids: ['2', '1'] }),
      ])
      expect([a.data.messages.length, b.data.messages.length]).toEqual([1, 2])
      expect(messages.arrived.length).toBe(share ? 1 : 2)
    }
  })
})
