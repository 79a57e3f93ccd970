/** Variables are coerced as graphql does it, however little is looked at. */
import fc from 'fast-check'
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileVariables } from '../../../engine/operation/variables.ts'
import { campaignSize } from '../../support/campaign-size.ts'

const schema = buildSchema(`
  scalar JSON
  enum Size { SMALL LARGE }
  input Box { size: Size! = SMALL, inside: Box, ids: [ID] }
  type Query { a(${['JSON', 'Size', 'Box', 'Float'].map((type) => `${type}: ${type}`).join(' ')}): Int }
`)
const types = [
  ...['ID', 'String', 'Int!', 'Float', 'Boolean!', '[String!]', '[Int]!', 'Size', 'Box', '[Box!]'],
  ...['JSON', 'JSON!', '[JSON]', '[JSON!]', '[JSON!]!', '[[JSON!]]'],
]
const definitionsOf = (given: readonly string[]) => {
  const text = `query (${given.map((type, n) => `$v${n}: ${type}`).join(' ')}) { __typename }`
  return parse(text).definitions[0] as OperationDefinitionNode
}
const value = fc.oneof(
  fc.constantFrom(undefined, null, 1, 1.5, '1', true, 'SMALL', [null], ['a', null], [[null]], [1, 2], {}),
  // The test after this one has whole numbers beyond 2^53.
  fc.jsonValue({ maxDepth: 2 }).map((one) => (Number.isInteger(one) ? Number(one) % 2 ** 53 : one)),
)

describe('compileVariables', () => {
  it('gives the values that graphql gives, and refuses what it refuses', () => {
    const pair = fc.tuple(fc.constantFrom(...types), value)
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 3 }), (pairs) => {
        const operation = definitionsOf(pairs.map(([type]) => type))
        // JSON knows no undefined: such a variable is not given.
        const given = JSON.parse(
          JSON.stringify(Object.fromEntries(pairs.map(([, one], n) => [`v${n}`, one]))),
        )
        const exact = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 10 })
        const { variables, errors } = compileVariables(schema, operation.variableDefinitions)(given)
        expect(errors?.map(({ message }) => message)).toEqual(exact.errors?.map(({ message }) => message))
        expect(JSON.stringify(variables)).toBe(JSON.stringify(exact.coerced))
      }),
      { numRuns: campaignSize(3000) },
    )
  })

  it('refuses an ID that was a number of too many digits, which would be another one', () => {
    const wrong = JSON.parse('1234567890123456789') as number
    const cases = [
      ['ID', wrong],
      ['[ID!]!', ['1', wrong]],
      ['[ID!]', wrong],
      ['Box!', { inside: { ids: [wrong] } }],
    ] as const
    for (const [type, given] of cases) {
      const coerce = compileVariables(schema, definitionsOf([type]).variableDefinitions)
      expect(coerce({ v0: given }).errors?.map(({ message }) => message)).toEqual([
        'Variable "$v0" got an invalid value; ID cannot represent a number beyond 2^53, which JSON may have rounded: send it as a string.',
      ])
    }
    const coerce = compileVariables(schema, definitionsOf(['ID', 'Float', 'JSON']).variableDefinitions)
    expect(coerce({ v0: 2 ** 53 - 1, v1: wrong, v2: wrong })).toEqual({
      variables: { v0: '9007199254740991', v1: wrong, v2: wrong },
    })
  })

  it('has no null in a list of non-null items of a scalar that takes anything', () => {
    const coerce = compileVariables(schema, definitionsOf(['[JSON!]']).variableDefinitions)
    expect(coerce({ v0: [1, null] }).errors).toHaveLength(1)
    expect(coerce({ v0: [1, {}] }).variables).toEqual({ v0: [1, {}] })
  })
})
