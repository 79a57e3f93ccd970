/** `tessera-graph/sandbox` in this process: what it opens, and what it refuses. */
import { expect, test } from 'vitest'
import { type Graph, startGraph } from '../../../gateway/hosts/sandbox.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile } from '../../support/temporary.ts'

const query = '{ metrics { buildInfo { version } } }'

async function ask(graph: Graph, token: string): Promise<{ data: unknown; errors?: { message: string }[] }> {
  const response = await postJson(graph.url, { query }, { authorization: `Bearer ${token}` })
  return (await response.json()) as { data: unknown }
}

test('graphs next to each other have their own data, journals and tokens', async () => {
  await using first = await startGraph()
  await using second = await startGraph()
  const token = await first.token('metrics.read')
  expect(await ask(first, token)).toMatchObject({ data: { metrics: { buildInfo: {} } } })
  expect((await ask(second, token)).errors).toHaveLength(1)
  expect([first, second].map(({ sandbox }) => sandbox.journal.length)).toEqual([1, 0])
})

test('settings are those of the configuration, and all of their faults are reported together', async () => {
  await using graph = await startGraph({ settings: { TESSERA_MAX_DEPTH: '2' } })
  const { errors = [] } = await ask(graph, await graph.token('metrics.read'))
  expect(errors[0]?.message).toMatch(/too many levels/)
  const wrong = startGraph({ settings: { TESSERA_MAX_DEPTH: 'deep', TESSERA_CSRF: 'maybe' } })
  await expect(wrong).rejects.toThrow(
    /TESSERA_MAX_DEPTH[\s\S]*TESSERA_CSRF|TESSERA_CSRF[\s\S]*TESSERA_MAX_DEPTH/,
  )
})

test('a setting of an unknown name is refused, with those whose values are wrong', async () => {
  const wrong = startGraph({ settings: { quotaDaily: '5', TESSERA_MAX_DEPTH: 'deep' } })
  await expect(wrong).rejects.toThrow(/TESSERA_MAX_DEPTH[\s\S]*\nquotaDaily: no such setting/)
})

test('options of the services that are out of range are refused together', async () => {
  const sandbox = {
    namespace: 'a/b',
    dailyQuota: -1,
    agents: { requestsPerMinute: Number.NaN },
    messages: { rateLimits: { me: -2 } },
  }
  await expect(startGraph({ sandbox })).rejects.toThrow(
    /^namespace: .+ not "a\/b"\ndailyQuota: .+ not -1\nagents.requestsPerMinute: .+ not NaN\nmessages.rateLimits.me: .+ not -2$/,
  )
})

test('a configuration file may insert settings of any name', async () => {
  const rule = '{ insert: { name: x-key, environment: SHOP_KEY } }'
  const file = temporaryFile('tessera.yaml', `headers: { all: { request: [${rule}] } }\n`)
  await using graph = await startGraph({ settings: { TESSERA_CONFIG: file, SHOP_KEY: 'k' } })
  expect(graph.url).toMatch(/^http:/)
})

test('the port is that of the settings unless the option names another one', async () => {
  await using graph = await startGraph({ port: 0, settings: { PORT: 'none of these' } })
  expect(graph.url).not.toContain('none')
  await expect(startGraph({ settings: { PORT: 'none of these' } })).rejects.toThrow(/^PORT: expected/)
})

test('a graph that makes tokens is refused any real service, subgraph and supergraph', async () => {
  for (const settings of [
    { TESSERA_METRICS_URL: 'http://127.0.0.1:9' },
    { TESSERA_METRICS_SUBGRAPH_URL: 'http://127.0.0.1:9', TESSERA_SUBGRAPH_SECRET: 'x'.repeat(32) },
    { TESSERA_SUPERGRAPH: 'schema/supergraph.graphql' },
  ])
    await expect(startGraph({ settings })).rejects.toThrow(/for tests/)
})

test('a graph with a configured issuer makes no tokens', async () => {
  await using graph = await startGraph({ settings: { TESSERA_JWT_SECRET: 'x'.repeat(32) } })
  await expect(graph.token('metrics.read')).rejects.toThrow(/configured issuer/)
})
