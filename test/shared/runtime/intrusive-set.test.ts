import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IntrusiveSet, notInSet, type SetItem } from '../../../shared/runtime/intrusive-set.ts'

interface Item extends SetItem {
  readonly name: number
}

test('an intrusive set holds what a Set would hold', () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), name: fc.nat(11) }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (all) => {
      const items = Array.from({ length: 12 }, (_, name): Item => ({ name, setIndex: notInSet }))
      const intrusive = new IntrusiveSet<Item>()
      const set = new Set<Item>()
      for (const { adds, name } of all) {
        const item = items[name] as Item
        if (adds) intrusive.add(item)
        else intrusive.delete(item)
        if (adds) set.add(item)
        else set.delete(item)
        expect(intrusive.size).toBe(set.size)
        expect(new Set(intrusive.items())).toEqual(set)
      }
      for (const item of items) expect(item.setIndex === notInSet).toBe(!set.has(item))
    }),
  )
})
