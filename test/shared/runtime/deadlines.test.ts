import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearDeadline, type WithDeadline, watchDeadline } from '../../../shared/runtime/deadlines.ts'
import { notInSet } from '../../../shared/runtime/intrusive-set.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

class Patient implements WithDeadline {
  setIndex = notInSet
  readonly deadline: number
  expiredAt: number | undefined
  times = 0
  constructor(inMs: number) {
    this.deadline = performance.now() + inMs
  }
  expire(): void {
    this.times += 1
    this.expiredAt = performance.now()
  }
}

test('a late request is ended once and within 25 ms; one that stopped waiting is not', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), inMs: fc.integer({ min: -10, max: 300 }) }),
    fc.record({ kind: fc.constant('stop' as const), which: fc.nat() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 120 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const all: Patient[] = []
      const left = new Set<Patient>()
      for (const each of steps) {
        if (each.kind === 'wait') {
          const patient = new Patient(each.inMs)
          all.push(patient)
          watchDeadline(patient)
        } else if (each.kind === 'stop') {
          const patient = all[each.which % all.length]
          if (patient === undefined) continue
          if (patient.times === 0) left.add(patient)
          // Also of a request that was ended already, and twice.
          clearDeadline(patient)
          clearDeadline(patient)
        } else vi.advanceTimersByTime(each.ms)
      }
      vi.advanceTimersByTime(400)
      for (const patient of all) {
        expect(patient.setIndex).toBe(notInSet)
        expect(patient.times).toBe(left.has(patient) ? 0 : 1)
        if (patient.expiredAt === undefined) continue
        expect(patient.expiredAt).toBeGreaterThanOrEqual(patient.deadline)
        expect(patient.expiredAt - patient.deadline).toBeLessThanOrEqual(25 + 10)
      }
      // Nothing waits: no timer is left.
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

test('a late request that another late one ends is ended only by that', () => {
  const second = new Patient(5)
  const first = new Patient(5)
  first.expire = () => {
    clearDeadline(second)
  }
  watchDeadline(first)
  watchDeadline(second)
  vi.advanceTimersByTime(30)
  expect(second.times).toBe(0)
})
