/** A subgraph over HTTP: its requests, and the result of every kind of response. */
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  createHttpTransport,
  type HttpTransportOptions,
  type SubgraphResult,
} from '../../../engine/subgraphs/index.ts'
import {
  brokenChunks,
  deadUrl,
  drip,
  hang,
  huge,
  inTurn,
  json,
  noise,
  raw,
  redirect,
  reset,
  type Script,
  shorter,
  startFaultyServer,
  status,
} from '../../support/faulty-server.ts'
import { testGatewayRequest } from '../../support/federation.ts'
import { listen } from '../../support/listen.ts'
import { subgraphOperation } from '../../support/subgraph-operation.ts'

const query = 'query Q($id: ID) { a(id: $id) }'
const operation = subgraphOperation(query)

/** What is in an answer that was left unread until here. */
const read = ({ data, errors }: SubgraphResult): SubgraphResult => ({
  ...(data === undefined ? {} : { data }),
  ...(errors === undefined ? {} : { errors }),
})

async function ask(
  script: Script,
  options: Partial<HttpTransportOptions> & { kind?: 'query' | 'mutation'; requestMs?: number } = {},
): Promise<{
  result: SubgraphResult
  arrived: { method: string; url: string; headers: Record<string, unknown>; body: string }[]
}> {
  await using server = await startFaultyServer(script)
  const transport = createHttpTransport({ name: 'shop', url: `${server.url}/graphql?v=1`, ...options })
  try {
    const send = transport.prepare({ ...operation, kind: options.kind ?? 'query' })
    const result = await send({ id: 'é"1' }, testGatewayRequest({ timeoutMs: options.requestMs ?? 5000 }))
    return { result: read(result), arrived: server.arrived }
  } finally {
    await transport.close()
  }
}

const codes = ({ errors = [] }: SubgraphResult): unknown[] => errors.map(({ extensions }) => extensions?.code)

describe('a fetch', () => {
  test('is a POST of JSON to the address with its query', async () => {
    const { result, arrived } = await ask(json({ data: { a: 1 } }))
    expect(result).toEqual({ data: { a: 1 } })
    expect(arrived).toHaveLength(1)
    const { method, url, headers, body } = arrived[0]!
    expect([method, url]).toEqual(['POST', '/graphql?v=1'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
    })
    expect(JSON.parse(body)).toEqual({ query, operationName: 'Q', variables: { id: 'é"1' } })
  })

  test('carries the headers that a hook makes from the request and the body', async () => {
    const { arrived } = await ask(json({ data: {} }), {
      headers: ({ id }, body) => ({ 'x-request': id, 'x-length': String(body.length) }),
    })
    expect(arrived[0]?.headers).toMatchObject({
      'x-request': 'test',
      'x-length': String(arrived[0]?.body.length),
    })
  })

  test('reuses its connections', async () => {
    await using server = await startFaultyServer(json({ data: { a: 1 } }))
    const transport = createHttpTransport({ name: 'shop', url: server.url })
    const send = transport.prepare(subgraphOperation('{ a }'))
    for (let i = 0; i < 5; i++) await send({}, testGatewayRequest())
    // The next one may leave while the last is being put back.
    expect(server.sockets.size).toBeLessThanOrEqual(2)
    expect(JSON.parse(server.arrived[0]!.body)).not.toHaveProperty('operationName')
    await transport.close()
  })

  test('is shared with an equal one at the same time, unless it has an object for headers, even an empty one', async () => {
    await using server = await startFaultyServer(json({ data: { a: 1 } }, 201))
    const transport = createHttpTransport({ name: 'shop', url: server.url, share: {} })
    const send = transport.prepare(subgraphOperation('{ a }'))
    const twice = (headers?: Record<string, string>) =>
      Promise.all([1, 2].map(async () => send({}, testGatewayRequest(), headers && { headers })))
    const [one] = await twice()
    expect([server.arrived.length, one?.answered?.status]).toEqual([1, 201])
    await twice({})
    expect(server.arrived).toHaveLength(3)
    await twice({ 'x-a': 'b' })
    expect(server.arrived).toHaveLength(5)
    await transport.close()
  })

  test('uses no connection for ever, so that a replica that is new gets its share', async () => {
    let connections = 0
    const server = createServer((_request, response) => response.end('{"data":{"a":1}}'))
    server.on('connection', () => {
      connections += 1
    })
    await using listening = await listen(server)
    const transport = createHttpTransport({ name: 'shop', url: listening.url, connectionMs: 1 })
    const send = transport.prepare(subgraphOperation('{ a }'))
    // With connections that are kept forever, this never ends.
    while (connections < 10) expect(read(await send({}, testGatewayRequest()))).toEqual({ data: { a: 1 } })
    await transport.close()
  })
})

describe('an answer', () => {
  test('with errors and data gives both, whatever its status', async () => {
    const errors = [
      { message: 'm', path: ['a', 0], extensions: { code: 'MINE', more: 1, service: 'theirs' } },
    ]
    for (const code of [200, 400, 500]) {
      const answer = json({ data: { a: null }, errors, extensions: { x: 1 } }, code)
      const { result } = await ask(answer, { passErrors: true })
      expect(result).toEqual({ data: { a: null }, errors })
    }
  })

  test('may begin with a byte order mark', async () => {
    const { result } = await ask(raw('\ufeff{"data":{"a":"b"}}', { 'content-type': 'application/json' }))
    expect(result).toEqual({ data: { a: 'b' } })
  })

  test('with errors whose paths have positions as strings gives numbers', async () => {
    const errors = [{ message: 'm', path: ['_entities', '1', 'a1'] }]
    const { result } = await ask(json({ data: { a: null }, errors }))
    expect(result.errors?.[0]?.path).toEqual(['_entities', 1, 'a1'])
  })

  test('with errors that must not be passed on keeps their paths and our own codes, and nothing else', async () => {
    const written = [
      {
        message: 'connect to postgres://admin:pw@db failed',
        path: ['a'],
        extensions: { code: 'NOT_FOUND', http: { status: 418 }, sql: 'SELECT 1' },
      },
      { message: 'odd', extensions: { code: 'THEIR_OWN' } },
      7,
    ]
    const { result } = await ask(json({ errors: written }))
    const message = 'The subgraph shop reported an error.'
    expect(JSON.parse(JSON.stringify(result.errors?.map(({ originalError: _, ...seen }) => seen)))).toEqual([
      { message, path: ['a'], extensions: { code: 'NOT_FOUND', service: 'shop' } },
      { message, extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' } },
      { message, extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' } },
    ])
    expect(result.errors?.[0]?.originalError?.message).toMatch(/postgres.*SELECT 1/)
  })

  test('sets no HTTP status, and lists a hundred errors at most', async () => {
    const errors = Array.from({ length: 500 }, (_, at) => ({
      message: `m${at}`,
      extensions: { http: { status: 418, headers: { 'set-cookie': 'a' } } },
    }))
    const { result } = await ask(json({ errors }), { passErrors: true })
    expect(result.errors).toHaveLength(100)
    expect(JSON.stringify(result.errors)).not.toMatch(/http|418/)
  })

  test('with errors that name no code gets one, and the name of the subgraph', async () => {
    const { result } = await ask(
      json({
        errors: [
          { message: 'm', extensions: { stacktrace: ['secret'], exception: {} } },
          'odd',
          { path: [{}] },
        ],
      }),
      { passErrors: true },
    )
    const extensions = { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' }
    expect(result.errors).toEqual([
      { message: 'm', extensions, originalError: expect.any(Error) },
      { message: 'The subgraph shop failed.', extensions },
      { message: 'The subgraph shop failed.', extensions },
    ])
  })

  test('loses what servers in development mode add to errors, at any depth, and the log has it', async () => {
    const secret = 'Error: x at /srv/app/db.js:7'
    const kept = { hint: 'h', trace: '4bf92f', nested: { list: [{ ok: 1 }] }, big: 12345678901234567890n }
    const dropped = {
      stack: secret,
      stackTrace: secret,
      stack_trace: [secret],
      debug: { sql: secret },
      debugInfo: secret,
      debugMessage: secret,
      exception: { stacktrace: [secret] },
      originalError: { message: secret, stack: secret },
      trace: [{ file: secret }],
      backtrace: [secret],
      Traceback: secret,
    }
    const written = (extensions: object): Script =>
      raw(
        JSON.stringify({ errors: [{ message: 'm', extensions }] }, (_, value) =>
          typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
        ),
      )
    const shown = async (extensions: object, options: object = { passErrors: true }) =>
      (await ask(written(extensions), options)).result.errors?.[0]
    const own = { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' }
    const nested = { ...kept, nested: { list: [{ ok: 1, ...dropped }] } }
    const { trace: _, ...others } = dropped
    for (const extensions of [{ ...others, ...kept }, nested]) {
      const error = await shown(extensions)
      expect(JSON.stringify(error?.extensions)).toBe(
        JSON.stringify({ ...kept, big: JSON.rawJSON('12345678901234567890'), ...own }),
      )
      expect(error?.originalError?.message).toContain(secret)
    }
    const listed = { messages: true, extensions: ['stack', 'debug', 'hint'] }
    expect((await shown({ ...dropped, ...kept }, { passErrors: listed }))?.extensions).toEqual({
      hint: 'h',
      ...own,
    })
    // As deep as a parser reads: it is cut off, and nothing fails.
    const deep = raw(
      `{"errors":[{"message":"m","extensions":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`,
    )
    for (const passErrors of [true, false]) {
      const { result } = await ask(deep, { passErrors })
      expect(JSON.stringify(result.errors?.[0]?.extensions).length).toBeLessThan(200)
    }
    // What is whole has nothing for the log.
    expect((await shown(kept))?.originalError).toBeUndefined()
  })

  test.each<[string, Script, string]>([
    ['is HTML', raw('<html>', { 'content-type': 'text/html' }), 'UPSTREAM_BAD_RESPONSE'],
    [
      'is HTML of a failing proxy',
      raw('<html>', { 'content-type': 'text/html' }, 502),
      'UPSTREAM_UNAVAILABLE',
    ],
    ['is broken JSON', raw('{"data":'), 'UPSTREAM_BAD_RESPONSE'],
    ['is no object', json([1]), 'UPSTREAM_BAD_RESPONSE'],
    ['has data that is no object', json({ data: 3 }), 'UPSTREAM_BAD_RESPONSE'],
    ['has neither data nor errors', json({}), 'UPSTREAM_BAD_RESPONSE'],
    ['has null and no reason', json({ data: null }), 'UPSTREAM_BAD_RESPONSE'],
    ['has errors that are no list', json({ data: {}, errors: {} }), 'UPSTREAM_BAD_RESPONSE'],
    ['is empty', status(200), 'UPSTREAM_BAD_RESPONSE'],
    ['is 503', status(503), 'UPSTREAM_UNAVAILABLE'],
    ['is 429', status(429), 'UPSTREAM_UNAVAILABLE'],
    ['is 404', status(404), 'UPSTREAM_BAD_RESPONSE'],
    ['leads elsewhere', redirect('http://127.0.0.1:1/'), 'UPSTREAM_BAD_RESPONSE'],
    ['breaks off', shorter, 'UPSTREAM_BAD_RESPONSE'],
    ['breaks off in its chunks', brokenChunks, 'UPSTREAM_BAD_RESPONSE'],
    ['is no HTTP', noise, 'UPSTREAM_BAD_RESPONSE'],
  ])('that %s is one error with a code', async (_, script, code) => {
    const { result } = await ask(script)
    expect(result.data ?? null).toBeNull()
    expect(codes(result)).toEqual([code])
    expect(result.errors?.[0]?.extensions).toMatchObject({ service: 'shop' })
  })

  test('that is no JSON says so in the log', async () => {
    const { result } = await ask(raw('{"data":{"a":NaN}}', { 'content-type': 'application/json' }))
    expect(result.errors?.[0]?.message).not.toContain('NaN')
    expect(result.errors?.[0]?.originalError?.message).toMatch(/NaN.*is not valid JSON/)
  })

  test('that refuses by overload passes on how long to wait', async () => {
    const { result } = await ask(status(503, { 'retry-after': '7' }))
    expect(result.errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 7 })
  })

  test.each<[string, Script]>([
    ['never comes', hang],
    ['comes drop by drop', drip],
  ])('that %s ends with the time of the fetch, or of the request', async (_, script) => {
    expect(codes((await ask(script, { timeoutMs: 80 })).result)).toEqual(['UPSTREAM_TIMEOUT'])
    expect(codes((await ask(script, { requestMs: 80 })).result)).toEqual(['UPSTREAM_TIMEOUT'])
  })

  test('that is too large is given up', async () => {
    expect(codes((await ask(huge(8), { maxResponseBytes: 1024 * 1024 })).result)).toEqual([
      'UPSTREAM_BAD_RESPONSE',
    ])
  })
})

describe('a connection', () => {
  test('that is not answered is unavailable, and its address is not shown', async () => {
    const url = await deadUrl()
    const transport = createHttpTransport({ name: 'shop', url })
    const send = transport.prepare(operation)
    const result = await send({}, testGatewayRequest())
    expect(codes(result)).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect(JSON.stringify(result)).not.toContain('127.0.0.1')
    await transport.close()
  })

  test('that breaks before the answer is tried once more for a query, never for a mutation', async () => {
    const once = await ask(inTurn(reset, json({ data: { a: 1 } })))
    expect([once.result, once.arrived.length]).toEqual([{ data: { a: 1 } }, 2])
    const twice = await ask(reset)
    expect([codes(twice.result), twice.arrived.length]).toEqual([['UPSTREAM_UNAVAILABLE'], 2])
    const mutation = await ask(inTurn(reset, json({ data: { a: 1 } })), { kind: 'mutation' })
    expect([codes(mutation.result), mutation.arrived.length]).toEqual([['UPSTREAM_UNAVAILABLE'], 1])
  })

  test('is closed when the client goes away', async () => {
    await using server = await startFaultyServer(hang)
    const transport = createHttpTransport({ name: 'shop', url: server.url })
    const request = testGatewayRequest()
    const send = transport.prepare(operation)
    const pending = send({}, request)
    await server.reached(1)
    request.cancel()
    expect(codes(await pending)).toEqual(['UPSTREAM_TIMEOUT'])
    await server.aborted
    expect(codes(await send({}, request))).toEqual(['UPSTREAM_TIMEOUT'])
    expect(server.arrived).toHaveLength(1)
    await transport.close()
  })
})

test('an invalid address is refused immediately', () => {
  for (const url of ['', 'shop', 'file:///etc/passwd', 'http://user:pw@127.0.0.1/'])
    expect(() => createHttpTransport({ name: 'shop', url })).toThrow(/The subgraph shop has/)
})
