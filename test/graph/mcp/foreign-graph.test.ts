/** The door in front of a graph of somebody else: operations of a folder or of a manifest, and a schema of any shape. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { send } from '../../support/agent.ts'
import { type GraphOptions, type OtherGraph, type RunningGraph, startGraph } from '../../support/graph.ts'
import { supergraphOf } from '../../support/router.ts'
import { temporaryFolder } from '../../support/temporary.ts'

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
