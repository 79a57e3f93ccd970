/** Which answers are late: those that were not there in time, not those that this process could not read. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startResponseTimeout } from '../../../shared/runtime/response-timeout.ts'
import { blockThread } from '../../support/block-thread.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('expires once, after its time', async () => {
  const begun = performance.now()
  let times = 0
  await new Promise<void>((resolve) => {
    startResponseTimeout(40, () => {
      times += 1
      resolve()
    })
  })
  // Node's timers count whole milliseconds, and each quarter may end early by a part of one.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(36)
  await delay(20)
  expect(times).toBe(1)
})

test('counts time in which this process was held up for a quarter at most', async () => {
  let isExpired = false
  const stop = startResponseTimeout(800, () => {
    isExpired = true
  })
  blockThread(900)
  await delay(1)
  expect(isExpired).toBe(false)
  stop()
})

test('does not expire once it was stopped, be it in its last moment', async () => {
  const expired: string[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stop = startResponseTimeout(1000, () => expired.push('stopped'))
  startResponseTimeout(1000, () => expired.push('not stopped'))
  startResponseTimeout(1000, () => expired.push('stopped at once'))()
  // Its whole time passes before what has arrived can be read.
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  expect(expired).toEqual([])
  stop()
  await new Promise(setImmediate)
  expect(expired).toEqual(['not stopped'])
})
