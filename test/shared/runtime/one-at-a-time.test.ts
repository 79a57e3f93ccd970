/** Work that is asked for while it runs is done once more, for all who ask meanwhile. */
import { expect, test } from 'vitest'
import { oneAtATime } from '../../../shared/runtime/one-at-a-time.ts'

test('calls during a run share the next one', async () => {
  const runs: PromiseWithResolvers<string>[] = []
  const run = oneAtATime(() => {
    const begun = Promise.withResolvers<string>()
    runs.push(begun)
    return begun.promise
  })
  const asked = [run(), run(), run()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve('first')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve('second')
  expect(await Promise.all(asked)).toEqual(['first', 'second', 'second'])
  const alone = run()
  runs[2]?.resolve('third')
  expect(await alone).toBe('third')
})
