/**
 * Clients that send too much: bursts, floods, and messages that are too long. No memory stays in use afterwards.
 */
import { describe, expect, test } from 'vitest'
import { defineHooks } from '../../../gateway/hooks/index.ts'
import type { LiveGateway } from '../../support/live-graph.ts'
import { postJson } from '../../support/post-json.ts'
import { connect, follow, openRaw, readUntil, start, wait } from './kit.ts'

const query = 'subscription { ticked { number } }'
const subscribe = (id: string) => ({ id, type: 'subscribe', payload: { query } })
const complete = (id: string) => ({ id, type: 'complete' })

/** A frame of a client (RFC 6455, section 5.2), under a mask of zeros. */
function frame(text: string, opcode = 1): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.alloc(payload.length < 126 ? 6 : payload.length < 65_536 ? 8 : 14)
  head.writeUInt8(0x80 | opcode, 0)
  if (payload.length < 126) head.writeUInt8(0x80 | payload.length, 1)
  else if (payload.length < 65_536) {
    head.writeUInt8(0x80 | 126, 1)
    head.writeUInt16BE(payload.length, 2)
  } else {
    head.writeUInt8(0x80 | 127, 1)
    head.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  return Buffer.concat([head, payload])
}

/** A WebSocket that is open and acknowledged; all messages that are sent together leave in one piece. */
async function raw(live: LiveGateway) {
  const { socket, received, closed } = await openRaw(live)
  const text = (): string => received().toString('latin1')
  const send = (...messages: readonly object[]): void =>
    void socket.write(Buffer.concat(messages.map((message) => frame(JSON.stringify(message)))))
  send({ type: 'connection_init' })
  await expect.poll(text, wait).toContain('connection_ack')
  return { socket, send, received: text, closed }
}

/** Somebody else, who gets what there is. */
async function isServed(live: LiveGateway): Promise<void> {
  const client = connect(live)
  const { results } = follow(client, 'subscription { measured { number } }')
  await expect.poll(() => live.graph.listening('measured'), wait).toBe(1)
  live.graph.measure(1)
  await expect.poll(() => results, wait).toEqual([{ data: { measured: { number: 1 } } }])
  await client.dispose()
}

describe('over a WebSocket', () => {
  test('one id that begins, ends and begins again immediately is one subscription, and none is left behind', async () => {
    const live = await start()
    const { send, socket, received } = await raw(live)
    const again = Array.from({ length: 20 }, () => [complete('1'), subscribe('1')]).flat()
    send(subscribe('1'), ...again)
    await expect.poll(() => live.graph.listening(), wait).toBe(1)
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(1)
    live.graph.tick(1)
    await expect.poll(() => received().match(/"type":"next"/g)?.length, wait).toBe(1)
    socket.destroy()
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(0)
    await expect.poll(() => live.graph.listening(), wait).toBe(0)
  })

  test('an id whose subscription runs may end and begin again immediately, and the new one is not ended with the old', async () => {
    const live = await start()
    const { send, socket, received } = await raw(live)
    send(subscribe('1'))
    for (let number = 1; number <= 20; number++) {
      await expect.poll(() => live.graph.subscribed(), wait).toBe(number)
      await expect.poll(() => live.graph.listening(), wait).toBe(1)
      live.graph.tick(number)
      await expect.poll(() => received().match(/"type":"next"/g)?.length, wait).toBe(number)
      send(complete('1'), subscribe('1'))
    }
    await expect.poll(() => live.graph.subscribed(), wait).toBe(21)
    expect(received()).not.toContain('complete')
    socket.destroy()
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(0)
  })

  test('operations that are ended while they begin count until they have begun', async () => {
    const held = Promise.withResolvers<void>()
    let beginning = 0
    const live = await start({
      env: { TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION: '10' },
      hooks: defineHooks({
        onRequest() {
          beginning += 1
          return held.promise
        },
      }),
    })
    const { send, received } = await raw(live)
    const ids = Array.from({ length: 200 }, (_, index) => String(index))
    const all = [...ids.flatMap((id) => [subscribe(id), complete(id)]), subscribe('last')]
    send(...all, { type: 'ping' })
    await expect.poll(received, wait).toContain('"pong"')
    expect(beginning).toBe(10)
    held.resolve()
    await isServed(live)
    await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBeLessThanOrEqual(1)
    const begun = live.log.filter((line) => line.includes('"msg":"request"')).length
    expect(begun).toBeLessThan(50)
  })

  test('a flood of pings from a client that reads nothing ends its connection', async () => {
    const live = await start({
      env: {
        TESSERA_SUBSCRIPTION_WAITING_BYTES: '500000',
        TESSERA_SUBSCRIPTION_HEARTBEAT_MS: '600000',
        TESSERA_WRITE_TIMEOUT_MS: '600000',
      },
    })
    const { socket, closed } = await raw(live)
    expect(await live.metric('tessera_websockets')).toBe(1)
    socket.pause()
    const piece = frame(JSON.stringify({ type: 'ping', payload: { much: 'x'.repeat(400_000) } }))
    for (let sent = 0; sent < 400 && !socket.destroyed; sent += 1)
      if (!socket.write(piece))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    await expect.poll(() => live.metric('tessera_websockets'), wait).toBe(0)
    await isServed(live)
  })

  test.each([
    ['messages', frame('{"type":"complete","id":"none"}')],
    ['pings of the protocol below', frame('', 9)],
  ])('a chunk of thousands of %s does not let others wait until all are read', async (_, message) => {
    const live = await start()
    const { socket, received } = await raw(live)
    const order: string[] = []
    socket.on('data', () => received().includes('"pong"') && order.push('flood'))
    // Sent together, they arrive in one chunk of at most 64 KiB.
    socket.write(Buffer.concat([...Array.from({ length: 1500 }, () => message), frame('{"type":"ping"}')]))
    await postJson(live.url, { query: '{ __typename }' })
    order.push('other')
    await expect.poll(() => order, wait).toContain('flood')
    expect(order[0]).toBe('other')
  })
})

test('a ping with a payload of thousands of levels is answered without it, and is no fault', async () => {
  const live = await start()
  const { socket, received } = await raw(live)
  const levels = 100_000
  socket.write(frame(`{"type":"ping","payload":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`))
  await expect.poll(received, wait).toContain('{"type":"pong"}')
  expect(live.log.filter((line) => line.includes('"level":50'))).toEqual([])
})

describe('what is too long, or more than one', () => {
  const post = (live: LiveGateway, body: object, headers: Record<string, string> = {}) =>
    postJson(live.url, body, { accept: 'text/event-stream', ...headers })

  test('Last-Event-ID of a megabyte is refused, and one that is garbage begins as if there was none', async () => {
    const live = await start()
    const large = await post(live, { query }, { 'last-event-id': 'x'.repeat(1_000_000) }).catch(
      () => undefined,
    )
    expect([431, undefined]).toContain(large?.status)
    const controller = new AbortController()
    const garbage = await fetch(live.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'last-event-id': '\u00ff"}{'.repeat(128),
      },
      body: JSON.stringify({ query }),
      signal: controller.signal,
    })
    expect(garbage.status).toBe(200)
    controller.abort()
    await isServed(live)
  })

  test('variables and ids that a subscription would keep are refused', async () => {
    const live = await start()
    const long = {
      query: 'subscription ($of: ID) { ticked(of: $of) { number } }',
      variables: { of: 'x'.repeat(65_536) },
    }
    const refused = await post(live, long)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'OPERATION_TOO_LARGE', limit: 'variables', maximum: 65_536 } }],
    })

    const { send, received } = await raw(live)
    send({ id: 'variables', type: 'subscribe', payload: long }, subscribe('x'.repeat(201)))
    await expect.poll(() => received().match(/"type":"error"/g)?.length, wait).toBe(2)
    expect(received()).toContain('The id of an operation has at most 200 characters.')
    expect(live.graph.listening()).toBe(0)
    await isServed(live)
  })

  test('what can be no id of an event is refused, however the client says it', async () => {
    const live = await start()
    const long = 'x'.repeat(513)
    const refused = { errors: [{ extensions: { code: 'BAD_REQUEST' } }] }
    const byHeader = await post(live, { query }, { 'last-event-id': long })
    expect(byHeader.status).toBe(400)
    expect(await byHeader.json()).toMatchObject(refused)

    const { send, received } = await raw(live)
    for (const [id, lastEventId] of [long, 'a\nb', 7].entries())
      send({ id: `${id}`, type: 'subscribe', payload: { query, extensions: { lastEventId } } })
    await expect.poll(() => received().match(/"type":"error"/g)?.length, wait).toBe(3)
    expect(received().match(/at most, as that event had it/g)).toHaveLength(3)

    const token = await (await fetch(live.url, { method: 'PUT' })).text()
    const headers = { 'x-graphql-event-stream-token': token }
    const stream = await fetch(live.url, { headers: { ...headers, accept: 'text/event-stream' } })
    const extensions = { operationId: '1', lastEventId: long }
    expect((await post(live, { query, extensions }, headers)).status).toBe(202)
    const events = await readUntil(stream, (text) => text.includes('event: complete'))
    expect(events).toContain('"code":"BAD_REQUEST"')
    expect(await live.metric('tessera_subscriptions')).toBe(0)
  })

  test.each([
    ['two root fields', 'subscription { a: measured { number } b: measured { number } }'],
    [
      'two root fields in a fragment',
      'subscription { ...F } fragment F on Subscription { a: measured { number } b: strict }',
    ],
    [
      'a root field that may be left out',
      'subscription ($is: Boolean!) { measured @skip(if: $is) { number } }',
    ],
    [
      'a fragment that may be left out',
      'subscription ($is: Boolean!) { ...F @include(if: $is) } fragment F on Subscription { measured { number } }',
    ],
    ['a deferred root field', 'subscription { ... @defer { measured { number } } }'],
    [
      'too many aliases',
      `subscription { measured { ${Array.from({ length: 3000 }, (_, at) => `a${at}: number`).join(' ')} } }`,
    ],
    ['variables that are nested too deep', 'subscription ($of: ID) { measured(of: $of) { number } }'],
  ])('%s: is refused before it begins', async (name, text) => {
    const live = await start()
    let nested: unknown = 'x'
    for (let depth = 0; depth < 1000; depth += 1) nested = [nested]
    const variables = name.startsWith('variables') ? { of: nested } : { is: false }
    const response = await post(live, { query: text, variables })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('"errors"')
    expect(live.graph.subscribed()).toBe(0)
  })
})
