import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLookUps } from '../../../../subgraphs/kit/lookup/index.ts'
import { testRequest } from '../../../support/request.ts'

interface Found {
  readonly id: string
  readonly needs: number
}

/** Look-ups whose needs are bits: ids that begin with `n` do not exist, with `e` fail, with `x` fail their whole call. */
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

const wants = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'n1', 'n2', 'e1'),
    needs: fc.integer({ min: 1, max: 7 }),
  }),
  { minLength: 1, maxLength: 20 },
)

describe('look-ups', () => {
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

  test('answer at once what was read before, and ask again for what needs more', async () => {
    const { lookUps, calls } = bits()
    const lookUp = lookUps(testRequest(), 'k')
    const first = lookUp.read('a', 3)
    // While it is on its way, a request that needs no more waits for the same.
    expect(lookUp.read('a', 1)).toBe(first)
    await first
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

  test('remember nothing of another request, nor what was forgotten, nor what failed as if it were there', async () => {
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

  test('fail only those whose call failed', async () => {
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
