/** Who likes a message, in both directions and without end, and liking one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { faults } from '../../support/subgraph.ts'
import { lookup, messagesOver, problem, problemOf } from './kit.ts'

const list = `query ($first: Int, $after: String, $last: Int, $before: String) {
  _entities(representations: [{ __typename: "Message", messageId: "5" }]) { ... on Message {
    likingUsers(first: $first, after: $after, last: $last, before: $before) {
      nodes { userId name username } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } } } }`

/** A message that so many users like; tokens of the next and the previous page. */
function likedBy(count: number): (arrived: Arrived) => Scripted {
  return ({ path, query }) => {
    if (!path.endsWith('/liking_users')) return { body: { data: [{ id: '5', text: 't' }] } }
    const size = Number(query.max_results)
    const start = Number(query.pagination_token?.slice(1) ?? 0)
    const end = Math.min(start + size, count)
    const data = Array.from({ length: end - start }, (_, i) => ({
      id: String(100 + start + i),
      name: `Name ${start + i}`,
      username: `user${start + i}`,
    }))
    return {
      body: {
        ...(data.length > 0 ? { data } : {}),
        meta: {
          result_count: data.length,
          ...(end < count ? { next_token: `n${end}` } : {}),
          ...(start > 0 ? { previous_token: `p${Math.max(0, start - size)}` } : {}),
        },
      },
    }
  }
}

describe('likingUsers', () => {
  test('walked forward with any page size yields every user once, for one call a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 35 }),
        async (count, first) => {
          await using messages = await messagesOver(likedBy(count))
          const seen: string[] = []
          let after: string | null = null
          do {
            const { data, errors } = await messages.run(list, { first, after })
            expect(errors).toEqual([])
            const { nodes, pageInfo } = data._entities[0].likingUsers
            seen.push(...nodes.map((user: { userId: string }) => user.userId))
            after = pageInfo.hasNextPage ? pageInfo.endCursor : null
          } while (after !== null)
          expect(seen).toEqual(Array.from({ length: count }, (_, i) => String(100 + i)))
          expect(messages.arrived.length).toBe(Math.max(1, Math.ceil(count / first)))
        },
      ),
      { numRuns: 25 },
    )
  })

  test('can be read backward, because the service can', async () => {
    await using messages = await messagesOver(likedBy(9))
    const first = (await messages.run(list, { first: 3 })).data._entities[0].likingUsers
    const second = (await messages.run(list, { first: 3, after: first.pageInfo.endCursor })).data._entities[0]
      .likingUsers
    expect(second.nodes.map((user: { userId: string }) => user.userId)).toEqual(['103', '104', '105'])
    const back = await messages.run(list, { last: 3, before: second.pageInfo.startCursor })
    expect(back.errors).toEqual([])
    expect(back.data._entities[0].likingUsers.nodes).toEqual(first.nodes)
  })

  test('requests a hundred by default, and the selected fields of users', async () => {
    await using messages = await messagesOver(likedBy(2))
    await messages.run(
      '{ message(messageId: "5") { likingUsers { nodes { userId } edges { node { verified createdAt } } } } }',
    )
    expect(messages.arrived.map(({ path, query }) => [path, query])).toEqual([
      ['/2/tweets', { ids: '5' }],
      ['/2/tweets/5/liking_users', { max_results: '100', 'user.fields': 'created_at,verified' }],
    ])
  })

  test('is empty if the service leaves `data` out', async () => {
    await using messages = await messagesOver({ body: { meta: { result_count: 0 } } })
    const { data, errors } = await messages.run(list)
    expect(errors).toEqual([])
    expect(data._entities[0].likingUsers).toMatchObject({
      nodes: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false },
    })
  })

  test('ends if nothing more comes, though the service hands out tokens for ever', async () => {
    let token = 0
    await using empty = await messagesOver(() => ({
      body: { meta: { result_count: 0, next_token: `t${token++}` } },
    }))
    const { data } = await empty.run(list, { first: 500 })
    expect(data._entities[0].likingUsers).toMatchObject({ nodes: [], pageInfo: { hasNextPage: false } })
    // The empty page, and one look at what follows it.
    expect(empty.arrived.map(({ query }) => query.max_results)).toEqual(['100', '100'])

    await using repeating = await messagesOver(() => ({
      body: { data: [{ id: '1', name: 'A', username: 'a' }], meta: { next_token: `t${token++}` } },
    }))
    const again = await repeating.run(list, { first: 500 })
    expect(again.data._entities[0].likingUsers).toMatchObject({
      nodes: [{ userId: '1' }],
      pageInfo: { hasNextPage: false },
    })
    expect(repeating.arrived.length).toBe(2)

    await using same = await messagesOver(() => ({
      body: { data: [{ id: '1', name: 'A', username: 'a' }], meta: { next_token: 'always' } },
    }))
    await same.run(list, { first: 500 })
    expect(same.arrived.length).toBe(2)
  })

  test('continues past a page that is empty because its accounts are hidden', async () => {
    // One page in two is empty.
    await using messages = await messagesOver(({ query }) => {
      const start = Number(query.pagination_token ?? 0)
      const end = Math.min(start + Number(query.max_results), 6)
      const shown = [0, 1, 2, 3, 4, 5].slice(start, end).filter((n) => n % 2 === 0)
      return {
        body: {
          ...(shown.length > 0
            ? { data: shown.map((n) => ({ id: `${n + 10}`, name: 'N', username: 'n' })) }
            : {}),
          meta: { result_count: shown.length, ...(end < 6 ? { next_token: String(end) } : {}) },
        },
      }
    })
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data, errors } = await messages.run(list, { first: 1, after })
      expect(errors).toEqual([])
      const { nodes, pageInfo } = data._entities[0].likingUsers
      seen.push(...nodes.map((user: { userId: string }) => user.userId))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toEqual(['10', '12', '14'])
  })

  test('costs nothing for none', async () => {
    await using messages = await messagesOver(likedBy(5))
    await messages.run(list, { first: 0 })
    expect(messages.arrived).toEqual([])
  })

  test('is null if the message does not exist any more, and an error if it may not be seen', async () => {
    await using gone = await messagesOver({
      body: { errors: [problemOf('resource-not-found', '5', { parameter: 'id' })] },
    })
    expect(await gone.run(list)).toEqual({ data: { _entities: [{ likingUsers: null }] }, errors: [] })
    await using hidden = await messagesOver({
      body: { errors: [problemOf('not-authorized-for-resource', '5', { parameter: 'id' })] },
    })
    expect(faults((await hidden.run(list)).errors)).toEqual(['_entities.0.likingUsers: FORBIDDEN'])
  })

  test('refuses the credential of an app with words that help', async () => {
    await using messages = await messagesOver({ status: 403, body: problem('unsupported-authentication') })
    const { errors } = await messages.run(list)
    expect(errors[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      upstream: { status: 403, reason: 'unsupported-authentication' },
    })
    expect(errors[0]?.message).toContain("user's own credential")
  })
})

describe('likeMessage', () => {
  const like = (selection: string): string =>
    `mutation ($input: LikeMessageInput!) { likeMessage(input: $input) { ${selection} } }`
  const input = { userId: '77', messageId: '5' }

  test('sends the user in the path and the message in the body', async () => {
    await using messages = await messagesOver({ body: { data: { liked: true } } })
    const { data, errors } = await messages.run(like('liked message { id messageId }'), { input })
    expect(errors).toEqual([])
    expect(data.likeMessage).toEqual({
      liked: true,
      message: { id: toGlobalId('Message', '5'), messageId: '5' },
    })
    expect(messages.arrived.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/2/users/77/likes', { tweet_id: '5' }],
    ])
  })

  test('reads the message again if more than its ids is selected', async () => {
    await using messages = await messagesOver((arrived) =>
      arrived.method === 'POST' ? { body: { data: { liked: true } } } : lookup(arrived),
    )
    const { data } = await messages.run(like('message { text publicMetrics { likeCount } }'), { input })
    expect(data.likeMessage.message).toEqual({ text: 'text 5', publicMetrics: null })
    expect(messages.arrived.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  test.for([
    ['userId', 'me'],
    ['userId', '0'],
    ['messageId', '1e3'],
    ['messageId', '12345678901234567890'],
  ] as const)('refuses the %s %s without a call', async ([field, value]) => {
    await using messages = await messagesOver({ body: {} })
    const { errors } = await messages.run(like('liked'), { input: { ...input, [field]: value } })
    expect(errors[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', argument: `input.${field}` })
    expect(messages.arrived).toEqual([])
  })

  test.for([
    [
      'a plan that may not',
      { status: 403, body: problem('client-forbidden', { reason: 'client-not-enrolled' }) },
    ],
    ['an unknown reason', { status: 403, body: problem('about:blank', { title: 'Forbidden' }) }],
    ['no reason at all', { status: 403, text: '' }],
  ] as [string, Scripted][])('says why it is refused with %s', async ([, answer]) => {
    await using messages = await messagesOver(answer)
    const { data, errors } = await messages.run(like('liked'), { input })
    expect(data).toEqual({ likeMessage: null })
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect(errors[0]?.message).toContain('enterprise')
  })

  test.for([500, 503, 504, 429])('is sent once, whatever comes back (%d)', async (status) => {
    await using messages = await messagesOver({
      status,
      headers: { 'retry-after': '0', 'x-rate-limit-reset': '0' },
    })
    expect((await messages.run(like('liked'), { input })).errors.length).toBe(1)
    expect(messages.arrived.length).toBe(1)
  })

  test.for([
    ['NOT_FOUND', problemOf('resource-not-found', '5', { parameter: 'tweet_id' })],
    ['FORBIDDEN', problemOf('not-authorized-for-resource', '5')],
    ['CONFLICT', { code: 139, message: 'You have already favorited this status.' }],
    ['FORBIDDEN', { type: 'about:blank', title: 'Forbidden', status: 403 }],
  ] as const)('is %s if a successful response says why it was not done', async ([code, refusal]) => {
    await using messages = await messagesOver({ body: { errors: [refusal] } })
    const { data, errors } = await messages.run(like('liked'), { input })
    expect(data).toEqual({ likeMessage: null })
    expect(errors[0]?.extensions).toMatchObject({ code, service: 'messages' })
    expect(errors[0]?.extensions.outcome).toBeUndefined()
  })

  test('is not considered done if the service does not say so', async () => {
    const failing = { errors: [problem('internal-error')] }
    for (const body of [{}, { data: {} }, { data: { liked: 'yes' } }, [], failing]) {
      await using messages = await messagesOver({ body })
      const { errors } = await messages.run(like('liked'), { input })
      expect(faults(errors)).toEqual(['likeMessage: UPSTREAM_BAD_RESPONSE'])
      expect(errors[0]?.extensions.outcome).toBe('unknown')
    }
  })
})
