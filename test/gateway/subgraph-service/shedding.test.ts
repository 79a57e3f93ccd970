/** A subgraph service that is asked for more than it can answer, in frames and by HTTP, and its gateway meanwhile. */
import { expect, test } from 'vitest'
import type { SubgraphResult } from '../../../gateway/engine/transport/index.ts'
import { asking, startFramedService } from '../../support/framed-service.ts'

/** What a query holds the event loop of the service for. */
const workMs = 5
/** As many queries wait for each other for longer than the service lets them; all fit on one connection. */
const burst = 100
const targetMs = 200

const codeOf = ({ errors }: SubgraphResult): unknown => errors?.[0]?.extensions?.code

test.each(['frames', 'http'])(
  'by %s, requests that would wait too long are refused with a code, mutations last, and nothing of them is executed',
  async (protocol) => {
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
        service: { maxWaitMs: targetMs },
        transport: {
          // Refusals are no failures: what is not asked for any more can execute no mutation.
          guard: { breaker: { consecutive: 3, ratio: 0.1 } },
          ...(protocol === 'http' ? { frames: undefined, connections: 2 * burst } : {}),
        },
      },
    )
    if (protocol === 'frames') await both.connected()
    const slow = both.prepare('{ slow }')
    const write = both.prepare('mutation { write }')
    const queries: SubgraphResult[] = []
    const mutations: SubgraphResult[] = []
    const health: number[] = []
    const isRefused = (result: SubgraphResult): boolean => codeOf(result) === 'SERVICE_BUSY'
    while (queries.filter(isRefused).length < 3 * burst) {
      const asked = Array.from({ length: burst }, () => slow({}, asking()))
      const changes = Array.from({ length: 5 }, () => write({}, asking()))
      health.push((await fetch(new URL('/health/live', both.url))).status)
      queries.push(...(await Promise.all(asked)))
      mutations.push(...(await Promise.all(changes)))
    }

    const answered = queries.filter((result) => !isRefused(result))
    for (const { data, errors } of answered) expect({ data, errors }).toEqual({ data: { slow: 'done' } })
    for (const { data, errors } of queries.filter(isRefused)) {
      expect(data).toBe(undefined)
      expect(errors).toHaveLength(1)
      expect([1, 2, 3]).toContain(errors?.[0]?.extensions?.retryAfter)
    }
    expect(executed).toBe(answered.length)
    expect(written).toBe(mutations.filter((result) => !isRefused(result)).length)
    const share = (results: readonly SubgraphResult[]): number =>
      results.filter(isRefused).length / results.length
    expect(share(mutations)).toBeLessThan(share(queries))
    expect(new Set(health)).toEqual(new Set([200]))
    expect(new Set(both.sent)).toEqual(new Set([protocol]))

    await expect.poll(async () => (await write({}, asking())).data).toEqual({ write: 'written' })
    await expect.poll(async () => (await slow({}, asking())).data).toEqual({ slow: 'done' })
  },
)
