/** `onError` of subscriptions: each subscriber gets events as it asked for them, and the subscription goes on. */
import { expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { connect, follow, start } from './kit.ts'

test('events of one operation are completed by the onError of each subscriber', async () => {
  const live = await start()
  const client = connect(live)
  const completed = (onError: string | undefined) =>
    follow(client, { query: 'subscription { ticked { number name } }', onError })
  const kept = completed('NULL')
  const usual = completed(undefined)
  const halting = completed('HALT')
  const wrong = completed('IGNORE')
  await until(() => live.graph.listening('ticked') === 3 && wrong.errors.length === 1, 'subscribed')
  expect(wrong.errors).toEqual([
    [expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_REQUEST' }) })],
  ])
  live.graph.tick(13)
  live.graph.tick(14)
  await until(() => [kept, usual, halting].every(({ results }) => results.length === 2), 'two events each')
  const shown = ({ results }: typeof kept) =>
    results.map(({ data, errors = [] }) => [data, errors.map(({ path }) => path)])
  const next = [{ ticked: { number: 14, name: 'tick a14' } }, []]
  expect(shown(kept)).toEqual([[{ ticked: { number: 13, name: null } }, [['ticked', 'name']]], next])
  expect(shown(usual)).toEqual([[{ ticked: null }, [['ticked', 'name']]], next])
  expect(shown(halting)).toEqual([[null, [['ticked', 'name']]], next])
})
