import { buildSubgraphSchema } from '@apollo/subgraph'
import fc from 'fast-check'
import { buildSchema, execute, parse } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { describe, expect, test } from 'vitest'
import { settleLists } from '../../subgraphs/lib/settled-lists.ts'

/** What becomes of an item, and after how many turns of the queue of promises. */
interface Item {
  readonly kind: 'value' | 'null' | 'failure' | 'late value' | 'late null' | 'late failure'
  readonly turns: number
}

const document = parse('{ things { n } }')

function schemaOf(items: readonly Item[], settle: boolean) {
  const schema = buildSchema('type Thing { n: Int } type Query { things: [Thing] }')
  schema.getQueryType()!.getFields().things!.resolve = () =>
    items.map(({ kind, turns }, n) => {
      if (!kind.startsWith('late'))
        return kind === 'failure' ? new Error(`no ${n}`) : kind === 'null' ? null : { n }
      return (async () => {
        for (let turn = 0; turn < turns; turn++) await null
        if (kind === 'late failure') throw new Error(`no ${n}`)
        return kind === 'late null' ? null : { n }
      })()
    })
  return settle ? settleLists(schema) : schema
}

async function runBoth(items: readonly Item[], settle: boolean) {
  const schema = schemaOf(items, settle)
  const compiled = compileQuery(schema, document)
  if (!isCompiledQuery(compiled)) throw new Error('not compiled')
  const results = [await execute({ schema, document }), await compiled.query(undefined, {}, {})]
  return results.map(({ data, errors = [] }) => ({
    data: JSON.parse(JSON.stringify(data)) as unknown,
    errors: errors.map(({ path, message }) => `${path?.join('.')} ${message}`).sort(),
  }))
}

const item: fc.Arbitrary<Item> = fc.record({
  kind: fc.constantFrom('value', 'null', 'failure', 'late value', 'late null', 'late failure'),
  turns: fc.nat({ max: 6 }),
})

describe('a list whose items fail', () => {
  test('has every null and every error at its own position, under both executors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 12 }), async (items) => {
        const expected = {
          data: { things: items.map(({ kind }, n) => (kind.endsWith('value') ? { n } : null)) },
          errors: items
            .flatMap(({ kind }, n) => (kind.endsWith('failure') ? [`things.${n} no ${n}`] : []))
            .sort(),
        }
        expect(await runBoth(items, true)).toEqual([expected, expected])
      }),
      { numRuns: 200 },
    )
  })

  test('would shift under graphql-jit otherwise, which is why this is here', async () => {
    const items: Item[] = [
      { kind: 'late null', turns: 5 },
      { kind: 'late failure', turns: 0 },
    ]
    const [js, jit] = await runBoth(items, false)
    expect(js?.data).toEqual({ things: [null, null] })
    expect(jit?.data).not.toEqual({ things: [null, null] })
  })
})

describe('a reference', () => {
  test('that fails at once fails alone, under both executors', async () => {
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
    const schema = settleLists(buildSubgraphSchema([{ typeDefs, resolvers }]))
    const document = parse('query ($r: [_Any!]!) { _entities(representations: $r) { ... on Thing { n } } }')
    const variableValues = { r: [1, -1, 2].map((n) => ({ __typename: 'Thing', n })) }
    const compiled = compileQuery(schema, document)
    if (!isCompiledQuery(compiled)) throw new Error('not compiled')
    for (const result of [
      await execute({ schema, document, variableValues }),
      await compiled.query(undefined, {}, variableValues),
    ]) {
      expect(JSON.parse(JSON.stringify(result.data))).toEqual({ _entities: [{ n: 1 }, null, { n: 2 }] })
      expect(result.errors?.map(({ path, message }) => [path, message])).toEqual([[['_entities', 1], 'no']])
    }
  })
})
