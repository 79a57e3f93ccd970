import { expect, test } from 'vitest'
import { price } from '../../../../gateway/pipeline/steps/price.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { authorized, partsOf } from './kit.ts'

const reserved = { estimate: undefined, admission: undefined }
const pricing = (before: () => unknown) =>
  partsOf({ pricing: { before, explain: async () => ({ units: 5 }) } as never })

test('the possible cost of an operation is reserved, immediately if nothing is bounded', async () => {
  expect(price.run(authorized(), partsOf({}))).toBeUndefined()
  for (const made of [reserved, Promise.resolve(reserved)]) {
    const context = authorized()
    const before = () => made
    const end = price.run(context, pricing(before))
    expect(end instanceof Promise).toBe(made instanceof Promise)
    expect(await end).toBeUndefined()
    expect(context.priced).toBe(reserved)
  }
})

test('an operation whose units are not left is refused', async () => {
  const refusal = tesseraError('QUOTA_EXCEEDED', 'Nothing is left.')
  const before = async () => refusal
  expect(await price.run(authorized(), pricing(before))).toEqual({ errors: [refusal] })
})

test('an explanation is returned instead of the answer: nothing is reserved, and only the cache is asked', async () => {
  const dry: boolean[] = []
  const context = authorized({}, {}, () => {
    expect(dry).toEqual([true])
    return { data: null }
  })
  context.isExplained = true
  const components = partsOf({
    ...pricing(() => {
      throw new Error('reserved')
    }),
    demand: { explain: () => ({ estimated: 7 }) } as never,
    reportCache: ((_: unknown, { isDry }: { isDry: boolean }) => {
      dry.push(isDry)
      return { fetches: ['f'] }
    }) as never,
  })
  expect(await price.run(context, components)).toEqual({
    extensions: { explain: { units: 5, cost: { estimated: 7 }, cache: ['f'] } },
  })
  expect(dry).toEqual([true])
})
