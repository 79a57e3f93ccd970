/** The rank of a request is that of its body alone, and of what is prepared, whatever was ranked before. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exposeCollector } from '../../../gateway/cli/collector.ts'
import { createKeptMemory } from '../../../gateway/engine/kept.ts'
import { createOperations } from '../../../gateway/http/operations.ts'
import { createDocumentReader } from '../../../gateway/http/persisted/index.ts'
import { createRank, type Rank } from '../../../gateway/http/rank.ts'
import { mutation } from '../../../gateway/http/shedding/index.ts'
import { campaignSize } from '../../support/campaign-size.ts'
import { operationsOptions } from '../../support/operations-options.ts'

const options = await operationsOptions(`
  type Query { things(ids: [ID!]!): [Thing] }
  type Thing { name: String price: Int }
  type Mutation { change(id: ID!): Thing }`)

function stage() {
  const operations = createOperations({ ...options, kept: createKeptMemory(1_000_000, 1000) })
  const documents = createDocumentReader({ kind: 'off' })
  return { operations, freshRank: (): Rank => createRank(operations, documents) }
}

const query = 'query Q($ids: [ID!]!) { things(ids: $ids) { name } }'
const dearer = 'query Dearer($ids: [ID!]!) { things(ids: $ids) { name price } }'
const comment = '# no mutation\nquery C { things(ids: ["1"]) { name price } }'
const change = 'mutation M { change(id: "1") { name } }'
const texts = [query, dearer, comment, change]

const rankIn = (rank: Rank, body: unknown): number =>
  rank({ method: 'POST', url: '/graphql', body: Buffer.from(JSON.stringify(body)) })

test('queries by the values that they ask for, mutations before all, what is not prepared behind', async () => {
  const { operations, freshRank } = stage()
  const rank = freshRank()
  const few = { query, variables: { ids: ['1', '2'] } }
  const many = { query, variables: { ids: Array.from({ length: 50 }, (_, i) => `${i}`) } }
  const asked = [few, many, { ...many, query: dearer }, { query: change }]
  expect(asked.map((body) => rankIn(rank, body))).toEqual([Infinity, Infinity, Infinity, mutation])
  for (const text of texts) await operations.get(text, undefined)
  for (let again = 0; again < 2; again++) {
    expect(asked.map((body) => rankIn(rank, body))).toEqual([3, 51, 101, mutation])
  }
  expect(rank({ method: 'POST', url: '/graphql', body: Buffer.from('{"query":') })).toBe(Infinity)
})

test('it is not what was ranked before', async () => {
  const bodies = fc.record({
    query: fc.constantFrom(...texts),
    variables: fc.record({ ids: fc.array(fc.constantFrom('1', 'é', '—'), { maxLength: 4 }) }),
  })
  const steps = fc.oneof(
    fc.record({ prepare: fc.constantFrom(...texts) }),
    fc.record({ ask: fc.oneof(bodies, fc.array(bodies, { minLength: 1, maxLength: 3 })) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 20 }), async (story) => {
      const { operations, freshRank } = stage()
      const rank = freshRank()
      for (const step of story) {
        if ('prepare' in step) await operations.get(step.prepare, undefined)
        else expect(rankIn(rank, step.ask)).toBe(rankIn(freshRank(), step.ask))
      }
    }),
    { numRuns: campaignSize(1000) },
  )
})

test('however many come, a bounded number of them is remembered', async () => {
  const { operations, freshRank } = stage()
  await operations.get(query, undefined)
  const rank = freshRank()
  const filler = 'x'.repeat(12_000)
  const held = (): number => {
    exposeCollector()()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const before = held()
  for (let i = 0; i < 3000; i++) rankIn(rank, { query, variables: { ids: [`${i}`, filler] } })
  expect(held() - before).toBeLessThan(3)
  const short = '{things(ids:1){name}}'
  await operations.get(short, undefined)
  for (let i = 0; i < 60_000; i++) rankIn(rank, { query: short, variables: { i } })
  expect(held() - before).toBeLessThan(3)
  expect(rankIn(rank, { query, variables: { ids: ['0'] } })).toBe(2)
})
