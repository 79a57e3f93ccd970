import { expect, test } from 'vitest'
import type { QuotaState } from '../../../shared/quota.ts'
import { createQuotaUsage } from '../../../subgraphs/videos/quota-usage.ts'

const state = (limit: number | null, remaining: number | null): QuotaState => ({
  limit,
  remaining,
  used: 0,
  resetsAt: '',
  operations: [],
})

test('what is spent is read in the background, once a second for each credential', async () => {
  let time = 0
  let left = 25
  const read: string[] = []
  const spent = createQuotaUsage(
    async (key) => {
      read.push(key)
      return state(100, left)
    },
    () => time,
  )
  expect(spent('a')).toBe(0)
  await new Promise(setImmediate)
  expect(spent('a')).toBe(0.75)
  left = 10
  expect([spent('a'), spent('b')]).toEqual([0.75, 0])
  time = 1000
  spent('a')
  await new Promise(setImmediate)
  expect(spent('a')).toBe(0.9)
  expect(read).toEqual(['a', 'b', 'a'])
})

test('without a limit, and if nothing can be read, nothing counts as spent', async () => {
  let time = 0
  let reads = 0
  const unlimited = createQuotaUsage(
    async () => {
      reads += 1
      return state(null, null)
    },
    () => time,
  )
  const broken = createQuotaUsage(() => Promise.reject(new Error('the ledger is away')))
  for (let second = 0; second < 5; second++) {
    time = second * 1000
    expect([unlimited('a'), broken('a')]).toEqual([0, 0])
    await new Promise(setImmediate)
  }
  expect(reads).toBe(1)
})
