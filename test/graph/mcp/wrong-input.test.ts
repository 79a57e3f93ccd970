/** Wrong input is reported in a sentence that says what was expected. */
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { send, startAgent } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'

const video = sampleVideos.own[0]
const graph = keepForFile(await startGraph({ file: { mcp: { changes: 'confirm' } } }))
const agent = keepForFile(await startAgent(graph))

const comment = { videoId: video, text: 'From an agent.' }

test.each<[what: string, tool: string, args: Record<string, unknown>, expected: RegExp]>([
  ['an argument of another type', 'chartVideos', { first: 'ten' }, /\$first.*Int/],
  ['an argument that there is not', 'chartVideos', { frist: 1 }, /there is no frist; expected first, after/],
  ['an argument that is missing', 'videosById', {}, /"code":"BAD_USER_INPUT".*\$videoIds.*required/],
  [
    'a bound that is too small',
    'chartVideos',
    { maxTokens: 5 },
    /^Wrong arguments: maxTokens: expected a whole number of at least 200, got 5\.$/,
  ],
  [
    'a document that is none',
    'execute_operation',
    { document: 1 },
    /^Wrong arguments: document: expected a text of 1 to 20000 characters, got 1\.$/,
  ],
  [
    'a subscription that is to be explained',
    'explain_operation',
    { document: 'subscription { alertChanged { change } }' },
    /cannot be answered here/,
  ],
  [
    'words that are too long',
    'search_schema',
    { words: 'a'.repeat(501) },
    /of 1 to 500 characters, got a text of 501 characters\.$/,
  ],
  ['a handle that is missing', 'more', {}, /^Wrong arguments: handle: expected a text of .*, got nothing\.$/],
  ['a bound that is a text', 'more', { handle: '0-a', maxTokens: '500' }, /at least 200, got "500"\.$/],
  [
    'a word that there is not',
    'execute_operation',
    { document: '{ a }', onError: 'SKIP' },
    /: onError: expected NULL or PROPAGATE or HALT, got "SKIP"\.$/,
  ],
  [
    'coordinates that are a text',
    'describe_schema',
    { coordinates: 'Video' },
    /: coordinates: expected a list of 1 to 20 coordinates, got "Video"\.$/,
  ],
  [
    'no coordinate',
    'describe_schema',
    { coordinates: [] },
    /: coordinates: expected a list of 1 to 20 coordinates, got a list of 0 items\.$/,
  ],
  [
    'a coordinate that is none',
    'describe_schema',
    { coordinates: ['Video', 1] },
    /: coordinates\.1: expected a text of 1 to 200 characters, got 1\.$/,
  ],
  [
    'an argument that a tool has not',
    'search_schema',
    { words: 'a', limit: 1 },
    /: there is no limit; expected words\.$/,
  ],
  ['an argument of a tool that has none', 'budget', { per: 'day' }, /^Wrong arguments: there is no per\.$/],
  ['a handle that nobody has', 'more', { handle: '0-aaaaaaaaaaaaaaaa' }, /another caller’s, older/],
  ['a confirmation that was altered', 'insertComment', { ...comment, confirmation: 'x.y' }, /it was altered/],
])('%s is a result that says what was expected', async (_what, tool, args, expected) => {
  const before = graph.sandbox.journal.length
  const { isError, text } = await agent.call(tool, args)
  expect([isError, text]).toEqual([true, expect.stringMatching(expected)])
  expect(graph.sandbox.journal.length).toBe(before)
})

test('an argument that is null is left out, as one of an operation may be', async () => {
  const args = { document: '{ __typename }', variables: null, maxTokens: null, onError: null }
  const { isError, json } = await agent.call('execute_operation', args)
  expect([isError, json]).toEqual([false, { data: { __typename: 'Query' } }])
  const missing = await agent.call('search_schema', { words: null })
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('words')])
  const { json: all } = await send(graph, 'tools/call', { name: 'mediaQuota', arguments: null })
  expect(all.result.content[0].text).toMatch(/^{"data":{"mediaQuota":{/)
})

test.each<[what: string, params: Record<string, unknown>, expected: RegExp]>([
  ['arguments that are no object', { name: 'chartVideos', arguments: [] }, /arguments/],
  ['a call without a name', { arguments: {} }, /name/i],
])('%s is an error of the protocol with a sentence', async (_what, params, expected) => {
  const answer = await send(graph, 'tools/call', params, { scope: allScopes })
  expect([answer.status, answer.json.error.message]).toEqual([200, expect.stringMatching(expected)])
})

test('arguments of thousands of levels are a result that says so, also of a change that seems confirmed', async () => {
  const levels = 3400
  const variables = { text: 'a', more: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) }
  const document = `mutation ($text: String!) {
    insertCommentThread(input: { videoId: "${video}", textOriginal: $text }) { commentThread { threadId } }
  }`
  const logged = graph.log.length
  const params = { name: 'execute_operation', arguments: { document, variables, confirmation: 'x.y' } }
  const { json } = await send(graph, 'tools/call', params, { scope: allScopes })
  expect(json.result).toMatchObject({
    isError: true,
    content: [{ text: 'Wrong arguments: they have too many lists and objects within each other.' }],
  })
  expect(graph.log.slice(logged).map((line) => JSON.parse(line).outcome)).toContain('OPERATION_TOO_LARGE')
})
