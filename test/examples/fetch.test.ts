/** The example of plain `fetch`, run as its reader runs it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient, GraphError } from '../../examples/fetch/client.ts'
import { ChartPageDocument } from '../../examples/fetch/operations.generated.ts'
import { itemsOf } from '../../examples/fetch/pages.ts'
import manifest from '../../examples/fetch/persisted.json' with { type: 'json' }
import { type Graph, startGraph } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'

/** A slow machine may take its time; a quick one waits for none of it. */

const root = fileURLToPath(new URL('../..', import.meta.url))

const chartPage = manifest.operations.find(({ name }) => name === 'ChartPage')

let graph: Graph
beforeAll(async () => {
  // Only operations of the manifest are executed, so each of them travels as its hash.
  graph = await startGraph({
    env: {
      TESSERA_PERSISTED: 'trusted',
      TESSERA_PERSISTED_MANIFEST: `${root}/examples/fetch/persisted.json`,
    },
  })
})
afterAll(async () => graph[Symbol.asyncDispose]())
beforeEach(() => graph.sandbox.reset())

function run(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['examples/fetch/main.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, lines: out.trimEnd().split('\n') })),
  )
}
const onGraph = (...args: string[]) => run('--url', graph.url, ...args)

test('walks the chart over its pages, and says what is missing in a partial answer', async () => {
  const { code, lines } = await onGraph('--count', '60')
  expect(code).toBe(0)
  expect(lines[0]).toBe('1. The first escapement (Clockmakers, 18,446,744,073,709,551,615 views)')
  expect(lines.filter((line) => /^\d+\. .+ views\)$/.test(line)).length).toBe(60)
  expect(lines).toContain('The chart cost 2 quota units.')
  expect(lines).toContain('Ada: This made my morning.')
  expect(lines.at(-1)).toBe('! metrics.query: This needs a token with metrics.read.')
})

test('asks for the price of a comment, then writes it', async () => {
  const token = await graph.token('media.write metrics.read')
  const { code, lines } = await onGraph('--count', '1', '--comment', 'Well seen.', '--token', token)
  expect(code).toBe(0)
  expect(lines).toContainEqual(expect.stringMatching(/^\d+ targets are up\.$/))
  expect(lines.slice(-2)).toEqual([
    'The comment will cost 50 quota units (calls: 1 to videos).',
    expect.stringMatching(/^.+: Well seen\. \(50 quota units spent\)$/),
  ])
  expect(graph.sandbox.calls('commentThreads.insert').length).toBe(1)
})

test.each([
  [['--max-units', '40'], 'media.write metrics.read', /^! operation: Too dear: .* 50 units/],
  [[], 'metrics.read', /^! .*requires `media.write`/],
])('writes nothing that is too dear or not allowed (%j, %s)', async (args, scope, words) => {
  const token = await graph.token(scope)
  const { code, lines } = await onGraph('--comment', 'No.', '--token', token, ...args)
  expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(words)])
  expect(graph.sandbox.calls('commentThreads.insert')).toEqual([])
})

test('says in words that a token is wrong, and that there is no answer', async () => {
  // The sandbox still answers what needs no token; what needs one says what is wrong with this one.
  const { code, lines } = await onGraph('--token', 'wrong')
  expect([code, lines.at(-1)]).toEqual([
    1,
    '! operation: Sign in again: the token is missing, wrong or expired.',
  ])
  expect(await run('--url', 'http://127.0.0.1:1/graphql')).toEqual({
    code: 1,
    lines: ['! The graph cannot be reached.'],
  })
})

test('another gateway gets the document once, and knows it by its hash from then on', async () => {
  await using other = await startGraph()
  const client = createClient({ url: other.url })
  const ask = () => client.ask(ChartPageDocument, { first: 1 })
  const titles = [await ask(), await ask()].map(({ data }) => data.chartVideos?.edges[0]?.node.snippet?.title)
  expect(titles).toEqual(['The first escapement', 'The first escapement'])
  const byHash = await postJson(other.url, {
    variables: { first: 1 },
    extensions: { persistedQuery: { version: 1, sha256Hash: chartPage?.id } },
  })
  expect(await byHash.json()).toMatchObject({ data: { chartVideos: { edges: [{}] } } })
})

test('reads no page without taking an item of it', async () => {
  const client = createClient({ url: graph.url })
  const chart = itemsOf(
    async (after) => (await client.ask(ChartPageDocument, { first: 10, after })).data.chartVideos,
  )
  let taken = 0
  for await (const _ of chart) if (++taken === 20) break
  expect(graph.sandbox.calls('videos.list').length).toBe(2)
})

test('an abort ends the call, with its own reason', async () => {
  const stop = new AbortController()
  graph.sandbox.fail({ kind: 'hang', operation: 'videos.list' })
  const client = createClient({ url: graph.url })
  const asked = client.ask(ChartPageDocument, { first: 1 }, stop.signal)
  const reason = new Error('stopped')
  await expect.poll(() => graph.sandbox.calls('videos.list').length).toBe(1)
  stop.abort(reason)
  await expect(asked).rejects.toBe(reason)
  // What failed by itself is a GraphError.
  await expect(client.ask(ChartPageDocument, { first: 'one' as never })).rejects.toBeInstanceOf(GraphError)
})
