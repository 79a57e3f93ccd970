/** How much of a request's time planning may use. */
import { expect, test } from 'vitest'
import { PlanBoundError } from '../../../../engine/planner/index.ts'
import { createClock } from '../../../../engine/planner/search/clock.ts'

/** A clock that starts at 1000 with a deadline, and what it says at a time. */
function started(deadline: number | undefined) {
  let time = 1000
  const clock = createClock(deadline, () => time)
  return (at: number) => {
    time = at
    try {
      clock.check()
    } catch (error) {
      if (!(error instanceof PlanBoundError)) throw error
      return error.ofTime ? 'over' : 'bound'
    }
    return clock.isLate() ? 'late' : 'in time'
  }
}

test('a twentieth of the remaining time may go into a better plan, half of it into any plan', () => {
  const at = started(3000)
  expect([1000, 1100, 1101, 2000, 2001].map(at)).toEqual(['in time', 'in time', 'late', 'late', 'over'])
})

test('if nothing is left there is no time after the first moment', () => {
  const at = started(500)
  expect([1000, 1001].map(at)).toEqual(['in time', 'over'])
})

test('without a deadline there is no bound', () => {
  expect(started(undefined)(1e12)).toBe('in time')
  const clock = createClock(undefined, () => {
    throw new Error('the time is not looked at')
  })
  expect(clock.isLate()).toBe(false)
})

test('the time is that of performance.now() unless another clock is given', () => {
  expect(createClock(performance.now() + 1e9).isLate()).toBe(false)
  const past = createClock(performance.now() - 1)
  const since = performance.now()
  while (performance.now() <= since) {
    // Until the clock goes on.
  }
  expect(past.isLate()).toBe(true)
})
