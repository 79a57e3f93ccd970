/** Confirmations: what counts as the change that was confirmed. */
import { expect, test } from 'vitest'
import { type Change, createConfirmations } from '../../../gateway/mcp/confirm.ts'

const changeWith = (variables: Change['variables']): Change => ({
  caller: 'ada',
  query: 'mutation ($input: JSON) { change(input: $input) }',
  variables,
})

test('the order of members does not matter', async () => {
  const confirmations = createConfirmations('secret')
  const confirmation = await confirmations.make(changeWith({ input: { a: 1, b: { c: 2, d: [3] } } }))
  const same = changeWith({ input: { b: { d: [3], c: 2 }, a: 1 } })
  expect(await confirmations.keyIn(confirmation, same)).toEqual(expect.any(String))
})

test.each([
  ['another value', { input: { a: 2 } }],
  ['a list of the members instead of the object', { input: [['a', 1]] }],
  ['a text instead of the number', { input: { a: '1' } }],
])('%s is another change', async (_, variables) => {
  const confirmations = createConfirmations('secret')
  const confirmation = await confirmations.make(changeWith({ input: { a: 1 } }))
  expect(await confirmations.keyIn(confirmation, changeWith(variables))).toBeUndefined()
})
