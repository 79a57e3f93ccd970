/** Lookups of one request: which calls they make, and what each of them gets. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLookUps } from '../../../../subgraphs/kit/batching/index.ts'
import { testRequest } from '../../../support/request.ts'
import { bits, type Found, settledOf } from './kit.ts'

const wants = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'n1', 'n2', 'e1'),
    needs: fc.integer({ min: 1, max: 7 }),
  }),
  { minLength: 1, maxLength: 20 },
)

test.each([0, -1, Number.NaN])('lookups of at most %d ids in a call are refused', (maxIds) => {
  expect(() => bits({ maxIds })).toThrow(`maxIds must be 1 or more, or Infinity, not ${maxIds}`)
})

describe('lookups', () => {
  test('of one moment go out together: each id once, few calls, all that is needed', async () => {
    await fc.assert(
      fc.asyncProperty(wants, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (wanted, maxIds, share) => {
        const { lookUps, calls } = bits({ share, maxIds })
        const lookUp = lookUps(testRequest(), 'k')
        const results = await Promise.allSettled(wanted.map(async ({ id, needs }) => lookUp.read(id, needs)))
        const ids = new Set(wanted.map(({ id }) => id))
        expect(calls).toHaveLength(Math.ceil(ids.size / maxIds))
        expect(calls.flatMap((call) => call.ids).toSorted()).toEqual([...ids].toSorted())
        for (const [at, { id, needs }] of wanted.entries()) {
          const result = results[at]!
          if (id.startsWith('e')) {
            expect(result).toMatchObject({ status: 'rejected', reason: { message: `no ${id} for you` } })
          } else if (id.startsWith('n')) expect(result).toEqual({ status: 'fulfilled', value: null })
          else {
            expect(result).toMatchObject({ status: 'fulfilled', value: { id } })
            const { value } = result as PromiseFulfilledResult<Found>
            expect(value.needs & needs).toBe(needs)
          }
        }
      }),
    )
  })

  test('of a list are those of its ids, with the same calls', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'n1', 'n2', 'e1', 'x1')
    const list = fc.record({
      ids: fc.array(id, { maxLength: 6 }),
      needs: fc.integer({ min: 1, max: 7 }),
      // By itself: its ids one by one; whether it is waited for before the next one.
      alone: fc.boolean(),
      waits: fc.boolean(),
    })
    const options = fc.record({ maxIds: fc.integer({ min: 1, max: 5 }), share: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(list, { maxLength: 6 }), options, async (lists, how) => {
        const run = async (inLists: boolean) => {
          const { lookUps, calls } = bits(how)
          const lookUp = lookUps(testRequest(), 'k')
          const results: unknown[] = []
          for (const { ids, needs, alone, waits } of lists) {
            const each = () => Promise.all(ids.map(async (one) => lookUp.read(one, needs)).map(settledOf))
            const read = alone || !inLists ? each() : lookUp.readAll(ids, needs)
            results.push(read)
            if (waits) await read
          }
          return { results: await Promise.all(results), calls }
        }
        const [inLists, oneByOne] = await Promise.all([run(true), run(false)])
        expect(inLists).toEqual(oneByOne)
      }),
    )
  })

  test('of a list are there immediately if all of them were read before', async () => {
    const { lookUps, calls } = bits()
    const lookUp = lookUps(testRequest(), 'k')
    const first = lookUp.readAll(['a', 'n', 'a', 'e1'], 1)
    const again = lookUp.read('a', 1)
    expect(await first).toEqual([
      { id: 'a', needs: 1 },
      null,
      { id: 'a', needs: 1 },
      new Error('no e1 for you'),
    ])
    expect(await again).toEqual({ id: 'a', needs: 1 })
    expect(lookUp.readAll(['n', 'a'], 1)).toEqual([null, { id: 'a', needs: 1 }])
    expect(lookUp.readAll([], 1)).toEqual([])
    await expect(lookUp.read('e1', 1)).rejects.toThrow('no e1 for you')
    expect(calls).toHaveLength(1)
  })

  test('of a list give what is thrown over an answer as the error of each', async () => {
    const lookUps = createLookUps<number, null, Found>({
      share: false,
      maxIds: 2,
      fetch: async () => null,
      pick: () => {
        throw new Error('it cannot be read')
      },
      unite: (some, others) => some | others,
      covers: () => true,
    })
    const lookUp = lookUps(testRequest(), 'k')
    const failed = new Error('it cannot be read')
    expect(await Promise.all([lookUp.readAll(['a', 'b'], 1), lookUp.readAll(['b', 'c'], 1)])).toEqual([
      [failed, failed],
      [failed, failed],
    ])
    await expect(lookUp.read('a', 1)).rejects.toThrow('it cannot be read')
  })

  test('of a list give each its own error, also if another one was under way', async () => {
    const answers: (() => void)[] = []
    const lookUps = createLookUps<number, null, Found>({
      share: false,
      maxIds: 2,
      fetch: () => new Promise((resolve) => answers.push(() => resolve(null))),
      pick(id) {
        if (id === 'thrown') throw new Error('it cannot be read')
        return new Error(`no ${id} for you`)
      },
      unite: (some, others) => some | others,
      covers: () => true,
    })
    const lookUp = lookUps(testRequest(), 'k')
    const first = settledOf(Promise.resolve(lookUp.read('e', 1)))
    await new Promise(setImmediate)
    const list = lookUp.readAll(['e', 'thrown'], 1)
    await new Promise(setImmediate)
    for (const answer of answers) answer()
    expect(await list).toEqual([new Error('no e for you'), new Error('it cannot be read')])
    expect(await first).toEqual(new Error('no e for you'))
  })

  test('answer immediately what was read before, and ask again for what needs more', async () => {
    const { lookUps, calls } = bits()
    const lookUp = lookUps(testRequest(), 'k')
    const first = lookUp.read('a', 3)
    // While it is on its way, a lookup that needs no more waits for the same.
    const less = lookUp.read('a', 1)
    expect(await first).toBe(await less)
    expect(lookUp.read('a', 2)).toEqual({ id: 'a', needs: 3 })
    expect(await lookUp.read('n', 1)).toBeNull()
    expect(lookUp.read('n', 1)).toBeNull()
    expect(await lookUp.read('a', 4)).toEqual({ id: 'a', needs: 4 })
    expect(lookUp.read('a', 4)).toEqual({ id: 'a', needs: 4 })
    expect(calls.map(({ ids, needs }) => [ids, needs])).toEqual([
      [['a'], 3],
      [['n'], 1],
      [['a'], 4],
    ])
  })

  test('remember nothing of another request, nothing forgotten, and no failure as a value', async () => {
    const { lookUps, calls } = bits()
    const lookUp = lookUps(testRequest(), 'k')
    await Promise.all([lookUp.read('a', 1), lookUp.read('b', 1)])
    await lookUps(testRequest(), 'k').read('a', 1)
    expect(calls).toHaveLength(2)
    lookUp.forget('a')
    expect(lookUp.read('b', 1)).toEqual({ id: 'b', needs: 1 })
    await lookUp.read('a', 1)
    expect(calls).toHaveLength(3)
    lookUp.forget()
    await lookUp.read('b', 1)
    expect(calls).toHaveLength(4)
    await expect(lookUp.read('e1', 1)).rejects.toThrow('no e1 for you')
    await expect(lookUp.read('e1', 1)).rejects.toThrow('no e1 for you')
    expect(calls).toHaveLength(5)
  })

  test('fail only with their own call', async () => {
    const { lookUps } = bits({ maxIds: 2 })
    const lookUp = lookUps(testRequest(), 'k')
    const results = await Promise.allSettled(['a', 'x', 'b', 'c'].map(async (id) => lookUp.read(id, 1)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  })

  test('keep what was read for less, and for other needs, of the same object', async () => {
    const { lookUps, calls } = bits()
    const lookUp = lookUps(testRequest(), 'k')
    await lookUp.read('a', 1)
    await lookUp.read('a', 2)
    await lookUp.read('b', 1)
    expect(lookUp.read('b', 1)).toEqual({ id: 'b', needs: 1 })
    expect(lookUp.read('a', 1)).toEqual({ id: 'a', needs: 1 })
    expect(lookUp.read('a', 2)).toEqual({ id: 'a', needs: 2 })
    expect(calls).toHaveLength(3)
  })

  test('of different views share no call, and are forgotten together', async () => {
    const calls: string[] = []
    const lookUps = createLookUps<null, string, string>({
      share: true,
      maxIds: 2,
      async fetch(ids, _needs, _request, view) {
        calls.push(`${view}: ${ids}`)
        return view
      },
      pick: (id, view) => `${id} in ${view}`,
      unite: () => null,
      covers: () => true,
    })
    const [one, other] = [lookUps(testRequest(), 'k'), lookUps(testRequest(), 'k')]
    const read = () => [
      one.read('a', null, 'de'),
      one.read('a', null, 'en'),
      other.readAll(['a', 'b', 'c'], null, 'de'),
      one.read('a', null),
    ]
    const all = ['a in de', 'a in en', ['a in de', 'b in de', 'c in de'], 'a in ']
    expect(await Promise.all(read())).toEqual(all)
    expect(calls).toEqual(['de: a,b', 'de: c', 'en: a', ': a'])
    expect(read()).toEqual(all)
    one.forget('a')
    await Promise.all(read())
    expect(calls.slice(4)).toEqual(['de: a', 'en: a', ': a'])
  })

  test('unite what is needed of each object, and of all objects of a call', async () => {
    const needed: (readonly string[])[] = []
    const lookUps = createLookUps<ReadonlySet<string>, null, null>({
      share: false,
      maxIds: 2,
      fetch: async (_, needs) => {
        needed.push([...needs].toSorted())
        return null
      },
      pick: () => null,
      unite: (some, others) => new Set([...some, ...others]),
      covers: (fetched, wanted) => [...wanted].every((field) => fetched.has(field)),
    })
    const lookUp = lookUps(testRequest(), 'k')
    await Promise.all(
      ['a title', 'a views', 'b title', 'c likes'].map((want) => {
        const [id = '', field = ''] = want.split(' ')
        return lookUp.read(id, new Set([field]))
      }),
    )
    expect(needed).toEqual([['title', 'views'], ['likes']])
  })
})
