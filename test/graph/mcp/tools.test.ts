/** The tools of the MCP server over the sandbox: what is listed, what each answers, what is counted and logged. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { send, startAgent } from '../../support/agent.ts'
import { startGraph } from '../../support/graph.ts'
import { graphForFile } from '../../support/graph-for-file.ts'
import { keepForFile } from '../../support/keep.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'

const graph = await graphForFile()
const agent = keepForFile(await startAgent(graph))

const video = 'u62wyH56M7e'

/** Arguments for each of our operations, and something that its answer has. */
const usual: Readonly<Record<string, readonly [args: object, found: string]>> = {
  agentIntents: [{ project: 'demo' }, '"intents"'],
  chartVideos: [{ first: 2 }, '"hasNextPage":true'],
  detectIntent: [{ project: 'demo', session: 's1', text: 'hello' }, '"fulfillmentText"'],
  mediaQuota: [{}, '"resetsAt"'],
  messageLikes: [{ messageId: '1780000000000000000' }, '"likingUsers"'],
  messagesById: [{ messageIds: ['20'] }, '"messageId":"20"'],
  metricsAlerts: [{}, '"TargetDown"'],
  metricsNow: [{ query: 'up' }, '"__name__":"up"'],
  metricsOverTime: [
    { query: 'vector(1)', start: 1_795_000_000, end: 1_795_000_060, step: '30s' },
    '"samples"',
  ],
  metricsRules: [{ first: 1 }, '"rules"'],
  videoComments: [{ videoId: video, first: 2 }, '"threadId"'],
  videosById: [{ videoIds: [video] }, `"videoId":"${video}"`],
}

test('the list is the same for everybody, by name, and at most 3,000 tokens', async () => {
  const mine = await send(graph, 'tools/list', {}, { scope: 'media.read' })
  const theirs = await send(graph, 'tools/list')
  const { tools } = mine.json.result
  expect(theirs.json.result.tools).toEqual(tools)
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual([...names].sort())
  expect(names).toEqual(expect.arrayContaining(Object.keys(usual)))
  const bytes = tools.reduce((sum: number, tool: object) => sum + Buffer.byteLength(JSON.stringify(tool)), 0)
  expect(bytes / 4).toBeLessThanOrEqual(3_000)
})

test('each of our operations answers over the sandbox', async () => {
  for (const [name, [args, found]] of Object.entries(usual)) {
    const { text, isError } = await agent.call(name, { ...args })
    expect([name, isError, text.includes(found)], text).toEqual([name, false, true])
  }
})

test('a definition tells what the tool does, needs and costs', async () => {
  const { tools } = (await send(graph, 'tools/list')).json.result
  const tool = tools.find(({ name }: { name: string }) => name === 'videosById')
  expect(tool).toEqual({
    name: 'videosById',
    description: expect.stringMatching(/^Videos by their ids\. Reads, 1 unit, ~\d+ tokens\.$/),
    inputSchema: {
      type: 'object',
      properties: { videoIds: { type: 'array', items: { type: 'string' } }, maxTokens: { type: 'integer' } },
      required: ['videoIds'],
    },
    annotations: { readOnlyHint: true },
  })
  const likes = tools.find(({ name }: { name: string }) => name === 'messageLikes')
  expect(likes.description).toContain('needs tweet.read users.read like.read')
})

test('no schema is closed, because a library of clients reads none that is', async () => {
  const { tools } = await agent.client.listTools()
  const schemas = tools.map(({ inputSchema }) => JSON.stringify(inputSchema))
  expect(schemas.filter((schema) => schema.includes('additionalProperties'))).toEqual([])
})

test('instructions and definitions tell the units and bounds of what a model sends and gets', async () => {
  expect(agent.client.getInstructions()).toMatch(
    /price in quota units, .* tokens of 4 bytes, which `maxTokens` \(200 or more\) bounds/,
  )
  const { tools } = await agent.client.listTools()
  const undescribed = tools.flatMap(({ name, inputSchema }) =>
    ['limit', 'step', 'text', 'languageCode']
      .filter((argument) => {
        const property = inputSchema.properties?.[argument] as { readonly description?: string } | undefined
        return property !== undefined && property.description === undefined
      })
      .map((argument) => `${name}.${argument}`),
  )
  expect(undescribed).toEqual([])
})

test('changes are no tools, and are refused in documents, before anything is called', async () => {
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('insertComment')
  const before = graph.sandbox.journal.length
  const document = `mutation { deleteVideo(input: { videoId: "${video}" }) { deletedVideoId } }`
  const { isError, text } = await agent.call('execute_operation', { document })
  expect([isError, text]).toEqual([true, expect.stringContaining('mcp.changes')])
  expect(graph.sandbox.journal.length).toBe(before)
})

test('a call of which everything has failed is an error, and one of which something is left is none', async () => {
  const failed = await agent.call('metricsNow', { query: 'up{' })
  expect([failed.isError, failed.json.data]).toEqual([true, { metrics: { query: null } }])
  expect(failed.json.errors[0]).toMatchObject({ code: 'BAD_USER_INPUT', path: 'metrics.query' })
  const videoIds = await agent.call('videosById', { videoIds: ['!', '?'] })
  expect([videoIds.isError, videoIds.json.data]).toEqual([true, { videos: [null, null] }])
  expect((await agent.call('videosById', { videoIds: ['!', video] })).isError).toBe(false)
  const document =
    '{ metrics { query(query: "up{") { series { labels { name } } } now: query(query: "none") { series { labels { name } } } } }'
  const partial = await agent.call('execute_operation', { document })
  expect([partial.isError, partial.json.data]).toEqual([
    false,
    { metrics: { query: null, now: { series: [] } } },
  ])
  const metrics = await (await fetch(`${graph.gateway.url}/metrics`)).text()
  expect(metrics).toMatch(/tessera_mcp_calls_total\{tool="metricsNow",outcome="BAD_USER_INPUT"\} 1/)
})

test('a model finds, reads, checks and runs its own operation', async () => {
  const found = await agent.call('search_schema', { words: 'comments of a video' })
  expect(found.json.found[0]).toMatchObject({
    at: expect.stringContaining('Video.commentThreads('),
    path: 'query.video.commentThreads',
  })
  const { found: writes } = (await agent.call('search_schema', { words: 'insert comment thread' })).json
  expect(writes[0].about).toMatch(/ Requires `media\.\S+`\. Costs 50 quota units\.$/)
  const described = await agent.call('describe_schema', { coordinates: ['Video.commentThreads', 'Nothing'] })
  expect(described.text).toContain('commentThreads(first: Int')
  expect(described.text).toContain('Costs 1 quota unit')
  expect(described.text).toContain('Not in the schema: Nothing')
  const document = `query Q($id: ID!) { video(videoId: $id) { snippet { title } fileDetails { fileName } } }`
  const before = graph.sandbox.journal.length
  await using reader = await startAgent(graph, { scope: 'media.read' })
  const explained = await reader.call('explain_operation', { document, variables: { id: video } })
  expect(explained.json).toMatchObject({
    valid: true,
    scopes: { missing: ['media.owner'] },
    calls: { videos: expect.any(Number) },
    tokens: expect.any(Number),
  })
  const wrong = await agent.call('explain_operation', { document: '{ nothing }' })
  expect(wrong.json).toMatchObject({ valid: false, errors: [{ code: 'GRAPHQL_VALIDATION_FAILED' }] })
  const missing = await agent.call('explain_operation', { document })
  expect(missing.json).toMatchObject({
    valid: false,
    errors: [{ code: 'BAD_USER_INPUT', message: expect.stringContaining('$id') }],
    tokens: expect.any(Number),
  })
  expect(graph.sandbox.journal.length).toBe(before)
  const partial = await reader.call('execute_operation', { document, variables: { id: video } })
  expect(partial.json.data.video.fileDetails).toBeNull()
  expect(partial.json.errors).toEqual([
    expect.objectContaining({
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      path: 'video.fileDetails',
      scopes: ['media.owner'],
      cure: expect.any(String),
    }),
  ])
})

test('an explanation says how many items fit', async () => {
  const document =
    '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { snippet { title description } commentThreads(first: 50) { nodes { topLevelComment { textDisplay } } } } } }'
  const { json } = await agent.call('explain_operation', { document })
  expect(json.tokens).toBeGreaterThan(8_000)
  expect(json.hint).toMatch(/^With first: \d+ the answer fits/)
})

test('if clients may not see the schema no tool shows it', async () => {
  await using graph = await startGraph({ env: { TESSERA_INTROSPECTION: 'false' } })
  const { tools } = (await send(graph, 'tools/list')).json.result
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toContain('execute_operation')
  expect(names).not.toContain('search_schema')
  expect(names).not.toContain('describe_schema')
})

test('operations of a folder are the tools, and a catalogue if they are too many for a list', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'one.graphql'),
    '"The title of a video." query title($id: ID!) { video(videoId: $id) { snippet { title } } }',
  )
  writeFileSync(join(folder, 'two.gql'), 'query text { messages(messageIds: ["20"]) { text } }')
  {
    await using graph = await startGraph({ file: { mcp: { operations: folder } } })
    const { tools } = (await send(graph, 'tools/list')).json.result
    const names = tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['title', 'text']))
    expect(names).not.toContain('chartVideos')
  }
  await using graph = await startGraph({ file: { mcp: { operations: folder, maxListTokens: 200 } } })
  await using agent = await startAgent(graph)
  const { tools } = await agent.client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['find_operation', 'describe_operation', 'run_operation']))
  expect(names).not.toContain('title')
  const found = await agent.call('find_operation', { words: 'titles of videos' })
  expect(found.json.operations[0].name).toBe('title')
  // Common words do not count.
  const asked = await agent.call('find_operation', { words: 'what is the text of it' })
  expect(asked.json.operations[0].name).toBe('text')
  const described = await agent.call('describe_operation', { name: 'title' })
  expect(described.json.inputSchema.required).toEqual(['id'])
  const run = await agent.call('run_operation', { name: 'title', variables: { id: video } })
  expect(run.json.data.video.snippet.title).toContain('The first soup')
  const refused = await send(
    graph,
    'tools/call',
    { name: 'run_operation', arguments: { name: 'text' } },
    { scope: 'media.read' },
  )
  expect(refused.status).toBe(403)
  expect(refused.headers.get('www-authenticate')).toContain('scope="media.read tweet.read users.read"')
})

test("a model's own operation is completed by its onError", async () => {
  const document = '{ __typename metrics { query(query: "sum(") { resultType } } }'
  const run = async (onError?: string) => (await agent.call('execute_operation', { document, onError })).json
  expect((await run()).data).toMatchObject({ __typename: 'Query' })
  expect((await run('HALT')).data).toBeNull()
  const wrong = await agent.call('execute_operation', { document, onError: 'IGNORE' })
  expect([wrong.isError, wrong.text]).toEqual([true, expect.stringMatching(/onError: expected NULL or/)])
})

test('if only trusted operations are executed, those are the tools', async () => {
  const body = 'query trusted { chartVideos(chart: MOST_POPULAR, first: 2) { nodes { videoId } } }'
  const manifest = temporaryFile(
    'manifest.json',
    JSON.stringify({ operations: [{ id: hashOf(body), body }] }),
  )
  await using graph = await startGraph({
    env: { TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: manifest },
  })
  await using agent = await startAgent(graph)
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['budget', 'more', 'trusted'])
  const { json } = await agent.call('trusted')
  expect(json.data.chartVideos.nodes).toHaveLength(2)
})

test('each call has one line in the log, without a value of a variable, and is counted', async () => {
  await using graph = await startGraph()
  await using agent = await startAgent(graph)
  await agent.call('videoComments', { videoId: video, words: 'a secret of mine' })
  const lines = graph.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'agent call')
  expect(lines).toEqual([
    expect.objectContaining({
      tool: 'videoComments',
      client: 'test-agent',
      variables: ['videoId', 'words'],
      calls: expect.any(Number),
      units: expect.any(Number),
      tokens: expect.any(Number),
      outcome: 'ok',
    }),
  ])
  expect(graph.log.join('')).not.toContain('a secret of mine')
  const metrics = await graph.gateway.metrics.text()
  expect(metrics).toMatch(/tessera_mcp_calls_total\{tool="videoComments",outcome="ok"\} 1/)
})
