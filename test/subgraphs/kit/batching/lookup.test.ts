import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, tesseraError } from '../../../../shared/errors.ts'
import type { CallRecord, SubgraphRequest } from '../../../../shared/request.ts'
import { createLookUps } from '../../../../subgraphs/kit/batching/index.ts'
import { testRequest } from '../../../support/request.ts'

interface Found {
  readonly id: string
  readonly needs: number
}

/** Lookups whose needs are bits: ids that begin with `n` do not exist, with `e` fail, with `x` fail their whole call. */
function bits({ share = false, maxIds = 3 } = {}) {
  const calls: { ids: readonly string[]; needs: number }[] = []
  const lookUps = createLookUps<number, ReadonlyMap<string, Found>, Found>({
    share,
    maxIds,
    async fetch(ids, needs) {
      calls.push({ ids, needs })
      if (ids.some((id) => id.startsWith('x'))) throw new Error('the call failed')
      return new Map(ids.map((id) => [id, { id, needs }]))
    },
    pick: (id, answer) =>
      id.startsWith('e')
        ? new Error(`no ${id} for you`)
        : id.startsWith('n')
          ? null
          : (answer.get(id) ?? null),
    unite: (some, others) => some | others,
    covers: (fetched, wanted) => (fetched & wanted) === wanted,
  })
  return { lookUps, calls }
}

/** The value, or the error as one. */
const settledOf = <Value>(promise: Promise<Value>): Promise<Value | Error> =>
  promise.catch((error: Error) => error)

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

/** Lookups over a service that refuses a whole call for any id that begins with `w`. */
function refusing({ code = 'BAD_USER_INPUT', concernsOne }: Refusing = {}) {
  const calls: (readonly string[])[] = []
  const lookUps = createLookUps<null, ReadonlySet<string>, string>({
    share: true,
    maxIds: 100,
    async fetch(ids) {
      calls.push(ids)
      if (ids.some((id) => id.startsWith('w'))) throw tesseraError(code, 'The service refuses the request.')
      return new Set(ids)
    },
    pick: (id, found) => (found.has(id) ? id : null),
    unite: () => null,
    covers: () => true,
    ...(concernsOne === undefined ? {} : { concernsOne }),
  })
  return { lookUps, calls }
}

interface Refusing {
  readonly code?: ErrorCode
  readonly concernsOne?: () => boolean
}

describe('calls that requests share', () => {
  /** Lookups that are booked, with the request of each call. */
  function booked(maxIds: number) {
    const requests: SubgraphRequest[] = []
    const asked: (readonly string[])[] = []
    const lookUps = createLookUps<number, readonly string[], string>({
      share: true,
      maxIds,
      async fetch(ids, _, request) {
        requests.push(request)
        asked.push(ids)
        request.meter.call({ service: 's', operation: 'o', outcome: 'sent', units: 1, milliseconds: 1 })
        return ids
      },
      pick: (id, ids) => (ids.includes(id) ? id : null),
      unite: (some, others) => some | others,
      covers: () => true,
    })
    return { lookUps, requests, asked }
  }
  const outcomesOf = ({ calls }: { readonly calls: readonly CallRecord[] }) =>
    calls.map(({ outcome, units }) => [outcome, units])

  test('are booked on the request of the first id, and shared by the others that have ids in them', async () => {
    const { lookUps } = booked(3)
    const [a, b, c] = [testRequest(), testRequest(), testRequest()]
    await Promise.all([
      lookUps(a, 'k').readAll(['1', '2'], 1),
      lookUps(b, 'k').readAll(['3', '4', '5'], 1),
      lookUps(c, 'k').readAll(['6'], 1),
    ])
    expect(outcomesOf(a)).toEqual([['sent', 1]])
    expect(outcomesOf(b)).toEqual([
      ['shared', 0],
      ['sent', 1],
    ])
    expect(outcomesOf(c)).toEqual([['shared', 0]])
  })

  test('cost no request more than its own calls would', async () => {
    const lists = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 5 }), async (all, maxIds) => {
        const { lookUps, requests } = booked(maxIds)
        const askers = all.map((ids) => ({ ids: ids.map(String), request: testRequest() }))
        await Promise.all(askers.map(({ ids, request }) => lookUps(request, 'k').readAll(ids, 1)))
        expect(requests).toHaveLength(Math.ceil(new Set(all.flat()).size / maxIds))
        for (const { ids, request } of askers) {
          const units = request.calls.reduce((sum, call) => sum + call.units, 0)
          expect(units).toBeLessThanOrEqual(Math.ceil(ids.length / maxIds))
        }
      }),
    )
  })

  test('are cancelled only when every request that waits for them is', async () => {
    const { lookUps, requests } = booked(3)
    const [a, b] = [testRequest(), testRequest()]
    await Promise.all([lookUps(a, 'k').read('1', 1), lookUps(b, 'k').read('2', 1)])
    const joined = requests[0]!
    let told = 0
    joined.onCancel(() => {
      told += 1
    })
    a.cancel()
    expect([joined.cancelled, told]).toEqual([false, 0])
    b.cancel()
    expect([joined.cancelled, told]).toEqual([true, 1])
  })

  test('leave out what nobody waits for any more', async () => {
    const { lookUps, requests, asked } = booked(2)
    const [gone, staying] = [testRequest(), testRequest()]
    const results = Promise.all([
      lookUps(gone, 'k').readAll(['1', '2', '3', '4'], 1),
      lookUps(staying, 'k').readAll(['1', '3'], 1),
    ])
    gone.cancel()
    expect((await results)[1]).toEqual(['1', '3'])
    expect(asked.filter((_, at) => requests[at] === staying)).toEqual([['1', '3']])
    expect(outcomesOf(staying)).toEqual([['sent', 1]])
  })

  test('fail no request because another has no units left', async () => {
    const lookUps = createLookUps<null, readonly string[], string>({
      share: true,
      maxIds: 50,
      async fetch(ids, _, request) {
        await request.allowance?.take(1)
        if (ids.includes('wrong')) throw tesseraError('BAD_USER_INPUT', 'wrong')
        return ids
      },
      pick: (id) => id,
      unite: () => null,
      covers: () => true,
    })
    const asking = (...ids: string[]) => {
      let left = 1
      const take = (): undefined => {
        if (left === 0) throw tesseraError('QUOTA_EXCEEDED', 'used up')
        left -= 1
      }
      const allowance = { covers: (units: number) => units <= left, take }
      return lookUps({ ...testRequest(), allowance }, 'k').readAll(ids, null)
    }
    const [first, second, third] = await Promise.all([asking('1'), asking('2'), asking('wrong')])
    expect([first, second]).toEqual([['1'], ['2']])
    expect(third).toEqual([expect.objectContaining({ message: 'wrong' })])
  })

  test('are made for a cancelled request if nobody waits for them', async () => {
    const { lookUps, requests } = booked(3)
    const two = [testRequest(), testRequest()]
    const results = Promise.all(two.map((request, at) => lookUps(request, 'k').read(`${at}`, 1)))
    for (const request of two) request.cancel()
    await results
    expect(requests).toEqual([two[0]])
  })
})

describe('a call that the service refuses', () => {
  test('is asked again in halves: one wrong id among a hundred fails alone, in few calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(99), fc.integer({ min: 1, max: 20 }), async (wrong, requests) => {
        const { lookUps, calls } = refusing()
        const ids = Array.from({ length: 100 }, (_, at) => (at === wrong ? 'w' : `id${at}`))
        const of = Array.from({ length: requests }, () => lookUps(testRequest(), 'k'))
        const read = await Promise.all(
          ids.map((id, at) => settledOf(Promise.resolve(of[at % requests]!.read(id, null)))),
        )
        expect(read.map((value, at) => (value instanceof Error ? 'w' : (value ?? at)))).toEqual(ids)
        expect(calls.length).toBeLessThanOrEqual(1 + 2 * 7)
        // No id is requested again after it was answered.
        const answered = calls.filter((call) => !call.includes('w')).flat()
        expect(new Set(answered).size).toBe(answered.length)
      }),
    )
  })

  test('is asked again no more often if many requests want the same of its ids', async () => {
    const good = Array.from({ length: 25 }, (_, at) => `a${at}`)
    const callsOf = async (many: number): Promise<number> => {
      const { lookUps, calls } = refusing()
      const mixed = good.flatMap((id) => [`w${id}`, id])
      const requests = [mixed, ...Array.from({ length: many }, () => good.map((id) => [id])).flat()]
      const read = await Promise.all(requests.map((ids) => lookUps(testRequest(), 'k').readAll(ids, null)))
      expect(read.slice(1)).toEqual(requests.slice(1))
      return calls.length
    }
    expect(await callsOf(40)).toBe(await callsOf(1))
  })

  test('by many wrong ids of one request harms nothing else, and ends after a bounded number of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(8),
        async (count, others, place) => {
          const { lookUps, calls } = refusing()
          const wrong = Array.from({ length: count }, (_, at) => `w${at}`)
          // Each of the others has an id that all have, and a wrong one.
          const requests = Array.from({ length: others }, (_, at) => [`a${at}`, 'same', `w-${at}`])
          requests.splice(Math.min(place, others), 0, [...wrong, 'same'])
          const read = await Promise.all(
            requests.map((ids) => lookUps(testRequest(), 'k').readAll(ids, null)),
          )
          for (const [at, ids] of requests.entries())
            for (const [n, id] of ids.entries())
              if (id.startsWith('w')) expect(read[at]![n]).toBeInstanceOf(Error)
              else if (ids.length === 3) expect(read[at]![n]).toBe(id)
          // The first call, the halves, one for each request in a half that is left, and the halves of each request.
          expect(calls.length).toBeLessThanOrEqual(1 + 16 + 8 + others + 16 + 4 * others)
        },
      ),
    )
  })

  test('is asked again for an id that it does not find, which is null', async () => {
    const { lookUps, calls } = refusing({ code: 'NOT_FOUND' })
    const [own, other] = [lookUps(testRequest(), 'k'), lookUps(testRequest(), 'k')]
    expect(await Promise.all([own.readAll(['a', 'w'], null), other.read('b', null)])).toEqual([
      ['a', null],
      'b',
    ])
    expect(calls).toHaveLength(5)
  })

  test('for another reason is asked again only if the reason concerns one id', async () => {
    const read = ({ lookUps }: ReturnType<typeof refusing>) =>
      Promise.all(
        ['a', 'w'].map((id) => settledOf(Promise.resolve(lookUps(testRequest(), 'k').read(id, null)))),
      )
    const one = refusing({ code: 'FORBIDDEN', concernsOne: () => true })
    expect(await read(one)).toEqual(['a', expect.any(Error)])
    const caller = refusing({ code: 'FORBIDDEN' })
    expect(await read(caller)).toEqual([expect.any(Error), expect.any(Error)])
    expect(caller.calls).toHaveLength(1)
  })

  test('is not requested again for another failure or for a single id', async () => {
    const { lookUps, calls } = refusing()
    await expect(lookUps(testRequest(), 'k').read('w', null)).rejects.toThrow('refuses')
    expect(calls).toEqual([['w']])
    const failing = bits()
    await Promise.allSettled(['x', 'a'].map(async (id) => failing.lookUps(testRequest(), 'k').read(id, 1)))
    expect(failing.calls.length).toBeLessThanOrEqual(2)
  })
})
