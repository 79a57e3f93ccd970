/** The ledger of one process: what it keeps for each credential, and how much of that at most. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Account, keptCredentials, MemoryLedger } from '../../../../gateway/costs/quota/ledger.ts'

const account = (credential: string, day = '2026-01-01'): Account => ({
  credential,
  day,
  endsAt: Date.parse('2026-01-02T08:00:00Z'),
})
const one = { 'videos.list': { units: 1, calls: 1 } }

test('reading and refused reservations keep nothing, and neither does an operation that spent nothing', () => {
  const ledger = new MemoryLedger()
  for (let i = 0; i < 1000; i += 1) {
    void ledger.read(account(`read ${i}`))
    void ledger.reserve(account(`refused ${i}`), 'r', 5, 4)
    void ledger.reserve(account(`unused ${i}`), 'r', 1, 4)
    void ledger.settle(account(`unused ${i}`), 'r', {})
  }
  expect(ledger.size).toBe(0)
})

test('any number of credentials is kept within the bound, and none is forgotten while units are reserved for it', () => {
  const ledger = new MemoryLedger()
  void ledger.reserve(account('running'), 'r', 7, 10)
  for (let i = 0; i < keptCredentials + 500; i += 1) void ledger.settle(account(`caller ${i}`), '', one)
  expect(ledger.size).toBe(keptCredentials)
  expect(ledger.read(account('running'))).toMatchObject({ reserved: 7 })
  expect(ledger.read(account(`caller ${keptCredentials + 499}`))).toMatchObject({ used: 1 })
})

test('entries of a day are dropped when the day after the next one begins', () => {
  const ledger = new MemoryLedger()
  for (let i = 0; i < 100; i += 1) void ledger.settle(account(`caller ${i}`), '', one)
  void ledger.settle(account('caller', '2026-01-02'), '', one)
  expect(ledger.size).toBe(101)
  void ledger.settle(account('caller', '2026-01-03'), '', one)
  expect(ledger.size).toBe(2)
})

test('what is used and reserved never exceeds the limit, in any order of steps', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('reserve' as const), units: fc.integer({ min: 0, max: 9 }) }),
    fc.record({
      kind: fc.constant('settle' as const),
      pick: fc.nat(),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 30 }), (steps, limit) => {
      const ledger = new MemoryLedger()
      const running: { id: string; units: number }[] = []
      let spent = 0
      steps.forEach((each, i) => {
        if (each.kind === 'reserve') {
          const id = `r${i}`
          const { granted } = ledger.reserve(account('a'), id, each.units, limit) as { granted: boolean }
          if (granted) running.push({ id, units: each.units })
        } else if (running.length > 0) {
          const [done] = running.splice(each.pick % running.length, 1) as [{ id: string; units: number }]
          const units = Math.floor(done.units * each.share)
          spent += units
          void ledger.settle(account('a'), done.id, units === 0 ? {} : { op: { units, calls: 1 } })
        }
        const state = ledger.read(account('a')) as { used: number; reserved: number }
        expect(state.used).toBe(spent)
        expect(state.reserved).toBe(running.reduce((sum, { units }) => sum + units, 0))
        expect(state.used + state.reserved).toBeLessThanOrEqual(limit)
      })
    }),
  )
})

test('an entry counts what each operation spent, in units and in calls', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  ledger.settle(a, '', { list: { units: 1, calls: 1 }, search: { units: 100, calls: 1 } })
  ledger.settle(a, '', { list: { units: 2, calls: 3 } })
  expect(ledger.read(a)).toEqual({
    used: 103,
    reserved: 0,
    closed: false,
    operations: { list: { units: 3, calls: 4 }, search: { units: 100, calls: 1 } },
  })
  expect(ledger.read(account('b'))).toEqual({ used: 0, reserved: 0, closed: false, operations: {} })
})

test('a reservation says what was used and reserved before it, and is granted up to the limit', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  ledger.settle(a, '', one)
  expect(ledger.reserve(a, 'r1', 2, 5)).toEqual({ granted: true, used: 1, reserved: 0, closed: false })
  expect(ledger.reserve(a, 'r2', 3, 5)).toEqual({ granted: false, used: 1, reserved: 2, closed: false })
  expect(ledger.reserve(a, 'r3', 2, 5)).toEqual({ granted: true, used: 1, reserved: 2, closed: false })
  expect(ledger.reserve(a, 'r4', 1000, undefined)).toMatchObject({ granted: true })
  expect(ledger.read(a)).toMatchObject({ used: 1, reserved: 1004 })
})

test('an id that is not reserved, or no longer, releases nothing', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  ledger.reserve(a, 'r1', 2, 5)
  ledger.settle(a, 'r2', {})
  expect(ledger.read(a)).toMatchObject({ reserved: 2 })
  ledger.settle(a, 'r1', one)
  ledger.settle(a, 'r1', {})
  ledger.settle(account('never seen'), 'r1', {})
  expect(ledger.read(a)).toMatchObject({ used: 1, reserved: 0 })
  expect(ledger.size).toBe(1)
})

test('an account that was shut grants nothing more on its day, and is kept', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  ledger.shut(a)
  expect(ledger.reserve(a, 'r1', 0, undefined)).toEqual({
    granted: false,
    used: 0,
    reserved: 0,
    closed: true,
  })
  ledger.settle(a, 'r1', {})
  expect(ledger.read(a)).toMatchObject({ closed: true })
  expect(ledger.reserve(account('b'), 'r1', 1, 1)).toMatchObject({ granted: true })
  expect(ledger.reserve(account('a', '2026-01-02'), 'r1', 1, 1)).toMatchObject({ granted: true })
})

test('operations that cost nothing are kept with their calls', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  ledger.settle(a, '', { free: { units: 0, calls: 2 } })
  ledger.settle(a, 'gone', {})
  expect(ledger.read(a).operations).toEqual({ free: { units: 0, calls: 2 } })
})

test('the credential that was used least recently is forgotten first', () => {
  const ledger = new MemoryLedger()
  for (let i = 0; i < keptCredentials; i += 1) ledger.settle(account(`caller ${i}`), '', one)
  ledger.settle(account('caller 0'), '', one)
  ledger.settle(account('one more'), '', one)
  expect(ledger.size).toBe(keptCredentials)
  expect(ledger.read(account('caller 0'))).toMatchObject({ used: 2 })
  expect(ledger.read(account('caller 1'))).toMatchObject({ used: 0 })
  expect(ledger.read(account('caller 2'))).toMatchObject({ used: 1 })
})

test('a new day leaves what is still reserved on an earlier one, and an earlier day drops nothing', () => {
  const ledger = new MemoryLedger()
  const [first, second] = [account('a'), account('a', '2026-01-03')]
  ledger.settle(first, '', one)
  ledger.reserve(first, 'r', 2, 5)
  ledger.settle(account('b'), '', one)
  ledger.settle(account('b', '2026-01-02'), '', one)
  ledger.settle(second, '', { list: { units: 7, calls: 1 } })
  expect(ledger.size).toBe(3)
  expect(ledger.read(account('b'))).toMatchObject({ used: 0 })
  expect(ledger.read(first)).toMatchObject({ used: 1, reserved: 2 })
  expect(ledger.read(second)).toMatchObject({ used: 7 })
  ledger.settle(account('late'), '', one)
  ledger.settle(account('c', '2026-01-03'), '', one)
  expect(ledger.read(account('late'))).toMatchObject({ used: 1 })
  expect(ledger.read(second)).toMatchObject({ used: 7 })
})

test('the totals of an account belong to its entry, and a new entry has another number', () => {
  const ledger = new MemoryLedger()
  const a = account('a')
  expect(ledger.totals(a)).toBeUndefined()
  ledger.reserve(a, 'r', 1, undefined)
  const before = ledger.totals(a)
  ledger.settle(a, 'r', {})
  ledger.settle(a, '', one)
  const after = ledger.totals(a)
  expect(after).toEqual({
    entry: expect.any(Number),
    operations: new Map([['videos.list', { units: 1, calls: 1 }]]),
  })
  expect(after?.entry).toBeGreaterThan(before?.entry ?? Number.POSITIVE_INFINITY)
})
