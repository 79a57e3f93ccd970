/** The MCP server as its clients meet it over HTTP: methods, pages of other sites, bodies, revisions, challenges. */
import { expect, test } from 'vitest'
import { doorOf, listen, send, startAgent } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { graphForFile } from '../../support/graph-for-file.ts'

const graph = await graphForFile()

const callMessages = { name: 'messagesById', arguments: { messageIds: ['20'] } }

test('messages are sent only by POST', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(doorOf(graph), { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  }
})

test('a page of another site is refused, and one that the configuration names is not', async () => {
  await using graph = await startGraph({ env: { TESSERA_CORS_ORIGINS: '*,https://agents.example.com' } })
  const from = async (origin: string): Promise<number> =>
    (await send(graph, 'tools/list', {}, { headers: { origin } })).status
  expect(await from('https://evil.example')).toBe(403)
  expect(await from('null')).toBe(403)
  // A number does not stand for this server by itself: it may be anybody's.
  expect(await from('http://203.0.113.7')).toBe(403)
  expect(await from('https://agents.example.com')).toBe(200)
  expect(await from(new URL(graph.gateway.url).origin)).toBe(200)
})

test('an invalid message is refused with a sentence', async () => {
  await using graph = await startGraph({ env: { TESSERA_MAX_BODY_BYTES: '4096' } })
  const broken = await send(graph, 'tools/list', {}, { body: '{"jsonrpc":' })
  expect([broken.status, broken.json.error.code]).toEqual([400, -32700])
  const batch = await send(graph, 'tools/list', {}, { body: '[]' })
  expect([batch.status, batch.json.error.code]).toEqual([400, -32600])
  const text = await send(graph, 'tools/list', {}, { headers: { 'content-type': 'text/plain' } })
  expect(text.status).toBe(415)
  const large = await send(graph, 'tools/list', {}, { body: JSON.stringify({ a: 'x'.repeat(5000) }) })
  expect([large.status, large.json.error.message]).toEqual([
    413,
    'The request body is larger than 4096 bytes.',
  ])
})

test.each([
  ['*/*', 'text/event-stream'],
  ['text/html, */*;q=0.8', 'text/event-stream'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json', 'application/json'],
  ['application/json, text/event-stream;q=0', 'application/json'],
])('a client of 2025-11-25 that accepts %s gets %s', async (accept, type) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: callMessages })
  const older = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined }
  const { status, headers, text } = await send(
    graph,
    '',
    {},
    { body, headers: { ...older, accept }, scope: allScopes },
  )
  expect([status, headers.get('content-type')]).toEqual([200, type])
  const answer = type === 'application/json' ? text : text.replace(/^event: message\ndata: /, '')
  expect(JSON.parse(answer)).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } })
})

test('headers that say otherwise than the body are refused', async () => {
  const method = await send(graph, 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })
  expect([method.status, method.json.error.code]).toEqual([400, -32020])
  const name = await send(graph, 'tools/call', callMessages, { headers: { 'mcp-name': 'mediaQuota' } })
  expect([name.status, name.json.error.code]).toEqual([400, -32020])
})

test('the server tells what it can, and lists may be kept for a while', async () => {
  const discovered = await send(graph, 'server/discover')
  expect(discovered.json.result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 300_000,
    cacheScope: 'public',
  })
  const { result } = (await send(graph, 'tools/list')).json
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
})

test.each(['2026-07-28', '2025-11-25'])('a client of revision %s lists and calls tools', async (revision) => {
  await using agent = await startAgent(graph, { revision })
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toContain('chartVideos')
  const { json } = await agent.call('chartVideos', { first: 1 })
  expect(json.data.chartVideos.nodes).toHaveLength(1)
})

test('an unknown tool is an error of the protocol that says how to list the tools', async () => {
  const { json } = await send(graph, 'tools/call', { name: 'nothing', arguments: {} })
  expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('tools/list') })
})

test('without a token a tool that needs scopes is 401, with all scopes in one challenge and nothing called', async () => {
  const { status, headers } = await send(graph, 'tools/call', callMessages)
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${graph.gateway.url}/.well-known/oauth-protected-resource/mcp", scope="tweet.read users.read"`,
  )
  expect(graph.sandbox.journal).toEqual([])
})

test('with a token that lacks scopes it is 403 insufficient_scope, in either revision', async () => {
  const modern = await send(graph, 'tools/call', callMessages, { scope: 'users.read' })
  const legacy = await send(graph, 'tools/call', callMessages, {
    scope: 'users.read',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: callMessages }),
    headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined },
  })
  for (const { status, headers } of [modern, legacy]) {
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope", scope="users.read tweet.read"$/,
    )
  }
  expect(graph.sandbox.journal).toEqual([])
})

test('a client that requests exactly what a challenge names steps up once, and loses nothing', async () => {
  let scope = 'media.read tweet.read users.read'
  const call = (name: string, args: object) => send(graph, 'tools/call', { name, arguments: args }, { scope })
  const refused = await call('messageLikes', { messageId: '20' })
  ;[, scope = ''] = /scope="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  expect(scope).toBe('media.read tweet.read users.read like.read')
  expect((await call('messageLikes', { messageId: '20' })).status).toBe(200)
  expect((await call(callMessages.name, callMessages.arguments)).status).toBe(200)
})

test('fields of a prepared operation that lack the same are told once, and each field of a document', async () => {
  const { json } = await send(graph, 'tools/call', callMessages, { scope: 'metrics.read' })
  const lacks = 'requires `tweet.read` and `users.read`. This caller lacks them.'
  expect(json.error.message).toBe(`Query.messages ${lacks}`)
  const document =
    '{ message(messageId: "20") { text } messages(messageIds: ["20"]) { text } again: message(messageId: "21") { text } }'
  const params = { name: 'execute_operation', arguments: { document } }
  const whole = await send(graph, 'tools/call', params, { scope: 'metrics.read' })
  expect(whole.json.error.message).toBe(`Query.message ${lacks} Query.messages ${lacks}`)
})

test('a challenge begins with Bearer, also if DPoP is accepted', async () => {
  await using graph = await startGraph({ env: { TESSERA_DPOP: 'accept' } })
  const { headers } = await send(graph, 'tools/call', callMessages)
  // The client of the official library before its version 2 reads no other scheme, and only at the beginning.
  expect(headers.get('www-authenticate')).toMatch(
    /^Bearer resource_metadata="[^"]+", scope="tweet.read users.read", DPoP .*, algs="ES256 /,
  )
})

test('a token that is wrong is 401 for every message', async () => {
  const { status, headers } = await send(graph, 'tools/list', {}, { headers: { authorization: 'Bearer no' } })
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toMatch(/error="invalid_token"/)
})

test('the metadata of the resource are about the address of agents', async () => {
  const response = await fetch(`${graph.gateway.url}/.well-known/oauth-protected-resource/mcp`)
  const { resource, scopes_supported: scopes } = (await response.json()) as {
    resource: string
    scopes_supported: string[]
  }
  expect(resource).toBe(`${graph.gateway.url}/mcp`)
  expect(scopes).toContain('tweet.read')
})

test('/llms.txt leads to the address of agents', async () => {
  const response = await fetch(`${graph.gateway.url}/llms.txt`)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toContain(`(${graph.gateway.url}/mcp)`)
})

test('the endpoint is closed if the configuration says so', async () => {
  await using graph = await startGraph({ env: { TESSERA_MCP: 'false' } })
  expect((await fetch(doorOf(graph), { method: 'POST', body: '{}' })).status).toBe(404)
  expect((await fetch(`${graph.gateway.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404)
})

test('if tokens are those of a real issuer, agents are served only if that is configured', async () => {
  const env = { TESSERA_JWT_SECRET: 'a-secret-of-at-least-thirty-two-characters' }
  await using closed = await startGraph({ env })
  expect((await fetch(doorOf(closed), { method: 'POST', body: '{}' })).status).toBe(404)
  await using open = await startGraph({ env: { ...env, TESSERA_MCP: 'true' } })
  expect((await send(open, 'tools/list')).status).toBe(200)
})

test('a client that listens gets a stream of events, which ends with the server', async () => {
  const graph = await startGraph()
  await using stream = await listen(graph, { toolsListChanged: true })
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  await expect.poll(() => stream.messages[0]?.method).toBe('notifications/subscriptions/acknowledged')
  await graph[Symbol.asyncDispose]()
  await expect.poll(() => stream.isOver).toBe(true)
})
