/**
 * The protocol's Inspector by its command line, over every tool and resource of the MCP server. Needs the package
 * @modelcontextprotocol/inspector.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { lacks } from '../../peers/needs.ts'
import { doorOf } from '../../support/agent.ts'
import { isFull } from '../../support/campaign-size.ts'
import { allScopes, type Json, startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const isMissing = lacks('@modelcontextprotocol/inspector')
const folder = temporaryFolder()
const video = sampleVideos.own[0]

const graph = keepForFile(await startGraph({ file: { mcp: { changes: 'confirm' } } }))

interface Ran {
  readonly code: number
  readonly json: Json
  readonly stderr: string
}

async function inspect(...args: readonly string[]): Promise<Ran> {
  const home = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
  const program = join(dirname(home), 'clients/launcher/build/index.js')
  const token = await graph.token(allScopes)
  const given = [program, '--cli', doorOf(graph).href, '--transport', 'http', '--format', 'json', ...args]
  // What it keeps of servers is kept apart from the user's.
  const env = { ...process.env, HOME: folder, MCP_CATALOG_PATH: join(folder, 'servers.json') }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...given, '--header', `Authorization: Bearer ${token}`],
      { env, maxBuffer: 10_000_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? 1)
        resolve({ code, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) })
      },
    )
  })
}

const document = '{ mediaQuota { used } }'

/** Arguments for each tool. A value is JSON if that is meant. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  agentIntents: ['project=demo'],
  budget: [],
  chartVideos: ['first=1', 'maxTokens=500'],
  describe_schema: ['coordinates=["Video.commentThreads"]'],
  detectIntent: ['project=demo', 'session=a', 'text=Hello'],
  execute_operation: [`document=${document}`, 'onError=NULL'],
  explain_operation: [`document=${document}`],
  insertComment: [`videoId=${video}`, 'text=By hand'],
  likeMessage: ['userId=12', 'messageId=20'],
  mediaQuota: [],
  messageLikes: ['messageId=20'],
  messagesById: ['messageIds=["20"]'],
  metricsAlerts: [],
  metricsNow: ['query=up'],
  metricsOverTime: ['query=up', 'start=1700000000', 'end=1700000300', 'step=1m'],
  metricsRules: [],
  more: [],
  search_schema: ['words=comments of a video'],
  videoComments: [`videoId=${video}`],
  videosById: [`videoIds=["${video}"]`],
}

/** One of each kind; every tool if all is run, as each is a process. */
const usual = ['budget', 'execute_operation', 'insertComment', 'metricsOverTime', 'more']

const valuesOf = (name: string): readonly string[] =>
  (argumentsOf[name] ?? []).flatMap((pair) => ['--tool-arg', pair])

test.skipIf(isMissing)('lists tools without a fault in any definition, and calls each', async () => {
  const { code, json, stderr } = await inspect('--method', 'tools/list', '--strict')
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Warning')])
  const found = json.result ?? json
  const names: string[] = found.tools.map(({ name }: { name: string }) => name)
  expect(Object.keys(argumentsOf).sort()).toEqual([...names].sort())
  const call = (name: string, ...args: readonly string[]): Promise<Ran> =>
    inspect('--method', 'tools/call', '--tool-name', name, ...args)
  const textIn = ({ json: answer }: Ran): string => (answer.result ?? answer).content[0].text
  // What is left of one answer is what `more` gives.
  const cut = await call('chartVideos', '--tool-arg', 'first=50', '--tool-arg', 'maxTokens=400')
  const { handle } = JSON.parse(textIn(cut)).more
  const called = names.filter((name) => isFull || usual.includes(name))
  for (let at = 0; at < called.length; at += 4)
    await Promise.all(
      called.slice(at, at + 4).map(async (name) => {
        const own = name === 'more' ? ['--tool-arg', `handle=${handle}`] : valuesOf(name)
        const ran = await call(name, ...own)
        expect({ name, code: ran.code, stderr: ran.stderr }).toEqual({ name, code: 0, stderr: '' })
        expect(textIn(ran)).not.toBe('')
      }),
    )
})

test.skipIf(isMissing)('lists and reads resources, and says so if a call is refused', async () => {
  const [listed, read, wrong] = await Promise.all([
    inspect('--method', 'resources/list', '--protocol-era', 'modern'),
    inspect('--method', 'resources/read', '--uri', 'tessera://quota'),
    inspect('--method', 'tools/call', '--tool-name', 'more', '--tool-arg', 'handle=0-nothing'),
  ])
  expect((listed.json.result ?? listed.json).resources).toHaveLength(2)
  expect((read.json.result ?? read.json).contents[0].text).toContain('"quota"')
  expect(wrong.code).not.toBe(0)
})
