import { expect, test } from 'vitest'
import { statusOf } from '../../../../gateway/pipeline/result-status.ts'
import { report } from '../../../../gateway/pipeline/steps/report.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { authorized, partsOf, silent } from './kit.ts'

function components() {
  const seen: unknown[] = []
  return {
    seen,
    ...partsOf({
      log: silent,
      httpProfile: '2025',
      statusFor: statusOf,
      metrics: { firstPart: () => seen.push('first part') } as never,
      report: ({ status, codes, errors }) => void seen.push([status, codes, errors]),
      underWay: { begin() {}, end: () => seen.push('end') },
    }),
  }
}

test('errors of calls that were given up because the client has gone count as its leaving', () => {
  const context = authorized()
  context.result = { errors: [tesseraError('UPSTREAM_TIMEOUT', 'The request was cancelled.')] }
  context.cancel()
  const options = components()
  report.run(context, options)
  expect(options.seen).toEqual([[499, [], 0], 'end'])
})

test('an incremental response is reported with its last result, with the errors of all', async () => {
  const context = authorized()
  const results = [
    {
      pending: [],
      incremental: [],
      completed: [{ of: {}, errors: [tesseraError('NOT_FOUND', 'gone')] }],
      hasNext: false,
    },
  ]
  const updates = { pending: [], next: async () => results.shift(), whenIdle: () => undefined }
  context.result = { data: { a: 1 }, updates: updates as never }
  context.incrementalCost = { add() {}, settle: async () => ({ quota: 1 }) }
  const options = components()
  report.run(context, options)
  expect(options.seen).toEqual(['first part'])
  expect(await context.subsequentResults?.next()).toMatchObject({ extensions: { quota: 1 } })
  expect(options.seen).toEqual(['first part', [200, ['NOT_FOUND'], 1], 'end'])
})
