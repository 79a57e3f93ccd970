/** The door in front of a graph of somebody else: operations of a folder or of a manifest, and a schema of any shape. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownToolNames } from '../../../gateway/mcp/tools/arguments.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { send } from '../../support/agent.ts'
import { type GraphOptions, type OtherGraph, type RunningGraph, startGraph } from '../../support/graph.ts'
import { supergraphOf } from '../../support/router.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'

const graphOf = (sdl: string): OtherGraph => ({
  supergraph: supergraphOf([{ name: 'one', sdl, url: 'http://127.0.0.1:9/' }]),
  transports: new Map(),
})

interface Opened extends Pick<GraphOptions, 'env'> {
  readonly sdl: string
  /** The section `mcp` of the configuration. */
  readonly mcp?: Readonly<Record<string, unknown>>
}

const open = ({ sdl, mcp, env = {} }: Opened): Promise<RunningGraph> =>
  startGraph({ graph: graphOf(sdl), file: { mcp }, env: { TESSERA_MCP: 'true', ...env } })

/** A folder with one operation in each file, by the file's name. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** The environment in which only these operations are executed. */
const trusting = (...bodies: readonly string[]): Readonly<Record<string, string>> => ({
  TESSERA_PERSISTED: 'trusted',
  TESSERA_PERSISTED_MANIFEST: temporaryFile(
    'manifest.json',
    JSON.stringify({ operations: bodies.map((body) => ({ id: hashOf(body), body })) }),
  ),
})

const toolNames = async (graph: RunningGraph): Promise<readonly string[]> =>
  (await send(graph, 'tools/list')).json.result.tools.map(({ name }: { name: string }) => name)

const many = [...'ABCDEFGHIJKL']

test.each([
  ['requires itself in a list', 'input A { name: String!  b: [A!]! }'],
  ['requires itself in lists of others', 'input A { b: [B!]! }  input B { a: [[A!]!]! }'],
  [
    'can be required in more ways than can be tried',
    many
      .map((name) => `input ${name} { ${many.map((other) => `to${other}: [${other}!]!`).join(' ')} }`)
      .join(' '),
  ],
])('an operation is a tool if its input %s', async (_, inputs) => {
  const operations = folderOf({ 'tree.graphql': 'query tree($a: A!) { tree(a: $a) }' })
  await using graph = await open({
    sdl: `type Query { tree(a: A!): String }\n${inputs}`,
    mcp: { operations, maxListTokens: 1_000_000 },
  })
  expect(await toolNames(graph)).toContain('tree')
})

const notes = `type Query { version: String  note(id: Int): String  deep: Note }
  type Note { note: Note  text: String }
  type Mutation { write(text: String): String }`

test('what cannot be a tool in a manifest is left out, with a line in the log', async () => {
  const first = '# The first.\nquery P { version }'
  const bodies = [
    'query P { version nothing }',
    first,
    'query P { version note }',
    'query Q($maxTokens: Int) { note(id: $maxTokens) }',
    'query R($confirmation: Int) { note(id: $confirmation) }',
    'query more { version }',
    'query deep { deep { note { note { note { text } } } } }',
    'query { version }',
    'query S($id: Int) { note(id: $id) }',
    'no GraphQL',
  ]
  await using graph = await open({ sdl: notes, env: { ...trusting(...bodies), TESSERA_MAX_DEPTH: '3' } })
  const { tools } = (await send(graph, 'tools/list')).json.result
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['P', 'S', 'budget', 'more'])
  expect(tools[0].description).toMatch(/^The first\./)
  const idOf = (at: number): string => hashOf(bodies[at] ?? '').slice(0, 12)
  const lines = graph.log.map((line) => JSON.parse(line)).filter(({ msg }) => /tools for agents/.test(msg))
  expect(lines).toEqual([
    expect.objectContaining({
      count: 8,
      reasons: [
        expect.stringContaining(`${idOf(0)}: P: Cannot query field "nothing"`),
        `${idOf(2)}: there is another operation named P`,
        `${idOf(3)}: Q: no variable may be called maxTokens`,
        `${idOf(4)}: R: no variable may be called confirmation`,
        `${idOf(5)}: more: a tool of the gateway has this name`,
        `${idOf(7)}: each operation needs a name of at most 64 characters`,
        expect.stringContaining(`${idOf(9)}: Syntax Error`),
        expect.stringContaining(`${idOf(6)}: deep: `),
      ],
    }),
  ])
})

test.each<readonly [text: string, message: string]>([
  ['query P { version }', 'there is another operation named P'],
  ['query Q($maxTokens: Int) { note(id: $maxTokens) }', 'Q: no variable may be called maxTokens'],
  [
    'mutation R($confirmation: String) { write(text: $confirmation) }',
    'R: no variable may be called confirmation',
  ],
  ['query S { nothing }', 'S: Cannot query field'],
  ['query T { deep { note { note { note { text } } } } }', 'T: '],
  ...ownToolNames.map(
    (name) => [`query ${name} { version }`, `${name}: a tool of the gateway has this name`] as const,
  ),
])('%s in a folder is refused by a message that names the file', async (text, message) => {
  const operations = folderOf({ 'a.graphql': 'query P { version }', 'wrong.graphql': text })
  const started = open({
    sdl: notes,
    mcp: { operations, changes: 'confirm' },
    env: { TESSERA_MAX_DEPTH: '3' },
  })
  await expect(started).rejects.toThrow(`mcp.operations: wrong.graphql: ${message}`)
})
