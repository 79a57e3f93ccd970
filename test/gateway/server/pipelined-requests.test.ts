/** Requests that a client sends on one connection without waiting for the responses. */
import { createServer, type RequestListener } from 'node:http'
import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { whenDelivered } from '../../../gateway/server/active-requests.ts'
import { createNodeServer } from '../../../gateway/server/server.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import type { RequestMetric } from '../../../gateway/telemetry/metrics/index.ts'
import { defaultConnections } from '../../support/connections.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'
import { connectRaw } from '../../support/raw-client.ts'

const request = (number: number): string => `GET /${number} HTTP/1.1\r\nhost: a\r\n\r\n`
const requests = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => request(from + index)).join('')

/** A connection to a server. What answers a request writes it between angle brackets. */
async function connect(listener: RequestListener) {
  const refused: RequestMetric[] = []
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(JSON.parse(line).msg) }
  const metrics = { request: (one: RequestMetric): void => void refused.push(one) }
  const server = createNodeServer(listener, defaultConnections(), {
    malformed: { metrics, log: createLogger({ level: 'info', destination }) },
  })
  const client = await connectRaw(keep(await listen(server)).url)
  const answered = () => [...client.text().matchAll(/<(.*?)>/g)].map(([, text]) => text)
  return { ...client, refused, logged, answered }
}

async function open() {
  const handled: string[] = []
  const client = await connect((request, response) => {
    const { url = '' } = request
    handled.push(url)
    // Several parts of the gateway may wait for one response.
    for (let part = 0; part < 3; part += 1) whenDelivered(request, response, { ended() {} })
    setImmediate(() => response.end(`<${url}>`))
  })
  return { ...client, handled }
}

test('as many as a connection may have are answered in their order', async () => {
  const { socket, answered } = await open()
  socket.write(requests(0, 64))
  await expect.poll(answered).toEqual(Array.from({ length: 64 }, (_, number) => `/${number}`))
})

test('more end the connection, and those beyond the bound are not begun', async () => {
  const { socket, handled, logged, ended } = await open()
  socket.write(requests(0, 1500))
  await ended
  expect(handled).toHaveLength(64)
  expect(logged).toEqual(['a connection with too many unanswered requests is closed'])
})

test('those with an unknown expectation count, too', async () => {
  const { socket, refused, ended } = await open()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n'.repeat(1500))
  await ended
  expect(refused).toHaveLength(64)
})

test('any number is answered to a client that never has too many unanswered', async () => {
  const { socket, answered } = await open()
  const most = 300
  let sent = 32
  socket.write(requests(0, sent))
  socket.on('data', () => {
    const more = Math.min(most, answered().length + 32) - sent
    if (more > 0) socket.write(requests(sent, more))
    sent += Math.max(0, more)
  })
  await expect.poll(() => answered().length).toBe(most)
})

test('a request whose body was sent on counts until its response has left, and no longer', async () => {
  const service = keep(await listen(createServer((sent, response) => sent.pipe(response))))
  const pool = new Pool(service.url)
  onTestFinished(() => pool.destroy())
  const { socket, answered } = await connect((body, response) => {
    const sent = { method: 'POST', path: '/', body, headers: { 'content-length': '1' } } as const
    void pool.request(sent).then(async (answer) => response.end(`<${await answer.body.text()}>`))
  })
  for (let count = 1; count <= 70; count += 1) {
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\na')
    await expect.poll(answered).toEqual(Array.from({ length: count }, () => 'a'))
  }
})
