/** Global ids are decoded without any call, and each position of a list has its own result. */
import fc from 'fast-check'
import { isInterfaceType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import { nodeKeys } from '../../../subgraphs/index.ts'
import { createNodesSubgraph } from '../../../subgraphs/nodes/index.ts'
import { faults, run } from '../../support/subgraph.ts'

const subgraph = createNodesSubgraph({ keys: nodeKeys })
const examples: readonly (readonly [type: string, key: string])[] = [
  ['Video', 'Ks-_Mh1QhMc'],
  ['Agent', 'demo'],
  ['Channel', 'UC_x5XG1OV2P6uZZ5FSM9Ttw'],
  ['Intent', 'projects/demo/agent/intents/5c0a'],
  ['Message', '9007199254740993123'],
]

describe('node', () => {
  test.for(examples)('tells the type behind the id of a %s', async ([type, key]) => {
    const id = toGlobalId(type, key)
    const { data, errors } = await run(subgraph, 'query ($id: ID!) { node(id: $id) { __typename id } }', {
      id,
    })
    expect([data, errors]).toEqual([{ node: { __typename: type, id } }, []])
  })

  test.for([
    ['nothing', ''],
    ['a broken id', 'not an id'],
    ['another spelling of an id', `${toGlobalId('Message', '1')}=`],
    ['an unknown type', toGlobalId('Thing', '1')],
    ['a type that cannot be looked up', toGlobalId('MessageUser', '1')],
    ['a key of the wrong form', toGlobalId('Message', 'abc')],
    ['a name that climbs', toGlobalId('Agent', '../x')],
    ['a member of every object', toGlobalId('constructor', '1')],
  ])('is null with an error for %s', async ([, id]) => {
    const { data, errors } = await run(subgraph, 'query ($id: ID!) { node(id: $id) { id } }', { id })
    expect([data, faults(errors)]).toEqual([{ node: null }, ['node: BAD_USER_INPUT']])
  })

  test('knows an example of every type that it can find', () => {
    const node = subgraph.schema.getType('Node')
    if (!isInterfaceType(node)) throw new Error('Node is missing')
    const types = subgraph.schema.getPossibleTypes(node).map((type) => type.name)
    expect([...types].sort()).toEqual(examples.map(([type]) => type).sort())
  })
})

describe('nodes', () => {
  const operation = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }'

  test('keeps the order, and answers null only at the positions that are wrong', async () => {
    const good = fc.constantFrom(...examples).map(([type, key]) => ({ type, id: toGlobalId(type, key) }))
    const bad = fc.string({ maxLength: 12 }).map((id) => ({ type: undefined, id }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(good, bad), { maxLength: 60 }), async (wanted) => {
        const { data, errors } = await run(subgraph, operation, { ids: wanted.map(({ id }) => id) })
        expect(data.nodes).toEqual(
          wanted.map(({ type, id }) => (type === undefined ? null : { __typename: type, id })),
        )
        const expected = wanted.flatMap(({ type }, index) =>
          type === undefined ? [`nodes.${index}: BAD_USER_INPUT`] : [],
        )
        expect(faults(errors)).toEqual(expected.sort())
      }),
      { numRuns: 50 },
    )
  })

  test('names the position of a wrong id', async () => {
    const { errors } = await run(subgraph, operation, { ids: [toGlobalId('Agent', 'demo'), 'x'] })
    expect(errors[0]?.extensions.argument).toBe('ids[1]')
  })
})
