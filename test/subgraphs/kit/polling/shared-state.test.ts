/**
 * Processes of one topic that know different things: what a leader passes on, and which of it a follower accepts.
 */
import { describe, expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import { ListPoller, ObjectPoller, ValuePoller } from '../../../../subgraphs/kit/polling/index.ts'
import { heldClock } from '../../../support/live.ts'
import { testRequest } from '../../../support/request.ts'
import { eventsOf, type ScriptedStore, scriptedStore, settled } from '../../../support/scripted-store.ts'

const pace = { defaultMs: 1000, leastMs: 1000, idleMs: 1000 }

describe('what ends a subscription for good', () => {
  const watchedBy = (fetch: () => Promise<{ raw: number; final?: boolean }>) => {
    const store = scriptedStore()
    const gauge = new ValuePoller<number, number>(store.place, {
      field: 'valueChanged',
      pace,
      units: 1,
      fetch,
      digest: String,
      valueOf: (raw) => raw,
    })
    return { store, queue: gauge.subscribe(undefined, testRequest(), {}) }
  }

  test.each([
    tesseraError('FORBIDDEN', 'This is not yours.', {
      service: 'tests',
      extensions: { upstream: { status: 403 } },
    }),
    tesseraError('QUOTA_EXCEEDED', 'All is spent.', { service: 'tests', retryAfter: 60 }),
  ])('ends it in every process, with the same error: %s', async (failure) => {
    const leading = watchedBy(() => Promise.reject(failure))
    leading.store.member.lead(true)
    const here = leading.queue.next()
    leading.store.clock.pass(0)
    await expect(here).rejects.toBe(failure)
    const following = watchedBy(() => new Promise(() => {}))
    const there = following.queue.next()
    following.store.member.hear(leading.store.sent[0]?.message, false)
    const error: unknown = await there.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: failure.message, extensions: failure.extensions })
  })

  test('ends it without an error if no change can follow, and says nothing of an error without a code', async () => {
    const following = watchedBy(() => new Promise(() => {}))
    const there = following.queue.next()
    following.store.member.hear({ end: 'done' }, false)
    expect(await there).toEqual({ value: undefined, done: true })
    const other = watchedBy(() => new Promise(() => {}))
    const elsewhere = other.queue.next()
    other.store.member.hear({ end: { message: 'at db.internal', extensions: {} } }, false)
    await expect(elsewhere).rejects.toMatchObject({
      message: 'The subscription has failed.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    })
  })
})

describe('a gauge', () => {
  function watched() {
    const store = scriptedStore()
    const service = { value: 1, polls: 0, gate: Promise.resolve() }
    const gauge = new ValuePoller<number, number>(store.place, {
      field: 'valueChanged',
      pace,
      units: 1,
      async fetch() {
        const raw = service.value
        service.polls += 1
        await service.gate
        return { raw }
      },
      digest: String,
      valueOf: (raw) => raw,
    })
    const seen = eventsOf(gauge.subscribe(undefined, testRequest(), {}))
    const poll = async (): Promise<void> => {
      store.clock.pass(1000)
      await settled()
    }
    /** Holds polls back until it is called. */
    const hold = (): (() => void) => {
      let open = (): void => {}
      service.gate = new Promise((resolve) => {
        open = resolve
      })
      return () => open()
    }
    return { store, service, seen, poll, hold }
  }

  test('is passed on whole by the next poll after that was requested, and by no further call', async () => {
    const { store, service, seen, poll } = watched()
    store.member.lead(true)
    await poll()
    await poll()
    expect(store.sent).toEqual([{ message: { news: { raw: 1 } }, mark: 0, whole: false }])
    store.mark = 7
    store.member.renew()
    await settled()
    expect(service.polls).toBe(2)
    await poll()
    expect(store.sent.slice(1)).toEqual([{ message: { news: { raw: 1 } }, mark: 7, whole: true }])
    await poll()
    expect(store.sent).toHaveLength(2)
    expect(service.polls).toBe(4)
    expect(seen).toEqual([1])
  })

  test('does not go back to what a poll read before another leader told of something newer', async () => {
    const { store, service, seen, poll, hold } = watched()
    const open = hold()
    store.member.lead(true)
    await poll()
    store.member.hear({ news: { raw: 2 } }, false)
    open()
    await settled()
    expect(seen).toEqual([2])
    expect(store.sent).toEqual([])
    service.value = 3
    await poll()
    expect(seen).toEqual([2, 3])
  })

  test('is not passed on whole by a poll that was under way or by one that fails', async () => {
    const { store, service, poll, hold } = watched()
    const open = hold()
    store.member.lead(true)
    await poll()
    store.mark = 7
    store.member.renew()
    open()
    await settled()
    expect(store.sent).toEqual([{ message: { news: { raw: 1 } }, mark: 0, whole: false }])
    service.gate = Promise.reject(new Error('the service is away'))
    service.gate.catch(() => {})
    await poll()
    service.gate = Promise.resolve()
    for (let time = 0; time < 4; time++) await poll()
    expect(store.sent.slice(1)).toEqual([{ message: { news: { raw: 1 } }, mark: 7, whole: true }])
  })

  test('takes nothing from a poll that another process’s overtook', async () => {
    const { store, seen, poll, hold } = watched()
    const open = hold()
    store.member.lead(true)
    await poll()
    store.member.lead(false)
    store.member.hear({ news: { raw: 2 } }, false)
    open()
    await settled()
    expect(store.sent).toEqual([])
    expect(seen).toEqual([2])
  })

  test('takes an older message only if it knows nothing', async () => {
    const { store, seen } = watched()
    store.member.lead(false)
    store.member.hear({ news: { raw: 1 } }, true)
    await settled()
    store.member.hear({ news: { raw: 2 } }, true)
    store.member.hear({ end: 'done' }, true)
    await settled()
    store.member.hear({ news: { raw: 3 } }, false)
    await settled()
    expect(seen).toEqual([1, 3])
  })

  test('is sent by a new leader to a process that the last leader did not answer', async () => {
    const { store } = watched()
    store.member.lead(false)
    store.member.hear({ news: { raw: 4 } }, false)
    store.member.wants([{ lacks: true }])
    expect(store.sent).toEqual([])
    store.member.lead(true)
    expect(store.sent).toEqual([{ message: { news: { raw: 4 } }, mark: 0, whole: false }])
  })
})

describe('objects by their ids', () => {
  function watched(headers: Record<string, string> = {}) {
    const store = scriptedStore()
    const values = new Map([
      ['a', 1],
      ['b', 1],
    ])
    const failing = new Set<string>()
    const conditional: boolean[] = []
    const objects = new ObjectPoller<string, number, string>(store.place, {
      field: 'objectChanged',
      pace,
      // A page for each object.
      maxIds: 1,
      units: 1,
      async fetch([id = ''], _, isConditional) {
        conditional.push(isConditional)
        if (failing.has(id)) throw new Error(`no ${id}`)
        const value = values.get(id)
        return { found: new Map(value === undefined ? [] : [[id, value]]), headers }
      },
      unite: (some) => some,
      covers: () => true,
      facets: (raw) => ({ raw }),
      read: () => ['raw'],
      valueOf: (id, raw) => `${id}${raw}`,
    })
    const seen = eventsOf(objects.subscribe({ ids: ['a', 'b'], needs: 'all' }, testRequest(), {}))
    const poll = async (): Promise<void> => {
      store.clock.pass(1000)
      await settled()
    }
    return { store, values, failing, conditional, seen, poll }
  }
  const itemsOf = (sent: ScriptedStore['sent']): unknown =>
    sent.map(({ message, whole }) => [whole, message.news.items])

  test('are all passed on, changed or not, and requested without conditions', async () => {
    const { store, values, conditional, poll } = watched()
    store.member.lead(true)
    await poll()
    values.set('a', 2)
    store.member.renew()
    await poll()
    await poll()
    const all = (a: number) => [
      ['a', a],
      ['b', 1],
    ]
    expect(itemsOf(store.sent)).toEqual([
      [false, all(1)],
      [true, all(2)],
    ])
    expect(conditional).toEqual([false, false, false, false, true, true])
  })

  test.each([
    [0, 60],
    // Half of it is for subscriptions, and a poll takes two calls.
    [12, 20],
  ])('wait until the rate limit of %i calls is reset at the longest, %i s', async (remaining, seconds) => {
    const { store, conditional, poll } = watched({
      'x-rate-limit-remaining': String(remaining),
      'x-rate-limit-reset': String(heldClock().now() / 1000 + 61),
    })
    store.member.lead(true)
    await poll()
    // A second has passed since the poll.
    store.clock.pass((seconds - 1) * 1000 - 1)
    await settled()
    expect(conditional).toHaveLength(2)
    store.clock.pass(1)
    await settled()
    expect(conditional).toHaveLength(4)
  })

  test('are owed whole until a poll has all of them', async () => {
    const { store, failing, poll } = watched()
    store.member.lead(true)
    await poll()
    store.member.renew()
    failing.add('b')
    await poll()
    failing.clear()
    await poll()
    await poll()
    expect(itemsOf(store.sent.slice(1))).toEqual([
      [false, [['a', 1]]],
      [
        true,
        [
          ['a', 1],
          ['b', 1],
        ],
      ],
    ])
  })

  test('are asked for without conditions by a process that has followed in between', async () => {
    const { store, conditional, poll } = watched()
    store.member.lead(true)
    await poll()
    await poll()
    store.member.lead(false)
    store.member.hear({ news: { needs: 'all', items: [['a', 2]] } }, false)
    store.member.lead(true)
    await poll()
    expect(conditional).toEqual([false, false, true, true, false, false])
    // The service has the first value again.
    expect(itemsOf(store.sent.slice(1))).toEqual([[false, [['a', 1]]]])
  })

  test('are taken from an older message if nothing is known of them', async () => {
    const { store, seen } = watched()
    store.member.lead(false)
    store.member.hear({ news: { needs: 'all', items: [['a', 2]] } }, false)
    store.member.hear(
      {
        news: {
          needs: 'all',
          items: [
            ['a', 1],
            ['b', 1],
          ],
        },
      },
      true,
    )
    await settled()
    expect(seen).toEqual(['a2', 'b1'])
  })
})

describe('a list', () => {
  function watched() {
    const store = scriptedStore()
    const page = { items: ['b', 'a'], next: undefined as string | undefined }
    const list = new ListPoller<string, string>(store.place, {
      field: 'letterAdded',
      pace,
      units: 1,
      fetch: async () => ({ ...page }),
      idOf: (raw) => raw,
      valueOf: (raw, gap) => (gap ? `gap ${raw}` : raw),
    })
    const subscribe = async (after?: string): Promise<{ seen: string[]; ids: string[] }> => {
      const ids: string[] = []
      const queue = await list.subscribe(after, testRequest(), {})
      const seen: string[] = []
      void (async () => {
        for await (const { value, id = '' } of queue) {
          seen.push(value)
          ids.push(id)
        }
      })()
      return { seen, ids }
    }
    const poll = async (): Promise<void> => {
      store.clock.pass(1000)
      await settled()
    }
    return { store, page, subscribe, poll }
  }

  test('is passed on as far as it is known; a follower sends what is newer than what it knows', async () => {
    const [leader, follower] = [watched(), watched()]
    await leader.subscribe()
    const { seen } = await follower.subscribe()
    leader.store.member.lead(true)
    follower.store.member.lead(false)
    await leader.poll()
    // The message of what the leader learned next is lost.
    follower.store.member.hear(leader.store.sent[0]?.message, false)
    leader.page.items = ['c', 'b', 'a']
    await leader.poll()
    leader.page.items = ['d', 'c']
    leader.store.member.renew()
    await leader.poll()
    const [, , whole] = leader.store.sent
    expect(whole).toMatchObject({ message: { news: { items: ['d'] } }, whole: true })
    follower.store.member.hear(whole?.message, false)
    await settled()
    expect(seen).toEqual(['c', 'd'])
  })

  test('sends to who resumes what is learned at the same moment', async () => {
    const { store, page, subscribe, poll } = watched()
    const { ids } = await subscribe()
    store.member.lead(true)
    await poll()
    page.items = ['c', 'b', 'a']
    await poll()
    const resumed = subscribe(ids[0])
    store.member.hear({ news: { items: ['d'], gap: false, baseline: false } }, false)
    const { seen } = await resumed
    await settled()
    expect(seen).toEqual(['d'])
  })

  test('sends nothing again, and nothing older than what was there at first', async () => {
    const { store, subscribe } = watched()
    const { seen } = await subscribe()
    store.member.lead(false)
    store.member.hear({ news: { items: ['c'], gap: false, baseline: true } }, false)
    store.member.hear({ news: { items: ['b'], gap: false, baseline: false } }, true)
    const whole = { items: ['d', 'c', 'b', 'a'], more: false }
    for (let time = 0; time < 2; time++)
      store.member.hear({ news: { items: [], gap: false, baseline: false, whole } }, false)
    await settled()
    expect(seen).toEqual(['d'])
  })

  test('says that items may be missing if the whole reaches back to none that is known', async () => {
    const { store, subscribe } = watched()
    const { seen } = await subscribe()
    store.member.lead(false)
    store.member.hear({ news: { items: ['a'], gap: false, baseline: true } }, false)
    const whole = { items: ['z', 'y'], more: true }
    store.member.hear({ news: { items: [], gap: false, baseline: false, whole } }, false)
    await settled()
    expect(seen).toEqual(['gap y', 'z'])
  })

  test('passes on nothing from beyond its own gap', async () => {
    const { store, page, subscribe, poll } = watched()
    await subscribe()
    store.member.lead(true)
    await poll()
    Object.assign(page, { items: ['z', 'y'], next: 'more' })
    await poll()
    store.member.renew()
    await poll()
    expect(store.sent.at(-1)?.message.news.whole).toEqual({ items: ['z', 'y'], more: true })
  })

  test('begins with the whole if nothing was known, and sends what was new in it', async () => {
    const { store, subscribe } = watched()
    const { seen } = await subscribe()
    store.member.lead(false)
    const whole = { items: ['d', 'c', 'b'], more: false }
    store.member.hear({ news: { items: ['d'], gap: false, baseline: false, whole } }, false)
    await settled()
    expect(seen).toEqual(['d'])
  })

  test('keeps its order if news come before the first items', async () => {
    const { store, subscribe } = watched()
    const { seen, ids } = await subscribe()
    store.member.lead(false)
    store.member.hear({ news: { items: ['d'], gap: false, baseline: false } }, false)
    store.member.hear({ news: { items: ['c', 'b'], gap: false, baseline: true } }, false)
    store.member.hear({ news: { items: ['e'], gap: false, baseline: false } }, false)
    await settled()
    expect(seen).toEqual(['d', 'e'])
    const again = await subscribe(ids[0])
    await settled()
    expect(again.seen).toEqual(['e'])
  })

  /** The position of `d`, as another gateway gave it. */
  async function positionOfD(): Promise<string | undefined> {
    const { store, subscribe } = watched()
    const { ids } = await subscribe()
    store.member.lead(false)
    store.member.hear({ news: { items: [], gap: false, baseline: true } }, false)
    store.member.hear({ news: { items: ['d'], gap: false, baseline: false } }, false)
    await settled()
    return ids[0]
  }

  test('passes on what the leader read for a subscriber that came back, because no poll finds it any more', async () => {
    const { store, page, subscribe, poll } = watched()
    const first = await subscribe()
    store.member.lead(true)
    await poll()
    page.items = ['c', 'b', 'a']
    await poll()
    page.items = ['d', 'c', 'b', 'a']
    await subscribe(await positionOfD())
    await settled()
    expect(store.sent.at(-1)?.message).toEqual({ news: { items: ['d'], gap: false, baseline: false } })
    expect(first.seen).toEqual(['c', 'd'])
    const before = store.sent.length
    await poll()
    expect(store.sent).toHaveLength(before)
  })

  test('passes on what a follower read for a subscriber that came back, if it leads then', async () => {
    const { store, page, subscribe, poll } = watched()
    await subscribe()
    store.member.lead(false)
    store.member.hear({ news: { items: ['c'], gap: false, baseline: true } }, false)
    page.items = ['d', 'c']
    await subscribe(await positionOfD())
    expect(store.sent).toEqual([])
    store.member.lead(true)
    await poll()
    expect(store.sent.at(-1)?.message.news.whole.items).toEqual(['d', 'c'])
  })
})
