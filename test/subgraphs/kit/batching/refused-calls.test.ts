/** Calls that the service refuses for one of their ids, and which are asked for again in halves. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, tesseraError } from '../../../../shared/errors.ts'
import { createLookUps } from '../../../../subgraphs/kit/batching/index.ts'
import { testRequest } from '../../../support/request.ts'
import { bits, settledOf } from './kit.ts'

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
