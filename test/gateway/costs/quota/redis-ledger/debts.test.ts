/** What is kept until Redis knows it. */
import { describe, expect, it } from 'vitest'
import { keptCredentials } from '../../../../../gateway/costs/quota/ledger.ts'
import {
  createDebts,
  type Debt,
  debtOf,
  keptSettled,
} from '../../../../../gateway/costs/quota/redis-ledger/debts.ts'

const account = (credential: string, day = '2026-01-01') => ({ credential, day, endsAt: 1 })
const debt = (credential: string, more: Partial<Debt> = {}): Debt => ({
  account: account(credential),
  source: 'gateway-1',
  operations: new Map(),
  settled: [],
  closed: false,
  ...more,
})

describe('debts', () => {
  it('are taken once, in the order in which they were made last', () => {
    const debts = createDebts()
    for (const credential of ['a', 'b', 'a']) debts.add(debt(credential))
    expect(debts.take().map((each) => each.account.credential)).toEqual(['b', 'a'])
    expect(debts.take()).toEqual([])
  })

  it('are taken one by one, in the same order', () => {
    const debts = createDebts()
    for (const credential of ['a', 'b', 'a']) debts.add(debt(credential))
    expect(debts.next()).toEqual(debt('b'))
    expect(debts.take()).toEqual([debt('a')])
    expect(debts.next()).toBeUndefined()
  })

  it('of one account and source are one, with the newest totals and all that was settled', () => {
    const debts = createDebts()
    const operations = new Map([['videos.list', { units: 3, calls: 1 }]])
    debts.add(
      debt('a', { settled: ['1 r'], closed: true, operations: new Map([['old', { units: 1, calls: 1 }]]) }),
    )
    debts.add(debt('a', { settled: ['2 s'], operations }))
    expect(debts.take()).toEqual([debt('a', { settled: ['1 r', '2 s'], closed: true, operations })])
    debts.add(debt('a'))
    debts.add(debt('a', { closed: true }))
    expect(debts.take()).toEqual([debt('a', { closed: true })])
    debts.add(debt('a'))
    debts.add(debt('a'))
    expect(debts.take()).toEqual([debt('a')])
  })

  it('of other accounts, days and sources are separate', () => {
    const debts = createDebts()
    const all = [
      debt('a'),
      debt('a', { account: account('a', '2026-01-02') }),
      debt('a', { source: 'gateway-2' }),
      debt('b'),
    ]
    for (const each of all) debts.add(each)
    expect(debts.take()).toEqual(all)
  })

  it('of many settled reservations are taken in parts, and the first reservations are kept', () => {
    const debts = createDebts()
    const all = Array.from({ length: keptSettled + 10 }, (_, at) => `1 r${at}`)
    for (const promise of all) debts.add(debt('a', { settled: [promise] }))
    debts.add(debt('b', { settled: ['1 other'] }))
    const first = debts.next()
    expect(first).toEqual(debt('a', { settled: all.slice(0, 1000) }))
    expect(debts.next()).toEqual(debt('b', { settled: ['1 other'] }))
    const rest = debts.take()
    expect(rest.flatMap(({ settled }) => settled)).toEqual(all.slice(1000, keptSettled))
    expect(Math.max(...rest.map(({ settled }) => settled.length))).toBe(1000)
  })

  it('are kept for as many accounts as the ledger keeps, the newest ones', () => {
    const debts = createDebts()
    for (let index = 0; index < keptCredentials; index++) debts.add(debt(`c${index}`))
    debts.add(debt('c0'))
    debts.add(debt('new'))
    const kept = debts.take().map((each) => each.account.credential)
    expect(kept).toHaveLength(keptCredentials)
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['c2', 'c0', 'new'])
  })
})

describe('the debt of an account', () => {
  it('has its totals as they are now, by the gateway and its entry', () => {
    const operations = new Map([['videos.list', { units: 3, calls: 1 }]])
    const made = debtOf(account('a'), 'gateway', { entry: 7, operations }, { settled: ['1 r'], closed: true })
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
    expect(debtOf(account('a'), 'gateway', undefined)).toEqual({
      account: account('a'),
      source: 'gateway-0',
      operations: new Map(),
      settled: [],
      closed: false,
    })
    expect(debtOf(account('a'), 'gateway', undefined, { settled: ['1 r'] }).closed).toBe(false)
  })
})
