import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { createExecutors } from '../../../../gateway/pipeline/executors.ts'
import { execute } from '../../../../gateway/pipeline/steps/execute.ts'
import type { CallRecord } from '../../../../shared/request.ts'
import { authorized, partsOf, silent } from './kit.ts'

const record: CallRecord = { service: 's', operation: 'o', outcome: 'sent', units: 2, milliseconds: 1 }

function components(order: string[] = []) {
  const noted = (name: string) => (run: (...given: never[]) => unknown) =>
    ((...given: never[]) => {
      order.push(name)
      return run(...given)
    }) as never
  const booked: CallRecord[][] = []
  return {
    booked,
    ...partsOf({
      log: silent,
      httpProfile: '2025',
      documents: { keep: () => void order.push('keep') } as never,
      executors: createExecutors({
        inFlight: { share: noted('share'), order: noted('order'), callerHeaders: () => [] } as never,
        idempotency: { guard: noted('guard'), close() {} } as never,
      }),
      pricing: {
        async book(_: unknown, __: unknown, calls: CallRecord[]) {
          booked.push(calls)
        },
        report: async () => ({ spent: 2 }),
      } as never,
    }),
  }
}

test('idempotency stands before sharing, and sharing before the engine; a document is kept before', async () => {
  const order: string[] = []
  const context = authorized({ extensions: { persistedQuery: {} } }, {}, () => {
    order.push('engine')
    return { data: { a: 1 } }
  })
  expect(await execute.run(context, components(order))).toEqual({ data: { a: 1 } })
  expect(order).toEqual(['keep', 'guard', 'order', 'engine'])
})

test('calls are booked when it ends, even by an error, and those that end later as they come', async () => {
  const options = components()
  const context = authorized({}, {}, () => {
    context.call(record)
    throw new Error('broken')
  })
  await expect(execute.run(context, options)).rejects.toThrow('broken')
  context.call(record)
  expect(options.booked).toEqual([[record], [record]])
})

test('a caller who asks gets the quota; faults of the gateway are masked, next to reports', async () => {
  const report = [new GraphQLError('dry run', { extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } })]
  const context = authorized({ sentHeaders: { 'tessera-quota': '1' } }, { report }, () => ({
    data: { a: null },
    errors: [new GraphQLError('a secret')],
  }))
  const { errors = [], extensions } = (await execute.run(context, components())) ?? {}
  expect(extensions).toEqual({ quota: { spent: 2 } })
  expect(errors.map(({ extensions }) => extensions.code)).toEqual([
    'INTERNAL_SERVER_ERROR',
    'UNAUTHORIZED_FIELD_OR_TYPE',
  ])
  expect(JSON.stringify(errors)).not.toContain('a secret')
})

test('an incremental response is booked with its last result; with a key it comes whole', async () => {
  const updates = { pending: [], next: async () => undefined, whenIdle: () => undefined }
  const compiled = {
    execute: () => ({ data: { a: 1 } }),
    executeIncrementally: async () => ({ data: { a: 1 }, updates }),
  } as never
  const options = components()
  const context = authorized(
    { acceptsIncremental: true, sentHeaders: { 'tessera-quota': '1' } },
    { compiled },
  )
  expect((await execute.run(context, options))?.updates).toBe(updates)
  expect(options.booked).toEqual([])
  expect(await context.incrementalCost?.settle()).toEqual({ quota: { spent: 2 } })
  expect(options.booked).toEqual([[]])
  const keyed = authorized({ acceptsIncremental: true }, { compiled })
  keyed.idempotencyKeys = 'k'
  expect((await execute.run(keyed, options))?.updates).toBeUndefined()
})
