/** A subgraph service that is asked for more than it can answer, and its gateway meanwhile. */
import { expect, test } from 'vitest'
import type { SubgraphResult } from '../../../engine/subgraphs/index.ts'
import { asking, startFramedService } from '../../support/framed-service.ts'

/** What a query holds the event loop of the service for. */
const workMs = 5
/** As many queries wait for each other for longer than the service lets them. */
const burst = 100
const targetMs = 200

const codeOf = ({ errors }: SubgraphResult): unknown => errors?.[0]?.extensions?.code

test('in frames, requests that would wait too long are refused with a code, and nothing of them is executed', async () => {
  let executed = 0
  let written = 0
  await using both = await startFramedService(
    {
      slow() {
        executed += 1
        for (const end = performance.now() + workMs; performance.now() < end; );
        return 'done'
      },
      write() {
        written += 1
        return 'written'
      },
    },
    {
      env: { TESSERA_MAX_WAIT_MS: String(targetMs) },
      transport: {
        // Refusals are no failures: what is not asked for any more can execute no mutation.
        guard: { breaker: { consecutive: 3, ratio: 0.1 } },
      },
    },
  )
  await both.connected()
  const slow = both.prepare('{ slow }')
  const write = both.prepare('mutation { write }')
  const queries: SubgraphResult[] = []
  const mutations: SubgraphResult[] = []
  const health: Promise<number>[] = []
  const isRefused = (result: SubgraphResult): boolean => codeOf(result) === 'SERVICE_BUSY'
  // Arrivals that wait for no answer, until enough were refused.
  const asked: Promise<unknown>[] = []
  while (queries.filter(isRefused).length < 10) {
    for (let n = 0; n < burst; n++)
      asked.push(Promise.resolve(slow({}, asking())).then((result) => queries.push(result)))
    for (let n = 0; n < 5; n++)
      asked.push(Promise.resolve(write({}, asking())).then((result) => mutations.push(result)))
    health.push(fetch(new URL('/health/live', both.url)).then(({ status }) => status))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(asked)

  const answered = queries.filter((result) => !isRefused(result))
  for (const { data, errors } of answered) expect({ data, errors }).toEqual({ data: { slow: 'done' } })
  for (const { data, errors } of queries.filter(isRefused)) {
    expect(data).toBe(undefined)
    expect(errors).toHaveLength(1)
    expect([1, 2, 3]).toContain(errors?.[0]?.extensions?.retryAfter)
  }
  expect(executed).toBe(answered.length)
  expect(written).toBe(mutations.filter((result) => !isRefused(result)).length)
  expect(new Set(await Promise.all(health))).toEqual(new Set([200]))
  // What does not fit on a connection in frames goes by HTTP.
  expect(both.sent[0]).toBe('frames')

  await expect.poll(async () => (await write({}, asking())).data).toEqual({ write: 'written' })
  await expect.poll(async () => (await slow({}, asking())).data).toEqual({ slow: 'done' })
})
