/** Which responses are compressed, and that what arrives is what was written. */
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  acceptedEncoding,
  compress,
  createCompression,
  leastBytes,
  mostBytes,
} from '../../../gateway/server/compression.ts'
import { type Graph, startGraph } from '../../support/graph.ts'

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

interface Raw {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** As the bytes come: `fetch` would decode them. */
function rawRequest(url: string, headers: Record<string, string>, body?: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('with compression on', () => {
  let graph: Graph
  beforeAll(async () => {
    graph = await startGraph({
      env: { TESSERA_COMPRESSION: 'on', TESSERA_CORS_ORIGINS: 'https://app.example' },
    })
  })
  afterAll(() => graph[Symbol.asyncDispose]())
  const post = (query: string, headers: Record<string, string> = {}) =>
    rawRequest(graph.url, { 'content-type': 'application/json', ...headers }, JSON.stringify({ query }))

  test.for(Object.entries(decoders))(
    'a long response comes in %s, with its length, and is the same',
    async ([encoding, decode]) => {
      const query = getIntrospectionQuery()
      const plain = await post(query)
      expect(plain.headers['content-encoding']).toBeUndefined()
      const { status, headers, bytes } = await post(query, { 'accept-encoding': encoding })
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding'])
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(headers['content-type']).toBe(plain.headers['content-type'])
      expect(bytes.length * 5).toBeLessThan(plain.bytes.length)
      expect(decode(bytes).equals(plain.bytes)).toBe(true)
    },
  )

  test('a response made of text and of bytes of a service comes whole', async () => {
    const query =
      '{ metrics { queryRange(query: "up", start: 1795200000, end: 1795207200, step: "1m") { raw: series { metric samples { time value } } } } }'
    const token = await graph.token('metrics.read')
    const ask = (headers: Record<string, string>) =>
      post(query, { authorization: `Bearer ${token}`, ...headers })
    const plain = await ask({})
    const { headers, bytes } = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(headers['content-encoding']).toBe('zstd')
    expect(JSON.parse(zstdDecompressSync(bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()))
  })

  test('a short response and an error stay as they are', async () => {
    const { headers, bytes } = await post('{ mediaQuota { used } }', { 'accept-encoding': 'zstd, br, gzip' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toBeUndefined()
    expect(JSON.parse(bytes.toString()).data.mediaQuota.used).toEqual(expect.any(Number))
    expect((await post('{', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  })

  test('what another header chose stays in Vary', async () => {
    const origin = { origin: 'https://app.example', 'accept-encoding': 'br' }
    expect((await post(getIntrospectionQuery(), origin)).headers.vary).toBe('Origin, accept-encoding')
    const page = await rawRequest(new URL('/', graph.url).href, {
      accept: 'text/html',
      'accept-encoding': 'br',
    })
    expect([page.headers.vary, page.headers['content-encoding']]).toEqual([
      'Origin, accept, accept-encoding',
      'br',
    ])
    expect(brotliDecompressSync(page.bytes).toString()).toContain('id="settings"')
  })

  test('the metrics come compressed as well, and the page keeps the form that it was built in', async () => {
    const metrics = await rawRequest(new URL('/metrics', graph.url).href, { 'accept-encoding': 'gzip' })
    expect(metrics.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(metrics.bytes).toString()).toContain('tessera_')
  })
})

test('by default no response to the same machine is compressed', async () => {
  await using graph = await startGraph()
  const body = JSON.stringify({ query: getIntrospectionQuery() })
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'zstd, br, gzip' }
  expect((await rawRequest(graph.url, headers, body)).headers['content-encoding']).toBeUndefined()
})

describe('whether it is compressed', () => {
  const from = (remoteAddress: string | undefined, accepted: string | undefined) =>
    ({ headers: { 'accept-encoding': accepted }, socket: { remoteAddress } }) as unknown as IncomingMessage

  test("depends on the client's address, unless it is switched on or off", () => {
    const { auto, on, off } = {
      auto: createCompression('auto'),
      on: createCompression('on'),
      off: createCompression('off'),
    }
    for (const address of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1', undefined])
      expect([auto(from(address, 'br'), 5000), on(from(address, 'br'), 5000)]).toEqual([undefined, 'br'])
    for (const address of ['10.0.0.4', '::ffff:10.0.0.4', '2001:db8::1', '1.127.0.1'])
      expect([auto(from(address, 'br'), 5000), off(from(address, 'br'), 5000)]).toEqual(['br', undefined])
  })

  test('depends on its length', () => {
    const choose = createCompression('on')
    const at = (bytes: number) => choose(from('10.0.0.4', 'gzip'), bytes)
    expect([leastBytes - 1, leastBytes, mostBytes, mostBytes + 1].map(at)).toEqual([
      undefined,
      'gzip',
      'gzip',
      undefined,
    ])
  })

  test.for([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, compress', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'br'],
    ['gzip;q=0', undefined],
    [`gzip, ${'x'.repeat(300)}`, undefined],
  ] as const)('depends on what the client accepts: %s', ([header, encoding]) => {
    expect(acceptedEncoding(header, ['zstd', 'br', 'gzip'])).toBe(encoding)
  })

  test('an encoding is only chosen if the header accepts it, whatever it says', () => {
    const name = fc.constantFrom('zstd', 'br', 'gzip', 'deflate', 'identity')
    const weight = fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.5', ';q=1')
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, weight), { selector: ([each]) => each }), (parts) => {
        const header = parts.map(([each, quality]) => `${each}${quality}`).join(', ')
        const taken = parts.flatMap(([each, quality]) => (/q=0(\.0)?$/.test(quality) ? [] : [each]))
        const chosen = acceptedEncoding(header, ['zstd', 'br', 'gzip'])
        expect(chosen).toBe((['zstd', 'br', 'gzip'] as const).find((each) => taken.includes(each)))
      }),
    )
  })

  test('whatever bytes are compressed come back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.constantFrom('zstd', 'br', 'gzip'),
        async (bytes, encoding) => {
          const compressed = await compress(Buffer.from(bytes), encoding)
          expect(decoders[encoding](compressed).equals(Buffer.from(bytes))).toBe(true)
        },
      ),
    )
  })
})
