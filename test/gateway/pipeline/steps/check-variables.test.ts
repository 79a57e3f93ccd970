import { expect, test } from 'vitest'
import { checkVariables } from '../../../../gateway/pipeline/steps/check-variables.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { prepared } from './kit.ts'

const limits = {
  ...{ tokens: 10, nesting: 3, depth: 10, aliases: 10, rootFields: 10, directives: 10, fields: 10 },
  ...{ listItems: 2, values: 10 },
}

test('variables within the limits pass', () => {
  expect(checkVariables.run(prepared({ variables: { x: [1, 2] } }), { limits })).toBeUndefined()
})

test('variables beyond the limits are refused, whether by their form or by what they ask for', () => {
  expect(() => checkVariables.run(prepared({ variables: { x: [1, 2, 3] } }), { limits })).toThrow()
  const checkValues = () => tesseraError('OPERATION_TOO_LARGE', 'too many')
  expect(() => checkVariables.run(prepared({}, { checkValues }), { limits })).toThrow('too many')
})

test('the idempotency key is read only for mutations', () => {
  const sentHeaders = { 'idempotency-key': '"k"' }
  const mutation = prepared({ text: 'mutation { a }', sentHeaders })
  checkVariables.run(mutation, { limits })
  expect(mutation.idempotencyKeys).toBe('k')
  const query = prepared({ sentHeaders })
  checkVariables.run(query, { limits })
  expect(query.idempotencyKeys).toBeUndefined()
  const malformed = prepared({ text: 'mutation { a }', sentHeaders: { 'idempotency-key': '"k' } })
  expect(() => checkVariables.run(malformed, { limits })).toThrow('idempotency key')
})
