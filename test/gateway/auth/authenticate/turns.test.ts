import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTurns } from '../../../../gateway/auth/authenticate/turns.ts'

test('a caller with one token begins before the second turn of any other, within the bound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (counts, running) => {
        const turns = createTurns({
          running,
          waiting: 1000,
          waitMs: 60_000,
          refused: () => new Error('full'),
        })
        const begun: string[] = []
        const ends: (() => void)[] = []
        let now = 0
        const ask = (asker: string): Promise<void> =>
          turns.run(asker, async () => {
            begun.push(asker)
            now += 1
            expect(now).toBeLessThanOrEqual(running)
            await new Promise<void>((end) => ends.push(end))
            now -= 1
          })
        const all = counts.flatMap((count, asker) => Array.from({ length: count }, () => ask(`${asker}`)))
        const once = ask('once')
        while (begun.length < all.length + 1) {
          await new Promise((turn) => setImmediate(turn))
          for (const end of ends.splice(0)) end()
        }
        await new Promise((turn) => setImmediate(turn))
        for (const end of ends.splice(0)) end()
        await Promise.all([...all, once])
        const before = begun.slice(running, Math.max(running, begun.indexOf('once')))
        expect(new Set(before).size).toBe(before.length)
      },
    ),
  )
})

test('if the queue is full, the newest check of the caller with the most waiting checks is refused', async () => {
  const turns = createTurns({ running: 1, waiting: 3, waitMs: 60_000, refused: () => new Error('full') })
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const first = turns.run('many', () => promise)
  const many = [1, 2, 3, 4].map((n) => turns.run('many', async () => n))
  await expect(many[3]).rejects.toThrow('full')
  const one = turns.run('one', async () => 'one')
  await expect(many[2]).rejects.toThrow('full')
  end()
  await first
  expect(await Promise.all([many[0], many[1], one])).toEqual([1, 2, 'one'])
})

test('a check that waits too long, or during the shutdown, is refused', async () => {
  const turns = createTurns({ running: 1, waiting: 10, waitMs: 20, refused: () => new Error('full') })
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const first = turns.run('a', () => promise)
  await expect(turns.run('b', async () => {})).rejects.toThrow('full')
  const waiting = turns.run('c', async () => {})
  turns.close()
  await expect(waiting).rejects.toThrow('full')
  end()
  await first
})
