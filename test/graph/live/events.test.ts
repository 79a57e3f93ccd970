/**
 * Subscribers share polls, and each gets its own events: scopes for every event, expiring tokens, limits, slow
 * clients.
 */
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { postJson } from '../../support/post-json.ts'
import { connect, type Followed, follow, readNothing, start } from './kit.ts'

const query = 'subscription { measured { number name } }'

describe('equal subscriptions', () => {
  test('share one of the subgraph, with events that are executed once, and a late subscriber gets the newest', async () => {
    const live = await start()
    const { graph } = live
    const followed = Array.from({ length: 20 }, () => follow(connect(live), query))
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(20)
    expect(graph.listening()).toBe(1)
    graph.measure(1)
    graph.send('measured', {
      value: { id: 'a', number: 2 },
      key: 'a',
      extensions: { live: { unitsPerHour: 3 } },
    })
    for (const { results } of followed)
      await expect.poll(() => results.at(-1)?.data).toEqual({ measured: { number: 2, name: 'tick a' } })
    expect(graph.lookups.length).toBe(2)
    const late = follow(connect(live), query)
    await expect
      .poll(() => late.results)
      .toEqual([
        { data: { measured: { number: 2, name: 'tick a' } }, extensions: { live: { unitsPerHour: 3 } } },
      ])
    expect(graph.subscribed()).toBe(1)
    expect(await live.metric('tessera_subscription_sources')).toBe(1)
    for (const each of [...followed, late]) each.stop()
    await expect.poll(() => graph.listening()).toBe(0)
  })

  test('all get in their first event what a shared source said in its first', async () => {
    const live = await start()
    const { graph } = live
    const first = follow(connect(live), 'subscription { ticked { number } }')
    await expect.poll(() => graph.listening()).toBe(1)
    graph.send('ticked', { value: { id: 'a', number: 1 }, extensions: { live: { unitsPerHour: 3 } } })
    await expect.poll(() => first.results.length).toBe(1)
    const second = follow(connect(live), 'subscription { ticked { number } }')
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    graph.send('ticked', { value: { id: 'a', number: 2 } })
    await expect.poll(() => first.results[1]).toEqual({ data: { ticked: { number: 2 } } })
    await expect
      .poll(() => second.results)
      .toEqual([{ data: { ticked: { number: 2 } }, extensions: { live: { unitsPerHour: 3 } } }])
  })

  test('resume after one event, and each gets what it missed, whenever it comes', async () => {
    const live = await start()
    const { graph } = live
    for (const number of [1, 2, 3]) graph.tick(number)
    const query = 'subscription ($after: String) { ticked(after: $after) { number } }'
    const numbersOf = ({ results }: Followed) => results.map(({ data }) => data.ticked.number)
    for (const operation of [
      { query, extensions: { lastEventId: 'a:1' } },
      { query: 'subscription { ticked { number } }', extensions: { lastEventId: 'a:2' } },
    ]) {
      const missed = operation.extensions.lastEventId === 'a:1' ? [2, 3] : [3]
      const first = follow(connect(live), operation)
      await expect.poll(() => numbersOf(first)).toEqual(missed)
      const second = follow(connect(live), operation)
      await expect.poll(() => numbersOf(second)).toEqual(missed)
    }
  })

  test('of more keys than are kept give a later client all of them', async () => {
    const live = await start()
    const first = follow(connect(live), query)
    await expect.poll(() => live.graph.listening()).toBe(1)
    const begin = (): void => {
      for (let number = 0; number < 300; number++)
        live.graph.send('measured', { value: { id: `k${number}`, number }, key: `k${number}` })
    }
    begin()
    await expect.poll(() => first.results.length).toBe(300)
    const late = follow(connect(live), query)
    await expect.poll(() => live.graph.listening()).toBe(2)
    begin()
    await expect.poll(() => late.results.length).toBe(300)
  })

  test('of a source that ends give a late client the newest event before the end', async () => {
    const live = await start()
    const { graph } = live
    const first = follow(connect(live), query)
    await expect.poll(() => graph.listening()).toBe(1)
    graph.measure(1)
    await expect.poll(() => first.results.length).toBe(1)
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    graph.lookUpsWait = promise
    const late = follow(connect(live), query)
    await expect.poll(() => graph.lookups.length).toBe(2)
    graph.send('measured', 'done')
    await expect.poll(() => first.completed).toBe(true)
    expect(late.completed).toBe(false)
    goOn()
    await expect.poll(() => late.completed).toBe(true)
    expect(late.results).toEqual(first.results)
    expect(graph.subscribed()).toBe(1)
  })

  test('that are refused have the same status for all who wait for the beginning', async () => {
    const live = await start()
    const body = { query: 'subscription { ticked(of: "refused") { number } }' }
    const asked = await Promise.all(
      [1, 2, 3].map(() => postJson(live.url, body, { accept: 'text/event-stream' })),
    )
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('other variables, or another place to resume from, are another subscription', async () => {
    const live = await start()
    const of = 'subscription ($of: ID) { measured(of: $of) { number } }'
    for (const which of ['a', 'b']) follow(connect(live), { query: of, variables: { of: which } })
    await expect.poll(() => live.graph.listening()).toBe(2)
  })
})

describe('onError', () => {
  test('events of one operation are completed by the onError of each subscriber', async () => {
    const live = await start()
    const client = connect(live)
    const completed = (onError: string | undefined) =>
      follow(client, { query: 'subscription { ticked { number name } }', onError })
    const kept = completed('NULL')
    const usual = completed(undefined)
    const halting = completed('HALT')
    const wrong = completed('IGNORE')
    await expect.poll(() => [live.graph.listening('ticked'), wrong.errors.length]).toEqual([3, 1])
    expect(wrong.errors).toEqual([
      [expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_REQUEST' }) })],
    ])
    live.graph.tick(13)
    live.graph.tick(14)
    await expect.poll(() => [kept, usual, halting].map(({ results }) => results.length)).toEqual([2, 2, 2])
    const shown = ({ results }: typeof kept) =>
      results.map(({ data, errors = [] }) => [data, errors.map(({ path }) => path)])
    const next = [{ ticked: { number: 14, name: 'tick a14' } }, []]
    expect(shown(kept)).toEqual([[{ ticked: { number: 13, name: null } }, [['ticked', 'name']]], next])
    expect(shown(usual)).toEqual([[{ ticked: null }, [['ticked', 'name']]], next])
    expect(shown(halting)).toEqual([[null, [['ticked', 'name']]], next])
  })
})

describe('scopes', () => {
  const secret = 'subscription { measured { number secret } }'

  test('are decided for each caller, and callers who may see the same share a subscription', async () => {
    const live = await start()
    const may = follow(connect(live, { authorization: `Bearer ${await live.token('clock.read')}` }), secret)
    const mayNot = follow(connect(live, { authorization: `Bearer ${await live.token('other')}` }), secret)
    const nobody = follow(connect(live), secret)
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(3)
    expect(live.graph.listening()).toBe(2)
    live.graph.measure(2)
    await expect.poll(() => may.results).toEqual([{ data: { measured: { number: 2, secret: 200 } } }])
    for (const { results } of [mayNot, nobody]) {
      await expect.poll(() => results[0]?.data).toEqual({ measured: { number: 2, secret: null } })
      expect(results[0]?.errors?.map(({ extensions }) => extensions.code)).toEqual([
        'UNAUTHORIZED_FIELD_OR_TYPE',
      ])
    }
  })

  test('that are revoked make their field null from the next event on, with the error of a query', async () => {
    const scopes = new Set(['clock.read'])
    const identity = () => ({ subject: 's', scopes: new Set(scopes), claims: {}, authenticated: true })
    const authenticator = { authenticate: identity, close: async () => {} }
    const live = await start({ authenticator })
    const followed = follow(connect(live, { authorization: 'Bearer x' }), secret)
    await expect.poll(() => live.graph.listening()).toBe(1)
    live.graph.measure(1)
    await expect.poll(() => followed.results.length).toBe(1)
    scopes.clear()
    live.graph.measure(2)
    await expect.poll(() => followed.results.length).toBe(2)
    expect(followed.results[0]).toEqual({ data: { measured: { number: 1, secret: 100 } } })
    expect(followed.results[1]?.data).toEqual({ measured: { number: 2, secret: null } })
    const asked = await postJson(
      live.url,
      { query: 'subscription { guarded }' },
      { authorization: 'Bearer x', accept: 'text/event-stream' },
    )
    const { errors } = (await asked.json()) as Followed['results'][0]
    expect(followed.results[1]?.errors?.[0]?.extensions.code).toBe(errors?.[0]?.extensions.code)
    scopes.add('clock.read')
    live.graph.measure(3)
    await expect.poll(() => followed.results[2]).toEqual({ data: { measured: { number: 3, secret: 300 } } })
  })

  test('of the root field itself make it null, and the subscription continues', async () => {
    const scopes = new Set(['clock.read'])
    const identity = () => ({ subject: 's', scopes: new Set(scopes), claims: {}, authenticated: true })
    const live = await start({ authenticator: { authenticate: identity, close: async () => {} } })
    const followed = follow(connect(live, { authorization: 'Bearer x' }), 'subscription { guarded }')
    await expect.poll(() => live.graph.listening()).toBe(1)
    scopes.clear()
    live.graph.send('guarded', { value: 1 })
    await expect.poll(() => followed.results.length).toBe(1)
    expect(followed.results[0]).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
    })
    scopes.add('clock.read')
    live.graph.send('guarded', { value: 2 })
    await expect.poll(() => followed.results[1]).toEqual({ data: { guarded: 2 } })
  })
})

describe('a token that ends', () => {
  test('ends its subscriptions with a code, unless a ping brings another token of the same subject before', async () => {
    const live = await start()
    const pongs: unknown[] = []
    let socket: WebSocket | undefined
    const authorization = `Bearer ${await live.token('other', 'demo', 10)}`
    const client = connect(live, {
      authorization,
      on: {
        opened: (opened) => {
          socket = opened as WebSocket
        },
        pong: (_received, payload) => void pongs.push(payload),
      },
    })
    const followed = follow(client, 'subscription { measured { number secret } }')
    const ended = follow(connect(live, { authorization }), query)
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    const ping = (authorization: string): void =>
      socket?.send(JSON.stringify({ type: 'ping', payload: { authorization } }))
    ping(`Bearer ${await live.token('clock.read', 'somebody else')}`)
    await expect.poll(() => pongs.length).toBe(1)
    expect(pongs[0]).toMatchObject({ renewed: false, code: 'UNAUTHENTICATED' })
    ping(`Bearer ${await live.token('clock.read')}`)
    await expect.poll(() => pongs.length).toBe(2)
    expect(pongs[1]).toEqual({ renewed: true })
    await expect.poll(() => ended.errors).toMatchObject([[{ extensions: { code: 'UNAUTHENTICATED' } }]])
    await expect.poll(() => live.graph.listening('ticked')).toBe(0)
    expect(await live.gateway.metrics.text()).toContain('tessera_subscriptions_ended_total{reason="token"} 1')
    live.graph.measure(4)
    await expect.poll(() => followed.results).toEqual([{ data: { measured: { number: 4, secret: 400 } } }])
    expect(followed.errors).toEqual([])
  })
})

describe('limits', () => {
  const codesOf = (followed: Followed): unknown => followed.errors[0]
  const refused = (limit: string) => [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS', limit } }]

  test('hold for a connection, for a caller and for the process', async () => {
    const live = await start({
      env: {
        TESSERA_MAX_SUBSCRIPTIONS: '4',
        TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER: '3',
        TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION: '2',
      },
    })
    const one = async () => connect(live, { authorization: `Bearer ${await live.token('x', 'one')}` })
    const client = await one()
    follow(client, query)
    follow(client, query)
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    const third = follow(client, query)
    await expect.poll(() => codesOf(third)).toMatchObject(refused('connection'))
    const again = await one()
    follow(again, query)
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(3)
    const fourth = follow(again, query)
    await expect.poll(() => codesOf(fourth)).toMatchObject(refused('caller'))
    const other = async (subject: string) =>
      follow(connect(live, { authorization: `Bearer ${await live.token('x', subject)}` }), query)
    await other('two')
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(4)
    const fifth = await other('three')
    await expect.poll(() => codesOf(fifth)).toMatchObject(refused('process'))
    await client.dispose()
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    await other('three')
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(3)
  })
})

describe('a client that reads nothing', () => {
  const large = 'x'.repeat(60_000)
  const tick = (number: number, key?: string) => ({ value: { id: large, number }, key })

  test('of a gauge gets the newest value when it reads again, and does not disturb others', async () => {
    const live = await start()
    const slow = new WebSocket(live.wsUrl, 'graphql-transport-ws')
    await new Promise((resolve) => slow.once('open', resolve))
    slow.send(JSON.stringify({ type: 'connection_init' }))
    await new Promise((resolve) => slow.once('message', resolve))
    const got: number[] = []
    slow.on('message', (text) => {
      const message = JSON.parse(String(text))
      if (message.type === 'next') got.push(message.payload.data.measured.number)
    })
    slow.send(
      JSON.stringify({
        type: 'subscribe',
        id: '1',
        payload: { query: 'subscription { measured { id number } }' },
      }),
    )
    const quick = follow(connect(live), 'subscription { measured { id number } }')
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    slow.pause()
    for (let number = 1; number <= 400; number++) {
      live.graph.send('measured', tick(number, 'a'))
      await expect.poll(() => quick.results.length, { interval: 1 }).toBe(number)
    }
    expect(await live.metric('tessera_subscriptions')).toBe(2)
    slow.resume()
    await expect.poll(() => got.at(-1)).toBe(400)
    expect(got.length).toBeLessThan(400)
    expect([...got].sort((a, b) => a - b)).toEqual(got)
    quick.stop()
    slow.close()
    await expect.poll(() => live.metric('tessera_subscription_events_conflated_total')).toBeGreaterThan(0)
    expect(400 - got.length).toBe(await live.metric('tessera_subscription_events_conflated_total'))
  })

  test('of a list is left with a reason when more waits than may, and does not disturb others', async () => {
    const live = await start({ env: { TESSERA_SUBSCRIPTION_WAITING_EVENTS: '20' } })
    const quick = follow(connect(live), 'subscription { ticked { id number } }')
    await expect.poll(() => live.graph.listening()).toBe(1)
    readNothing(live, 'subscription { ticked { id number } }')
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    for (let number = 1; number <= 400; number++) {
      live.graph.send('ticked', tick(number))
      await expect.poll(() => quick.results.length, { interval: 1 }).toBe(number)
    }
    expect(await live.metric('tessera_subscriptions')).toBe(1)
    expect(await live.gateway.metrics.text()).toContain('tessera_subscriptions_ended_total{reason="slow"} 1')
  })
})
