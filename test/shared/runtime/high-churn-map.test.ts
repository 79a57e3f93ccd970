import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HighChurnMap } from '../../../shared/runtime/high-churn-map.ts'

interface Value {
  readonly number: number
}

test('it holds what a Map would hold, however often its entries have moved', () => {
  const step = fc.record({ adds: fc.boolean(), key: fc.nat(11), stale: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), fc.integer({ min: 1, max: 600 }), (steps, turns) => {
      const map = new HighChurnMap<Value>()
      const plain = new Map<string, Value>()
      const all = Array.from({ length: turns }, () => steps).flat()
      for (const [number, { adds, key, stale }] of all.slice(0, 3000).entries()) {
        const name = `key ${key}`
        if (adds) {
          const value = { number }
          map.set(name, value)
          plain.set(name, value)
        } else {
          // One that has been replaced takes the new one along in no case.
          map.delete(name, stale ? { number: -1 } : (plain.get(name) ?? { number: -1 }))
          if (!stale) plain.delete(name)
        }
        expect(map.size).toBe(plain.size)
        expect(map.get(name)).toBe(plain.get(name))
      }
      for (let key = 0; key < 12; key++) expect(map.get(`key ${key}`)).toBe(plain.get(`key ${key}`))
    }),
    { numRuns: 50 },
  )
})

test('more entries than move at a time are all there', () => {
  const map = new HighChurnMap<Value>()
  for (let number = 0; number < 2000; number++) map.set(String(number), { number })
  expect(map.size).toBe(2000)
  for (let number = 0; number < 2000; number++) expect(map.get(String(number))).toEqual({ number })
})
