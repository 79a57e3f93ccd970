/**
 * What a quota admits, reserves, settles and refuses, with a ledger that answers synchronously and with one that
 * does not.
 */
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { type Ledger, MemoryLedger } from '../../../../gateway/costs/quota/ledger.ts'
import {
  type Admission,
  Quota,
  type QuotaOptions,
  type QuotaRequest,
} from '../../../../gateway/costs/quota/quota.ts'
import type { CallOutcome, CallRecord } from '../../../../shared/request.ts'
import type { UpstreamEvent } from '../../../../shared/upstream.ts'
import { testRequest } from '../../../support/request.ts'

const noon = Date.parse('2026-01-01T12:00:00Z')
const resetsAt = '2026-01-02T00:00:00.000Z'
const halfDay = 43_200

/** A ledger in memory whose answers come later, as those of Redis do. */
function distant(): Ledger {
  const ledger = new MemoryLedger()
  return {
    reserve: async (...args) => ledger.reserve(...args),
    settle: async (...args) => ledger.settle(...args),
    shut: async (account) => ledger.shut(account),
    read: async (account) => ledger.read(account),
    close: () => ledger.close(),
  }
}

function quotaOf(options: Partial<QuotaOptions> = {}) {
  const clock = { now: noon }
  const quota = new Quota({
    service: 'videos',
    ledger: new MemoryLedger(),
    perOperation: undefined,
    daily: undefined,
    timeZone: 'UTC',
    cached: false,
    credentialKey: (request) => request.header('credential') ?? 'k',
    now: () => clock.now,
    ...options,
  })
  return { quota, clock }
}

const requestOf = (headers: Readonly<Record<string, string>> = {}): QuotaRequest => ({
  ...testRequest(headers),
  cacheOnly: false,
  allowance: undefined,
})

const called = (units: number, more: Partial<CallRecord> = {}): CallRecord => ({
  service: 'videos',
  operation: 'videos.list',
  outcome: 'sent',
  units,
  milliseconds: 1,
  ...more,
})

function eventOf(request: QuotaRequest, event: Partial<UpstreamEvent>): UpstreamEvent {
  return {
    service: 'videos',
    operation: 'videos.list',
    credentialKey: 'k',
    units: 0,
    attempts: 0,
    reservations: [],
    reason: undefined,
    request,
    ...event,
  } as UpstreamEvent
}

/** The extensions of a refusal until the day ends. */
const exceeded = (estimated: number, maximum: number, remaining: number) => ({
  code: 'QUOTA_EXCEEDED',
  service: 'videos',
  retryAfter: halfDay,
  quota: { estimated, maximum, remaining, resetsAt },
})

async function admitted(admission: Promise<Admission | GraphQLError>): Promise<Admission> {
  const result = await admission
  if (result instanceof GraphQLError) throw result
  return result
}

/** The error that is thrown, or rejected with. */
async function refusalOf(call: () => unknown): Promise<GraphQLError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
  throw new Error('expected a refusal')
}

/** What no caller waits for is done then. */
const turn = (): Promise<void> => new Promise(setImmediate)

const ledgers: readonly (readonly [string, () => Ledger])[] = [
  ['of this process', () => new MemoryLedger()],
  ['that answers later', distant],
]

describe('an operation', () => {
  test('is bounded if a budget is configured, of an operation or of the day', () => {
    expect(quotaOf().quota.bounded).toBe(false)
    expect(quotaOf({ perOperation: 0 }).quota.bounded).toBe(true)
    expect(quotaOf({ daily: 0 }).quota.bounded).toBe(true)
  })

  test('reserves its estimate, and is replaced by what it spent', async () => {
    const { quota } = quotaOf({ daily: 10 })
    const admission = await admitted(quota.admit(requestOf(), 6, true))
    expect(await quota.snapshot('k')).toEqual({ limit: 10, used: 0, remaining: 4, resetsAt, operations: [] })
    await admission.settle([called(1), called(1), called(2, { operation: 'search' })])
    expect(await quota.snapshot('k')).toEqual({
      limit: 10,
      used: 4,
      remaining: 6,
      resetsAt,
      operations: [
        { name: 'videos.list', units: 2, calls: 2 },
        { name: 'search', units: 2, calls: 1 },
      ],
    })
    expect(await quota.snapshotOf(requestOf({ credential: 'other' }))).toMatchObject({ used: 0 })
    expect(await quota.snapshotOf(requestOf())).toMatchObject({ used: 4 })
  })

  test('adds what is reported later', async () => {
    const { quota } = quotaOf({ daily: 10 })
    const admission = await admitted(quota.admit(requestOf(), 6, true))
    await admission.settle([called(1)])
    await admission.settle([called(2)])
    expect(await quota.snapshot('k')).toMatchObject({ used: 3, remaining: 7 })
  })

  test.each<[CallOutcome, number, number, number]>([
    ['sent', 1, 1, 1],
    ['sent', 0, 0, 1],
    ['revalidated', 1, 1, 1],
    ['failed', 1, 1, 1],
    ['failed', 0, 0, 0],
    ['cached', 1, 0, 0],
    ['shared', 1, 0, 0],
  ])('spends with a call that was %s for %i: %i in %i', async (outcome, units, used, calls) => {
    const { quota } = quotaOf()
    const admission = await admitted(quota.admit(requestOf(), 1, true))
    await admission.settle([called(units, { outcome }), called(5, { service: 'metrics' })])
    const { operations, ...state } = await quota.snapshot('k')
    expect(state).toMatchObject({ limit: null, used, remaining: null })
    expect(operations).toEqual(calls === 0 ? [] : [{ name: 'videos.list', units: used, calls }])
  })

  test('that costs more than one operation may is refused with what is left of the day', async () => {
    const { quota } = quotaOf({ perOperation: 5, daily: 10 })
    await admitted(quota.admit(requestOf(), 5, true))
    const refused = (await quota.admit(requestOf(), 6, true)) as GraphQLError
    expect(refused.message).toBe('The operation would cost up to 6 units; one operation may cost 5.')
    expect(refused.extensions).toEqual({
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      service: 'videos',
      quota: { estimated: 6, maximum: 5, remaining: 5, resetsAt },
    })
  })

  test.each(ledgers)('is refused if the day has not enough left, by a ledger %s', async (_, ledger) => {
    const { quota } = quotaOf({ ledger: ledger(), perOperation: 8, daily: 10 })
    await admitted(quota.admit(requestOf(), 7, true))
    await admitted(quota.admit(requestOf(), 3, true))
    const refused = (await quota.admit(requestOf(), 1, true)) as GraphQLError
    expect(refused.message).toBe('The operation would cost up to 1 unit; 0 are left today.')
    expect(refused.extensions).toEqual(exceeded(1, 8, 0))
    await admitted(quota.admit(requestOf({ credential: 'other' }), 1, true))
  })

  test('is refused as long as the service says that nothing is left', async () => {
    const { quota, clock } = quotaOf()
    quota.observe(eventOf(requestOf(), { reason: 'quotaExceeded' }))
    const refused = (await quota.admit(requestOf(), 1, false)) as GraphQLError
    expect(refused.message).toBe('The service has nothing left for today.')
    expect(refused.extensions).toMatchObject({ quota: { estimated: 1, maximum: null, remaining: 0 } })
    clock.now = Date.parse(resetsAt)
    await admitted(quota.admit(requestOf(), 1, false))
  })

  test('without mutations is answered only from the cache if the day has not enough left', async () => {
    const { quota } = quotaOf({ cached: true, daily: 1, perOperation: 7 })
    const write = (await quota.admit(requestOf(), 2, false)) as GraphQLError
    expect(write.extensions.code).toBe('QUOTA_EXCEEDED')
    const request = requestOf()
    await admitted(quota.admit(request, 2, true))
    expect(request.cacheOnly).toBe(true)
    expect(request.allowance).toBeUndefined()
    expect(quota.allow(0, request)).toBeUndefined()
    const refused = await refusalOf(() => quota.allow(3, request))
    expect(refused.message).toBe("The day's units are used up; only cached responses are available.")
    expect(refused.extensions).toEqual(exceeded(3, 7, 0))
    expect(await quota.snapshot('k')).toMatchObject({ used: 0, remaining: 1 })
  })

  test('is not answered only from the cache if the day has enough left', async () => {
    const { quota } = quotaOf({ cached: true, daily: 2 })
    const request = requestOf()
    await admitted(quota.admit(request, 2, true))
    expect(request.cacheOnly).toBe(false)
  })
})

describe('the header by which a caller bounds an operation', () => {
  test.each([
    ['0', undefined, 1, 0],
    ['4', undefined, 5, 4],
    ['4', 10, 5, 4],
    ['10', 4, 5, 4],
    ['999999999999', 4, 5, 4],
  ])('%s beside a bound of %s refuses %i units', async (header, perOperation, units, maximum) => {
    const { quota } = quotaOf({ perOperation })
    const request = requestOf({ 'tessera-max-units': header })
    const refused = (await quota.admit(request, units, true)) as GraphQLError
    expect(refused.extensions).toMatchObject({
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      quota: { estimated: units, maximum, remaining: null },
    })
    await admitted(quota.admit(request, maximum, true))
  })

  test.each(['', '-1', '1.5', 'x1', '1x', ' 1', '1234567890123'])('is no number: %j', async (header) => {
    const { quota } = quotaOf()
    const refused = (await quota.admit(requestOf({ 'tessera-max-units': header }), 0, true)) as GraphQLError
    expect(refused.message).toBe('The header tessera-max-units must be a whole number of units, 0 or more.')
    expect(refused.extensions).toEqual({ code: 'BAD_REQUEST' })
  })
})

describe.each(ledgers)('calls beyond the estimate of their operation, with a ledger %s', (_, ledger) => {
  test('are reserved beside it, and released with it', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 10 })
    const request = requestOf()
    const admission = await admitted(quota.admit(request, 3, true))
    expect(quota.allow(2, request)).toBeUndefined()
    expect(quota.allow(1, request)).toBeUndefined()
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 7 })
    await quota.allow(2, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 5 })
    await quota.allow(1, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 4 })
    await admission.settle([called(6)])
    expect(await quota.snapshot('k')).toMatchObject({ used: 6, remaining: 4 })
    await admission.settle([])
    expect(await quota.snapshot('k')).toMatchObject({ used: 6, remaining: 4 })
  })

  test('reserve only what the estimate does not cover', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 10 })
    const request = requestOf()
    await admitted(quota.admit(request, 3, true))
    expect([3, 4].map((units) => request.allowance?.covers(units))).toEqual([true, false])
    await quota.allow(5, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 5 })
    // What was reserved is used up by that call.
    await quota.allow(1, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 4 })
  })

  test('are refused if the day has not enough left, and what was reserved stays reserved', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 4, perOperation: 9 })
    const request = requestOf()
    const admission = await admitted(quota.admit(request, 3, true))
    const refused = await refusalOf(() => quota.allow(5, request))
    expect(refused.message).toBe('The call costs 5 units; 1 is left today.')
    expect(refused.extensions).toEqual(exceeded(5, 9, 1))
    await quota.allow(3, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 1 })
    await quota.allow(1, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 0 })
    await admission.settle([])
    expect(await quota.snapshot('k')).toMatchObject({ used: 0, remaining: 4 })
  })

  test('are not reserved if the day has no limit', async () => {
    const { quota } = quotaOf({ ledger: ledger() })
    const request = requestOf()
    await admitted(quota.admit(request, 1, true))
    expect(request.allowance).toBeUndefined()
    expect(quota.allow(50, request)).toBeUndefined()
  })

  test('of a finished operation have nothing left of its reservation', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 10 })
    const request = requestOf()
    const admission = await admitted(quota.admit(request, 3, true))
    await admission.settle([])
    await quota.allow(2, request)
    expect(await quota.snapshot('k')).toMatchObject({ remaining: 8 })
  })
})

describe('calls after the service has said that nothing is left', () => {
  test.each(['quotaExceeded', 'dailyLimitExceeded'])(
    'for %s are refused until the day ends',
    async (reason) => {
      const { quota, clock } = quotaOf({ perOperation: 9 })
      const request = requestOf()
      quota.observe(eventOf(request, { reason: 'rateLimitExceeded' }))
      quota.observe(eventOf(request, { reason, service: 'metrics' }))
      expect(quota.allow(1, request)).toBeUndefined()
      quota.observe(eventOf(request, { reason }))
      expect(quota.allow(0, request)).toBeUndefined()
      const refused = await refusalOf(() => quota.allow(2, request))
      expect(refused.message).toBe('The service has nothing left for today.')
      expect(refused.extensions).toEqual(exceeded(2, 9, 0))
      expect(quota.allow(2, requestOf({ credential: 'other' }))).toBeUndefined()
      clock.now = Date.parse(resetsAt) - 1
      await refusalOf(() => quota.allow(2, request))
      clock.now += 1
      expect(quota.allow(2, request)).toBeUndefined()
      // It is forgotten then, also for a clock that is set back.
      clock.now = noon
      expect(quota.allow(2, request)).toBeUndefined()
    },
  )

  test('are made again on the right day if the clock was ahead when it said so', () => {
    const { quota, clock } = quotaOf()
    clock.now = noon + 86_400_000
    quota.observe(eventOf(requestOf(), { reason: 'quotaExceeded' }))
    clock.now = noon
    expect(quota.allow(1, requestOf())).toBeUndefined()
  })

  test('say when to come back, with the numbers of their request', () => {
    const { quota } = quotaOf({ perOperation: 9 })
    expect(quota.explain('quotaExceeded', 2, requestOf())).toEqual({
      retryAfter: halfDay,
      extensions: { quota: { estimated: 2, maximum: 9, remaining: 0, resetsAt } },
    })
    expect(quotaOf().quota.explain('dailyLimitExceeded', 2, requestOf())).toMatchObject({
      extensions: { quota: { maximum: null } },
    })
    expect(quota.explain('rateLimitExceeded', 2, requestOf())).toBeUndefined()
    expect(quota.explain(undefined, 2, requestOf())).toBeUndefined()
  })
})

test('a clock that was a little ahead at midnight leads into no other day when it is right', async () => {
  const { quota, clock } = quotaOf({ daily: 10 })
  clock.now = Date.parse(resetsAt) - 3_600_000
  await quota.record(requestOf(), [called(9)])
  clock.now += 2 * 3_600_000
  expect(await quota.snapshot('k')).toMatchObject({ used: 0, remaining: 10 })
  await quota.record(requestOf(), [called(1)])
  clock.now -= 2 * 3_600_000
  expect(await quota.snapshot('k')).toMatchObject({ used: 9, remaining: 1, resetsAt })
})

test.each(ledgers)('what ran without a reservation is recorded, by a ledger %s', async (_, ledger) => {
  const { quota } = quotaOf({ ledger: ledger(), daily: 10 })
  await quota.record(requestOf(), [called(2)])
  expect(quota.record(requestOf(), [called(0, { outcome: 'failed' })])).toBeUndefined()
  expect(quota.record(requestOf(), [])).toBeUndefined()
  expect(await quota.snapshot('k')).toMatchObject({ used: 2, remaining: 8 })
})

test('with a ledger of this process nothing has to be waited for', () => {
  const { quota } = quotaOf({ daily: 10 })
  expect(quota.record(requestOf(), [called(2)])).toBeUndefined()
  expect(quota.calls.admit(1, requestOf())).toEqual(expect.any(String))
})

describe.each(ledgers)('single calls, with a ledger %s', (_, ledger) => {
  test('are reserved, each replaced by what it spent', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 10 })
    const request = requestOf()
    const reserve = async (): Promise<string> => (await quota.calls.admit(2, request)) ?? ''
    const [first, second, third] = [await reserve(), await reserve(), await reserve()]
    expect(await quota.calls.admit(0, request)).toBeUndefined()
    expect(await quota.snapshot('k')).toMatchObject({ used: 0, remaining: 4 })
    quota.calls.settle(eventOf(request, { units: 4, attempts: 2, reservations: [first, third] }))
    await turn()
    expect(await quota.snapshot('k')).toMatchObject({ used: 4, remaining: 4 })
    quota.calls.settle(eventOf(request, { reservations: [second] }))
    await expect
      .poll(() => quota.snapshot('k'))
      .toMatchObject({ used: 4, remaining: 6, operations: [{ name: 'videos.list', units: 4, calls: 2 }] })
  })

  test('are refused if the units are not left', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 3 })
    const request = requestOf()
    await quota.calls.admit(2, request)
    const refused = await refusalOf(() => quota.calls.admit(2, request))
    expect(refused.message).toBe('The call costs 2 units; 1 is left today.')
    expect(refused.extensions).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { maximum: null, remaining: 1 },
    })
  })

  test('that end after midnight are settled on the day of their admission', async () => {
    const days = ledger()
    const { quota, clock } = quotaOf({ ledger: days, daily: 10 })
    const request = requestOf()
    const admitted = await quota.calls.admit(2, request)
    clock.now += halfDay * 1000
    const again = await quota.calls.admit(3, request)
    const reservations = [admitted ?? '', again ?? '']
    quota.calls.settle(eventOf(request, { units: 4, attempts: 2, reservations }))
    await turn()
    const day = { credential: 'k', day: '2026-01-01', endsAt: Date.parse(resetsAt) }
    expect(await days.read(day)).toMatchObject({ used: 4, reserved: 0 })
    expect(await quota.snapshot('k')).toMatchObject({ used: 0, remaining: 10 })
  })

  test('that were never admitted are counted all the same', async () => {
    const { quota } = quotaOf({ ledger: ledger(), daily: 3 })
    quota.calls.settle(eventOf(requestOf(), { units: 1, attempts: 1 }))
    await turn()
    expect(await quota.snapshot('k')).toMatchObject({ used: 1 })
  })
})

test('a ledger that fails in the background fails nothing else', async () => {
  const failed: string[] = []
  const failing = (step: string) => async () => {
    failed.push(step)
    throw new Error('away')
  }
  const ledger = { ...distant(), settle: failing('settle'), shut: failing('shut') }
  const { quota } = quotaOf({ ledger })
  quota.observe(eventOf(requestOf(), { reason: 'quotaExceeded' }))
  quota.calls.settle(eventOf(requestOf(), { units: 1, attempts: 1 }))
  // Rejections that are not handled would end the process by the next turn.
  await turn()
  expect(failed).toEqual(['shut', 'settle'])
})

describe('the day', () => {
  test('is that of the time zone, and begins again', async () => {
    const { quota, clock } = quotaOf({ daily: 10, timeZone: 'America/Los_Angeles' })
    await quota.record(requestOf(), [called(2)])
    expect(await quota.snapshot('k')).toMatchObject({ used: 2, resetsAt: '2026-01-02T08:00:00.000Z' })
    clock.now = Date.parse('2026-01-02T07:59:59.999Z')
    expect(await quota.snapshot('k')).toMatchObject({ used: 2 })
    clock.now += 1
    expect(await quota.snapshot('k')).toMatchObject({ used: 0, resetsAt: '2026-01-03T08:00:00.000Z' })
  })

  test('is another one if the clock is set back by more than a day', async () => {
    const { quota, clock } = quotaOf({ daily: 10 })
    expect(await quota.snapshot('k')).toMatchObject({ resetsAt })
    clock.now = noon - 3 * 86_400_000
    expect(await quota.snapshot('k')).toMatchObject({ resetsAt: '2025-12-30T00:00:00.000Z' })
  })

  test('is counted by the clock of the ledger if it has one', async () => {
    const later = noon + 86_400_000
    const ledger = Object.assign(new MemoryLedger(), { now: () => later })
    const { quota } = quotaOf({ ledger, now: undefined })
    expect(await quota.snapshot('k')).toMatchObject({ resetsAt: '2026-01-03T00:00:00.000Z' })
    for (const without of [new MemoryLedger(), Object.assign(new MemoryLedger(), { now: () => undefined })]) {
      const ours = await quotaOf({ ledger: without, now: undefined }).quota.snapshot('k')
      expect(Date.parse(ours.resetsAt)).toBeGreaterThan(Date.now())
    }
  })
})

test('closing it closes its ledger', async () => {
  let closed = 0
  const ledger = Object.assign(new MemoryLedger(), {
    close: async () => {
      closed += 1
    },
  })
  await quotaOf({ ledger }).quota.close()
  expect(closed).toBe(1)
})
