/** Equal work under way is done once, by the rules of each place, within bounds. */
import '../../support/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FlightRules, SingleFlight } from '../../../shared/runtime/single-flight.ts'

interface Piece {
  readonly caller: number
  end(value: string | Error): void
}

/** Work that ends when the test says so, and what was begun of it. */
function stage(rules: FlightRules<string, number> = {}) {
  const flights = new SingleFlight<string, number>(rules)
  const begun: Piece[] = []
  const workOf = (caller: number) => (): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push({ caller, end: (value) => (value instanceof Error ? reject(value) : resolve(value)) })
    })
  const ask = async (key: string, caller = 0): Promise<string> => flights.run(key, caller, workOf(caller))
  return { flights, begun, ask, workOf }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a caller with the same key joins, and work that has ended is begun again', async () => {
  const { begun, ask, flights } = stage()
  const asked = [ask('a'), ask('b'), ask('a'), ask('a')]
  expect(begun).toHaveLength(2)
  expect(flights.size).toBe(2)
  expect(flights.find('a')?.waiting).toBe(2)
  begun[0]?.end('A')
  begun[1]?.end('B')
  expect(await Promise.all(asked)).toEqual(['A', 'B', 'A', 'A'])
  expect(flights.size).toBe(0)
  expect(flights.find('a')).toBeUndefined()
  const again = ask('a')
  expect(begun).toHaveLength(3)
  begun[2]?.end('A again')
  expect(await again).toBe('A again')
})

test('a synchronous result is returned synchronously, and so is an error', () => {
  const { flights } = stage()
  expect(flights.run('a', 0, () => 'now')).toBe('now')
  expect(() =>
    flights.run('a', 0, () => {
      throw new Error('full')
    }),
  ).toThrow('full')
  expect(flights.size).toBe(0)
})

test('work that fails fails for all who wait, and is forgotten', async () => {
  const { begun, ask, flights } = stage()
  const asked = [ask('a'), ask('a')]
  begun[0]?.end(new Error('no'))
  for (const each of asked) await expect(each).rejects.toThrow('no')
  expect(flights.size).toBe(0)
})

test('a result that does not serve those who joined lets one of them begin, and the others join that one', async () => {
  const { begun, ask } = stage({
    wait: async (flight) => {
      const value = await flight.result
      return value === 'cut' ? undefined : value
    },
  })
  const asked = [0, 1, 2, 3].map((caller) => ask('a', caller))
  begun[0]?.end('cut')
  expect(await asked[0]).toBe('cut')
  await settled()
  expect(begun.map(({ caller }) => caller)).toEqual([0, 1])
  begun[1]?.end('whole')
  expect(await Promise.all(asked.slice(1))).toEqual(['whole', 'whole', 'whole'])
})

test('a caller that may not join begins work which later callers join', async () => {
  let now = 0
  const { begun, ask, flights } = stage({ clock: () => now, mayJoin: ({ since }, caller) => since >= caller })
  const asked = [ask('a', 0)]
  now = 5
  asked.push(ask('a', 5), ask('a', 0), ask('a', 5))
  expect(begun).toHaveLength(2)
  // The older one ends, and does not take the place of the newer one with it.
  begun[0]?.end('old')
  expect(await asked[0]).toBe('old')
  expect(flights.find('a')?.since).toBe(5)
  begun[1]?.end('new')
  expect(await Promise.all(asked)).toEqual(['old', 'new', 'new', 'new'])
})

test('a cancelled caller works separately, and the others continue to wait', async () => {
  const gone = new Set<number>()
  const leave = Promise.withResolvers<undefined>()
  const { begun, ask, flights } = stage({
    wait: (flight, caller) => (caller === 1 ? Promise.race([flight.result, leave.promise]) : flight.result),
    isOver: (caller) => gone.has(caller),
  })
  const asked = [0, 1, 2].map((caller) => ask('a', caller))
  const first = flights.find('a')
  gone.add(1)
  leave.resolve(undefined)
  await settled()
  expect(begun.map(({ caller }) => caller)).toEqual([0, 1])
  expect(flights.find('a')).toBe(first)
  expect(first?.waiting).toBe(1)
  begun[1]?.end('alone')
  begun[0]?.end('together')
  expect(await Promise.all(asked)).toEqual(['together', 'alone', 'together'])
})

test('what several get is made once, and only if several get it', async () => {
  let made = 0
  const { begun, ask } = stage({ forMany: (value) => `${value} ${++made}` })
  const asked = [ask('a'), ask('a'), ask('a'), ask('b')]
  for (const { end } of begun) end('for')
  expect(await Promise.all(asked)).toEqual(['for 1', 'for 1', 'for 1', 'for'])
})

test('the place that begins by itself takes the place of older work; what it forgets nobody joins', async () => {
  const { begun, flights, workOf, ask } = stage()
  const first = flights.begin('a', 0, workOf(0))
  const second = flights.begin('a', 1, workOf(1))
  expect(flights.find('a')).toBe(second)
  flights.forget(first)
  expect(flights.find('a')).toBe(second)
  flights.forget(second)
  const third = ask('a', 2)
  expect(begun.map(({ caller }) => caller)).toEqual([0, 1, 2])
  for (const { end, caller } of begun) end(`by ${caller}`)
  expect(await Promise.all([first.result, second.result, third])).toEqual(['by 0', 'by 1', 'by 2'])
  expect(flights.size).toBe(0)
})

test('beyond the bounds each works for itself', async () => {
  async function begunFor(keys: readonly string[], rules: FlightRules<string, number>): Promise<number> {
    const { begun, ask, flights } = stage(rules)
    const asked = keys.map((key) => ask(key))
    const { length } = begun
    for (const { end } of begun) end('made')
    await Promise.all(asked)
    expect(flights.size).toBe(0)
    return length
  }
  expect(await begunFor(['a', 'a', 'b', 'a', 'b'], {})).toBe(2)
  expect(await begunFor(['a', 'b', 'a', 'b'], { most: 1 })).toBe(3)
  expect(await begunFor(['aaaa', 'aaaa', 'b', 'b'], { mostCharacters: { one: 3, all: 9 } })).toBe(3)
  expect(await begunFor(['aa', 'aa', 'bb', 'bb'], { mostCharacters: { one: 3, all: 3 } })).toBe(3)
  // The third leads again, and the fourth joins that.
  expect(await begunFor(['a', 'a', 'a', 'a'], { mostWaiting: 1 })).toBe(2)
})

test('however callers come and work ends, each gets the result of work that was under way when it asked', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ ask: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ end: fc.nat(), fails: fc.boolean() }),
    ),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { flights, begun, ask } = stage()
      const open: { key: string; at: number }[] = []
      const outcomes: Promise<void>[] = []
      for (const step of all) {
        if ('ask' in step) {
          const running = open.find(({ key }) => key === step.ask)
          const outcome = ask(step.ask)
          const at = running?.at ?? begun.length - 1
          if (running === undefined) open.push({ key: step.ask, at })
          outcomes.push(
            outcome.then(
              (value) => expect(value).toBe(`made ${at}`),
              (error: Error) => expect(error.message).toBe(`failed ${at}`),
            ),
          )
        } else if (open.length > 0) {
          const [ended] = open.splice(step.end % open.length, 1)
          const at = ended?.at ?? 0
          begun[at]?.end(step.fails ? new Error(`failed ${at}`) : `made ${at}`)
          await settled()
        }
        expect(flights.size).toBe(open.length)
      }
      for (const { at } of open) begun[at]?.end(`made ${at}`)
      await Promise.all(outcomes)
      expect(flights.size).toBe(0)
    }),
  )
})
