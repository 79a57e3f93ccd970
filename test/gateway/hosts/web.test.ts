/** A handler as a function from `Request` to `Response`, and as a listener: what it does with bodies, and with signals. */
import { getEventListeners, once } from 'node:events'
import { createServer, get, type RequestOptions, request } from 'node:http'
import { connect, createServer as createHttp2Server, constants as http2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  createHandler,
  type GatewayRequest,
  type GraphHandler,
  type Transport,
} from '../../../gateway/hosts/library.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { cancelReason } from '../../../shared/http/cancellation.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { configFrom } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'
import { shop, startService, supergraphOf, withCache } from '../../support/router.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { asking, json, post } from './web.ts'

const supergraph = readSchemaFile('supergraph')
const config = configFrom({ TESSERA_MAX_BODY_BYTES: '2000' })
const graph = createHandler({ supergraph, config })
afterAll(() => graph.close())

interface Answer {
  readonly data?: unknown
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

/** The type of `json()` depends on the packages that are installed, so this function names it. */
const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer

test('a response that the embedding program has sent meanwhile stays', async () => {
  const ask = await asking(
    createServer((request, response) => {
      graph.listener(request, response)
      response.writeHead(503)
      response.write('late')
      setTimeout(() => response.end(), 200)
    }),
  )
  const response = await ask(post({ query: '{ __typename }' }))
  expect([response.status, await response.text()]).toEqual([503, 'late'])
})

const path = '/?query={products{name}}'

/** A handler over a subgraph. Both end with the test. */
async function overProducts(
  env: Record<string, string> = {},
  transports?: ReadonlyMap<string, Transport> | undefined,
) {
  const service = keep(await startService('products', shop.products))
  const config = configFrom(env)
  const handler = createHandler({ supergraph: supergraphOf([service]), config, transports })
  keep({ [Symbol.asyncDispose]: () => handler.close() })
  return { service, handler }
}

/** A client of the handler by HTTP/2. It ends with the test. */
async function byHttp2({ listener }: Pick<GraphHandler, 'listener'>) {
  const server = createHttp2Server(listener as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return session
}

describe('headers of a response', () => {
  const products = async (headers: Record<string, string | string[]>, env: Record<string, string>) => {
    const { service, handler } = await overProducts(env)
    service.answerHeaders = headers
    const { url } = keep(
      await listen(
        createServer((request, response) => {
          response.setHeader('vary', 'Origin').setHeader('set-cookie', 'host=1')
          handler.listener(request, response)
        }),
      ),
    )
    const [response] = await once(get(`${url}${path}`), 'response')
    response.resume()
    return { handler, ours: response.headersDistinct }
  }

  test('each cookie of a subgraph has its line, and those of the embedding program stay', async () => {
    const rule = { propagate: { named: 'Set-Cookie', algorithm: 'append' } }
    const configuration = { headers: { subgraphs: { products: { answer: [rule] } } } }
    const { handler, ours } = await products(
      { 'set-cookie': ['session=1', 'other=2'] },
      { TESSERA_CONFIG: temporaryFile('tessera.yaml', JSON.stringify(configuration)) },
    )
    expect(ours['set-cookie']).toEqual(['host=1', 'session=1', 'other=2'])
    const { headers } = await handler.fetch(new Request(`http://a.test${path}`))
    expect(headers.getSetCookie()).toEqual(['session=1', 'other=2'])
  })

  test('those that the embedding program varies by are named in one line with those of the graph', async () => {
    const { ours } = await products({ 'cache-control': 'public, max-age=60' }, withCache)
    expect(ours.vary).toEqual(['Origin, accept, accept-encoding'])
  })
})

test('a body that somebody else has read is a failure of the server', async () => {
  const listener: GraphHandler['listener'] = (request, response) => {
    request.resume().on('end', () => graph.listener(request, response))
  }
  const ask = await asking(createServer(listener))
  const init = post({ query: '{ __typename }' })
  const request = new Request('http://a.test/', init)
  await request.text()
  for (const response of [await ask(init), await graph.fetch(request)]) {
    const { errors } = await answerOf(response)
    expect([response.status, errors[0]?.message]).toEqual([500, expect.stringContaining('body parser')])
  }
  expect((await ask({ method: 'POST', headers: json })).status).toBe(400)
  const session = await byHttp2({ listener })
  for (const [body, status] of [
    [init.body, 500],
    ['', 400],
  ] as const) {
    const sent = session.request({ ':method': 'POST', ...json })
    sent.end(body)
    const [head] = await once(sent, 'response')
    expect(head[':status']).toBe(status)
  }
})

test('a connection by HTTP/2 gets no header that is not for it', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  const session = await byHttp2(graph)
  const [head] = await once(session.request({ ':path': '/?query={__typename}' }), 'response')
  expect(head[':status']).toBe(200)
  process.off('warning', warned)
  expect(warnings).toEqual([])
})

test('a request by HTTP/2 that its client has given up is cancelled', async () => {
  const asked = Promise.withResolvers<GatewayRequest>()
  const hanging: Transport = {
    name: 'products',
    prepare: () => (_, request) => {
      asked.resolve(request)
      return new Promise(() => {})
    },
    close: async () => {},
  }
  const { handler } = await overProducts({}, new Map([['products', hanging]]))
  const sent = (await byHttp2(handler)).request({ ':path': path })
  const request = await asked.promise
  const cancelled = new Promise<void>((resolve) => request.onCancel(resolve))
  sent.close(http2.NGHTTP2_CANCEL)
  await cancelled
  expect(cancelReason(request)).toBe('cancelled')
})

test('a connection is closed only if the rest of a body is still to come', async () => {
  const server = createServer(graph.listener)
  await asking(server)
  const { port } = server.address() as AddressInfo
  const closes = async (init: RequestOptions, body = ''): Promise<unknown> => {
    const asked = request({ port, host: '127.0.0.1', path: '/?query={__typename}', agent: false, ...init })
    asked.setHeader('connection', 'keep-alive')
    asked.on('error', () => undefined)
    body === '' ? asked.end() : asked.write(body)
    const [response] = await once(asked, 'response')
    asked.destroy()
    return [response.statusCode, response.headers.connection]
  }
  expect(await closes({})).toEqual([200, 'keep-alive'])
  expect(await closes({ method: 'HEAD' })).toEqual([405, 'keep-alive'])
  expect(await closes({ method: 'POST', headers: { 'content-length': '0' } })).toEqual([415, 'keep-alive'])
  const long = { 'content-type': 'application/json', 'content-length': '90000' }
  expect(await closes({ method: 'POST', headers: long }, '{')).toEqual([413, 'close'])
})

test('a body is read from a stream of another implementation', async () => {
  const init = post({ query: '{ __typename }' })
  const { body } = new Request('http://a.test/', init)
  const ofOthers = { getReader: () => body?.getReader() }
  const request = Object.defineProperty(new Request('http://a.test/', init), 'body', { value: ofOthers })
  expect(await answerOf(await graph.fetch(request))).toEqual({ data: { __typename: 'Query' } })
})

test('a body that never ends is refused when its time is up', async () => {
  const hasty = createHandler({ supergraph, config: configFrom({ TESSERA_BODY_TIMEOUT_MS: '50' }) })
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"query":')) })
  const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit
  const response = await hasty.fetch(new Request('http://a.test/graphql', init))
  expect([response.status, (await answerOf(response)).errors[0]?.extensions.code]).toEqual([
    408,
    'REQUEST_TIMEOUT',
  ])
  await hasty.close()
})

test.each([
  ['its time is up', { TESSERA_BODY_TIMEOUT_MS: '50' }, (): AbortSignal | undefined => undefined],
  ['the request is given up', {}, () => AbortSignal.timeout(50)],
  ['the request was given up before', {}, () => AbortSignal.abort()],
])('a body is read no further when %s', async (_when, settings, signalFor) => {
  const signal = signalFor()
  const stopped = Promise.withResolvers<string>()
  const hasty = createHandler({ supergraph, config: configFrom(settings) })
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{"query":')),
    cancel: () => stopped.resolve('stopped'),
  })
  const request = new Request('http://a.test/', {
    ...{ method: 'POST', headers: json, body, duplex: 'half' },
    ...(signal && { signal }),
  } as RequestInit)
  const { status } = await hasty.fetch(request)
  expect([status, await stopped.promise]).toEqual([signal ? 400 : 408, 'stopped'])
  await hasty.close()
})

test('a body that is compressed with too large a window is refused with that reason', async () => {
  const large = brotliCompressSync(JSON.stringify({ query: `{ __typename # ${'x'.repeat(120)}\n}` }), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  const response = await graph.fetch(new Request('http://a.test/', post(large, { 'content-encoding': 'br' })))
  expect([response.status, (await answerOf(response)).errors[0]?.message]).toEqual([
    400,
    expect.stringContaining('window of more than 2^22 bytes'),
  ])
})

test('a signal that outlives a request is not listened to afterwards', async () => {
  const { signal } = new AbortController()
  for (let count = 0; count < 20; count++) await graph.execute({ query: '{ __typename }', signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a request that its client has given up is cancelled', async () => {
  const gone = AbortSignal.abort()
  const request = new Request('http://a.test/graphql', {
    ...post({ query: '{ video(videoId: "a") { title } }' }),
  })
  const cancelled = Object.defineProperty(request, 'signal', { value: gone })
  const { errors } = await answerOf(await graph.fetch(cancelled))
  expect(errors).toHaveLength(1)
})

test('bodies type-check as those of a Response', async () => {
  const { body } = await graph.respond({
    ...{ method: 'GET', url: '/graphql?query={__typename}' },
    headers: {},
  })
  const bytes: Uint8Array<ArrayBuffer> = body
  expect(await new Response(bytes).json()).toEqual({ data: { __typename: 'Query' } })
})

describe('persisted operations', () => {
  const query = '{ __typename }'
  const hash = hashOf(query)
  const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
  const ask = async (on: GraphHandler, body: object) => {
    const { data, errors } = await answerOf(await on.fetch(new Request('http://a.test/', post(body))))
    return data ?? errors[0]?.extensions.code
  }

  test('are known by their hash once they came with it', async () => {
    expect(await ask(graph, persisted)).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect(await ask(graph, { ...persisted, query })).toEqual({ __typename: 'Query' })
    expect(await ask(graph, persisted)).toEqual({ __typename: 'Query' })
  })

  test('that are trusted are all that is executed, if the configuration says so', async () => {
    const trusted = createHandler({
      supergraph,
      manifest: JSON.stringify({ operations: [{ id: hash, body: query }] }),
      config: configFrom({ TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: 'manifest.json' }),
    })
    expect(await ask(trusted, persisted)).toEqual({ __typename: 'Query' })
    expect(await ask(trusted, { query: '{ a: __typename }' })).toBe('PERSISTED_QUERY_ONLY')
    expect((await trusted.execute({ query: '{ a: __typename }' })).errors?.[0]?.extensions.code).toBe(
      'PERSISTED_QUERY_ONLY',
    )
    await trusted.close()
  })
})
