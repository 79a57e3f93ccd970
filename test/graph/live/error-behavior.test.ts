/** `onError` of subscriptions: each subscriber gets events as it asked for them, and the subscription goes on. */
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startLiveGraph } from '../../support/live-graph.ts'
import { until } from '../../support/patience.ts'

test('events of one operation are completed by the onError of each subscriber', async () => {
  await using live = await startLiveGraph()
  const client = createClient({ url: live.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 })
  const follow = (onError: string | undefined) => {
    const results: { data?: unknown; errors?: readonly { path?: unknown }[] }[] = []
    const errors: unknown[] = []
    const payload = { query: 'subscription { ticked { number name } }', onError }
    client.subscribe(payload, {
      next: (result) => void results.push(result as (typeof results)[number]),
      error: (error) => void errors.push(error),
      complete: () => {},
    })
    return { results, errors }
  }
  const kept = follow('NULL')
  const usual = follow(undefined)
  const halting = follow('HALT')
  const wrong = follow('IGNORE')
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
  await client.dispose()
})
