/** A handler as a function from `Request` to `Response`, and as a listener: what it does with bodies, and with signals. */
import { getEventListeners, once } from 'node:events'
import { createServer, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createHandler, type GraphHandler } from '../../../gateway/hosts/library.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { configFrom } from '../../support/graph.ts'
import { json, listening, post } from './web.ts'

const supergraph = readSchemaFile('supergraph')
const config = configFrom({ TESSERA_MAX_BODY_BYTES: '2000' })
const graph = createHandler({ supergraph, config })
const servers = listening()
afterAll(async () => {
  servers.close()
  await graph.close()
})

interface Answer {
  readonly data?: unknown
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

/** The type of `json()` depends on the packages that are installed, so this function names it. */
const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer

test('a response that the embedding program has sent meanwhile stays', async () => {
  const ask = await servers.asking(
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

test('a connection is closed only if the rest of a body is still to come', async () => {
  const server = createServer(graph.listener)
  await servers.asking(server)
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

test('a body that never ends is refused when its time is up', async () => {
  const hasty = createHandler({
    supergraph,
    config: configFrom({ TESSERA_BODY_TIMEOUT_MS: '50' }),
  })
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
      config: configFrom({
        TESSERA_PERSISTED: 'trusted',
        TESSERA_PERSISTED_MANIFEST: 'manifest.json',
      }),
    })
    expect(await ask(trusted, persisted)).toEqual({ __typename: 'Query' })
    expect(await ask(trusted, { query: '{ a: __typename }' })).toBe('PERSISTED_QUERY_ONLY')
    expect((await trusted.execute({ query: '{ a: __typename }' })).errors?.[0]?.extensions.code).toBe(
      'PERSISTED_QUERY_ONLY',
    )
    await trusted.close()
  })
})
