/** The noted weight of cached operations is their size, even if they grow while they are cached. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCacheMemory, syntaxCharacters } from '../../engine/cache-memory.ts'

test('a growing entry evicts the least recently used one', () => {
  const kept = createCacheMemory(100_000, 1000)
  for (let n = 0; n < 50; n++) {
    const value = {}
    kept.set(`document ${n}`, value, 1000)
    kept.grow(`document ${n}`, value, 20_000)
  }
  expect(kept.bytes).toBeLessThanOrEqual(100_000)
  expect(kept.get('document 49')).toBeDefined()
  expect(kept.get('document 45')).toBeUndefined()
})

test('an entry that grows past the bound of the whole memory is removed', () => {
  const kept = createCacheMemory(100_000, 1000)
  const value = {}
  kept.set('document', value, 1000)
  kept.grow('document', value, 200_000)
  expect(kept.get('document')).toBeUndefined()
  expect(kept.bytes).toBe(0)
})

test('the bytes are the sum of those noted for the kept entries, and never exceed the bound', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 9 }), bytes: fc.integer({ min: 0, max: 4000 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const kept = createCacheMemory(20_000, 1000)
      const noted = new Map<object, number>()
      for (const { key, bytes } of steps) {
        const known = kept.get(`${key}`)
        const value = known ?? { key }
        if (known === undefined) kept.set(`${key}`, value, bytes)
        else kept.grow(`${key}`, value as object, bytes)
        noted.set(value as object, (noted.get(value as object) ?? 501) + bytes)
      }
      const sum = kept.values().reduce((all, value) => all + (noted.get(value) ?? 0), 0)
      expect(kept.bytes).toBe(sum)
      expect(kept.bytes).toBeLessThanOrEqual(20_000)
    }),
  )
})

test('strings, comments and white space count for a fraction of text that becomes nodes', () => {
  const text = '{ a(b: 1) { c } }'
  const nodes = syntaxCharacters(text)
  const padding = 'x'.repeat(10_000)
  for (const longer of [
    `${text} # ${padding}`,
    text.replace('1', `"${padding}"`),
    text.replace('1', `"\\"${padding}"`),
    text.replace('1', `"""${padding} " "" \\""""`),
    text + ' '.repeat(10_000),
  ])
    expect(syntaxCharacters(longer) - nodes).toBeLessThan(1000)
  expect(syntaxCharacters(`{ ${'a '.repeat(5000)}}`)).toBeGreaterThan(5000)
})
