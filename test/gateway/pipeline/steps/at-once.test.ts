import { expect, test } from 'vitest'
import type { Operation } from '../../../../gateway/auth/granted-operation.ts'
import { authenticate } from '../../../../gateway/pipeline/steps/authenticate.ts'
import { authorize } from '../../../../gateway/pipeline/steps/authorize.ts'
import { prepare } from '../../../../gateway/pipeline/steps/prepare.ts'
import { price } from '../../../../gateway/pipeline/steps/price.ts'
import { readDocument } from '../../../../gateway/pipeline/steps/read-document.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { arriving, authorized, operationOf, partsOf, prepared } from './kit.ts'

const operation = operationOf()
const { granted } = authorized()
const reserved = { estimate: undefined, admission: undefined }

/** What a step finds out, and the step over whatever finds it. */
const steps: Record<string, [found: unknown, run: (found: never) => [end: unknown, found: () => unknown]]> = {
  authenticate: [
    anonymous,
    (found) => {
      const context = arriving()
      const end = authenticate.run(
        context,
        partsOf({ authenticator: { authenticate: () => found } as never }),
      )
      return [end, () => context.identity]
    },
  ],
  readDocument: [
    '{ kept }',
    (found) => {
      const context = arriving()
      const soonest = performance.now() + 5000
      const documents = { read: () => found } as never
      const end = readDocument.run(context, partsOf({ documents, timeoutMs: 5000 }))
      expect(context.deadline).toBeGreaterThanOrEqual(soonest)
      expect(context.deadline).toBeLessThan(Number.POSITIVE_INFINITY)
      return [end, () => context.text]
    },
  ],
  prepare: [
    operation,
    (found) => {
      const context = prepared()
      context.operation = undefined
      const end = prepare.run(context, partsOf({ operations: { get: () => found } as never }))
      return [end, () => context.operation]
    },
  ],
  authorize: [
    granted,
    (found) => {
      const context = prepared({}, { grantedTo: () => found } as Partial<Operation>)
      return [authorize.run(context, partsOf({})), () => context.granted]
    },
  ],
  price: [
    reserved,
    (found) => {
      const context = authorized()
      const end = price.run(context, partsOf({ pricing: { reserve: () => found } as never }))
      return [end, () => context.priced]
    },
  ],
}

test.each(Object.entries(steps))('%s ends at once, unless it has to wait', async (_, [found, run]) => {
  const [end, known] = run(found as never)
  expect([end, known()]).toEqual([undefined, found])
  const [late, knownLate] = run(Promise.resolve(found) as never)
  expect(late).toBeInstanceOf(Promise)
  expect([await late, knownLate()]).toEqual([undefined, found])
})
