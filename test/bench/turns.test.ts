import { expect, test } from 'vitest'
import type { LoadResult } from '../../bench/load.ts'
import { compareInTurns } from '../../bench/turns.ts'

const ceiling = { name: 'ceiling', pids: [process.pid] }
const candidate = { name: 'candidate', pids: [process.pid] }

const result = (requests: number, seconds: number, times: number): LoadResult => ({
  requests,
  seconds,
  failures: 0,
  firstFailure: undefined,
  p50: times,
  p99: times * 10,
  samples: [{ index: requests, text: '{}' }],
})

test('after a first turn each that does not count both take turns, and the first place changes', async () => {
  const order: [string, number][] = []
  await compareInTurns(ceiling, candidate, 2, async (one, seconds) => {
    order.push([one.name, seconds])
    return result(1, 1, 1)
  })
  const twice = ['ceiling', 'candidate', 'candidate', 'ceiling']
  expect(order.map(([name]) => name)).toEqual(['ceiling', 'candidate', ...twice, ...twice])
  expect(order.every(([, seconds]) => seconds === 0.5)).toBe(true)
})

test('the turns of a side are one: its requests over its seconds', async () => {
  const given = {
    ceiling: [result(999, 9, 9), result(300, 1, 1), result(100, 1, 3)],
    candidate: [result(99, 1, 9), result(10, 0.5, 2), result(20, 1, 4)],
  }
  const comparison = await compareInTurns(ceiling, candidate, 1, async (one) => {
    const next = given[one.name as keyof typeof given].shift()
    if (next === undefined) throw new Error('one turn too many')
    return next
  })
  expect(comparison.ceiling.figures).toMatchObject({ rps: 200, p50: 2, p99: 20 })
  expect(comparison.candidate.figures).toMatchObject({ rps: 20, p50: 3, p99: 30 })
  expect(comparison.candidate.samples.map(({ index }) => index)).toEqual([10, 20])
})

test('a failure in one turn is a failure of its side', async () => {
  const comparison = await compareInTurns(ceiling, candidate, 1, async (one) =>
    one === candidate ? { ...result(1, 1, 1), failures: 2, firstFailure: '500' } : result(1, 1, 1),
  )
  expect(comparison.candidate).toMatchObject({ failures: 4, firstFailure: '500' })
  expect(comparison.ceiling.failures).toBe(0)
})
