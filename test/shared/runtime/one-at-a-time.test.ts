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
  const first = run()
  await expect.poll(() => runs.length).toBe(1)
  const asked = [run(), run()]
  runs[0]?.resolve('first')
  expect(await first).toBe('first')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve('second')
  expect(await Promise.all(asked)).toEqual(['second', 'second'])
  expect(runs).toHaveLength(2)
})

test('a run that fails ends neither the next one nor those after it', async () => {
  const running = Promise.withResolvers<number>()
  let runs = 0
  const run = oneAtATime(() => (++runs === 1 ? running.promise : Promise.resolve(runs)))
  const first = run()
  await expect.poll(() => runs).toBe(1)
  const second = run()
  running.reject(new Error('odd'))
  await expect(first).rejects.toThrow('odd')
  expect(await second).toBe(2)
  expect(await Promise.all([run(), run()])).toEqual([3, 3])
})

test('runs do not overlap, whenever they are asked for', async () => {
  let running = 0
  let most = 0
  const run = oneAtATime(async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  })
  for (let turn = 0; turn < 50; turn++) {
    void run()
    await Promise.resolve()
  }
  await run()
  expect(most).toBe(1)
})
