/** What a handler can be made from, and what is said if that is not enough. */
import { spawnSync } from 'node:child_process'
import { getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { readConfig } from '../../../gateway/config/index.ts'
import { createHandler, type HandlerOptions } from '../../../gateway/hosts/library.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { forEachService } from '../../../subgraphs/index.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { configFrom } from '../../support/graph.ts'
import { environment } from '../../support/process.ts'
import { temporaryFile } from '../../support/temporary.ts'

test("a handler with the addresses of the services serves Tessera's own graph", async () => {
  const sandbox = await startSandbox()
  const graph = createHandler({ serviceUrls: forEachService(() => sandbox.url) })
  try {
    const query = '{ video(videoId: "u62wyH56M7e") { videoId } }'
    expect(await graph.execute({ query })).toMatchObject({ data: { video: { videoId: 'u62wyH56M7e' } } })
    expect(sandbox.calls('videos.list')).toHaveLength(1)
  } finally {
    await graph.close()
    await sandbox.close()
  }
})

test('a handler does not serve our own graph if the configuration names a supergraph', () => {
  const config = configFrom({ TESSERA_SUPERGRAPH: 'supergraph.graphql' })
  const serviceUrls = forEachService(() => 'http://127.0.0.1:9')
  expect(() => createHandler({ config, serviceUrls })).toThrow('Pass the text of the supergraph')
})

test("a handler serves a supergraph without any of the product's services", async () => {
  const graph = createHandler({ supergraph: readSchemaFile('supergraph') })
  expect(await graph.execute({ query: '{ __typename }' })).toMatchObject({ data: { __typename: 'Query' } })
  await graph.close()
})

test('a handler tells callers without a token apart by the addresses that it is given', async () => {
  const rule = { name: 'few', limit: 1, windowSeconds: 3600 }
  const file = temporaryFile('tessera.json', JSON.stringify({ rateLimits: [rule] }))
  const graph = createHandler({
    supergraph: readSchemaFile('supergraph'),
    config: configFrom({ TESSERA_CONFIG: file }),
  })
  const asked = { query: '{ __typename }' }
  const ask = async (address?: string) =>
    (await graph.execute({ ...asked, address })).errors?.[0]?.extensions.code
  expect([await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([
    undefined,
    'RATE_LIMITED',
    undefined,
  ])
  expect([await ask(), await ask()]).toEqual([undefined, 'RATE_LIMITED'])
  await graph.close()
})

test('a handler refuses a subscription in words that hold for it', async () => {
  const graph = createHandler({ supergraph: readSchemaFile('supergraph') })
  const { errors } = await graph.execute({ query: 'subscription { mediaQuotaChanged { used } }' })
  expect(errors?.[0]?.message).toMatch(
    /^This request is answered once\. The gateway's own server answers a subscription if `Accept` has /,
  )
  await graph.close()
})

test('a schema of any size can be read, unless the configuration bounds that', async () => {
  const text = 'x'.repeat(4000)
  const fields = Array.from({ length: 1400 }, (_, n) => `"""${text}""" f${n}(a: Int): Int`).join('\n')
  const sources = [{ name: 'wide', url: 'http://127.0.0.1/wide', typeDefs: `type Query { ${fields} }` }]
  const { supergraph = '' } = compose(sources)
  const limited = readConfig({ TESSERA_MAX_INTROSPECTION_BYTES: '5000000' }).config
  const graph = createHandler({ supergraph })
  const bounded = createHandler({ supergraph, ...(limited === undefined ? {} : { config: limited }) })
  const query = getIntrospectionQuery({ inputValueDeprecation: true })
  expect(JSON.stringify(await graph.execute({ query })).length).toBeGreaterThan(5_000_000)
  expect((await bounded.execute({ query })).errors?.[0]?.extensions).toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
    maximum: 5_000_000,
  })
  await graph.close()
  await bounded.close()
})

test('a handler writes no log unless it is given one', () => {
  const program = `
    import { readConfig } from './gateway/config/index.ts'
    import { createHandler } from './gateway/hosts/library.ts'
    import { readSchemaFile } from './subgraphs/kit/subgraph.ts'
    const { config } = readConfig({ TESSERA_LOG_LEVEL: 'info' })
    const graph = createHandler({ config, supergraph: readSchemaFile('supergraph') })
    await graph.execute({ query: '{ __typename }' })
    await graph.close()
    console.log('done')`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: environment(),
  })
  expect(stdout).toBe('done\n')
})

test('a handler without a graph is refused by the types, and by a message that says what is missing', () => {
  // @ts-expect-error neither a supergraph nor addresses of services
  const nothing: HandlerOptions = {}
  expect(() => createHandler(nothing)).toThrow(
    /no URL for: videos, agents, messages, metrics.*serviceUrls, or give a supergraph/,
  )
})
