import { expect, test } from 'vitest'
import { prepare } from '../../../../gateway/pipeline/steps/prepare.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { arriving, operationOf, partsOf } from './kit.ts'

const preparing = (made: unknown) => partsOf({ operations: { get: () => made } as never })

test('a known operation is used immediately, and another one is waited for', async () => {
  const operation = operationOf()
  for (const made of [operation, Promise.resolve(operation)]) {
    const context = arriving()
    context.text = '{ a }'
    const end = prepare.run(context, preparing(made))
    expect(end instanceof Promise).toBe(made instanceof Promise)
    expect(await end).toBeUndefined()
    expect(context.operation).toBe(operation)
  }
})

test('an invalid operation is answered with all reasons', async () => {
  const errors = [tesseraError('GRAPHQL_VALIDATION_FAILED', 'No such field.')]
  const context = arriving()
  context.text = '{ b }'
  expect(await prepare.run(context, preparing(errors))).toEqual({ errors })
  expect(context.operation).toBeUndefined()
})
