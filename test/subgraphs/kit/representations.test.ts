import { buildSubgraphSchema } from '@apollo/subgraph'
import fc from 'fast-check'
import { execute, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { awaitListItems } from '../../../subgraphs/kit/await-list-items.ts'
import { checkRepresentations } from '../../../subgraphs/kit/representations.ts'

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { own: Own }
  type Own { x: Int }
  type One @key(fields: "id") @key(fields: "owner { id } code") { id: ID! title: String owner: Owner code: ID }
  type Owner { id: ID! }
  type Other @key(fields: "code", resolvable: false) { code: ID! }
`)

const asked: unknown[] = []
const schema = awaitListItems(
  checkRepresentations(
    buildSubgraphSchema([
      {
        typeDefs,
        resolvers: {
          One: {
            __resolveReference: async (reference: { id?: string }) => {
              asked.push(reference)
              return { id: 'found', title: `title of ${reference.id ?? 'one without an id'}` }
            },
          },
        },
      },
    ]),
    typeDefs,
  ),
)
const document = parse(
  'query ($them: [_Any!]!) { _entities(representations: $them) { ... on One { title } ... on Other { code } } }',
)

async function entities(them: readonly unknown[]): Promise<{ found: unknown; errors: readonly unknown[] }> {
  asked.length = 0
  const { data, errors = [] } = await execute({ schema, document, variableValues: { them } })
  return {
    found: data === undefined ? undefined : JSON.parse(JSON.stringify(data))?._entities,
    errors: errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]),
  }
}

describe('representations', () => {
  test('with the fields of one key are resolved', async () => {
    const them = [
      { __typename: 'One', id: '1' },
      { __typename: 'One', owner: { id: '2' }, code: 'c' },
    ]
    expect(await entities(them)).toEqual({
      found: [{ title: 'title of 1' }, { title: 'title of one without an id' }],
      errors: [],
    })
  })

  test('with an id as a number have its text, as a client that sent it would', async () => {
    expect(await entities([{ __typename: 'One', id: 12 }])).toEqual({
      found: [{ title: 'title of 12' }],
      errors: [],
    })
    expect(asked).toEqual([expect.objectContaining({ id: '12' })])
  })

  test.each([
    ['of a type that is no entity', { __typename: 'Own', x: 1 }],
    ['of the root type', { __typename: 'Query' }],
    ['of a type that there is not', { __typename: 'Nobody', id: '1' }],
    ['of a name that every object has', { __typename: 'constructor', id: '1' }],
    ['without a type', { id: '1' }],
    ['whose type is no text', { __typename: ['One'], id: '1' }],
    ['without a key', { __typename: 'One', title: 'x' }],
    ['with a part of a key', { __typename: 'One', code: 'c' }],
    ['whose key is null', { __typename: 'One', id: null }],
    ['whose key cannot be resolved', { __typename: 'Other', code: '3' }],
    ['whose key is an object instead of an id', { __typename: 'One', id: { a: [null, 1.5] } }],
    ['whose key is a list instead of an id', { __typename: 'One', id: ['1'] }],
    ['whose key is no whole number', { __typename: 'One', id: 1.5 }],
    ['whose key is true', { __typename: 'One', id: true }],
    ['whose other key is no id', { __typename: 'One', id: '1', code: {} }],
    ['whose composite key is a text', { __typename: 'One', owner: 'x', code: 'c' }],
    ['whose composite key is a list', { __typename: 'One', owner: [], code: 'c' }],
  ])('%s fail alone, as a fault of the client', async (_, wrong) => {
    const right = { __typename: 'One', id: '1' }
    expect(await entities([right, wrong, right])).toEqual({
      found: [{ title: 'title of 1' }, null, { title: 'title of 1' }],
      errors: [['_entities.1', 'BAD_USER_INPUT']],
    })
    expect(asked).toHaveLength(2)
  })

  test('keep their places, whichever are wrong', async () => {
    const representation = fc.oneof(
      fc.nat().map((id) => ({ __typename: 'One', id: String(id) })),
      fc.constant({ __typename: 'One' }),
      fc.string().map((__typename) => ({ __typename })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(representation), async (them) => {
        const { found, errors } = await entities(them)
        const expected = them.map((each) => ('id' in each ? { title: `title of ${each.id}` } : null))
        expect(found).toEqual(expected)
        expect(errors).toHaveLength(expected.filter((each) => each === null).length)
      }),
    )
  })
})
