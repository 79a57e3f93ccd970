import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Breaker, createBreaker } from '../../../shared/http/breaker.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function run(
  breaker: Breaker,
  call: () => Promise<{ readonly fault: boolean }>,
): Promise<{ readonly fault: boolean }> {
  const isTrial = breaker.begin()
  try {
    const end = await call()
    breaker.ended(isTrial, end)
    return end
  } catch (error) {
    breaker.ended(isTrial, undefined)
    throw error
  }
}

const well = async () => ({ fault: false })
const fault = async () => ({ fault: true })
const gone = async (): Promise<{ fault: boolean }> => {
  throw new Error('the caller went away')
}

async function failing(breaker: Breaker, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await run(breaker, fault)
}

test('it opens after so many failures in a row, and says how long it stays so', async () => {
  const opened = vi.fn()
  const breaker = createBreaker({ consecutive: 3, pauseMs: 4000 }, opened)
  await failing(breaker, 2)
  expect({ state: breaker.state, refusal: breaker.refusal() }).toEqual({
    state: 'closed',
    refusal: undefined,
  })
  await failing(breaker, 1)
  expect({ state: breaker.state, refusal: breaker.refusal() }).toEqual({ state: 'open', refusal: 4 })
  expect(opened).toHaveBeenCalledOnce()
})

test('a clock that is set back, or set forward, changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const breaker = createBreaker({ consecutive: 1, pauseMs: 4000 }, () => {})
  await failing(breaker, 1)
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(breaker.refusal()).toBe(4)
  vi.setSystemTime(Date.now() + 7_200_000)
  expect(breaker.refusal()).toBe(4)
  vi.advanceTimersByTime(4000)
  expect(breaker.refusal()).toBeUndefined()
})

test('failures from before it closed do not count, also in the first seconds of the process', async () => {
  const breaker = createBreaker({ consecutive: 100, ratio: 0.5, minimumRps: 1, pauseMs: 100 }, () => {})
  await failing(breaker, 10)
  expect(breaker.state).toBe('open')
  vi.advanceTimersByTime(100)
  await run(breaker, well)
  expect(breaker.state).toBe('closed')
  await failing(breaker, 1)
  expect(breaker.state).toBe('closed')
})

test('a success in between begins the count again', async () => {
  const breaker = createBreaker({ consecutive: 3 }, () => {})
  await failing(breaker, 2)
  await run(breaker, well)
  await failing(breaker, 2)
  expect(breaker.state).toBe('closed')
})

test('it opens when more than the given share of enough calls failed, though never many in a row', async () => {
  const breaker = createBreaker({ consecutive: 100, ratio: 0.5, minimumRps: 2 }, () => {})
  for (let i = 0; i < 9; i++) {
    await run(breaker, fault)
    await run(breaker, well)
  }
  expect(breaker.state).toBe('closed')
  await failing(breaker, 2)
  expect(breaker.state).toBe('open')
})

test('after the pause one call is let through, the others are still refused, and its success closes', async () => {
  const breaker = createBreaker({ consecutive: 1, pauseMs: 1000 }, () => {})
  await failing(breaker, 1)
  vi.advanceTimersByTime(1000)
  expect(breaker.refusal()).toBe(undefined)
  let finish: (end: { fault: boolean }) => void = () => {}
  const trial = run(
    breaker,
    () =>
      new Promise<{ fault: boolean }>((resolve) => {
        finish = resolve
      }),
  )
  expect({ state: breaker.state, refusal: breaker.refusal() }).toEqual({ state: 'half-open', refusal: 1 })
  finish({ fault: false })
  await trial
  expect({ state: breaker.state, refusal: breaker.refusal() }).toEqual({
    state: 'closed',
    refusal: undefined,
  })
})

test('each failed trial doubles the pause, up to its bound', async () => {
  const breaker = createBreaker({ consecutive: 1, pauseMs: 1000, maxPauseMs: 3000 }, () => {})
  await failing(breaker, 1)
  const pauses = []
  for (let i = 0; i < 4; i++) {
    const pause = breaker.refusal() ?? 0
    pauses.push(pause)
    vi.advanceTimersByTime(pause * 1000)
    await failing(breaker, 1)
  }
  expect(pauses).toEqual([1, 2, 3, 3])
})

test('a call that its caller cancelled counts neither as failure nor as success', async () => {
  const breaker = createBreaker({ consecutive: 3 }, () => {})
  await failing(breaker, 2)
  for (let i = 0; i < 5; i++) await expect(run(breaker, gone)).rejects.toThrow('went away')
  expect(breaker.state).toBe('closed')
  await failing(breaker, 1)
  expect(breaker.state).toBe('open')
})

test('calls of more than ten seconds ago count no more', async () => {
  const breaker = createBreaker({ consecutive: 100, ratio: 0.5, minimumRps: 1 }, () => {})
  await failing(breaker, 9)
  vi.advanceTimersByTime(11_000)
  await failing(breaker, 9)
  expect(breaker.state).toBe('closed')
  await failing(breaker, 1)
  expect(breaker.state).toBe('open')
})

test('a call that began before it opened neither closes it nor makes its pause longer', async () => {
  const opened = vi.fn()
  const breaker = createBreaker({ consecutive: 1, pauseMs: 4000 }, opened)
  const late = breaker.begin()
  await failing(breaker, 1)
  breaker.ended(late, { fault: false })
  breaker.ended(late, { fault: true })
  expect({ state: breaker.state, refusal: breaker.refusal() }).toEqual({ state: 'open', refusal: 4 })
  expect(opened).toHaveBeenCalledOnce()
})

test('a trial that its caller cancelled does not close it', async () => {
  const breaker = createBreaker({ consecutive: 1, pauseMs: 1000 }, () => {})
  await failing(breaker, 1)
  vi.advanceTimersByTime(1000)
  await expect(run(breaker, gone)).rejects.toThrow('went away')
  expect(breaker.state).toBe('open')
})

test('it opens by the first failure that is one too many: in a row, or of enough calls in ten seconds', () => {
  const step = fc.record({ afterMs: fc.constantFrom(0, 1, 400, 999, 1000, 4321, 9000), fault: fc.boolean() })
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.constantFrom(0, 0.25, 0.5, 0.9),
      fc.constantFrom(0.1, 0.3, 0.5),
      fc.array(step, { minLength: 20, maxLength: 60 }),
      (consecutive, ratio, minimumRps, steps) => {
        const breaker = createBreaker({ consecutive, ratio, minimumRps }, () => {})
        const calls: { second: number; fault: boolean }[] = []
        for (const { afterMs, fault } of steps) {
          vi.advanceTimersByTime(afterMs)
          const second = Math.floor(performance.now() / 1000)
          expect(breaker.begin()).toBe(false)
          breaker.ended(false, { fault })
          calls.push({ second, fault })
          const recent = calls.filter((call) => call.second > second - 10)
          const failed = recent.filter((call) => call.fault).length
          const inRow = calls.length - 1 - calls.findLastIndex((call) => !call.fault)
          const isTooMuch = recent.length >= 10 * minimumRps && failed > ratio * recent.length
          if (fault && (inRow >= consecutive || isTooMuch)) {
            expect(breaker.state).toBe('open')
            return
          }
          expect(breaker.state).toBe('closed')
        }
      },
    ),
  )
})
