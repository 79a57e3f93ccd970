/** How events reach clients, beyond what protocol.test.ts and clients.test.ts test. */
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { postJson } from '../../support/post-json.ts'
import { readUntil, start } from './kit.ts'

const query = 'subscription { ticked { number name } }'
const tickOf = (number: number) => ({
  data: { ticked: { number, name: `tick a${number}` } },
  extensions: { eventId: `a:${number}` },
})

test('graphql-ws: queries and mutations have one result, faults are errors of their operation', async () => {
  const { wsUrl } = await start()
  const client = createClient({ url: wsUrl, webSocketImpl: WebSocket })
  const results = []
  for await (const result of client.iterate({ query: '{ now }' })) results.push(result)
  for await (const result of client.iterate({ query: 'mutation { set(to: 3) }' })) results.push(result)
  expect(results).toEqual([{ data: { now: 0 } }, { data: { set: 3 } }])
  const faulty = client.iterate({ query: 'subscription { nothing }' }).next()
  await expect(faulty).rejects.toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  await client.dispose()
})

test('a GET for server-sent events resumes after the event that Last-Event-ID names', async () => {
  const { graph, url } = await start()
  for (const number of [1, 2, 3]) graph.tick(number)
  const response = await fetch(`${url}?query=${encodeURIComponent(query)}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': 'a:1' },
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = await readUntil(response, (each) => each.split('event: next').length === 3)
  expect(text).toBe([2, 3].map((n) => `id: a:${n}\nevent: next\ndata: ${bodyOf(n)}\n\n`).join(''))
})

const bodyOf = (n: number): string =>
  `{"extensions":{"eventId":"a:${n}"},"data":{"ticked":{"number":${n},"name":"tick a${n}"}}}`

test('server-sent events: heartbeats are lines of the next event, because some clients end at a block of comments', async () => {
  const { graph, url } = await start({ env: { TESSERA_SUBSCRIPTION_HEARTBEAT_MS: '100' } })
  const pending = postJson(url, { query }, { accept: 'text/event-stream' })
  await expect.poll(() => graph.listening()).toBe(1)
  let isTold = false
  const text = await readUntil(await pending, (each) => {
    if (each.includes(':\n') && !isTold) {
      isTold = true
      graph.tick(1)
    }
    return each.includes('data: ')
  })
  expect(text.split(/^:\n/m).join('')).toBe(`id: a:1\nevent: next\ndata: ${bodyOf(1)}\n\n`)
})

test('multipart: each result is a payload, an error of the source ends it, and a heartbeat comes between', async () => {
  const { graph, url } = await start({ env: { TESSERA_SUBSCRIPTION_HEARTBEAT_MS: '100' } })
  const pending = postJson(
    url,
    { query },
    { accept: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json' },
  )
  await expect.poll(() => graph.listening()).toBe(1)
  const response = await pending
  expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";subscriptionSpec=1.0')
  const heartbeat = '\r\n\r\n{}\r\n'
  const whole = readUntil(response, (text) => {
    const isBeating = text.includes('ticked') && text.slice(text.lastIndexOf('ticked')).includes(heartbeat)
    if (isBeating) graph.send('ticked', new Error('It is broken.'))
    return text.endsWith('--graphql--\r\n')
  })
  graph.tick(1)
  const parts = (await whole)
    .split(/\r?\n?--graphql(?:--)?\r\n/)
    .flatMap((part) => (part.includes('\r\n\r\n') ? [JSON.parse(part.split('\r\n\r\n')[1] ?? '')] : []))
  expect(parts[0]).toEqual({ payload: tickOf(1) })
  expect(parts.slice(1, -1).length).toBeGreaterThan(0)
  for (const part of parts.slice(1, -1)) expect(part).toEqual({})
  expect(parts.at(-1)).toMatchObject({
    payload: null,
    errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  })
})

test('multipart: a query beside a subscription has its result in the only part', async () => {
  const { url } = await start()
  const body = { query: 'query Now { now } subscription Ticks { ticked { number } }', operationName: 'Now' }
  const response = await postJson(url, body, { accept: 'multipart/mixed;subscriptionSpec="1.0"' })
  const [, part = 'null'] = /\r\n\r\n(.*)\r\n--graphql--\r\n$/.exec(await response.text()) ?? []
  expect([response.status, JSON.parse(part)]).toEqual([200, { payload: { data: { now: 0 } } }])
})

test('what is wrong before the first event has its usual status, and plain HTTP says what to ask for', async () => {
  const { url, graph } = await start()
  const post = async (body: object, accept: string, headers = {}) => {
    const response = await postJson(url, body, { accept, ...headers })
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] }
    return [response.status, errors[0]?.extensions.code]
  }
  const sse = 'text/event-stream'
  expect(await post({ query: 'subscription { nothing }' }, sse)).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
  expect(await post({ query }, sse, { authorization: 'Bearer x' })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await post({ query: 'subscription { ticked(of: "refused") { number } }' }, sse)).toEqual([
    404,
    'NOT_FOUND',
  ])
  expect(await post({ query }, 'application/graphql-response+json')).toEqual([406, 'BAD_REQUEST'])
  expect(await post({ query: 'subscription { guarded }' }, sse)).toEqual([401, 'UNAUTHORIZED_FIELD_OR_TYPE'])
  expect(graph.listening()).toBe(0)
})

test('Tessera-Explain tells the plan of a subscription without beginning it', async () => {
  const { url, graph } = await start()
  const response = await postJson(url, { query }, { 'tessera-explain': '1' })
  const { extensions } = (await response.json()) as { extensions: { explain: { plan: string } } }
  expect(extensions.explain.plan).toContain('subscription { ticked { __typename id number } }')
  expect(graph.subscribed()).toBe(0)
})

test('introspection shows the subscriptions', async () => {
  const { url } = await start()
  const response = await postJson(url, { query: '{ __schema { subscriptionType { fields { name } } } }' })
  expect(await response.json()).toEqual({
    data: {
      __schema: {
        subscriptionType: { fields: ['ticked', 'measured', 'strict', 'guarded'].map((name) => ({ name })) },
      },
    },
  })
})
