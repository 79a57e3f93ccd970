/** Listeners learn about each list of tools or resources that a reload changes, and about no other list. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { listen, send } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const wait = { interval: 20 }

test('listeners learn that tools or resources have changed after a reload', async () => {
  const folder = temporaryFolder()
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  write('config.yaml', `mcp:\n  operations: ${folder}\n`)
  write('one.graphql', '# The quota.\nquery one { mediaQuota { used } }')
  let env: Record<string, string> = { TESSERA_CONFIG: join(folder, 'config.yaml'), TESSERA_MCP: 'true' }
  await using graph = await startGraph({ env: () => env })
  // Asked again each time: the official client keeps a list for as long as it may.
  const tools = async (): Promise<readonly string[]> =>
    (await send(graph, 'tools/list')).json.result.tools.map(({ name }: { name: string }) => name)
  expect(await tools()).toContain('one')
  await using stream = await listen(graph, { toolsListChanged: true, resourcesListChanged: true })
  await using deaf = await listen(graph, { resourcesListChanged: true })
  const told = (messages: readonly { method?: string }[]) => messages.map(({ method }) => method)
  await expect.poll(() => stream.messages.length + deaf.messages.length, wait).toBe(2)
  expect(stream.messages[0]).toMatchObject({
    params: { notifications: { toolsListChanged: true, resourcesListChanged: true } },
  })
  const [acknowledged] = told(stream.messages)

  // No notification follows a generation with the same lists.
  expect(await graph.gateway.reload()).toMatchObject({ kind: 'done' })
  write('two.graphql', '# The quota again.\nquery two { mediaQuota { limit } }')
  expect(await graph.gateway.reload()).toMatchObject({ kind: 'done' })
  const ofTools = 'notifications/tools/list_changed'
  await expect.poll(() => told(stream.messages), wait).toEqual([acknowledged, ofTools])
  expect(await tools()).toContain('two')

  // What does not fit the graph changes nothing.
  write('three.graphql', 'query three { nothing }')
  expect(await graph.gateway.reload()).toMatchObject({
    kind: 'refused',
    reasons: [expect.stringContaining('three.graphql: three: Cannot query field')],
  })
  rmSync(join(folder, 'three.graphql'))
  env = { ...env, TESSERA_INTROSPECTION: 'false' }
  expect(await graph.gateway.reload()).toMatchObject({ kind: 'done' })
  const ofResources = 'notifications/resources/list_changed'
  await expect.poll(() => told(stream.messages), wait).toEqual([acknowledged, ofTools, ofTools, ofResources])
  await expect.poll(() => told(deaf.messages), wait).toEqual([acknowledged, ofResources])
  expect(await tools()).not.toContain('search_schema')
})

test('a caller has as many streams as subscriptions, and leaves those of others free', async () => {
  await using graph = await startGraph({ env: { TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER: '1' } })
  const wanted = { toolsListChanged: true }
  const own = await listen(graph, wanted)
  await using refused = await listen(graph, wanted)
  expect(refused.messages).toMatchObject([
    { error: { message: expect.stringContaining('maximum of streams') } },
  ])
  await using other = await listen(graph, wanted, { scope: allScopes })
  await expect
    .poll(() => other.messages, wait)
    .toMatchObject([{ method: expect.stringContaining('acknowledged') }])
  await own[Symbol.asyncDispose]()
  await expect
    .poll(async () => {
      await using next = await listen(graph, wanted)
      return next.headers.get('content-type')
    }, wait)
    .toContain('text/event-stream')
})

test.each([
  { of: 'lists', filter: { toolsListChanged: true } },
  { of: 'a resource', filter: { resourceSubscriptions: ['tessera://quota'] } },
])('a gateway that stops ends a stream of $of, however old it is', async ({ filter }) => {
  await using graph = await startGraph({ env: { TESSERA_SHUTDOWN_GRACE_MS: '600000' } })
  await using stream = await listen(graph, filter, { scope: allScopes })
  await expect.poll(() => stream.messages.length, wait).toBeGreaterThan(0)
  // What the stream needs must be held for as long as it is open.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await graph.gateway.stop()
  await expect.poll(() => stream.isOver, wait).toBe(true)
  // Without it a client takes the stream for lost.
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 }
  expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete', _meta } })
})
