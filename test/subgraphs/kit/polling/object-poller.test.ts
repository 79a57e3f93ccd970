/** Subscribers that watch many of the same objects by lists of their own. */
import { expect, test } from 'vitest'
import { ObjectPoller } from '../../../../subgraphs/kit/polling/index.ts'
import { testRequest } from '../../../support/request.ts'
import { scriptedStore } from '../../../support/scripted-store.ts'

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
