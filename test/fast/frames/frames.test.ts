/** Gateway and subgraph service over frames: what HTTP promises between them holds here, too. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { FrameWriter } from '../../../fast/frames/format/index.ts'
import { openFrames } from '../../../fast/frames/index.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import {
  asking,
  framedTransport,
  type Resolver,
  secret,
  startFramedService,
  until,
  upgradedSocket,
} from '../../support/framed-service.ts'
import { listen } from '../../support/listen.ts'
import { endOf } from '../../support/wait.ts'

test('many requests are under way on one connection, and each gets its own answer', async () => {
  await using both = await startFramedService({})
  await both.connected()
  const texts = Array.from({ length: 300 }, (_, at) => `ä ${at}`)
  expect(await Promise.all(texts.map(both.echo))).toEqual(texts.map((echo) => ({ echo })))
  expect(await both.connections()).toBe(1)
  // What did not find room there went by HTTP.
  expect(both.sent.filter((protocol) => protocol === 'frames').length).toBeGreaterThanOrEqual(128)
  both.sent.length = 0
  for (let at = 0; at < 5; at++) await both.echo('again')
  expect(both.sent).toEqual(Array.from({ length: 5 }, () => 'frames'))
})

test('more documents than have numbers are each executed for what they are', async () => {
  await using both = await startFramedService({})
  const fetches = Array.from({ length: 270 }, (_, at) => both.prepare(`{ a${at}: echo(text: "${at}") }`))
  for (let pass = 0; pass < 2; pass++) {
    const answers = await Promise.all(fetches.map((fetch) => fetch({}, asking())))
    expect(answers.map(({ data }) => data)).toEqual(fetches.map((_, at) => ({ [`a${at}`]: String(at) })))
  }
})

test('a long answer arrives whole, in its parts, and one that is too long is given up', async () => {
  await using both = await startFramedService({}, { transport: { maxResponseBytes: 3_000_000 } })
  await both.connected()
  const long = both.prepare('query ($times: Int) { long(times: $times) }')
  const lists = await Promise.all(
    [1000, 3, 900].map(async (times) => (await long({ times }, asking())).data?.long),
  )
  expect(lists).toEqual([1000, 3, 900].map((times) => Array.from({ length: times }, () => 'ä'.repeat(1000))))
  const { errors } = await long({ times: 2000 }, asking())
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE' })
  expect(errors?.[0]?.message).toMatch(/too large/)
  expect(await both.echo('still')).toEqual({ echo: 'still' })
  expect(new Set(both.sent)).toEqual(new Set(['frames']))
})

test('headers reach the service as by HTTP, and what fits into no frame goes by HTTP', async () => {
  await using both = await startFramedService({})
  await both.connected()
  const header = both.prepare('query ($name: String!) { header(name: $name) }')
  const request = () =>
    asking({
      header: (name: string) =>
        ({ authorization: 'Bearer x', 'x-one-authorization': 'of one', 'x-two-authorization': 'of two' })[
          name
        ],
    })
  const read = async (name: string) => (await header({ name }, request())).data?.header
  expect(await read('authorization')).toBe('Bearer x')
  expect(await read('x-one-authorization')).toBe('of one')
  expect(await read('x-two-authorization')).toBe(null)
  expect(both.sent).toEqual(['frames', 'frames', 'frames'])
  const long = 'x'.repeat(100_000)
  expect(await both.echo(long)).toEqual({ echo: long })
  expect(both.sent).toEqual(['frames', 'frames', 'frames', 'http'])
})

test('a client that goes away or times out cancels its request at the service; the connection stays', async () => {
  const cancelled: SubgraphRequest[] = []
  let begun = 0
  await using both = await startFramedService({
    slow: (_source, _args, { request }) => {
      begun += 1
      return new Promise((resolve) => {
        request.onCancel(() => {
          cancelled.push(request)
          resolve('late')
        })
      })
    },
  })
  await both.connected()
  const slow = both.prepare('{ slow }')
  const leaving = asking()
  const hurried = asking({ deadline: performance.now() + 1500 })
  const answers = [slow({}, leaving), slow({}, hurried)]
  await until(() => begun === 2)
  leaving.cancel()
  for (const { errors } of await Promise.all(answers))
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  await until(() => cancelled.length === 2)
  expect(await both.echo('still')).toEqual({ echo: 'still' })
  expect(new Set(both.sent)).toEqual(new Set(['frames']))
})

test('a stopping service finishes its requests, and its gateway uses another connection', async () => {
  let finish: ((text: string) => void) | undefined
  const slowly: Resolver = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  await using both = await startFramedService({ slow: slowly })
  await both.connected()
  const slow = both.prepare('{ slow }')({}, asking())
  await until(() => finish !== undefined)
  const stopped = both.stop(10_000)
  finish?.('done')
  expect((await slow).data).toEqual({ slow: 'done' })
  await stopped
  const { errors } = await both.prepare('{ echo }')({}, asking())
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  await both.again()
  await until(async () => {
    both.sent.length = 0
    expect(await both.echo('again')).toEqual({ echo: 'again' })
    return both.sent[0] === 'frames'
  })
})

test('a connection that breaks: a query is sent again, a mutation is not', async () => {
  let writes = 0
  let cut: (() => void) | undefined
  const breakOnce = (): Promise<string> | string => {
    const now = cut
    cut = undefined
    if (now === undefined) return 'done'
    now()
    return new Promise(() => {})
  }
  await using both = await startFramedService({
    slow: breakOnce,
    write: () => {
      writes += 1
      return breakOnce()
    },
  })
  await using relay = await startRelay(both.url)
  const { transport, prepare, sent } = framedTransport(relay.url)
  await until(async () => {
    await prepare('{ echo }')({}, asking())
    return sent.at(-1) === 'frames'
  })
  cut = relay.cut
  expect((await prepare('{ slow }')({}, asking())).data).toEqual({ slow: 'done' })
  cut = relay.cut
  const { errors } = await prepare('mutation { write }')({}, asking())
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  expect(writes).toBe(1)
  await transport.close()
})

test('a connection on which nothing comes any more gets no further request', async () => {
  await using both = await startFramedService({}, { transport: {} })
  await using relay = await startRelay(both.url)
  const { transport, prepare, sent } = framedTransport(relay.url)
  const fetch = prepare('{ echo(text: "x") }')
  await until(async () => {
    expect((await fetch({}, asking())).data).toEqual({ echo: 'x' })
    return sent.at(-1) === 'frames'
  })
  relay.hold()
  const held = asking({ deadline: performance.now() + 200 })
  expect((await fetch({}, held)).errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  expect(sent.at(-1)).toBe('frames')
  // Not before its deadline, on the connection that is dead.
  expect((await fetch({}, asking())).data).toEqual({ echo: 'x' })
  await transport.close()
})

test('without the secret there is no connection in frames, and no answer', async () => {
  await using both = await startFramedService({}, { secret: 'another secret altogether' })
  const { errors } = await both.prepare('{ echo }')({}, asking())
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(both.sent).toEqual(['http'])
  expect(await both.connections()).toBe(0)
})

test('a frame without its seal closes the connection, and executes nothing', async () => {
  let writes = 0
  await using both = await startFramedService({
    write: () => {
      writes += 1
      return 'done'
    },
  })
  const upgrade = async (key: string) => {
    const { socket, sealOf } = await upgradedSocket(both.url)
    const writer = new FrameWriter(socket, key === '' ? undefined : sealOf(key))
    writer.document(0, undefined, 'mutation { write }')
    writer.request(1, 0, '', '{}')
    writer.flush()
    return socket
  }
  for (const key of ['', 'another secret']) {
    const socket = await upgrade(key)
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    await endOf(socket)
    expect(received).toEqual([])
  }
  expect(writes).toBe(0)
  expect(both.lines.join('')).toContain('a frame has a wrong seal')
  const socket = await upgrade(secret)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString('latin1')).toContain('{"data":{"write":"done"}}')
  expect(writes).toBe(1)
  socket.destroy()
})

test('a frame whose bytes come one by one has as long as a body has', async () => {
  await using both = await startFramedService({}, { env: { TESSERA_BODY_TIMEOUT_MS: '500' } })
  const { socket } = await upgradedSocket(both.url)
  const closed = endOf(socket)
  // A head that announces 256 bytes, of which one comes every 50 ms: far longer than the connection may take.
  socket.write(Buffer.from([0, 0, 1, 0, 2, 0, 0, 0, 0]))
  const trickle = setInterval(() => socket.write('x'), 50)
  await closed
  clearInterval(trickle)
  expect(await both.connections()).toBe(0)
})

test('a service without frames, by setting or by version, is called by HTTP', async () => {
  await using off = await startFramedService({}, { service: { frames: undefined } })
  for (let at = 0; at < 3; at++) expect(await off.echo('x')).toEqual({ echo: 'x' })
  expect(off.sent).toEqual(['http', 'http', 'http'])

  const methods: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    methods.push(request.method ?? '')
    headers.push(request.headers)
    request.resume()
    response.setHeader('content-type', 'application/json').end('{"data":{"echo":"x"}}')
  })
  await using listening = await listen(server)
  const { transport, prepare } = framedTransport(`${listening.url}/graphql`, {
    frames: { open: openFrames, secret: undefined },
  })
  const fetch = prepare('{ echo }')
  const asked = asking({ header: () => 'a secret of the caller' })
  for (let at = 0; at < 3; at++) expect((await fetch({}, asked)).data).toEqual({ echo: 'x' })
  expect(methods).toEqual(['GET', 'POST', 'POST', 'POST'])
  expect(JSON.stringify(headers[0])).not.toContain('of the caller')
  await transport.close()
})

test('wrong variables, and a document that is wrong, are refused as by HTTP', async () => {
  await using frames = await startFramedService({})
  await frames.connected()
  await using http = await startFramedService({}, { transport: { frames: undefined } })
  for (const [text, variables] of [
    ['query ($text: String) { echo(text: $text) }', { text: { not: 'a text' } }],
    ['{ nobody }', {}],
    ['query ($text: String) { echo(text: $text) }', { text: nest(200) }],
  ] as const) {
    const [one, other] = await Promise.all(
      [frames, http].map(async (way) => (await way.prepare(text)(variables, asking())).errors),
    )
    expect(one).toEqual(other)
    expect(one).not.toEqual(undefined)
  }
  expect([new Set(frames.sent), new Set(http.sent)]).toEqual([new Set(['frames']), new Set(['http'])])
})

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Passes connections on to the service. On request it cuts all of them, or lets nothing through on the open ones. */
async function startRelay(target: string) {
  const { hostname, port } = new URL(target)
  const { createServer: createNetServer } = await import('node:net')
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createNetServer((near) => {
    const far = connect(Number(port), hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => {})
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => {
      pairs.delete(pair)
      far.destroy()
    })
    far.on('close', () => near.destroy())
  })
  const listening = await listen(server)
  return {
    ...listening,
    url: `${listening.url}/graphql`,
    cut: () => {
      for (const [near] of pairs) near.destroy()
    },
    hold: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
      }
    },
  }
}

test('frames carry `onError` as HTTP does', async () => {
  await using both = await startFramedService({}, { transport: { takesOnError: true } })
  const fetch = both.prepare('{ echo(text: "a") required }')
  const dataOf = async (onError: 'NULL' | 'PROPAGATE' | 'HALT') =>
    JSON.parse(JSON.stringify((await fetch({}, asking({ onError }))).data ?? null))
  for (const protocol of ['http', 'frames']) {
    if (protocol === 'frames') await both.connected()
    expect(await dataOf('NULL')).toEqual({ echo: 'a', required: null })
    expect(await dataOf('PROPAGATE')).toBeNull()
    expect(await dataOf('HALT')).toBeNull()
  }
  expect(both.sent).toEqual(['frames', 'frames', 'frames'])
})

test('nothing waits for a service that does not answer once the connections are closed', async () => {
  const server = createServer(() => {})
  await using hung = await listen(server)
  const connected = once(server, 'connection')
  const frames = openFrames({
    url: new URL(hung.url),
    headers: () => ({}),
    secret: undefined,
    maxBytes: 1000,
    connections: 1,
    timeoutMs: 60_000,
    connectionMs: 60_000,
    keepAliveMs: 60_000,
    writeTimeoutMs: 60_000,
  })
  void frames.link()
  const [socket] = (await connected) as [Socket]
  frames.close()
  await endOf(socket)
  expect(frames.link()).toBeUndefined()
})
