import { expect, test } from 'vitest'
import { prepare } from '../../../../gateway/pipeline/steps/prepare.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { arriving, operationOf, partsOf } from './kit.ts'

const preparing = (get: () => unknown) => partsOf({ operations: { get } as never })

test('the operation is taken at once if it is kept, and waited for if it is not', async () => {
  const operation = operationOf()
  for (const made of [operation, Promise.resolve(operation)]) {
    const context = arriving()
    context.text = '{ a }'
    const end = prepare.run(
      context,
      preparing(() => made),
    )
    expect(end instanceof Promise).toBe(made instanceof Promise)
    expect(await end).toBeUndefined()
    expect(context.operation).toBe(operation)
  }
})

test('what is no operation is answered by all reasons', async () => {
  const errors = [tesseraError('GRAPHQL_VALIDATION_FAILED', 'No such field.')]
  const context = arriving()
  context.text = '{ b }'
  expect(
    await prepare.run(
      context,
      preparing(() => errors),
    ),
  ).toEqual({ errors })
  expect(context.operation).toBeUndefined()
})
