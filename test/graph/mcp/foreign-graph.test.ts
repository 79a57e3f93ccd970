/** The MCP server in front of a graph of somebody else: operations of a folder or of a manifest, and a schema of any shape. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownToolNames } from '../../../gateway/mcp/tools/arguments.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { send, startAgent } from '../../support/agent.ts'
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

test.each(['a folder', 'a manifest'])(
  'there may be more operations in %s than may wait to be prepared',
  async (of) => {
    const bodies = Array.from({ length: 40 }, (_, n) => `query q${n} { version }`)
    const operations = folderOf(Object.fromEntries(bodies.map((body, n) => [`${n}.graphql`, body])))
    const env = { TESSERA_MAX_PREPARING: '10' }
    await using graph = await open(
      of === 'a folder'
        ? { sdl: notes, mcp: { operations, maxListTokens: 100_000 }, env }
        : { sdl: notes, mcp: { maxListTokens: 100_000 }, env: { ...env, ...trusting(...bodies) } },
    )
    expect(await toolNames(graph)).toEqual(expect.arrayContaining(['q0', 'q39']))
  },
)

const notes = `type Query { version: String  note(id: Int): String  deep: Note }
  type Note { note: Note  text: String }
  type Mutation { write(text: String): String }`

/** Forty fragments of which each selects the next one twice. */
const doubling = Array.from({ length: 40 }, (_, n) => {
  const fields = n === 39 ? 'text' : `a: note { ...F${n + 1} } b: note { ...F${n + 1} }`
  return `fragment F${n} on Note { ${fields} }`
}).join(' ')

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
    `query many { deep { ...F0 } } ${doubling}`,
  ]
  await using graph = await open({ sdl: notes, env: { ...trusting(...bodies), TESSERA_MAX_DEPTH: '3' } })
  const { tools } = (await send(graph, 'tools/list')).json.result
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['P', 'S', 'budget', 'more'])
  expect(tools[0].description).toMatch(/^The first\./)
  expect(await graph.gateway.reload()).toMatchObject({ kind: 'done' })
  const idOf = (at: number): string => hashOf(bodies[at] ?? '').slice(0, 12)
  const lines = graph.log.map((line) => JSON.parse(line)).filter(({ msg }) => /tools for agents/.test(msg))
  expect(lines[0]).toEqual(
    expect.objectContaining({
      count: 9,
      reasons: [
        expect.stringContaining(`${idOf(0)}: P: Cannot query field "nothing"`),
        `${idOf(2)}: there is another operation named P`,
        `${idOf(3)}: Q: no variable may be called maxTokens`,
        `${idOf(4)}: R: no variable may be called confirmation`,
        `${idOf(5)}: more: a tool of the gateway has this name`,
        `${idOf(7)}: each operation needs a name of at most 64 characters`,
        expect.stringContaining(`${idOf(9)}: Syntax Error`),
        expect.stringContaining(`${idOf(6)}: deep: The operation has too many levels`),
        expect.stringContaining(`${idOf(10)}: many: The operation has too many levels`),
      ],
    }),
  )
})

test.each<readonly [text: string, message: string]>([
  ['query P { version }', 'there is another operation named P'],
  ['query Q($maxTokens: Int) { note(id: $maxTokens) }', 'Q: no variable may be called maxTokens'],
  [
    'mutation R($confirmation: String) { write(text: $confirmation) }',
    'R: no variable may be called confirmation',
  ],
  ['query S { text }', 'S: Cannot query field "text" on type "Query". Did you mean "deep { text }"?'],
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

/** A filter as generated schemas have it: it refers to itself in many fields, and to a type that refers to it. */
const where = `type Query { rows(where: Where): String  small(small: Small): String }
  input Small { kind: Kind!  text: [String] }
  input Where { and: [Where!]  ${Array.from({ length: 40 }, (_, n) => `r${n}: Where`).join('  ')}  name: Compared! }
  input Compared { is: String  in: [String!]  of: Kind = BIG  where: Where }
  enum Kind { BIG SMALL }`

test('a schema has each input type once if it would be too long otherwise', async () => {
  const operations = folderOf({
    'rows.graphql':
      'query rows($where: Where!, $name: String! = "x") { rows(where: $where) a: __type(name: $name) { name } }',
    'small.graphql': 'query small($small: Small) { small(small: $small) }',
  })
  await using graph = await open({ sdl: where, mcp: { operations } })
  await using agent = await startAgent(graph)
  const { tools } = await agent.client.listTools()
  const schemaOf = (name: string): unknown => tools.find((tool) => tool.name === name)?.inputSchema
  const small = {
    is: { type: 'string' },
    in: { type: 'array', items: { type: 'string' } },
    where: { $ref: '#/$defs/Where' },
  }
  const reference = { $ref: '#/$defs/Where' }
  expect(schemaOf('rows')).toEqual({
    type: 'object',
    properties: { where: reference, name: { type: 'string', default: 'x' }, maxTokens: { type: 'integer' } },
    required: ['where'],
    $defs: {
      Where: {
        type: 'object',
        properties: {
          and: { type: 'array', items: reference },
          ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`r${n}`, reference])),
          name: { $ref: '#/$defs/Compared' },
        },
        required: ['name'],
      },
      Compared: {
        type: 'object',
        properties: { ...small, of: { $ref: '#/$defs/Kind' } },
      },
      Kind: { type: 'string', enum: ['BIG', 'SMALL'] },
    },
  })
  expect(schemaOf('small')).toEqual({
    type: 'object',
    properties: {
      small: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['BIG', 'SMALL'] },
          text: { type: 'array', items: { type: 'string' } },
        },
        required: ['kind'],
      },
      maxTokens: { type: 'integer' },
    },
  })
})

const names = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`)

/** Each of its types refers to all of them. */
const vast = `type Query { rows(all: All, kind: Kind): String }
  enum Kind { ${names(3_000, 'KIND_').join(' ')} }
  input All { ${names(60, 'a')
    .map((name) => `${name}: In${name}!`)
    .join(' ')} kind: Kind }
  ${names(60, 'a')
    .map(
      (name) =>
        `input In${name} { ${names(60, 'a')
          .map((to) => `${to}: [In${to}!]`)
          .join(' ')} }`,
    )
    .join('\n')}`

test('a definition is no longer than an answer, and says what it leaves out', async () => {
  const long = '"'.repeat(20_000)
  const operations = folderOf({
    'rows.graphql': `# ${long}\nquery rows($all: All!, $kind: Kind, $b: String! = ${JSON.stringify(long)}) { rows(all: $all, kind: $kind) a: __type(name: $b) { name } }`,
    'more.graphql': `# ${long}\nquery also { rows }`,
  })
  for (const maxTokens of [500, 8_000]) {
    await using graph = await open({ sdl: vast, mcp: { operations, maxTokens, maxListTokens: 200 } })
    await using agent = await startAgent(graph)
    const { text, json } = await agent.call('describe_operation', { name: 'rows' })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxTokens * 4)
    expect(json.description).toMatch(/^"+… Reads, ~\d+ tokens\.$/)
    const { properties, required, $defs, description } = json.inputSchema
    expect(properties).toEqual({
      all: { $ref: '#/$defs/All' },
      kind: { $ref: '#/$defs/Kind' },
      b: { type: 'string' },
      maxTokens: { type: 'integer' },
    })
    expect(required).toEqual(['all'])
    expect($defs.Kind).toEqual({ type: 'string' })
    expect(description).toMatch(
      /^Left out, because this schema is too long: \$b, .*Kind.* The graph checks their values\.$/,
    )
    const found = await agent.call('find_operation', { words: 'rows also' })
    expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(maxTokens * 4)
    expect(found.json.operations).toHaveLength(2)
  }
})

const reviews = `type Query { node(id: ID!): Node  topReviews(n: Int! = 3, by: Order = { way: UP }): [Review] }
  """A thing with an id."""
  interface Node { "The id." id: ID! }
  interface Text implements Node { id: ID!  body(long: Boolean = false): String }
  type Review implements Node & Text @key(fields: "id") {
    id: ID!
    "What is said." body("Whether all of it." long: Boolean = false): String
    text(length: Int @deprecated(reason: "Use body.")): String @deprecated(reason: "Use body.")
  }
  type Author implements Node { id: ID! }
  union Any = Review | Author
  scalar Url @specifiedBy(url: "https://url.spec.whatwg.org")
  enum Way { UP "Falling." DOWN @deprecated SIDEWAYS @deprecated(reason: "Odd.") }
  input Order { "How." way: Way! = UP  by: [String!] = ["age"]  old: Url @deprecated(reason: "None.") }
  input One @oneOf { id: ID  name: String }
  type Mutation { find(one: One): Any }`

test('SDL is described as the schema has it', async () => {
  await using graph = await open({ sdl: reviews })
  await using agent = await startAgent(graph)
  const describe = async (...coordinates: readonly string[]): Promise<string> =>
    (await agent.call('describe_schema', { coordinates })).text
  expect(await describe('Node', 'Text', 'Review', 'Any', 'Url', 'Way', 'Order', 'One')).toBe(`\
interface Node { # Implemented by Review, Author
  id: ID! # The id.
}
interface Text implements Node { # Implemented by Review
  id: ID!
  body(long: Boolean = false): String
}
type Review implements Node & Text {
  id: ID!
  body(long: Boolean = false): String # What is said.
  text(length: Int @deprecated(reason: "Use body.")): String @deprecated(reason: "Use body.")
}
union Any = Review | Author
scalar Url @specifiedBy(url: "https://url.spec.whatwg.org")
enum Way { UP DOWN @deprecated SIDEWAYS @deprecated(reason: "Odd.") }
input Order {
  way: Way! = UP
  by: [String!] = ["age"]
  old: Url @deprecated(reason: "None.")
}
input One @oneOf {
  id: ID
  name: String
}`)
  expect(await describe('Query.topReviews', 'Text.body')).toBe(`\
extend type Query {
  topReviews(n: Int! = 3, by: Order = {way: UP}): [Review]
}
extend interface Text {
  body(long: Boolean = false): String
}
input Order {
  way: Way! = UP
  by: [String!] = ["age"]
  old: Url @deprecated(reason: "None.")
}`)
  const { contents } = await agent.client.readResource({ uri: 'tessera://schema/Text' })
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('interface Text implements Node') })
})

test('no text tells of types that the graph does not have', async () => {
  await using graph = await open({ sdl: reviews })
  const tools = await send(graph, 'tools/list')
  const templates = await send(graph, 'resources/templates/list')
  expect(templates.json.result.resourceTemplates).toHaveLength(1)
  expect(tools.text + templates.text).not.toMatch(/Video|comment/i)
})

test('a caller without a token is told so before anybody is asked to confirm an open change', async () => {
  await using graph = await open({
    sdl: 'type Query { version: String } type Mutation { add: Int }',
    mcp: { changes: 'confirm' },
  })
  await using agent = await startAgent(graph, { scope: null })
  const { text, isError } = await agent.call('execute_operation', { document: 'mutation { add }' })
  expect([text, isError]).toEqual([expect.stringContaining('needs a token'), true])
})
