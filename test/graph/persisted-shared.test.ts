/** Automatic persisted operations over replicas: taught to one gateway, known to all that share a Redis. */
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../shared/graphql/persisted-operation.ts'
import { answerFrom, type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'
import { messagesOf, outOfTurn, startRedis, withRedis } from '../support/redis.ts'

const query = '{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }'
const result = { chartVideos: { totalCount: 120 } }

async function ask({ url }: Graph, text: string, sent?: string): Promise<GraphAnswer> {
  const persistedQuery = { version: 1, sha256Hash: hashOf(text) }
  return answerFrom(await postJson(url, { query: sent, extensions: { persistedQuery } }))
}
const codeOf = ({ errors }: GraphAnswer): string | undefined => errors[0]?.extensions.code

describe.skipIf(!withRedis('persisted operations that replicas share'))('two gateways and one Redis', () => {
  test('know what either was taught, as does one that starts later', async () => {
    await using redis = await startRedis()
    const env = { TESSERA_REDIS_URL: redis.url }
    await using first = await startGraph({ env })
    await using second = await startGraph({ env })
    await using alone = await startGraph()
    let text = ''
    let known: unknown
    // A Redis that is late counts as away: what is taught then stays with the gateway, and something else is taught.
    for (let turn = 1; turn <= 10 && known === undefined; turn++) {
      text = `query Taught${turn} ${query}`
      expect(codeOf(await ask(second, text))).toBe('PERSISTED_QUERY_NOT_FOUND')
      expect((await ask(first, text, text)).data).toEqual(result)
      known = (await ask(second, text)).data
    }
    expect(known).toEqual(result)
    await using third = await startGraph({ env })
    await expect.poll(async () => (await ask(third, text)).data).toEqual(result)
    expect(codeOf(await ask(alone, text))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('take nothing from it that is not what its hash says', async () => {
    await using redis = await startRedis()
    await using graph = await startGraph({ env: { TESSERA_REDIS_URL: redis.url } })
    const intruder = new Redis(redis.url)
    await intruder.set(`tessera:document:${hashOf(query)}`, '{ mediaQuota { used } }')
    await intruder.quit()
    expect(codeOf(await ask(graph, query))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('continue separately while it is unavailable, and say so once', async () => {
    await using redis = await startRedis()
    await using graph = await startGraph({ env: { TESSERA_REDIS_URL: redis.url } })
    expect((await ask(graph, query, query)).data).toEqual(result)
    await redis.stop()
    expect((await ask(graph, query)).data).toEqual(result)
    const another = `query Another ${query}`
    expect(codeOf(await ask(graph, another))).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect((await ask(graph, another, another)).data).toEqual(result)
    expect((await ask(graph, another)).data).toEqual(result)
    const away = 'shared persisted operations are away: each gateway keeps its own until they are back'
    const said = messagesOf(graph.log).filter((message) => message.startsWith('shared persisted operations'))
    expect(said.at(-1)).toBe(away)
    expect(outOfTurn(said, away, 'shared persisted operations are back')).toEqual([])
    expect(graph.log.join('')).not.toContain(redis.url)
  })
})
