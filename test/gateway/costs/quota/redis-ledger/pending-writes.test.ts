/** What is kept until Redis knows it. */
import { describe, expect, it } from 'vitest'
import { keptCredentials } from '../../../../../gateway/costs/quota/ledger.ts'
import {
  createPendingWrites,
  type PendingWrite,
  pendingWriteOf,
  keptSettled,
} from '../../../../../gateway/costs/quota/redis-ledger/pending-writes.ts'

const account = (credential: string, day = '2026-01-01') => ({ credential, day, endsAt: 1 })
const write = (credential: string, more: Partial<PendingWrite> = {}): PendingWrite => ({
  account: account(credential),
  source: 'gateway-1',
  operations: new Map(),
  settled: [],
  closed: false,
  ...more,
})

describe('pending', () => {
  it('are taken once, in the order in which they were made last', () => {
    const pending = createPendingWrites()
    for (const credential of ['a', 'b', 'a']) pending.add(write(credential))
    expect(pending.take().map((each) => each.account.credential)).toEqual(['b', 'a'])
    expect(pending.take()).toEqual([])
  })

  it('are taken one by one, in the same order', () => {
    const pending = createPendingWrites()
    for (const credential of ['a', 'b', 'a']) pending.add(write(credential))
    expect(pending.next()).toEqual(write('b'))
    expect(pending.take()).toEqual([write('a')])
    expect(pending.next()).toBeUndefined()
  })

  it('of one account and source are one, with the newest totals and all that was settled', () => {
    const pending = createPendingWrites()
    const operations = new Map([['videos.list', { units: 3, calls: 1 }]])
    pending.add(
      write('a', { settled: ['1 r'], closed: true, operations: new Map([['old', { units: 1, calls: 1 }]]) }),
    )
    pending.add(write('a', { settled: ['2 s'], operations }))
    expect(pending.take()).toEqual([write('a', { settled: ['1 r', '2 s'], closed: true, operations })])
    pending.add(write('a'))
    pending.add(write('a', { closed: true }))
    expect(pending.take()).toEqual([write('a', { closed: true })])
    pending.add(write('a'))
    pending.add(write('a'))
    expect(pending.take()).toEqual([write('a')])
  })

  it('of other accounts, days and sources are separate', () => {
    const pending = createPendingWrites()
    const all = [
      write('a'),
      write('a', { account: account('a', '2026-01-02') }),
      write('a', { source: 'gateway-2' }),
      write('b'),
    ]
    for (const each of all) pending.add(each)
    expect(pending.take()).toEqual(all)
  })

  it('of many settled reservations are taken in parts, and the first reservations are kept', () => {
    const pending = createPendingWrites()
    const all = Array.from({ length: keptSettled + 10 }, (_, at) => `1 r${at}`)
    for (const promise of all) pending.add(write('a', { settled: [promise] }))
    pending.add(write('b', { settled: ['1 other'] }))
    const first = pending.next()
    expect(first).toEqual(write('a', { settled: all.slice(0, 1000) }))
    expect(pending.next()).toEqual(write('b', { settled: ['1 other'] }))
    const rest = pending.take()
    expect(rest.flatMap(({ settled }) => settled)).toEqual(all.slice(1000, keptSettled))
    expect(Math.max(...rest.map(({ settled }) => settled.length))).toBe(1000)
  })

  it('are kept for as many accounts as the ledger keeps, the newest ones', () => {
    const pending = createPendingWrites()
    for (let index = 0; index < keptCredentials; index++) pending.add(write(`c${index}`))
    pending.add(write('c0'))
    pending.add(write('new'))
    const kept = pending.take().map((each) => each.account.credential)
    expect(kept).toHaveLength(keptCredentials)
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['c2', 'c0', 'new'])
  })
})

describe('the pending write of an account', () => {
  it('has its totals as they are now, by the gateway and its entry', () => {
    const operations = new Map([['videos.list', { units: 3, calls: 1 }]])
    const made = pendingWriteOf(
      account('a'),
      'gateway',
      { entry: 7, operations },
      { settled: ['1 r'], closed: true },
    )
    operations.set('later', { units: 1, calls: 1 })
    expect(made).toEqual({
      account: account('a'),
      source: 'gateway-7',
      operations: new Map([['videos.list', { units: 3, calls: 1 }]]),
      settled: ['1 r'],
      closed: true,
    })
  })

  it('without an entry has nothing spent, and nothing settled or closed unless that is said', () => {
    expect(pendingWriteOf(account('a'), 'gateway', undefined)).toEqual({
      account: account('a'),
      source: 'gateway-0',
      operations: new Map(),
      settled: [],
      closed: false,
    })
    expect(pendingWriteOf(account('a'), 'gateway', undefined, { settled: ['1 r'] }).closed).toBe(false)
  })
})
