/**
 * Resources and their change notifications: read like the results of tools, and updated by the pollers of the graph.
 */
import { expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { listen, send, startAgent } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { startServices } from '../../support/services.ts'

const wait = { interval: 20 }
const video = sampleVideos.own[0] ?? ''
const comments = `tessera://videos/${video}/comments`

const sandbox = keepForFile(await startSandbox())
// Polled so often that a test need not wait.
const pace = { defaultMs: 100, leastMs: 50, idleMs: 100 }
const videos = keepForFile(await startServices(sandbox.url, {}, ['videos'], { pace }))
const graph = keepForFile(await startGraph({ env: videos.env }))

const read = (uri: string, scope: string | null = allScopes) =>
  send(graph, 'resources/read', { uri }, { scope })

test.each(['2026-07-28', '2025-11-25'])('a client of %s finds and reads resources', async (revision) => {
  await using agent = await startAgent(graph, { revision })
  // A client of 2025-11-25 has no stream for notifications.
  const subscribes = agent.client.getServerCapabilities()?.resources?.subscribe
  expect(subscribes).toBe(revision === '2026-07-28' ? true : undefined)
  const { resources } = await agent.client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['tessera://quota', 'tessera://alerts'])
  const { resourceTemplates } = await agent.client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'tessera://schema/{coordinate}',
    'tessera://videos/{videoId}/comments',
  ])
  const { contents } = await agent.client.readResource({ uri: 'tessera://schema/Video.commentThreads' })
  expect(contents[0]).toMatchObject({
    mimeType: 'text/plain',
    text: expect.stringContaining('commentThreads('),
  })
})

test('what is read is what the tools answer, marked as their answers are', async () => {
  const quota = JSON.parse((await read('tessera://quota')).json.result.contents[0].text)
  expect(quota).toMatchObject({ quota: { used: expect.any(Number) }, changes: 'off' })
  const { result } = (await read(comments)).json
  expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  const [{ text, _meta: meta }] = result.contents
  const { data, marks } = JSON.parse(text)
  const [thread] = data.video.commentThreads.nodes
  expect(thread.topLevelComment.textOriginal).toMatch(new RegExp(`^<<${marks}:.*:${marks}>>$`, 's'))
  expect(meta['tessera/strangers']).toContain(
    '/data/video/commentThreads/nodes/0/topLevelComment/textOriginal',
  )
})

test('a caller who lacks a scope is refused as for a tool, to read and to listen, and nothing is called', async () => {
  const before = graph.sandbox.journal.length
  const anonymous = await read('tessera://alerts', null)
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/scope="rules.read"$/),
  ])
  const lacking = await read('tessera://alerts', 'media.read')
  expect([lacking.status, lacking.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringMatching(/error="insufficient_scope", scope="media.read rules.read"$/),
  ])
  // Events need a separate scope: all missing scopes are named together.
  const resourceSubscriptions = ['tessera://alerts']
  await using deaf = await listen(graph, { resourceSubscriptions }, { scope: 'media.read' })
  expect([deaf.status, deaf.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringMatching(/error="insufficient_scope", scope="media.read rules.read metrics.read"$/),
  ])
  expect(graph.sandbox.journal.length).toBe(before)
})

test('an unknown resource is an error of the protocol that names it', async () => {
  for (const uri of [
    'tessera://schema/Nothing',
    'tessera://schema/__Type',
    'tessera://schema/../quota',
    'tessera://videos/a%2Fb/comments',
    'file:///etc/passwd',
  ]) {
    expect((await read(uri)).json.error).toEqual({
      code: -32602,
      message: 'Resource not found',
      data: { uri },
    })
    await using deaf = await listen(graph, { resourceSubscriptions: [uri] }, { scope: allScopes })
    expect(deaf.messages).toMatchObject([{ error: { code: -32602, data: { uri } } }])
  }
  const many = Array.from({ length: 21 }, (_, n) => `tessera://videos/v${n}/comments`)
  await using deaf = await listen(graph, { resourceSubscriptions: many }, { scope: allScopes })
  expect(deaf.messages).toMatchObject([{ error: { message: expect.stringContaining('At most 20') } }])
})

test('listeners learn about changes, and about nothing else', async () => {
  const wanted = [comments, 'tessera://alerts', 'tessera://schema/Video']
  await using all = await listen(graph, { resourceSubscriptions: wanted }, { scope: allScopes })
  await using other = await listen(graph, { resourceSubscriptions: [comments] }, { scope: 'media.read' })
  await expect.poll(() => other.messages.length, wait).toBe(1)
  // A part of the schema does not change by itself.
  expect(all.messages[0]).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { resourceSubscriptions: [comments, 'tessera://alerts'] } },
  })
  const polls = sandbox.calls('commentThreads.list').length
  await expect.poll(() => sandbox.calls('commentThreads.list').length, wait).toBeGreaterThan(polls)
  sandbox.change('videos', { videoId: video, comment: 'Listen!' })
  const told = (messages: readonly { params?: { uri?: string } }[]) =>
    new Set(messages.slice(1).map(({ params }) => params?.uri))
  await expect.poll(() => told(all.messages), wait).toEqual(new Set([comments, 'tessera://alerts']))
  await expect.poll(() => told(other.messages), wait).toEqual(new Set([comments]))
  expect(all.messages[1]).toMatchObject({
    method: 'notifications/resources/updated',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
  })
})

test('listening ends with its stream', async () => {
  const counted = async (): Promise<string | undefined> =>
    /^tessera_subscriptions (\d+)$/m.exec(await (await fetch(`${graph.gateway.url}/metrics`)).text())?.[1]
  await expect.poll(counted, wait).toBe('0')
  const resourceSubscriptions = [comments, 'tessera://quota']
  {
    await using listening = await listen(graph, { resourceSubscriptions }, { scope: allScopes })
    await expect.poll(() => listening.messages.length, wait).toBeGreaterThan(0)
    expect(await counted()).toBe('2')
  }
  await expect.poll(counted, wait).toBe('0')
  // A message that the protocol refuses leaves nothing behind.
  const { status } = await send(
    graph,
    'subscriptions/listen',
    { notifications: { resourceSubscriptions } },
    { headers: { 'mcp-method': 'tools/list' }, scope: allScopes },
  )
  expect(status).toBe(400)
  await expect.poll(counted, wait).toBe('0')
})

test('a schema that may not be seen is no resource', async () => {
  await using bare = await startGraph({ env: { TESSERA_INTROSPECTION: 'false' } })
  const { json } = await send(bare, 'resources/read', { uri: 'tessera://schema/Video' })
  expect(json.error.code).toBe(-32602)
})
