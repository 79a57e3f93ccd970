/** What is recognised without an HTTP parser is what `node:http` reads. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createWholeRequests,
  type WholeRequests,
} from '../../../../../../gateway/http/serve/hot/whole-requests/whole-request.ts'
import { campaignSize } from '../../../../../support/campaign-size.ts'
import { endOf } from '../../../../../support/patience.ts'
import { post, requests } from './requests.ts'

const unused = new Socket()
const short = (hasCors = true): WholeRequests =>
  createWholeRequests({ paths: ['/graphql'], mostBodyBytes: 100, hasCors })

test('what is recognised is one request to node:http, with the same headers and the same body', async () => {
  const { read } = createWholeRequests({ paths: ['/graphql'], mostBodyBytes: 16 * 1024, hasCors: false })
  const seen: { method: unknown; url: unknown; headers: object; body: string }[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') })
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let recognised = 0
  await fc.assert(
    fc.asyncProperty(requests, async (text) => {
      const bytes = Buffer.from(text, 'latin1')
      const whole = read(bytes, unused)
      if (whole === undefined) return
      recognised += 1
      seen.length = 0
      const socket = connect(port, '127.0.0.1')
      socket.resume()
      socket.write(bytes)
      socket.write('GET /after HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      await endOf(socket)
      const [first, after, ...more] = seen
      const { method, url, headers, body } = whole
      expect(first).toEqual({ method, url, headers, body: body.toString('latin1') })
      expect(after?.url).toBe('/after')
      expect(more).toEqual([])
    }),
    { numRuns: campaignSize(5000) },
  )
  server.close()
  expect(recognised).toBeGreaterThan(campaignSize(5000) / 50)
})

test.each([
  ['one that asks for events', ['accept: text/event-stream']],
  ['one that takes an answer in pieces', ['Accept: application/json, Multipart/mixed;deferSpec=20220824']],
  ['one of a page, where there is CORS', ['origin: https://a.example']],
  ['one whose connection is to be closed', ['connection: close']],
  ['one with a header that comes twice', ['x-a: b', 'X-A: c']],
  ['one with a name that every object has', ['constructor: b']],
  ['one with the name of the prototype', ['__proto__: b']],
  ['one whose body is coded', ['content-encoding: gzip']],
])('%s is for node:http', (_what, headers) => {
  const { read } = short()
  expect(read(Buffer.from(post('{}', headers)), unused)).toBeUndefined()
})

test('a long head, a long body and another path are for node:http', () => {
  const { read } = short()
  expect(read(Buffer.from(post('{}', [`x-a: ${'b'.repeat(8 * 1024)}`])), unused)).toBeUndefined()
  expect(read(Buffer.from(post('x'.repeat(101))), unused)).toBeUndefined()
  expect(read(Buffer.from(post('{}', [], '/')), unused)).toBeUndefined()
  expect(read(Buffer.from(post('x'.repeat(100))), unused)?.body).toHaveLength(100)
})

test('one of a page is as any other where there is no CORS', () => {
  const { read } = short(false)
  expect(read(Buffer.from(post('{}', ['origin: https://a.example'])), unused)?.headers).toMatchObject({
    origin: 'https://a.example',
  })
})

test('a value keeps white space other than spaces and tabs around it', () => {
  const { read } = short()
  const whole = read(Buffer.from(post('{}', ['x-a: \t\u00a0b \t', 'X-B:']), 'latin1'), unused)
  expect(whole?.headers).toMatchObject({ 'x-a': '\u00a0b', 'x-b': '' })
})
