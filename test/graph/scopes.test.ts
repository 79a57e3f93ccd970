/**
 * Every field that has a rule, under every subset of the scopes that its rules name: what the gateway gives is
 * what a deliberately simple reading of the schema's directives says, and what is refused costs no call.
 */
import { type ConstDirectiveNode, type FieldDefinitionNode, Kind, parse, type TypeNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'

interface Guarded {
  readonly coordinate: string
  /** OR of ANDs. */
  readonly rule: readonly (readonly string[])[]
  readonly field: FieldDefinitionNode
  readonly type: string
}

const supergraph = parse(readSchemaFile('supergraph'))
const leaves = new Set(
  supergraph.definitions.flatMap((node) =>
    node.kind === Kind.SCALAR_TYPE_DEFINITION || node.kind === Kind.ENUM_TYPE_DEFINITION
      ? [node.name.value]
      : [],
  ),
)
for (const name of ['String', 'Int', 'Float', 'Boolean', 'ID']) leaves.add(name)

function ruleOf(directives: readonly ConstDirectiveNode[] = []): string[][] | undefined {
  const scopes = directives.find(({ name }) => name.value === 'requiresScopes')?.arguments?.[0]?.value
  if (scopes?.kind !== Kind.LIST) return undefined
  return scopes.values.map((all) =>
    all.kind === Kind.LIST ? all.values.map((one) => (one.kind === Kind.STRING ? one.value : '')) : [],
  )
}

/** Those of `Subscription` are decided for every event, which is tested with the transports. */
const guarded: Guarded[] = supergraph.definitions.flatMap((node) =>
  node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value !== 'Subscription'
    ? (node.fields ?? []).flatMap((field) => {
        const rule = ruleOf(field.directives)
        return rule === undefined
          ? []
          : [{ coordinate: `${node.name.value}.${field.name.value}`, rule, field, type: node.name.value }]
      })
    : [],
)
const ruleByName = new Map(guarded.map(({ coordinate, rule }) => [coordinate, rule]))

const named = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type))

/** A way to each type that has guarded fields: the fields on it, and a selection with a hole. */
const ways: Readonly<
  Record<string, { readonly passes: readonly string[]; readonly around: (inner: string) => string }>
> = {
  Query: { passes: [], around: (inner) => `{ ${inner} }` },
  Video: { passes: [], around: (inner) => `{ video(videoId: "${sampleVideos.own[0]}") { ${inner} } }` },
  Channel: {
    passes: [],
    around: (inner) => `{ video(videoId: "${sampleVideos.own[0]}") { channel { ${inner} } } }`,
  },
  Metrics: { passes: [], around: (inner) => `{ metrics { ${inner} } }` },
  Message: {
    passes: ['Query.message'],
    around: (inner) => `{ message(messageId: "${sampleMessages.own}") { ${inner} } }`,
  },
  Agent: { passes: ['Query.agent'], around: (inner) => `{ agent(project: "demo") { ${inner} } }` },
  Intent: {
    passes: ['Query.agent', 'Agent.intents'],
    around: (inner) => `{ agent(project: "demo") { intents(first: 1) { nodes { ${inner} } } } }`,
  },
  Mutation: { passes: [], around: (inner) => `mutation { ${inner} }` },
}

const v = sampleVideos.own[2] as string
const inputs: Readonly<Record<string, string>> = {
  insertVideo: '{ snippet: { title: "t" }, contentType: "video/mp4", contentLength: "1" }',
  updateVideo: `{ videoId: "${v}", snippet: { title: "t" } }`,
  deleteVideo: `{ videoId: "${sampleVideos.own[3]}" }`,
  insertCommentThread: `{ videoId: "${v}", textOriginal: "t" }`,
  setAgent: '{ project: "demo", displayName: "t" }',
  deleteAgent: `{ project: "${sampleAgents.emptyProject}" }`,
  exportAgent: '{ project: "demo" }',
  importAgent: '{ project: "demo", agentUri: "gs://b/o" }',
  createIntent: '{ project: "demo", displayName: "t" }',
  updateIntent: `{ name: "${sampleAgents.intents.welcome}", priority: 1 }`,
  deleteIntent: `{ name: "${sampleAgents.intents.goodbye}" }`,
  detectIntent:
    '{ project: "demo", session: "s", queryInput: { text: { text: "hello", languageCode: "en" } } }',
  deleteContexts: '{ project: "demo", session: "s" }',
  likeMessage: `{ userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }`,
  unlikeMessage: `{ userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }`,
}
const values: Readonly<Record<string, string>> = {
  messageId: `"${sampleMessages.own}"`,
  messageIds: `["${sampleMessages.own}"]`,
  project: '"demo"',
  name: '"projects/demo/operations/none"',
  rating: 'LIKE',
  status: 'HELD_FOR_REVIEW',
  url: '"http://127.0.0.1/upload/none"',
  query: '"1"',
  start: '"1"',
  end: '"2"',
  step: '"1s"',
}

function selectionOf({ field }: Guarded): string {
  const given = (field.arguments ?? []).flatMap(({ name, type, defaultValue }) => {
    if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) return []
    const value = name.value === 'input' ? inputs[field.name.value] : values[name.value]
    if (value === undefined) throw new Error(`the test knows no value for ${field.name.value}(${name.value})`)
    return [`${name.value}: ${value}`]
  })
  const args = given.length === 0 ? '' : `(${given.join(', ')})`
  return `${field.name.value}${args}${leaves.has(named(field.type)) ? '' : ' { __typename }'}`
}

const meets = (rule: readonly (readonly string[])[], scopes: readonly string[]): boolean =>
  rule.some((all) => all.every((scope) => scopes.includes(scope)))

function* subsets(items: readonly string[]): Generator<string[]> {
  for (let bits = 0; bits < 2 ** items.length; bits++) yield items.filter((_, i) => (bits >> i) & 1)
}

/** The first value under a path, through lists; undefined if nothing is there. */
function valueAt(data: unknown, keys: readonly string[]): unknown {
  let at: unknown = data
  for (const key of keys) {
    while (Array.isArray(at)) at = at[0]
    if (at === null || at === undefined) return at
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

const graph = keepForFile(
  await startGraph({
    sandbox: { messages: { rateLimits: { lookup: 100_000, likingUsers: 100_000, like: 100_000 } } },
  }),
)

test('the table of ways reaches every type with rules, and the scopes that occur are those that are published', () => {
  expect(new Set(guarded.map(({ type }) => type))).toEqual(new Set(Object.keys(ways)))
  expect(new Set(guarded.flatMap(({ rule }) => rule.flat()))).toEqual(new Set(allScopes.split(' ')))
  expect(guarded.length).toBeGreaterThan(80)
})

describe.each(Object.keys(ways))('guarded fields of %s', (type) => {
  const way = ways[type] as (typeof ways)[string]
  const own = guarded.filter((field) => field.type === type)

  test('open to exactly the scopes that the directives name, and cost no call while they are shut', async () => {
    for (const field of own) {
      const rules = [...way.passes.map((name) => ruleByName.get(name) ?? []), field.rule]
      const scopes = [...new Set(rules.flat(2))]
      const query = way.around(selectionOf(field))
      const path = query.match(/\b\w+(?=[\s({])/g)?.filter((word) => !['mutation'].includes(word)) ?? []
      for (const held of subsets(scopes)) {
        graph.sandbox.reset()
        const { data, errors } = await graph.ask(query, {}, { scope: held.join(' ') })
        const refused = errors.filter(({ extensions }) => extensions.code === 'UNAUTHORIZED_FIELD_OR_TYPE')
        const open = rules.every((rule) => meets(rule, held))
        const label = `${field.coordinate} with [${held.join(' ')}]`
        expect([label, refused.length > 0]).toEqual([label, !open])
        if (open) continue
        expect([label, valueAt(data, path.slice(0, 1)) ?? null, graph.sandbox.journal.length]).toEqual([
          label,
          null,
          0,
        ])
        for (const { extensions } of refused) {
          const { missing } = extensions.authorization as { missing: string[] }
          expect([label, missing.length > 0 && missing.every((scope) => !held.includes(scope))]).toEqual([
            label,
            true,
          ])
        }
      }
    }
  })
})
