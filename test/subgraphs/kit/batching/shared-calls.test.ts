/** Calls that several requests share: who pays for them, and who waits for them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import type { CallRecord, SubgraphRequest } from '../../../../shared/request.ts'
import { createLookUps } from '../../../../subgraphs/kit/batching/index.ts'
import { testRequest } from '../../../support/request.ts'

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
