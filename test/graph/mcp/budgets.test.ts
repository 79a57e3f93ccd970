/**
 * Budgets of agents are never exceeded, even by concurrent requests. They are explained in words and set by grant.
 */
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { startAgent } from '../../support/agent.ts'
import { startGraph } from '../../support/graph.ts'
import { startRedis, withRedis } from '../../support/redis.ts'

const distinct = (n: number): object => ({
  document: `{ chartVideos(chart: MOST_POPULAR, first: ${n + 1}) { nodes { videoId } } }`,
})

test('thirty-two concurrent agents never pass the units of their grant', async () => {
  await using graph = await startGraph({ file: { mcp: { budgets: { units: { day: 10 } } } } })
  await using agent = await startAgent(graph)
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, n) => agent.call('execute_operation', { ...distinct(n) })),
  )
  const done = answers.filter(({ isError }) => !isError)
  const refused = answers.filter(({ isError }) => isError)
  expect(done).toHaveLength(10)
  expect(graph.sandbox.calls('videos.list').length).toBeLessThanOrEqual(10)
  for (const { json } of refused)
    expect(json).toMatchObject({
      budget: 'units each day',
      limit: 10,
      used: 10,
      backInSeconds: expect.any(Number),
      stillWorks: expect.stringContaining('search_schema'),
    })
  const { json } = await agent.call('budget')
  expect(json.budgets).toEqual([expect.objectContaining({ budget: 'units each day', limit: 10, used: 10 })])
  expect(json.quota).toMatchObject({ used: 10 })
})

test('what an operation did not take is put back', async () => {
  await using graph = await startGraph({
    file: { mcp: { budgets: { tokens: { day: 9000 }, units: { day: 100 } } } },
  })
  await using agent = await startAgent(graph)
  for (let n = 0; n < 5; n += 1)
    expect((await agent.call('execute_operation', { ...distinct(n) })).isError).toBe(false)
  const { budgets } = (await agent.call('budget')).json
  const used = (name: string): number =>
    budgets.find(({ budget }: { budget: string }) => budget === name).used
  expect(used('units each day')).toBe(5)
  expect(used('tokens each day')).toBeLessThan(1_000)
})

test('an answer is bounded to the tokens that are left, until they are too few for one', async () => {
  await using graph = await startGraph({ file: { mcp: { budgets: { tokens: { day: 1000 } } } } })
  await using agent = await startAgent(graph)
  const used = async (): Promise<number> => (await agent.call('budget')).json.budgets[0].used
  const small = await agent.call('execute_operation', { document: '{ mediaQuota { used } }' })
  expect(small).toMatchObject({ isError: false, json: { data: { mediaQuota: { used: 0 } } } })
  const document =
    '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { videoId snippet { title description } } } }'
  const long = await agent.call('execute_operation', { document })
  expect(long).toMatchObject({ isError: false, json: { more: { cut: [{ path: '/chartVideos/nodes' }] } } })
  expect(await used()).toBeGreaterThan(800)
  expect(await used()).toBeLessThanOrEqual(1000)
  for (const [tool, args] of [
    ['mediaQuota', {}],
    ['more', { handle: long.json.more.handle }],
  ] as const) {
    const { isError, json } = await agent.call(tool, args)
    expect([isError, json]).toMatchObject([true, { budget: 'tokens each day', limit: 1000 }])
    expect(json.stillWorks).not.toContain('more')
    // Until 200 are back, and not until as many as an answer may have.
    expect(json.backInSeconds).toBeLessThanOrEqual((200 / 1000) * 86_400)
  }
  const metrics = await (await fetch(new URL('/metrics', graph.url))).text()
  expect(metrics).toContain('tessera_mcp_calls_total{tool="more",outcome="budget"} 1')
})

test('a change runs only if the tokens that are left are enough for its whole answer', async () => {
  await using graph = await startGraph({
    file: { mcp: { changes: 'free', budgets: { tokens: { day: 1000 } } } },
  })
  await using agent = await startAgent(graph)
  const comment = { videoId: sampleVideos.own[0], text: 'Once' }
  await agent.call('mediaQuota')
  expect(await agent.call('insertComment', comment)).toMatchObject({
    isError: true,
    json: {
      budget: 'tokens each day',
      stillWorks: expect.stringContaining('this change with a smaller maxTokens'),
    },
  })
  expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(0)
  expect((await agent.call('insertComment', { ...comment, maxTokens: 500 })).isError).toBe(false)
})

test('another user has a budget of another', async () => {
  await using graph = await startGraph({ file: { mcp: { budgets: { calls: { day: 1 } } } } })
  await using agent = await startAgent(graph)
  await using other = await startAgent(graph, { subject: 'somebody-else' })
  expect((await agent.call('mediaQuota')).isError).toBe(false)
  expect((await agent.call('mediaQuota')).json).toMatchObject({ budget: 'calls each day', used: 1 })
  expect((await agent.call('search_schema', { words: 'video' })).isError).toBe(false)
  expect((await other.call('mediaQuota')).isError).toBe(false)
})

test('repeats of a confirmed change are one change, and tell what was made when the budget is used up', async () => {
  await using graph = await startGraph({
    file: { mcp: { changes: 'confirm', budgets: { changes: { day: 2 } } } },
  })
  await using agent = await startAgent(graph)
  const confirmed = async (text: string) => {
    const comment = { videoId: sampleVideos.own[0], text }
    return { ...comment, confirmation: (await agent.call('insertComment', comment)).json.confirmation }
  }
  const [first, second, third] = [await confirmed('1'), await confirmed('2'), await confirmed('3')]
  const made = async (change: object): Promise<string> =>
    (await agent.call('insertComment', { ...change })).json.data.insertCommentThread.commentThread.threadId
  const used = async (): Promise<number> => (await agent.call('budget')).json.budgets[0].used
  const id = await made(first)
  for (let n = 0; n < 3; n += 1) expect(await made(first)).toBe(id)
  expect(await used()).toBe(1)
  await made(second)
  expect((await agent.call('insertComment', third)).json).toMatchObject({
    budget: 'changes each day',
    used: 2,
  })
  expect(await made(first)).toBe(id)
  expect(await used()).toBe(2)
  expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(2)
})

test.runIf(withRedis('budgets of agents over replicas'))('replicas count together', async () => {
  await using redis = await startRedis()
  const options = { file: { mcp: { budgets: { calls: { day: 6 } } } }, env: { TESSERA_REDIS_URL: redis.url } }
  await using one = await startGraph(options)
  await using two = await startGraph(options)
  await using first = await startAgent(one)
  await using second = await startAgent(two)
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? first : second).call('mediaQuota')),
  )
  // Each sandbox has a key of its own, but the caller is the same subject of the same issuer.
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(6)
})
