/** `onError` as a request parameter, through every transport, and what subgraphs learn about it. */
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createHandler } from '../../../gateway/hosts/library.ts'
import type { Service } from '../../support/federation.ts'
import { configFrom, type Json } from '../../support/graph.ts'
import { operationIn } from '../../support/http-subgraph.ts'
import { keepForFile } from '../../support/keep.ts'
import { startRouter, startService, supergraphOf } from '../../support/router.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

const boom = (): never => {
  throw new GraphQLError('broken')
}

const shop = {
  sdl: 'type Query { items: [Item!]! } type Mutation { touch: Item } type Item @key(fields: "id") { id: ID! }',
  resolvers: { Query: { items: () => [{ id: '1' }, { id: '2' }] }, Mutation: { touch: () => ({ id: '1' }) } },
} satisfies Service
const costs = {
  sdl: `type Query { best: Item } type Item @key(fields: "id") {
    id: ID! cost: Int! secret: Int! @requiresScopes(scopes: [["costs.read"]])
  }`,
  resolvers: {
    Query: { best: () => ({ id: '1' }) },
    Item: {
      __resolveReference: (key: object) => key,
      cost: ({ id }: { id: string }) => (id === '1' ? boom() : 20),
    },
  },
} satisfies Service

const services = [
  keepForFile(await startService('shop', shop)),
  keepForFile(await startService('costs', costs)),
]
const router = keepForFile(
  await startRouter({
    supergraph: supergraphOf(services),
    config: {
      TESSERA_MAX_BATCH: 5,
      TESSERA_JWT_SECRET: tokenSecret,
      errors: { all: { messages: true }, subgraphs: { costs: { takesOnError: true } } },
    },
  }),
)

const query = '{ items { id cost } }'
const broken = 'items.0.cost'

interface Answer {
  readonly data: Json
  readonly errors?: readonly { readonly path?: readonly unknown[]; readonly message: string }[]
}

const shown = ({ data, errors = [] }: Answer) => [data, errors.map(({ path }) => path?.join('.'))]

/** What clients see if the subgraph follows the setting, and if it does not get the setting and fails. */
const answers = {
  NULL: [
    {
      items: [
        { id: '1', cost: null },
        { id: '2', cost: 20 },
      ],
    },
    [broken],
  ],
  PROPAGATE: [null, [broken]],
  HALT: [null, [broken]],
} as const

test.each(Object.entries(answers))(
  '%s by POST, by GET, by hash, in a batch and over a WebSocket',
  async (onError, expected) => {
    expect(shown((await router.ask({ query, onError })).body)).toEqual(expected)
    const get = async (search: Record<string, string>) =>
      shown(
        (await (
          await fetch(`${router.origin}/graphql?${new URLSearchParams(search)}`, {
            headers: { 'apollo-require-preflight': 'true' },
          })
        ).json()) as Answer,
      )
    expect(await get({ query, onError })).toEqual(expected)
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } })
    await get({ query, extensions })
    expect(await get({ extensions, onError })).toEqual(expected)
    const { body } = await router.ask([{ query, onError }, { query: '{ best { id } }' }])
    expect(shown(body[0])).toEqual(expected)
    const client = createClient({
      url: `${router.origin.replace('http', 'ws')}/graphql`,
      ...{ webSocketImpl: WebSocket, retryAttempts: 0 },
    })
    for await (const result of client.iterate({ query, onError } as { query: string }))
      expect(shown(result as unknown as Answer)).toEqual(expected)
    await client.dispose()
  },
)

test('an unknown value is refused by name, null is none, and an empty parameter is none', async () => {
  for (const onError of ['null', 'ABORT', 1, ['NULL']]) {
    const { status, body } = await router.ask({ query, onError })
    expect([status, body.errors?.[0]?.message]).toEqual([
      400,
      '`onError` must be one of NULL, PROPAGATE, HALT.',
    ])
  }
  expect(shown((await router.ask({ query, onError: null })).body)).toEqual(answers.PROPAGATE)
  const url = `${router.origin}/graphql?${new URLSearchParams({ query, onError: '' })}`
  const response = await fetch(url, { headers: { 'apollo-require-preflight': 'true' } })
  expect(shown((await response.json()) as Answer)).toEqual(answers.PROPAGATE)
})

test('equal queries at the same time are shared only with those that ask for the same', async () => {
  const kinds = ['NULL', 'PROPAGATE', 'HALT', 'NULL', undefined, 'NULL'] as const
  const got = await Promise.all(kinds.map((onError) => router.ask({ query, onError })))
  expect(got.map(({ body }) => shown(body))).toEqual(kinds.map((kind) => answers[kind ?? 'PROPAGATE']))
})

test('only the subgraph that takes it gets it, and only if it is not the default', async () => {
  for (const each of services) each.asked.length = 0
  await router.ask({ query, onError: 'NULL' })
  await router.ask({ query, onError: 'PROPAGATE' })
  const told = services.map(({ asked }) =>
    asked.map((one) => (operationIn(one) as { readonly onError?: string }).onError),
  )
  expect(told).toEqual([
    [undefined, undefined],
    ['NULL', undefined],
  ])
})

test('a refused field that must not be null no longer takes its parent along', async () => {
  const guarded = '{ items { id secret } }'
  const { body } = await router.ask({ query: guarded, onError: 'NULL' })
  expect(body.data).toEqual({
    items: [
      { id: '1', secret: null },
      { id: '2', secret: null },
    ],
  })
  expect((body as Answer).errors?.map(({ path }) => path?.join('.'))).toEqual([
    'items.0.secret',
    'items.1.secret',
  ])
  expect((await router.ask({ query: guarded })).body.data).toBeNull()
})

test('an idempotency key belongs to one onError', async () => {
  const token = await signToken({ scope: '' })
  const send = (onError: string) =>
    router.ask(
      { query: 'mutation { touch { id cost } }', onError },
      { authorization: `Bearer ${token}`, 'idempotency-key': '"one-key"' },
    )
  const first = await send('NULL')
  expect(first.body.data).toEqual({ touch: { id: '1', cost: null } })
  expect((await send('NULL')).body.data).toEqual(first.body.data)
  expect((await send('HALT')).status).toBe(422)
})

test('the library handler takes it, and the configuration has a default', async () => {
  const config = configFrom({ TESSERA_LOG_LEVEL: 'silent', TESSERA_ON_ERROR: 'NULL' })
  const handler = createHandler({ supergraph: supergraphOf(services), config })
  const answer = async (onError?: 'NULL' | 'PROPAGATE' | 'HALT') => {
    const { data, errors } = await handler.execute({ query, onError })
    return JSON.parse(JSON.stringify([data, errors?.length]))
  }
  // The subgraph does not get the setting here, and gives null for the requested fields of the object.
  expect(await answer()).toEqual([answers.NULL[0], 1])
  expect(await answer('PROPAGATE')).toEqual([null, 1])
  expect(await answer('HALT')).toEqual([null, 1])
  const wrong = await handler.execute({ query: '{ best { id } }', onError: 'ABORT' as 'HALT' })
  expect(wrong.errors?.[0]?.extensions.code).toBe('BAD_REQUEST')
  await handler.close()
})
