import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallGuardOptions, createCallGuard, type GuardedCall } from '../../../shared/http/call-guard.ts'
import { testRequest } from '../../support/request.ts'

interface End {
  readonly word: string
}

interface Given extends Partial<GuardedCall<End>> {
  /** How the attempts end, one after the other; the last one repeats. */
  readonly ends?: readonly (End | Error)[]
}

/** Runs a call that is repeated wherever it failed; how often it was attempted, and what came of it. */
async function run(
  guard: ReturnType<typeof createCallGuard>,
  { ends = [{ word: 'fine' }], ...more }: Given = {},
): Promise<{ attempts: number; outcome: string }> {
  let attempts = 0
  const cancellation = testRequest()
  const outcome = await guard
    .run<End>({
      deadline: cancellation.deadline,
      cancellation,
      async attempt() {
        const end = ends[Math.min(attempts, ends.length - 1)] ?? { word: 'none' }
        attempts += 1
        if (end instanceof Error) throw end
        return end
      },
      verdict: ({ word }) => ({ fault: word !== 'fine' }),
      repetition: ({ word }) => (word === 'fine' ? undefined : { retryAfter: undefined }),
      refused: ({ why }) => ({ word: `refused: ${why}` }),
      ...more,
    })
    .then(
      ({ word }) => word,
      (error: Error) => error.message,
    )
  return { attempts, outcome }
}

const failing = [{ word: 'bad' }]
const retries = { most: 2, delayMs: 0 }
const withRetries = (more: Partial<CallGuardOptions> = {}): ReturnType<typeof createCallGuard> =>
  createCallGuard({ retries, ...more })

describe('a call', () => {
  test('is repeated as often as is allowed, and ends as its last attempt', async () => {
    expect(await run(withRetries(), { ends: failing })).toEqual({ attempts: 3, outcome: 'bad' })
    expect(await run(withRetries(), { ends: [...failing, { word: 'fine' }] })).toEqual({
      attempts: 2,
      outcome: 'fine',
    })
    expect(await run(createCallGuard({}), { ends: failing })).toEqual({ attempts: 1, outcome: 'bad' })
  })

  test('is repeated immediately next to allowed calls', async () => {
    let renewed = false
    const repetition = () => {
      if (renewed) return { retryAfter: undefined }
      renewed = true
      return 'at-once' as const
    }
    expect(await run(withRetries(), { ends: failing, repetition })).toEqual({ attempts: 4, outcome: 'bad' })
  })

  test('is not repeated if it may not, or if its time would be over', async () => {
    expect(await run(withRetries(), { ends: failing, mayRepeat: async () => false })).toEqual({
      attempts: 1,
      outcome: 'bad',
    })
    expect(await run(withRetries(), { ends: failing, repetition: () => ({ retryAfter: 3600 }) })).toEqual({
      attempts: 1,
      outcome: 'bad',
    })
  })

  test('that is cancelled in a pause is refused', async () => {
    const cancellation = testRequest()
    const repetition = () => {
      queueMicrotask(() => cancellation.cancel())
      return { retryAfter: 10 }
    }
    const outcome = await run(withRetries(), { ends: failing, repetition, cancellation })
    expect(outcome).toEqual({ attempts: 1, outcome: 'refused: cancelled' })
  })

  test('is repeated within a budget for all of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (calls, budget) => {
          const guard = createCallGuard({ retries: { ...retries, budget } })
          let attempts = 0
          for (let n = 0; n < calls; n++) attempts += (await run(guard, { ends: failing })).attempts
          expect(attempts - calls).toBeLessThanOrEqual(10 + budget * calls)
          expect(attempts - calls).toBeGreaterThanOrEqual(Math.min(2 * calls, 10) - 1)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('that does not get as far as an attempt leaves its turn to others', async () => {
    const guard = withRetries({ concurrency: { most: 1, waiting: 1 }, breaker: { consecutive: 2 } })
    for (let n = 0; n < 5; n++)
      expect(await run(guard, { ends: [new Error('unsendable')] })).toEqual({
        attempts: 1,
        outcome: 'unsendable',
      })
    expect(
      await run(guard, {
        attempt: () => {
          throw new Error('at once')
        },
      }),
    ).toMatchObject({ outcome: 'at once' })
    expect(await run(guard)).toEqual({ attempts: 1, outcome: 'fine' })
    expect(guard.state).toEqual({ breaker: 'closed', active: 0, waiting: 0 })
  })
})

describe('the breaker', () => {
  test('opens after failures, also for calls that wait, and says when it is asked again', async () => {
    const guard = createCallGuard({
      concurrency: { most: 1, waiting: 10 },
      breaker: { consecutive: 2, pauseMs: 60_000 },
    })
    const all = await Promise.all([1, 2, 3, 4].map(() => run(guard, { ends: failing })))
    expect(all.map(({ outcome }) => outcome)).toEqual(['bad', 'bad', 'refused: breaker', 'refused: breaker'])
    expect(guard.refusal()).toBeGreaterThan(50)
    expect(await run(guard)).toEqual({ attempts: 0, outcome: 'refused: breaker' })
    expect(guard.state).toEqual({ breaker: 'open', active: 0, waiting: 0 })
  })

  test('that opens between an attempt and its repetition leaves the failure as it was', async () => {
    const guard = withRetries({ breaker: { consecutive: 1, pauseMs: 60_000 } })
    expect(await run(guard, { ends: failing })).toEqual({ attempts: 1, outcome: 'bad' })
  })

  test('does not hear of what tells nothing', async () => {
    const guard = createCallGuard({ breaker: { consecutive: 1 } })
    for (let n = 0; n < 5; n++) await run(guard, { ends: failing, verdict: () => undefined })
    expect(guard.state.breaker).toBe('closed')
  })
})

describe('a call that does not get a turn', () => {
  test('until its deadline, or before it is cancelled, is refused and takes none from others', async () => {
    const guard = createCallGuard({ concurrency: { most: 1, waiting: 1 } })
    const first = Promise.withResolvers<End>()
    const running = run(guard, { attempt: () => first.promise })
    const late = await run(guard, { deadline: performance.now() - 1 })
    expect(late).toEqual({ attempts: 0, outcome: 'refused: timeout' })
    const cancellation = testRequest()
    const waiting = run(guard, { cancellation })
    cancellation.cancel()
    expect(await waiting).toEqual({ attempts: 0, outcome: 'refused: cancelled' })
    expect(guard.state).toEqual({ breaker: 'closed', active: 1, waiting: 0 })
    first.resolve({ word: 'fine' })
    expect((await running).outcome).toBe('fine')
    expect(guard.state.active).toBe(0)
  })

  test('again ends as its last attempt', async () => {
    const guard = withRetries({ concurrency: { most: 1, waiting: 0 } })
    const other = Promise.withResolvers<End>()
    let running: Promise<unknown> | undefined
    const mayRepeat = async () => {
      running = run(guard, { attempt: () => other.promise })
      return true
    }
    expect(await run(guard, { ends: failing, mayRepeat })).toEqual({ attempts: 1, outcome: 'bad' })
    other.resolve({ word: 'fine' })
    await running
  })
})

test('without a concurrency limit or breaker nothing is active or waits', () => {
  const guard = createCallGuard({})
  expect(guard.state).toEqual({ breaker: 'closed', active: 0, waiting: 0 })
  expect(guard.refusal()).toBeUndefined()
})

test('more than may wait are refused', async () => {
  const guard = createCallGuard({ concurrency: { most: 1, waiting: 1 } })
  const all = await Promise.all([1, 2, 3].map(() => run(guard)))
  expect(all.map(({ outcome }) => outcome).sort()).toEqual(['fine', 'fine', 'refused: full'])
})
