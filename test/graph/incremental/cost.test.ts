/** Demand control counts an incremental response as the plain one: its estimate, its actual cost, its refusal, its explanation. */
import { expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { startRouter, startService, supergraphOf } from '../../support/router.ts'
import { ask, type Payload } from './kit.ts'

const catalogue = {
  sdl: `
    type Query {
      books(first: Int = 2): [Book!]! @listSize(slicingArguments: ["first"])
      top: [Book]
    }
    type Book @cost(weight: 3) { title: String! author: Author pages: Int @cost(weight: 2) }
    type Author { name: String }`,
  resolvers: {
    Query: {
      books: () => [
        { title: 'One', author: { name: 'A' }, pages: 1 },
        { title: 'Two', author: null, pages: 2 },
        { title: 'Three', author: { name: 'C' }, pages: 3 },
      ],
      top: () => [{ title: 'One', author: { name: 'A' } }, null],
    },
  },
}

const books = keepForFile(await startService('books', catalogue))
const router = keepForFile(
  await startRouter({
    supergraph: supergraphOf([books]),
    config: { demand: { mode: 'measure', listSize: 20 } },
  }),
)

const incremental = [
  '{ books(first: 4) @stream(initialCount: 1) { title author { name } pages } top { title author { name } } }',
  '{ books(first: 4) { title ... @defer { author { name } pages } } ... @defer { top { title author { name } } } }',
  '{ ... @defer { books(first: 4) @stream { title ... @defer { author { name } } pages } top @stream(initialCount: 1) { title author { name } } } }',
  '{ books(first: 4) { title author { name } pages ... @defer { title pages } } top { title ... @defer { author { name } } } ... @defer { top { title } } }',
]

const withoutDirectives = (query: string): string => query.replace(/ @(defer|stream)(\([^)]*\))?/g, '')

const forms = [
  'multipart/mixed;incrementalSpec=v0.2',
  'multipart/mixed;deferSpec=20220824',
  'multipart/mixed',
  'text/event-stream',
]

async function costSum(kind: 'estimated' | 'actual'): Promise<number> {
  const found = new RegExp(`^tessera_operation_cost_sum\\{kind="${kind}"\\} (\\S+)$`, 'm').exec(
    await router.metrics(),
  )
  return Number(found?.[1] ?? 0)
}

test.each(incremental)('%s', async (query) => {
  const plain = withoutDirectives(query)
  const told = await router.ask(plain, { 'tessera-cost': '1' })
  const { cost } = told.body.extensions
  expect(cost.actual).toBeGreaterThan(0)
  const explained = await router.ask(plain, { 'tessera-explain': '1' })
  const before = books.asked.length
  expect((await router.ask(query, { 'tessera-explain': '1' })).body.extensions.explain.cost).toEqual(
    explained.body.extensions.explain.cost,
  )
  expect(books.asked.length).toBe(before)
  for (const form of forms) {
    const sums = [await costSum('estimated'), await costSum('actual')]
    await using answer = await ask(`${router.origin}/graphql`, query, form, {
      headers: { 'tessera-cost': '1' },
    })
    expect(answer.headers.get('tessera-cost')).toBe(`estimated=${cost.estimated}`)
    const all: Payload[] = await answer.rest()
    expect(all.length).toBeGreaterThan(1)
    expect(all[0].extensions.cost).toEqual({ estimated: cost.estimated })
    expect(all.at(-1).extensions.cost).toEqual(cost)
    await expect
      .poll(async () => [await costSum('estimated'), await costSum('actual')])
      .toEqual([(sums[0] ?? 0) + cost.estimated, (sums[1] ?? 0) + cost.actual])
  }
})

// The last one: the configuration is another one after it.
test('an operation over the limit is refused in the same way, before any call', async () => {
  await router.reload({ demand: { mode: 'enforce', max: 50, listSize: 20 } })
  const before = books.asked.length
  for (const query of incremental) {
    const refused = (await router.ask(withoutDirectives(query))).body
    expect(refused.errors?.[0].extensions.code).toBe('COST_ESTIMATED_TOO_EXPENSIVE')
    await using answer = await ask(`${router.origin}/graphql`, query, `${forms[0]}, application/json`)
    expect(await answer.rest()).toEqual([refused])
    await using only = await ask(`${router.origin}/graphql`, query, 'multipart/mixed;incrementalSpec=v0.2')
    expect(await only.rest()).toEqual([refused])
  }
  expect(books.asked.length).toBe(before)
})
