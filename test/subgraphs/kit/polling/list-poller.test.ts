import { expect, test } from 'vitest'
import { ListPoller, writeListPosition } from '../../../../subgraphs/kit/polling/index.ts'
import { testRequest } from '../../../support/request.ts'
import { eventsOf, scriptedStore, settled } from '../../../support/scripted-store.ts'

const named = (at: number): string => `item ${at}`

test('a position read from further back than what is kept names its own item, whatever was deleted around it', async () => {
  const store = scriptedStore()
  let items = Array.from({ length: 400 }, (_, at) => named(at))
  const list = new ListPoller<string, { readonly name: string; readonly after: string }>(store.place, {
    field: 'itemAdded',
    pace: { defaultMs: 1000, leastMs: 1000, idleMs: 1000 },
    units: 1,
    fetch: async () => ({ items }),
    idOf: (name) => name,
    valueOf: (name, gap, after) => ({ name: gap ? `gap ${name}` : name, after }),
  })
  const eventsAfter = async (position: string) => {
    const seen = eventsOf(await list.subscribe(position, testRequest(), {}))
    await settled()
    return seen
  }
  await list.subscribe(undefined, testRequest(), {})
  store.member.lead(true)
  store.clock.pass(0)
  await settled()
  items = items.filter((_, at) => at < 305 || at >= 315)
  const seen = await eventsAfter(writeListPosition(store.place.key, [named(380)]))
  expect(seen.map(({ name }) => name)).toEqual(items.slice(0, items.indexOf(named(380))).reverse())
  for (const { name, after } of seen.slice(0, 80))
    expect((await eventsAfter(after))[0]?.name).toBe(items[items.indexOf(name) - 1])
})
