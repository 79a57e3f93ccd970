/** Which hooks are called when a subscription begins, and which for each of its events. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineHooks, type Hooks, refuse } from '../../../gateway/hooks/index.ts'
import type { LiveGateway } from '../../support/live-graph.ts'
import { connect, type Followed, follow, start as startLive } from './kit.ts'

const start = (hooks: Hooks): Promise<LiveGateway> => startLive({ hooks })

const followed = (live: LiveGateway, query: string, headers: Record<string, string> = {}): Followed =>
  follow(connect(live, { headers }), query)

/** By server-sent events: the texts of all that came so far. */
async function followBySse({ url }: LiveGateway, query: string, headers: Record<string, string> = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    signal: stop.signal,
  })
  const got = { status: response.status, text: '' }
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) got.text += Buffer.from(chunk).toString()
  }
  read().catch(() => {})
  return got
}

describe('when a subscription begins', () => {
  test.each(['onRequest', 'onIdentity', 'onOperation'] as const)(
    'a refusal by %s is its error, and the subgraph is not subscribed to',
    async (hook) => {
      const live = await start({ [hook]: () => refuse('Not today.', { code: 'CLOSED' }) })
      const { errors, results } = followed(live, 'subscription { measured { number } }')
      await expect.poll(() => errors.length).toBe(1)
      expect(errors).toMatchObject([[{ message: 'Not today.', extensions: { code: 'CLOSED' } }]])
      const sse = await followBySse(live, 'subscription { measured { number } }')
      expect(sse.status).toBe(403)
      await expect.poll(() => sse.text).toContain('"CLOSED"')
      expect(results).toEqual([])
      expect(live.graph.subscribed()).toBe(0)
    },
  )

  test('hooks see the headers of the client, and onOperation gives the variables of the subscription', async () => {
    const seen: unknown[] = []
    const live = await start(
      defineHooks({
        onRequest: ({ headers }) => void seen.push(headers['x-app']),
        onOperation: ({ operation }) => {
          seen.push(operation.type)
          return { variables: { of: 'b' } }
        },
      }),
    )
    followed(live, 'subscription ($of: ID) { measured(of: $of) { number } }', { 'x-app': 'mine' })
    await expect.poll(() => live.graph.listening()).toBe(1)
    live.graph.measure(1, 'a')
    live.graph.measure(2, 'b')
    await followBySse(live, 'subscription ($of: ID) { measured(of: $of) { number } }', { 'x-app': 'other' })
    await expect.poll(() => seen).toEqual(['mine', 'subscription', 'other', 'subscription'])
  })

  test('onAnswer is called for what keeps it from beginning, and not for its beginning', async () => {
    const seen: unknown[] = []
    const live = await start({
      onAnswer: ({ data, errors }) =>
        void seen.push(data ?? errors?.map(({ extensions }) => extensions?.code)),
    })
    followed(live, 'subscription { measured { number } }')
    await expect.poll(() => live.graph.listening()).toBe(1)
    expect(seen).toEqual([])
    followed(live, 'subscription { nothing }')
    await expect.poll(() => seen).toEqual([['GRAPHQL_VALIDATION_FAILED']])
  })
})

describe('for each event', () => {
  test.each(['websocket', 'sse'])(
    'onIdentity says who it is, and may end the subscription (%s)',
    async (way) => {
      const scopes = new Map([['k', ['clock.read']]])
      const live = await start({
        onIdentity({ headers }) {
          const held = scopes.get(headers['x-api-key'] ?? '')
          if (held === undefined) return refuse('This key is no key.', { code: 'NO_KEY' })
          return { identity: { subject: 'app', scopes: held } }
        },
      })
      const query = 'subscription { measured { number secret } }'
      const headers = { 'x-api-key': 'k' }
      const [ws, sse] =
        way === 'sse'
          ? [undefined, await followBySse(live, query, headers)]
          : [followed(live, query, headers)]
      const text = (): string => sse?.text ?? JSON.stringify([ws?.results, ws?.errors])
      await expect.poll(() => live.graph.listening()).toBe(1)
      live.graph.measure(1)
      await expect.poll(text).toContain('"secret":100')
      scopes.set('k', [])
      live.graph.measure(2)
      await expect.poll(text).toContain('"number":2,"secret":null')
      scopes.delete('k')
      live.graph.measure(3)
      await expect.poll(text).toContain('"NO_KEY"')
      await expect.poll(() => live.graph.listening()).toBe(0)
      expect(text()).not.toContain('"number":3')
    },
  )

  test('callers who may see more than at the beginning do not see it of each other', async () => {
    let isCalm = false
    const live = await start({ decidePolicies: ({ policies }) => (isCalm ? policies : []) })
    const query = 'subscription { measured { number who } }'
    const [one, two] = ['one', 'two'].map((who) => followed(live, query, { 'x-who': who }))
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    expect(live.graph.listening()).toBe(1)
    live.graph.measure(1)
    for (const each of [one, two])
      await expect.poll(() => each?.results.map(({ data }) => data.measured.who)).toEqual([null])
    isCalm = true
    live.graph.measure(2)
    for (const [each, who] of [
      [one, 'one'],
      [two, 'two'],
    ] as const)
      await expect.poll(() => each?.results.map(({ data }) => data.measured.who)).toEqual([null, who])
  })

  test('a token that onRequest puts instead of a key is that of all events', async () => {
    let authorization = ''
    const live = await start({
      onRequest: ({ headers }) =>
        headers['x-api-key'] === 'k' ? { headers: { authorization, 'x-api-key': null } } : undefined,
    })
    authorization = `Bearer ${await live.token('clock.read')}`
    const sse = await followBySse(live, 'subscription { measured { secret } }', { 'x-api-key': 'k' })
    await expect.poll(() => live.graph.listening()).toBe(1)
    live.graph.measure(7)
    await expect.poll(() => sse.text).toContain('"secret":700')
  })

  test('policies are decided again', async () => {
    let met: readonly string[] = ['calm']
    const asked: unknown[] = []
    const live = await start({
      decidePolicies: ({ policies }) => {
        asked.push(policies)
        return met
      },
    })
    const { results } = followed(live, 'subscription { measured { number calm } }')
    await expect.poll(() => live.graph.listening()).toBe(1)
    live.graph.measure(1)
    await expect.poll(() => results[0]).toEqual({ data: { measured: { number: 1, calm: -1 } } })
    met = []
    live.graph.measure(2)
    await expect
      .poll(() => results[1])
      .toMatchObject({ data: { measured: { number: 2, calm: null } }, errors: [{}] })
    expect(asked).toEqual([['calm'], ['calm'], ['calm']])
  })

  test('onAnswer changes it, for each client by itself', async () => {
    const live = await start({
      onAnswer: ({ headers, data }) => ({ extensions: { to: headers['x-app'] }, data: { ...data, more: 1 } }),
    })
    const all = ['a', 'b'].map((app) =>
      followed(live, 'subscription { measured { number } }', { 'x-app': app }),
    )
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    live.graph.measure(1)
    for (const [index, { results }] of all.entries())
      await expect
        .poll(() => results)
        .toEqual([{ data: { measured: { number: 1 }, more: 1 }, extensions: { to: ['a', 'b'][index] } }])
  })

  test('hooks around the fetches of other subgraphs are called, and remember what those before them did', async () => {
    const live = await start({
      subgraphs: ['names'],
      onRequest: ({ context, headers }) => void context.set('app', headers['x-app']),
      onSubgraphRequest: ({ context, fetch }) =>
        context.get('app') === 'refused'
          ? refuse(`No ${fetch.subgraph} for you.`, { code: 'NOT_YOURS' })
          : undefined,
    })
    const query = 'subscription { measured { number name } }'
    const [one, other] = [followed(live, query), followed(live, query, { 'x-app': 'refused' })]
    await expect.poll(() => live.metric('tessera_subscriptions')).toBe(2)
    live.graph.measure(1)
    await expect.poll(() => one.results).toEqual([{ data: { measured: { number: 1, name: 'tick a' } } }])
    await expect
      .poll(() => other.results)
      .toMatchObject([{ data: { measured: null }, errors: [{ extensions: { code: 'NOT_YOURS' } }] }])
    expect(live.graph.lookups.length).toBe(1)
  })
})

test('a subgraph with hooks around its requests cannot be subscribed to', async () => {
  const live = await start({ subgraphs: ['clock'], onSubgraphRequest: () => undefined })
  const { errors } = followed(live, 'subscription { measured { number } }')
  await expect.poll(() => errors.length).toBe(1)
  expect(errors).toMatchObject([[{ extensions: { code: expect.any(String) } }]])
  expect(live.graph.subscribed()).toBe(0)
})
