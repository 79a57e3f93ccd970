/** Lists of services that promise no order: whatever was not there before is new, wherever it is. */
import { expect, test } from 'vitest'
import { ListPoller, writeListPosition } from '../../../../subgraphs/kit/polling/index.ts'
import { testRequest } from '../../../support/request.ts'
import { eventsOf, type ScriptedStore, scriptedStore, settled } from '../../../support/scripted-store.ts'

interface Page {
  readonly items: readonly (string | undefined)[]
  readonly next?: string
}

const pageOf = (letters: string, next?: string): Page => ({
  items: [...letters].map((letter) => (letter === '?' ? undefined : letter)),
  ...(next === undefined ? {} : { next }),
})

async function watched(after?: readonly string[], page: Page = { items: [] }) {
  const store: ScriptedStore = scriptedStore()
  const list = new ListPoller<string, string>(store.place, {
    field: 'letterAdded',
    pace: { defaultMs: 1000, leastMs: 1000, idleMs: 1000 },
    units: 1,
    fetch: async () => page,
    idOf: (raw) => raw,
    valueOf: (raw, gap) => (gap ? `gap ${raw}` : raw),
  })
  const position = after === undefined ? undefined : writeListPosition('tests', after)
  const seen = eventsOf(await list.subscribe(position, testRequest(), {}))
  const poll = async (next: Page): Promise<void> => {
    page = next
    store.clock.pass(1000)
    await settled()
  }
  return { store, seen, poll }
}

test.for<[what: string, pages: readonly Page[], seen: string[]]>([
  ['grows at its end', [pageOf('ab'), pageOf('abc'), pageOf('abcde')], ['c', 'd', 'e']],
  ['grows at both ends', [pageOf('ba'), pageOf('cbad')], ['c', 'd']],
  ['comes in another order each time', [pageOf('abc'), pageOf('cadb'), pageOf('bade')], ['d', 'e']],
  ['was empty, and then grows at its end', [pageOf(''), pageOf('a'), pageOf('ab')], ['a', 'b']],
  ['grows at its end to more than a page', [pageOf('ab'), pageOf('abc', 'more')], ['c']],
  ['was longer than its first page', [pageOf('dc', 'more'), pageOf('ecba')], ['e']],
  ['was lost sight of', [pageOf('ba'), pageOf('zy', 'more'), pageOf('zyxb')], ['gap y', 'z']],
  ['had an item that could not be read', [pageOf('b?'), pageOf('cba')], ['c']],
])('a list that %s', async ([, pages, expected]) => {
  const { store, seen, poll } = await watched()
  store.member.lead(true)
  for (const page of pages) await poll(page)
  expect(seen).toEqual(expected)
})

test('a process that takes over knows whether it knows the whole list', async () => {
  for (const [next, expected] of [[undefined, ['c']] as const, ['more', []] as const]) {
    const [leader, follower] = [await watched(), await watched()]
    leader.store.member.lead(true)
    follower.store.member.lead(false)
    await leader.poll(pageOf('ab', next))
    for (const { message } of leader.store.sent) follower.store.member.hear(message, false)
    follower.store.member.lead(true)
    await follower.poll(pageOf('abc', next))
    expect(follower.seen).toEqual(expected)
  }
})

test('a process that joins learns whether there are items that are not known', async () => {
  for (const [next, expected] of [[undefined, ['c', 'd', 'e']] as const, ['more', ['c']] as const]) {
    const [leader, follower] = [await watched(), await watched()]
    leader.store.member.lead(true)
    follower.store.member.lead(false)
    await leader.poll(pageOf('ab', next))
    leader.store.member.renew()
    await leader.poll(pageOf('cabd'))
    follower.store.member.hear(leader.store.sent.at(-1)?.message, false)
    follower.store.member.lead(true)
    await follower.poll(pageOf('cabde'))
    expect(follower.seen).toEqual(expected)
  }
})

test.for<[page: Page, after: string, seen: string[]]>([
  [pageOf('edcba'), 'cba', ['d', 'e']],
  [pageOf('abcde'), 'cba', ['d', 'e']],
  [pageOf('abcde'), 'cab', ['d', 'e']],
  [pageOf('edcba', 'more'), 'cba', ['d', 'e']],
  [pageOf('edcba'), 'c', ['d', 'e']],
  [pageOf('abc'), 'a', ['b', 'c']],
  [pageOf('acd'), 'ba', ['c', 'd']],
  [pageOf('ba'), 'ba', []],
  [pageOf('abc'), 'cba', []],
])('a subscriber that comes back to %j after %s gets what is new', async ([page, after, expected]) => {
  const { seen, poll, store } = await watched([...after], page)
  await settled()
  expect(seen).toEqual(expected)
  store.member.lead(true)
  await poll(page)
  expect(seen).toEqual(expected)
})

test('an item that a subscriber that comes back could not read is no new one at the end', async () => {
  const { seen, poll, store } = await watched(['b'], pageOf('cb?'))
  store.member.lead(true)
  await poll(pageOf('cba'))
  expect(seen).toEqual(['c'])
})
