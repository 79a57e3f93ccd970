/** Demand control of somebody else's supergraph: a real process in front of a real subgraph. */
import { expect, test } from 'vitest'
import { postJson } from '../../support/post-json.ts'
import { startInFront } from '../../support/router.ts'

const catalogue = {
  sdl: `
    type Query {
      books(first: Int = 2): [Book!]! @listSize(slicingArguments: ["first"])
      top: [Book!]!
    }
    type Book @cost(weight: 3) { title: String! }`,
  resolvers: { Query: { books: () => [{ title: 'One' }], top: () => [{ title: 'One' }, { title: 'Two' }] } },
}

test('costs are measured, reported on request, compared with a maximum, and shown before anything runs', async () => {
  const { router, books } = await startInFront(
    { books: catalogue },
    { config: { demand: { mode: 'measure', listSize: 20 } } },
  )
  const plain = await router.ask('{ books(first: 4) { title } }')
  expect(plain.headers.get('tessera-cost')).toBeNull()
  expect(plain.body.extensions).toBeUndefined()
  const told = await router.ask('{ books(first: 4) { title } }', { 'tessera-cost': '1' })
  expect(told.body).toEqual({
    data: { books: [{ title: 'One' }] },
    extensions: { cost: { estimated: 12, actual: 3 } },
  })
  expect(told.headers.get('tessera-cost')).toBe('estimated=12, actual=3')
  expect(await router.metrics()).toMatch(/tessera_operation_cost_sum\{kind="estimated"\} 24/)
  expect(await router.metrics()).toMatch(/tessera_operation_cost_sum\{kind="actual"\} 6/)

  // The cost of an incremental response is known with its last payload.
  const incremental = await postJson(
    `${router.origin}/graphql`,
    '{"query":"{ books(first: 4) { __typename ... @defer { title } } }"}',
    { accept: 'multipart/mixed', 'tessera-cost': '1' },
  )
  expect(incremental.headers.get('content-type')).toContain('multipart/mixed')
  expect(incremental.headers.get('tessera-cost')).toBe('estimated=12')
  const parts = (await incremental.text()).match(/"cost":\{[^}]*\}/g)
  expect(parts).toEqual(['"cost":{"estimated":12}', '"cost":{"estimated":12,"actual":3}'])

  const asked = books.asked.length
  const explained = await router.ask('{ top { title } }', { 'tessera-explain': '1' })
  expect(explained.body.extensions.explain.cost).toEqual({ estimated: 60, fieldCost: 1, typeCost: 61 })
  expect(books.asked.length).toBe(asked)

  const demand = { mode: 'enforce', max: 59, listSize: 20, report: 'always', actual: false }
  await router.reload({ demand })
  const refused = await router.ask('{ top { title } }', { accept: 'application/graphql-response+json' })
  expect([refused.status, refused.body.errors?.[0]]).toEqual([
    400,
    {
      message: 'The operation would cost up to 60; one operation may cost 59.',
      extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', cost: { estimated: 60, maximum: 59 } },
    },
  ])
  const taken = await router.ask('{ books { title } }')
  expect(taken.body.extensions).toEqual({ cost: { estimated: 6, maximum: 59 } })
  expect(taken.headers.get('tessera-cost')).toBe('estimated=6, maximum=59')
})
