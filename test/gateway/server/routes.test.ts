/** Which route a request is for, and how its answer leaves. */
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { originForm, type Route, type RouteResponse, RouteTable } from '../../../gateway/server/routes.ts'
import { serveRoutes } from '../../support/routes.ts'

const route = (method: Route['method'], path: string, answer: RouteResponse = {}): Route => ({
  ...{ method, path },
  answer: () => answer,
})

describe('the table', () => {
  const table = new RouteTable([
    route('GET', '/'),
    route('GET', '/health/live'),
    route('POST', '/token'),
    route('GET', '/files/*'),
    route('PUT', '/upload/*'),
    route('GET', '/both'),
    route('POST', '/both'),
  ])
  const found = (method: string, target: string): unknown => {
    const at = table.find(method, target)
    if (typeof at === 'string') return at
    return 'allow' in at ? at.allow : [at.route.path, at.last]
  }

  test.each([
    ['GET', '/', ['/', '']],
    ['GET', '/?a=b', ['/', '']],
    ['GET', '//', ['/', '']],
    ['HEAD', '/health/live', ['/health/live', '']],
    ['GET', '/health/live/', ['/health/live', '']],
    ['GET', '/health/live?/files/x', ['/health/live', '']],
    ['GET', '/health/live/?%zz', ['/health/live', '']],
    ['GET', '/health/live#x', ['/health/live', '']],
    ['GET', '/he%61lth/l%69ve', ['/health/live', '']],
    ['GET', '/health%2Flive', 'nothing'],
    ['GET', '/health//live', 'nothing'],
    ['GET', '//health/live', 'nothing'],
    ['GET', '/health/live//', 'nothing'],
    ['GET', '/HEALTH/live', 'nothing'],
    ['GET', '/health/./live', 'nothing'],
    ['GET', '/health/../health/live', 'nothing'],
    ['GET', '/health/live%00', 'nothing'],
    ['GET', '/health/live;a=b', 'nothing'],
    ['GET', '/health', 'nothing'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['OPTIONS', '/health/live', 'GET, HEAD'],
    ['head', '/health/live', 'GET, HEAD'],
    ['HEAD', '/token', 'POST'],
    ['POST', '/both', ['/both', '']],
    ['PUT', '/both', 'GET, HEAD, POST'],
    ['GET', '/files/a.js', ['/files/*', 'a.js']],
    ['GET', '/f%69les/%C3%A4', ['/files/*', 'ä']],
    ['GET', '/files/..%2Fsecret', ['/files/*', '../secret']],
    ['GET', '/files/%252e', ['/files/*', '%2e']],
    ['GET', '/files/*', ['/files/*', '*']],
    ['GET', '/files', 'nothing'],
    ['GET', '/files/', 'nothing'],
    ['GET', '/files/a/b', 'nothing'],
    ['GET', '/upload/x', 'PUT'],
    ['POST', '/upload/', 'nothing'],
    ['PUT', '/upload/x/', ['/upload/*', 'x']],
    ['PUT', '/upload//x', 'nothing'],
    ['GET', '/files/%zz', 'unreadable'],
    ['GET', '/files/%ff', 'unreadable'],
    ['GET', '/%', 'unreadable'],
    ['GET', '', 'nothing'],
  ])('finds for %s %s: %j', (method, target, expected) => {
    expect(found(method, target)).toEqual(expected)
  })

  test('decodes any last part of a path', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(part, fc.string(), (last, query) => {
        expect(found('GET', `/files/${encodeURIComponent(last)}?${encodeURIComponent(query)}`)).toEqual([
          '/files/*',
          last,
        ])
      }),
    )
  })

  test('throws for no target, and finds no route by a method that it does not have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const target = originForm(text)
        expect(target.startsWith('/')).toBe(true)
        table.find('GET', target)
        expect(table.find('DELETE', target)).not.toHaveProperty('route')
      }),
    )
  })
})

test.each([
  ['/a?b', '/a?b'],
  ['http://x.example:1/a?b', '/a?b'],
  ['HTTPS://x.example', '/'],
  ['http://x.example?b', '/?b'],
  ['ftp://x.example/a', '/ftp://x.example/a'],
  ['*', '/*'],
  ['', '/'],
])('the target %j is read as %j', (target, expected) => {
  expect(originForm(target)).toBe(expected)
})

test('answers leave with their length, as JSON, as text or as bytes', async () => {
  const { ask } = await serveRoutes([
    route('GET', '/json', { json: { a: 'ä' } }),
    route('GET', '/text', { text: '–', headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    route('GET', '/bytes', { bytes: Buffer.from([0, 255]), headers: { 'content-type': 'font/ttf' } }),
    route('GET', '/empty', { status: 204 }),
  ])
  const json = await ask('/json')
  expect([json.text, json.headers['content-type'], json.headers['content-length']]).toEqual([
    '{"a":"ä"}',
    'application/json; charset=utf-8',
    '10',
  ])
  const text = await ask('/text')
  expect([text.text, text.headers['content-length']]).toEqual(['–', '3'])
  expect([...(await ask('/bytes')).bytes]).toEqual([0, 255])
  const empty = await ask('/empty')
  expect([empty.status, empty.text, empty.headers['content-type']]).toEqual([204, '', undefined])
  const head = await ask('/json', { method: 'HEAD' })
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10'])
})

test('long text and JSON are compressed, and say what they depend on; bytes are sent as they are', async () => {
  const long = 'ä'.repeat(2000)
  const { ask } = await serveRoutes([
    route('GET', '/json', { json: long, headers: { vary: 'host' } }),
    route('GET', '/bytes', { bytes: Buffer.from(long) }),
  ])
  const asked = { headers: { 'accept-encoding': 'gzip' } }
  const json = await ask('/json', asked)
  expect(gunzipSync(json.bytes).toString()).toBe(JSON.stringify(long))
  expect([json.headers['content-encoding'], json.headers.vary]).toEqual(['gzip', 'host, accept-encoding'])
  const bytes = await ask('/bytes', asked)
  expect([bytes.text, bytes.headers['content-encoding']]).toEqual([long, undefined])
})

test('a body that a route takes has at most 16 KiB', async () => {
  const most = 16 * 1024
  const takes: Route = { method: 'POST', path: '/taken', answer: ({ body }) => ({ json: body.length }) }
  const { ask } = await serveRoutes([takes])
  const post = (length: number, headers = {}) =>
    ask('/taken', { method: 'POST', headers, body: 'x'.repeat(length) })
  expect((await post(most)).text).toBe(String(most))
  for (const sent of [{}, { 'transfer-encoding': 'chunked' }]) {
    const { status, text, headers } = await post(most + 1, sent)
    expect([status, headers.connection, headers['cache-control']]).toEqual([413, 'close', 'no-store'])
    expect(JSON.parse(text).errors[0].extensions.code).toBe('REQUEST_TOO_LARGE')
  }
})

test('a route that fails is answered without its reason, which the log has', async () => {
  const { ask, log } = await serveRoutes([
    {
      method: 'GET',
      path: '/throws',
      answer: () => {
        throw new Error('a secret reason')
      },
    },
    { method: 'GET', path: '/rejects', answer: () => Promise.reject(new Error('a secret reason')) },
  ])
  for (const path of ['/throws', '/rejects']) {
    const { status, text, headers } = await ask(path)
    expect(status).toBe(500)
    expect(JSON.parse(text).errors).toEqual([
      { message: 'Internal error. The log has it under r1.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ])
    expect(headers['cache-control']).toBe('no-store')
  }
  expect(log.filter((line) => line.includes('a secret reason')).length).toBe(2)
})
