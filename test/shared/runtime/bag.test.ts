import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bag, type Bagged, notInBag } from '../../../shared/runtime/bag.ts'

interface Item extends Bagged {
  readonly name: number
}

test('a bag holds what a Set would hold', () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), name: fc.nat(11) }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (all) => {
      const items = Array.from({ length: 12 }, (_, name): Item => ({ name, place: notInBag }))
      const bag = new Bag<Item>()
      const set = new Set<Item>()
      for (const { adds, name } of all) {
        const item = items[name] as Item
        if (adds) bag.add(item)
        else bag.delete(item)
        if (adds) set.add(item)
        else set.delete(item)
        expect(bag.size).toBe(set.size)
        expect(new Set(bag.items())).toEqual(set)
      }
      for (const item of items) expect(item.place === notInBag).toBe(!set.has(item))
    }),
  )
})
