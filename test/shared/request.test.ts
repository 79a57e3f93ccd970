/** Requests that wait for the same call. */
import { expect, test } from 'vitest'
import { type Allowance, type CallRecord, joinRequests } from '../../shared/request.ts'
import { testRequest } from '../support/request.ts'

test('are cancelled when all of them are, and as patient as the most patient', () => {
  const [hasty, patient] = [testRequest({}, { timeoutMs: 1000 }), testRequest({}, { timeoutMs: 5000 })]
  const joined = joinRequests([hasty, patient])
  expect(joined.deadline).toBe(patient.deadline)
  let told = 0
  joined.onCancel(() => {
    told += 1
  })
  hasty.cancel()
  expect([joined.cancelled, told]).toEqual([false, 0])
  patient.cancel()
  expect([joined.cancelled, told]).toEqual([true, 1])
})

test('have one that paid for the call, and others that shared it', () => {
  const requests = [testRequest(), testRequest(), testRequest()]
  const record: CallRecord = {
    service: 'videos',
    operation: 'videos.list',
    outcome: 'sent',
    units: 1,
    milliseconds: 2,
  }
  joinRequests(requests).meter.call(record)
  const shared = { ...record, outcome: 'shared', units: 0 }
  expect(requests.map(({ calls }) => calls)).toEqual([[record], [shared], [shared]])
})

/** A request for which this many units are reserved; `granted` calls `take` at once or later. */
function withUnits(left: number, granted: (take: () => void) => Promise<void> | void = (take) => take()) {
  const allowance: Allowance = {
    covers: (units) => units <= left,
    take: (units) =>
      granted(() => {
        if (units > left) throw new Error('used up')
        left -= units
      }) ?? undefined,
  }
  return { ...testRequest(), allowance }
}

test.each([
  ['at once', (take: () => void) => take()],
  ['later', (take: () => void) => Promise.resolve().then(take)],
])('pay by the first that waits and has units left, if units are granted %s', async (_, when) => {
  const [spent, paying, other] = [withUnits(0, when), withUnits(1, when), withUnits(1, when)]
  const joined = joinRequests([{ ...withUnits(9, when), cancelled: true }, spent, paying, other])
  const call = async (): Promise<void> => {
    await joined.allowance?.take(1)
    joined.meter.call({ service: 's', operation: 'o', outcome: 'sent', units: 1, milliseconds: 1 })
  }
  await call()
  await call()
  await expect(call()).rejects.toThrow('used up')
  expect([spent, paying, other].map(({ calls }) => calls.map(({ units }) => units))).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ])
})

test('pay by one that has enough units left before one that would have to reserve more', async () => {
  let more = 0
  const reserving = withUnits(0, () => {
    more += 1
  })
  const paying = withUnits(1)
  const joined = joinRequests([reserving, paying])
  expect(joined.allowance?.covers(1)).toBe(true)
  await joined.allowance?.take(1)
  expect(more).toBe(0)
  expect(joined.allowance?.covers(1)).toBe(false)
  await joined.allowance?.take(1)
  expect(more).toBe(1)
})

test('are refused together if none of 10,000 has units left', async () => {
  const take = (left: number) =>
    joinRequests([...Array.from({ length: 10_000 }, () => withUnits(0)), withUnits(left)]).allowance?.take(1)
  await take(1)
  await expect(take(0)).rejects.toThrow('used up')
})
