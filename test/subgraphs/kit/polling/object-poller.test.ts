/** Subscribers that watch many of the same objects by lists of their own. */
import { expect, test } from 'vitest'
import { ObjectPoller } from '../../../../subgraphs/kit/polling/index.ts'
import { testRequest } from '../../../support/request.ts'
import { eventsOf, scriptedStore, settled } from '../../../support/scripted-store.ts'

test('a new subscriber does not make the poller read the lists of the others again', async () => {
  const objects = new ObjectPoller<string, number, number>(scriptedStore().place, {
    field: 'objectChanged',
    pace: { defaultMs: 1000, leastMs: 1000, idleMs: 1000 },
    maxIds: 50,
    units: 1,
    fetch: () => new Promise(() => {}),
    unite: (some) => some,
    covers: () => true,
    facets: (raw) => ({ raw }),
    read: () => ['raw'],
    valueOf: (_, raw) => raw,
  })
  let reads = 0
  const counted = ['a', 'b', 'c']
  counted[Symbol.iterator] = function* () {
    reads += 1
    for (let at = 0; at < this.length; at++) yield this[at] as string
    return undefined
  }
  objects.subscribe({ ids: counted, needs: 'all' }, testRequest(), {})
  const before = reads
  for (const id of ['a', 'b', 'd']) {
    const watched = { ids: [id], needs: 'all' }
    await objects.price(watched)
    objects.subscribe(watched, testRequest(), {})
  }
  expect(reads).toBe(before)
})

test('equal needs of all polls, and of other processes, are one object', async () => {
  const store = scriptedStore()
  const { clock } = store
  const seen = new Set<readonly string[]>()
  let polls = 0
  const objects = new ObjectPoller<readonly string[], number, number>(store.place, {
    field: 'objectChanged',
    pace: { defaultMs: 1000, leastMs: 1000, idleMs: 1000 },
    maxIds: 50,
    units: 1,
    async fetch(ids) {
      polls += 1
      return { found: new Map(ids.map((id) => [id, polls])) }
    },
    unite: (some, others) => [...new Set([...some, ...others])],
    covers: (fetched, wanted) => wanted.every((need) => fetched.includes(need)),
    facets(raw, needs) {
      seen.add(needs)
      return Object.fromEntries(needs.map((need) => [need, raw]))
    },
    read: (needs) => needs,
    valueOf: (_, raw) => raw,
  })
  const events = ['size', 'colour'].map((need) =>
    eventsOf(objects.subscribe({ ids: ['a'], needs: [need] }, testRequest(), {})),
  )
  store.member.lead(true)
  for (let at = 0; at < 6; at++) {
    // The first poll is for the first subscriber alone.
    if (at === 2) seen.clear()
    clock.pass(1000)
    await settled()
  }
  expect(polls).toBeGreaterThan(5)
  store.member.lead(false)
  for (const raw of [10, 11])
    store.member.hear({ news: { needs: ['size', 'colour'], items: [['a', raw]] } }, false)
  await settled()
  for (const values of events) expect(values.slice(-2)).toEqual([10, 11])
  expect(seen.size).toBe(1)
})
