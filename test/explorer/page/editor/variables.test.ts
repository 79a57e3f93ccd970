/** Variables without a value and values without a variable are marked in the text. */
import { expect, test } from 'vitest'
import { variableFaults } from '../../../../explorer/page/editor/variable-faults.ts'

const query = 'query One($a: ID!, $b: Int! = 1, $c: String) { x } query Two($d: ID!) { x }'

test('a required variable without a value is marked in the operation, an undeclared one in the variables', () => {
  const variables = '{ "b": 2, "c\\u0061": { "a": 1 }, "a": null, "d": "1", "odd": [ "a" ] }'
  const { missing, undeclared, missingNames } = variableFaults(query, variables, 'One')
  expect(missing.map(({ from, to }) => query.slice(from, to))).toEqual(['$a'])
  expect(missingNames).toEqual(['a'])
  expect(undeclared.map(({ from, to, message }) => [variables.slice(from, to), message])).toEqual([
    ['"c\\u0061"', 'The operation does not declare $ca.'],
    ['"odd"', 'The operation does not declare $odd.'],
  ])
  expect(variableFaults(query, '', 'Two').missingNames).toEqual(['d'])
  expect(variableFaults('query ($toString: ID!) { x }', '{}', undefined).missingNames).toEqual(['toString'])
})

test('nothing is marked while either text cannot be read', () => {
  for (const [text, variables] of [
    ['{', '{}'],
    [query, '{ "a": '],
    [query, '[]'],
    ['', '{ "a": 1 }'],
  ] as const)
    expect(variableFaults(text, variables, undefined)).toEqual({
      missing: [],
      undeclared: [],
      missingNames: [],
    })
})
