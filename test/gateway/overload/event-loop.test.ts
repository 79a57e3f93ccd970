import { expect, test } from 'vitest'
import { type LoopState, processLoop } from '../../../gateway/overload/event-loop.ts'

test('reports how late a busy event loop is, and nothing of an idle one', async () => {
  let isBusy = true
  /** What was seen last, once it is as it is waited for. */
  const seen = (expected: (state: LoopState) => boolean): Promise<LoopState> =>
    new Promise((resolve) => {
      const watch = processLoop.watch(20, (state) => {
        if (!expected(state)) return
        watch.stop()
        resolve(state)
      })
    })
  const work = (): void => {
    if (!isBusy) return
    const until = performance.now() + 30
    while (performance.now() < until);
    setImmediate(work)
  }
  work()
  const busy = await seen(({ delayMs }) => delayMs > 10)
  expect(busy.utilization).toBeGreaterThan(0.75)
  isBusy = false
  // The first look after it was busy may still tell of that.
  const idle = await seen(({ utilization, delayMs }) => utilization < 0.5 && delayMs === 0)
  expect(idle.utilization).toBeLessThan(busy.utilization)
})
