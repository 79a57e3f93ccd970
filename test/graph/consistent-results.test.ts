/**
 * A random operation has one answer: alone, at the same time as others, from the response cache, and as incremental
 * results that are merged. What others ask, with other arguments of the same objects or with other scopes, does not change it.
 */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { allScopes, type GraphAnswer, startGraph } from '../support/graph.ts'
import { withDirectives } from '../support/incremental.ts'
import { keepForFile } from '../support/keep.ts'
import { randomOwnOperations } from '../support/random-own-operations.ts'
import { testSeed } from '../support/seed.ts'
import { startServices } from '../support/services.ts'
import { tokenSecret } from '../support/token.ts'
import { ask, merged } from './incremental/kit.ts'

const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json;q=0.5'
const now = Date.now()
const rateLimits = { lookup: 1e9, lookupOne: 1e9, likingUsers: 1e9 }
const sandbox = keepForFile(await startSandbox({ journal: false, now: () => now, messages: { rateLimits } }))
const urls = forEachService(() => sandbox.url)
const start = (env: Readonly<Record<string, string>> = {}, file?: Readonly<Record<string, unknown>>) =>
  startGraph({ env: { TESSERA_JWT_SECRET: tokenSecret, ...env }, urls, file })

const scopes = [allScopes, allScopes, 'media.read agents.read metrics.read tweet.read', null]
const asked = randomOwnOperations(campaignSize(1000), testSeed, now).map((operation, at) => ({
  ...operation,
  scope: scopes[at % scopes.length] as string | null,
}))

/** Its data, and its errors, which may come in another order. */
const held = ({ data, errors = [] }: Pick<GraphAnswer, 'data' | 'errors'>): unknown => ({
  data,
  errors: errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`).sort(),
})

const alone: unknown[] = []
{
  await using graph = await start({ TESSERA_SHARE_CALLS: 'false', TESSERA_SHARE_EQUAL: 'false' })
  for (const { query, variables, scope } of asked)
    alone.push(held(await graph.ask(query, variables, { scope })))
}

/** Asks all of them, this many at the same time. */
async function expectTheSame(graph: Awaited<ReturnType<typeof start>>, most: number): Promise<void> {
  for (let from = 0; from < asked.length; from += most)
    await Promise.all(
      asked.slice(from, from + most).map(async ({ query, variables, scope }, at) => {
        const answer = await graph.ask(query, variables, { scope })
        expect(held(answer), query).toEqual(alone[from + at])
      }),
    )
}

test('at the same time as others, which share its calls', async () => {
  await using graph = await start()
  await expectTheSame(graph, 50)
})

test('over subgraph services, at the same time as others', async () => {
  await using services = await startServices(sandbox.url)
  await using graph = await start(services.env)
  await expectTheSame(graph, 50)
})

test('from the response cache, after others that read the same objects', async () => {
  const cache = { all: { maxAgeSeconds: 600 } }
  await using graph = await start({ TESSERA_RESPONSE_CACHE_BYTES: '100000000' }, { cache })
  await expectTheSame(graph, 1)
  await expectTheSame(graph, 10)
})

test('as incremental results that are merged', async () => {
  await using graph = await start()
  const schema = buildSchema(readSchemaFile('api'))
  let resultCount = 0
  for (const [at, { query, variables, scope }] of asked.entries()) {
    const deferred = withDirectives(schema, query, testSeed + at)
    // An object by `node` is there before it is known whether it exists, and refusals need an object.
    if (deferred === undefined || scope !== allScopes || /\bnodes?\(/.test(query)) continue
    const headers = { authorization: `Bearer ${await graph.token(scope)}` }
    await using answer = await ask(graph.url, deferred, accept, { headers, variables })
    const all = await answer.rest()
    resultCount += all.length - 1
    expect(held(merged(all)), deferred).toEqual(alone[at])
  }
  expect(resultCount).toBeGreaterThan(asked.length / 10)
})
