import { buildSubgraphSchema } from '@apollo/subgraph'
import fc from 'fast-check'
import {
  assertObjectType,
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { createExecutor } from '../../../engine/subgraphs/index.ts'
import { awaitListItems } from '../../../subgraphs/kit/await-list-items.ts'

type Executor = (
  schema: GraphQLSchema,
  document: DocumentNode,
  variables?: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>

const executors: readonly (readonly [string, Executor])[] = [
  [
    'executed by graphql',
    (schema, document, variableValues) => execute({ schema, document, variableValues }),
  ],
  [
    'executed by our own executor',
    (schema, document, variables = {}) => {
      const operation = getOperationAST(document)
      if (operation == null) throw new Error('the document has no operation')
      return createExecutor(schema, document, operation)({}, variables)
    },
  ],
]

/** What becomes of an item, and after how many turns of the queue of promises. */
interface Item {
  readonly kind: 'value' | 'null' | 'failure' | 'late value' | 'late null' | 'late failure'
  readonly turns: number
}

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await null
}

const item: fc.Arbitrary<Item> = fc.record({
  kind: fc.constantFrom('value', 'null', 'failure', 'late value', 'late null', 'late failure'),
  turns: fc.nat({ max: 6 }),
})

describe.each(executors)('a list whose items come late, %s', (_, run) => {
  test('has every null and every error at its own position', async () => {
    const document = parse('{ things { n } }')
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 12 }), async (items) => {
        const schema = buildSchema('type Thing { n: Int } type Query { things: [Thing] }')
        schema.getQueryType()!.getFields().things!.resolve = () =>
          items.map(({ kind, turns }, n) => {
            if (!kind.startsWith('late'))
              return kind === 'failure' ? new Error(`no ${n}`) : kind === 'null' ? null : { n }
            return afterTurns(turns).then(() => {
              if (kind === 'late failure') throw new Error(`no ${n}`)
              return kind === 'late null' ? null : { n }
            })
          })
        const { data, errors = [] } = await run(awaitListItems(schema), document)
        expect(JSON.parse(JSON.stringify(data))).toEqual({
          things: items.map(({ kind }, n) => (kind.endsWith('value') ? { n } : null)),
        })
        expect(errors.map(({ path, message }) => `${path?.join('.')} ${message}`).sort()).toEqual(
          items.flatMap(({ kind }, n) => (kind.endsWith('failure') ? [`things.${n} no ${n}`] : [])).sort(),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('has what lies below them looked up at one moment', async () => {
    const schema = buildSchema('type Thing { n: Int } type Query { things: [Thing] }')
    let there = 0
    const thereWhenAsked: number[] = []
    schema.getQueryType()!.getFields().things!.resolve = () =>
      [3, 0, 6].map(async (turns) => {
        await afterTurns(turns)
        there += 1
        return { n: turns }
      })
    const thing = assertObjectType(schema.getType('Thing'))
    thing.getFields().n!.resolve = (thing: { n: number }) => {
      thereWhenAsked.push(there)
      return thing.n
    }
    const { data } = await run(awaitListItems(schema), parse('{ things { n } }'))
    expect(JSON.parse(JSON.stringify(data))).toEqual({ things: [{ n: 3 }, { n: 0 }, { n: 6 }] })
    expect(thereWhenAsked).toEqual([3, 3, 3])
  })

  test('has a reference that fails at once fail alone', async () => {
    const typeDefs = parse(`
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
      type Query { one: Int }
      type Thing @key(fields: "n") { n: Int! }
    `)
    const resolvers = {
      Thing: {
        __resolveReference(reference: { n: number }) {
          if (reference.n < 0) throw new Error('no')
          return reference
        },
      },
    }
    const schema = awaitListItems(buildSubgraphSchema([{ typeDefs, resolvers }]))
    const document = parse('query ($r: [_Any!]!) { _entities(representations: $r) { ... on Thing { n } } }')
    const result = await run(schema, document, { r: [1, -1, 2].map((n) => ({ __typename: 'Thing', n })) })
    expect(JSON.parse(JSON.stringify(result.data))).toEqual({ _entities: [{ n: 1 }, null, { n: 2 }] })
    expect(result.errors?.map(({ path, message }) => [path, message])).toEqual([[['_entities', 1], 'no']])
  })
})
