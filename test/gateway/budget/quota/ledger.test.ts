/** The ledger of one process: what it keeps for each credential, and how much of that at most. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Account, createMemoryLedger, keptCredentials } from '../../../../gateway/budget/quota/ledger.ts'

const account = (credential: string, day = '2026-01-01'): Account => ({
  credential,
  day,
  endsAt: Date.parse('2026-01-02T08:00:00Z'),
})
const one = { 'videos.list': { units: 1, calls: 1 } }

test('reading and refused reservations keep nothing, and neither does an operation that spent nothing', () => {
  const ledger = createMemoryLedger()
  for (let i = 0; i < 1000; i += 1) {
    void ledger.read(account(`read ${i}`))
    void ledger.reserve(account(`refused ${i}`), 'r', 5, 4)
    void ledger.reserve(account(`unused ${i}`), 'r', 1, 4)
    void ledger.settle(account(`unused ${i}`), 'r', {})
  }
  expect(ledger.size).toBe(0)
})

test('any number of credentials is kept within the bound, and none is forgotten while units are reserved for it', () => {
  const ledger = createMemoryLedger()
  void ledger.reserve(account('running'), 'r', 7, 10)
  for (let i = 0; i < keptCredentials + 500; i += 1) void ledger.settle(account(`caller ${i}`), '', one)
  expect(ledger.size).toBe(keptCredentials)
  expect(ledger.read(account('running'))).toMatchObject({ reserved: 7 })
  expect(ledger.read(account(`caller ${keptCredentials + 499}`))).toMatchObject({ used: 1 })
})

test('entries of earlier days are dropped when a new day begins', () => {
  const ledger = createMemoryLedger()
  for (let i = 0; i < 100; i += 1) void ledger.settle(account(`caller ${i}`), '', one)
  void ledger.settle(account('caller', '2026-01-02'), '', one)
  expect(ledger.size).toBe(1)
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
      const ledger = createMemoryLedger()
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
