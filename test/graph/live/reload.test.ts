/** Subscriptions that begin, or have an event under way, while another generation of the graph takes over. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineHooks } from '../../../gateway/hooks/index.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { configFrom } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'
import { byNumber, createLiveGraph, liveSupergraph, withOne } from '../../support/live-graph.ts'
import { startScripted } from '../../support/scripted-service.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { tokenSecret } from '../../support/token.ts'
import { connect, follow, followTicks, start, wait } from './kit.ts'

const query = 'subscription { ticked { number name } }'

/** A gateway whose `names` is a service that answers each lookup when the test lets it. */
async function startWithHeldNames() {
  const graph = createLiveGraph()
  const answers: (() => void)[] = []
  const names = keep(
    await startScripted(async ({ body }) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      const [{ id }] = body.variables[Object.keys(body.variables)[0] ?? '']
      return { body: { data: { _entities: [{ __typename: 'Tick', name: `tick ${id}` }] } } }
    }),
  )
  const live = await start({ graph: withOne(graph, 'clock', { names: `${names.url}/graphql` }) })
  return { live, graph, answers }
}

test('one that begins on the graph of before is asked to begin again if its plan is another one now', async () => {
  const graph = createLiveGraph()
  const holding = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let begun = 0
  const live = await start({
    graph,
    hooks: defineHooks({
      async onOperation() {
        begun += 1
        if (begun > 1) return
        holding.resolve()
        await held.promise
      },
    }),
  })
  const following = followTicks(() => live.wsUrl, query)
  await holding.promise
  graph.supergraph = liveSupergraph(graph, { change: byNumber })
  expect(await live.gateway.reload()).toMatchObject({ kind: 'done' })
  held.resolve()
  await expect.poll(() => following.closed, wait).toEqual([1012])
  await expect.poll(() => graph.listening(), wait).toBe(1)
  expect(begun).toBe(2)
  following.stop()
})

test('one that the subgraph has not accepted yet is asked to begin again as well', async () => {
  const silent = keep(await listen(createServer()))
  const graph = withOne(createLiveGraph(), 'names', { clock: silent.url })
  const live = await start({ graph })
  const following = followTicks(() => live.wsUrl, query)
  await expect.poll(() => silent.sockets.size, wait).toBe(1)
  graph.supergraph = liveSupergraph(graph, { clock: silent.url, change: byNumber })
  await live.gateway.reload()
  await expect.poll(() => following.closed, wait).toEqual([1012])
  following.stop()
})

test('an event that a remote subgraph completes during a reload is whole, and so is the next one', async () => {
  const { live, graph, answers } = await startWithHeldNames()
  const { results } = follow(connect(live), query)
  await expect.poll(() => graph.listening(), wait).toBe(1)
  for (const number of [1, 2]) {
    graph.tick(number)
    await expect.poll(() => answers.length, wait).toBe(number)
    expect(await live.gateway.reload()).toMatchObject({ kind: 'done' })
    answers[number - 1]?.()
    await expect.poll(() => results.length, wait).toBe(number)
  }
  expect(results.map(({ data, errors }) => ({ ...data?.ticked, errors }))).toEqual([
    { number: 1, name: 'tick a1', errors: undefined },
    { number: 2, name: 'tick a2', errors: undefined },
  ])
})

test('the newest graph decides about a subscription, also if an earlier one decides later', async () => {
  const graph = createLiveGraph()
  const before = graph.supergraph
  const held = Promise.withResolvers<void>()
  let deciding: PromiseWithResolvers<void> | undefined
  const live = await start({
    graph,
    hooks: defineHooks({
      async onIdentity() {
        const first = deciding
        deciding = undefined
        if (first === undefined) return
        first.resolve()
        await held.promise
      },
    }),
  })
  const following = followTicks(() => live.wsUrl, query)
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(1)
  const holding = Promise.withResolvers<void>()
  deciding = holding
  graph.supergraph = liveSupergraph(graph, { change: byNumber })
  await live.gateway.reload()
  await holding.promise
  graph.supergraph = before
  await live.gateway.reload()
  held.resolve()
  graph.tick(1)
  await expect.poll(() => following.numbers, wait).toEqual([1])
  expect([graph.subscribed(), following.closed]).toEqual([1, []])
  following.stop()
})

/** A gateway with the hooks of a file, if it has any, which a reload reads again. */
async function startWithFile(before: string | undefined) {
  const path = join(temporaryFolder(), 'hooks.mjs')
  const env = { TESSERA_JWT_SECRET: tokenSecret, TESSERA_EXPLORER: 'off' }
  const withHooks = configFrom({ ...env, TESSERA_HOOKS: path })
  if (before !== undefined) writeFileSync(path, `export default { ${before} }`)
  const graph = createLiveGraph()
  const live = await start({
    graph,
    ...(before === undefined ? {} : { file: { hooks: { file: path } } }),
    reread: async () => ({ config: withHooks, supergraph: graph.supergraph }),
  })
  const reload = (hooks: string): ReturnType<typeof live.gateway.reload> => {
    writeFileSync(path, `export default { ${hooks} }`)
    return live.gateway.reload()
  }
  return { live, graph, reload }
}

test('hooks that a reload adds decide about subscriptions of before, whose clients begin them again', async () => {
  const { live, graph, reload } = await startWithFile(undefined)
  const { errors, results } = follow(connect(live, { retryAttempts: 5, shouldRetry: () => true }), query)
  await expect.poll(() => graph.listening(), wait).toBe(1)
  await reload(`onIdentity: () => ({ refuse: { message: 'Not today.', code: 'CLOSED' } })`)
  await expect.poll(() => errors, wait).toMatchObject([[{ extensions: { code: 'CLOSED' } }]])
  expect([results, graph.listening()]).toEqual([[], 0])
})

test('an answer that a hook of a reload changes for one caller reaches no other', async () => {
  const { live, graph, reload } = await startWithFile('onRequest: () => {}')
  const followed = ['ada', 'bob'].map((user) => follow(connect(live, { headers: { 'x-user': user } }), query))
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
  expect(graph.subscribed()).toBe(1)
  await reload(`onAnswer: ({ headers }) => ({ extensions: { of: headers['x-user'] } })`)
  // Those before are still executed by the hooks of before.
  let number = 0
  const changed = () =>
    followed.map(
      ({ results }) => results.find(({ extensions }) => extensions && 'of' in extensions)?.extensions,
    )
  await expect
    .poll(() => {
      number += 1
      graph.tick(number)
      return changed()
    }, wait)
    .toMatchObject([{ of: 'ada' }, { of: 'bob' }])
})

test('an operation that a reload takes from the trusted ones gets no further events', async () => {
  const graph = createLiveGraph()
  const place = { persisted: { mode: 'trusted', manifest: temporaryFile('manifest.json', '{}') } }
  const manifestOf = (...texts: string[]) =>
    JSON.stringify({ operations: texts.map((body) => ({ id: hashOf(body), body })) })
  const other = 'query { version }'
  let manifest = manifestOf(query, other)
  const path = temporaryFile('tessera.json', JSON.stringify(place))
  const trusting = configFrom({
    TESSERA_JWT_SECRET: tokenSecret,
    TESSERA_EXPLORER: 'off',
    TESSERA_CONFIG: path,
  })
  const live = await start({
    graph,
    file: place,
    manifest,
    reread: async () => ({ config: trusting, supergraph: graph.supergraph, manifest }),
  })
  const { errors, results } = follow(connect(live, { retryAttempts: 5, shouldRetry: () => true }), query)
  await expect.poll(() => graph.listening(), wait).toBe(1)
  await live.gateway.reload()
  graph.tick(1)
  await expect.poll(() => results.length, wait).toBe(1)
  manifest = manifestOf(other)
  await live.gateway.reload()
  await expect.poll(() => errors, wait).toMatchObject([[{ extensions: { code: 'PERSISTED_QUERY_ONLY' } }]])
  expect(graph.listening()).toBe(0)
})
