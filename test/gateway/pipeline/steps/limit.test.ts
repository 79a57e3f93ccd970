import { expect, test } from 'vitest'
import type { RatedRequest } from '../../../../gateway/costs/rate/index.ts'
import { limit } from '../../../../gateway/pipeline/steps/limit.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { authorized } from './kit.ts'

const refusal = tesseraError('RATE_LIMITED', 'Too much.')

function rates(refusal?: Error) {
  const taken: number[][] = []
  return {
    taken,
    rateLimits: {
      async take({ cost, units }: RatedRequest) {
        taken.push([cost(), units()])
        return { refusal: refusal as never, head: ['ratelimit', 'r'] }
      },
    },
  }
}
const priced = {
  demand: { admit: () => ({ estimated: 7, maximum: undefined, actual: undefined }) } as never,
  pricing: { units: () => 3 } as never,
}

test('nothing waits if nothing is limited', () => {
  expect(limit.run(authorized(), {})).toBeUndefined()
})

test('an operation that costs more than it may is refused before its rate is counted', () => {
  const { taken, rateLimits } = rates()
  const demand = { admit: () => refusal } as never
  expect(limit.run(authorized(), { demand, rateLimits })).toEqual({ errors: [refusal] })
  expect(taken).toEqual([])
})

test('rates count cost and units, and the answer says what is left', async () => {
  const { taken, rateLimits } = rates()
  const context = authorized()
  expect(await limit.run(context, { ...priced, rateLimits })).toBeUndefined()
  expect(taken).toEqual([[7, 3]])
  expect(context.head).toEqual(['ratelimit', 'r'])
  const late = authorized()
  expect(await limit.run(late, { ...priced, rateLimits: rates(refusal).rateLimits })).toEqual({
    errors: [refusal],
  })
  expect(late.head).toEqual(['ratelimit', 'r'])
})

test('an explanation counts as a request, and costs nothing else', async () => {
  const { taken, rateLimits } = rates()
  const context = authorized()
  context.isExplained = true
  await limit.run(context, { ...priced, rateLimits })
  expect(taken).toEqual([[0, 0]])
})
