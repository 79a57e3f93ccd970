/** What polling may spend of a service's units, over all pollers and processes of an account. */
import { expect, test } from 'vitest'
import type { LiveMember, LiveStore } from '../../../../shared/polling.ts'
import { createLiveBudget } from '../../../../subgraphs/kit/polling/budget.ts'
import { ValuePoller } from '../../../../subgraphs/kit/polling/index.ts'
import { testRequest } from '../../../support/request.ts'
import { scriptedStore } from '../../../support/scripted-store.ts'

const now = 1_000_000
const untilReset = 1_000_000

/** Processes that know what the others want. Each returned function adds a poller to its process. */
function startProcesses(remaining: number, share = 1) {
  const wants = new Map<LiveMember, unknown>()
  const told: unknown[] = []
  const set = (member: LiveMember, want?: unknown): void => {
    if (want === undefined) wants.delete(member)
    else wants.set(member, want)
    for (const each of wants.keys())
      each.wants([...wants].flatMap(([other, wanted]) => (other === each ? [] : [wanted])))
  }
  const store: LiveStore = {
    join(_, member) {
      set(member, 0)
      const mark = { asked: 0, heard: undefined }
      const want = (wanted: unknown): void => {
        told.push(wanted)
        set(member, wanted)
      }
      return { want, mark, tell: () => {}, pace: () => {}, leave: () => set(member) }
    },
    close: async () => {},
  }
  const resetsAt = new Date(now + untilReset).toISOString()
  const readQuota = async () => ({ limit: 1000, used: 1000 - remaining, remaining, resetsAt, operations: [] })
  const clock = { now: () => now, after: () => () => {} }
  return () => {
    const budget = createLiveBudget({ service: 'videos', readQuota, share, clock, store })
    const add = (units: number, intervalMs: number) => {
      const poller = budget('me')
      poller.set(units, intervalMs)
      return poller
    }
    return Object.assign(add, { budget, told })
  }
}

test('all pollers of an account are slowed down by what they would spend together', async () => {
  const start = startProcesses(40, 0.5)
  const [one, other] = [start(), start()]
  const first = one(1, 50_000)
  expect(await first.allows()).toBeCloseTo(50_000)
  const second = other(1, 25_000)
  // 20 and 40 units until the reset, and half of 40 are left for them.
  expect(await first.allows()).toBeCloseTo(150_000)
  expect(await second.allows()).toBeCloseTo(75_000)
  // The price of one more subscriber counts before it is one.
  expect(await second.allows(2)).toBeCloseTo(125_000)
  second.leave()
  expect(await first.allows()).toBeCloseTo(50_000)
})

test('the other processes know what one spends, whichever of its pollers has changed', async () => {
  const start = startProcesses(20)
  const [one, other] = [start(), start()]
  const first = one(1, 50_000)
  one(1, 50_000)
  const elsewhere = other(1, 50_000)
  expect(await elsewhere.allows()).toBeCloseTo(150_000)
  first.set(0, 50_000)
  expect(await elsewhere.allows()).toBeCloseTo(100_000)
})

test('a process tells what its pollers leave, and no change that is less than a tenth', async () => {
  const start = startProcesses(20)
  const one = start()
  const elsewhere = start()(1, 50_000)
  const [first, second] = [one(1, 50_000), one(1, 50_000)]
  expect(await elsewhere.allows()).toBeCloseTo(150_000)
  first.set(1, 51_000)
  expect(await elsewhere.allows()).toBeCloseTo(150_000)
  second.leave()
  expect(await elsewhere.allows()).toBeCloseTo(50_000 + (50_000 * 50) / 51)
  first.leave()
  expect(await elsewhere.allows()).toBe(50_000)
  one(1, 50_000)
  expect(await elsewhere.allows()).toBeCloseTo(100_000)
})

test('that a process spends nothing is told once', () => {
  const add = startProcesses(20)()
  const [first, second] = [add(0, 50_000), add(1, 50_000)]
  second.set(0, 50_000)
  for (const intervalMs of [60_000, 70_000]) for (const poller of [first, second]) poller.set(0, intervalMs)
  second.leave()
  expect(add.told).toEqual([1 / 50_000, 0])
})

test('what several processes poll together is spent once, by the one that polls', async () => {
  const start = startProcesses(20)
  const join = async () => {
    const scripted = scriptedStore()
    const { place } = scripted
    const poller = new ValuePoller<number, number>(
      { ...place, host: { ...place.host, budget: start().budget } },
      {
        field: 'valueChanged',
        pace: { defaultMs: 50_000, leastMs: 1000, idleMs: 50_000 },
        units: 1,
        fetch: () => new Promise(() => {}),
        digest: String,
        valueOf: (raw) => raw,
      },
    )
    await poller.topic.price()
    poller.subscribe(undefined, testRequest(), {})
    return { member: scripted.member, price: () => poller.topic.price() }
  }
  const [polling, following] = [await join(), await join()]
  const [one, other] = [polling.member, following.member]
  const elsewhere = start()(1, 50_000)
  one.lead(true)
  other.lead(false)
  expect(await elsewhere.allows()).toBeCloseTo(100_000)
  // One more subscriber costs nothing more, wherever it comes.
  const unitsPerHour = 36
  expect(await polling.price()).toMatchObject({ unitsPerPoll: 1, unitsPerHour })
  expect(await following.price()).toMatchObject({ unitsPerPoll: 1, unitsPerHour })
  one.lead(false)
  expect(await elsewhere.allows()).toBeCloseTo(50_000)
  other.lead(true)
  expect(await elsewhere.allows()).toBeCloseTo(100_000)
})

test('a poll that polling cannot pay is refused, and so is one that would come too rarely', async () => {
  const add = startProcesses(10)()
  expect(await add(11, 50_000).allows()).toMatchObject({
    extensions: { code: 'QUOTA_EXCEEDED', retryAfter: 1000 },
  })
  expect(await add(0, 50_000).allows()).toBe(50_000)
  expect(await add(10, 1000).allows()).toMatchObject({
    extensions: {
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
      quota: { estimated: 10, maximum: 1000, remaining: 10 },
    },
  })
})
