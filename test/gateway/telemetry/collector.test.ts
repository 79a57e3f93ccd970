import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { Collector } from '../../../gateway/telemetry/collector.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

const words = { lost: 'lost', back: 'back' }
const serializer = { serializeRequest: (items: readonly string[]) => Buffer.from(JSON.stringify(items)) }

async function startCollector(listener: RequestListener): Promise<string> {
  const { url } = keep(await listen(createServer(listener)))
  return `${url}/v1/traces?a=b`
}

function collectorAt(url: string, timeoutMs?: number) {
  const said: string[] = []
  const why: object[] = []
  const log = createLogger({
    level: 'info',
    destination: {
      write(line) {
        const { msg, level: _, time: __, ...more } = JSON.parse(line)
        said.push(msg)
        why.push(more)
      },
    },
  })
  const collector = new Collector<readonly string[]>(
    { url, headers: { 'x-key': 'k' }, words, timeoutMs },
    serializer,
    log,
  )
  return {
    said,
    why,
    collector,
    send: (...items: string[]) => new Promise<void>((resolve) => collector.export(items, () => resolve())),
  }
}

test('what is exported is posted with its headers, and again if the collector asks for that', async () => {
  const received: unknown[] = []
  const url = await startCollector((request, response) => {
    const { method, url: path, headers } = request
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      received.push([method, path, headers['x-key'], headers['content-type'], JSON.parse(body)])
      response.writeHead(received.length === 1 ? 503 : 200, { 'retry-after': '0' }).end('{}')
    })
  })
  const { said, collector, send } = collectorAt(url)
  await send('one')
  const sent = ['POST', '/v1/traces?a=b', 'k', 'application/json', ['one']]
  expect(received).toEqual([sent, sent])
  expect(said).toEqual([])
  await collector.shutdown()
})

test('the log says once that something is lost, and once that the collector takes it again', async () => {
  let status = 400
  let requests = 0
  const url = await startCollector((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(status).end())
  })
  const { said, why, collector, send } = collectorAt(url)
  await send('one')
  await send('two')
  status = 204
  await send('three')
  await send('four')
  expect([requests, said]).toEqual([4, ['lost', 'back']])
  expect(why).toEqual([{ status: 400 }, {}])
  await collector.shutdown()
})

test('the log says once that the collector rejects a part, with how many and why', async () => {
  const partials = [{ rejectedSpans: '3', errorMessage: 'too old' }, { rejectedDataPoints: 1 }, {}, undefined]
  const url = await startCollector((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ partialSuccess: partials.shift() })))
  })
  const { said, why, collector, send } = collectorAt(url)
  for (const item of ['one', 'two', 'three', 'four']) await send(item)
  expect(said).toEqual(['the collector rejects a part of what is sent, and that part is dropped', 'back'])
  expect(why).toEqual([{ rejected: 3, reason: 'too old' }, {}])
  await collector.shutdown()
})

test('the log says why a collector cannot be reached', async () => {
  const { why, collector, send } = collectorAt('http://127.0.0.1:1/')
  await send('one')
  expect(why).toEqual([{ reason: 'connection' }])
  await collector.shutdown()
})

test('nothing is sent again if the pause before it would take longer than the timeout', async () => {
  let requests = 0
  const url = await startCollector((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(503, { 'retry-after': '4' }).end())
  })
  const { why, collector, send } = collectorAt(url, 4000)
  await send('one')
  expect([requests, why]).toEqual([1, [{ status: 503 }]])
  await collector.shutdown()
})

test('a collector that does not respond gets a bounded number of requests, and the rest is lost', async () => {
  const resumed = Promise.withResolvers<void>()
  let requests = 0
  const url = await startCollector((request, response) => {
    requests += 1
    request.resume()
    void resumed.promise.then(() => response.writeHead(204).end())
  })
  const { why, collector, send } = collectorAt(url, 600_000)
  const sent = Array.from({ length: 50 }, () => send('one'))
  await send('two')
  expect(why).toEqual([{ reason: 'full' }])
  resumed.resolve()
  await Promise.all(sent)
  expect(requests).toBe(50)
  await collector.shutdown()
})

test('an answer in chunks of one byte that never ends is read only to its bound', async () => {
  const chunks = Buffer.from('1\r\na\r\n'.repeat(1000))
  let written = 0
  let isClosed = false
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('close', () => {
      isClosed = true
    })
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const go = (): void => {
        while (!socket.destroyed && written < 100_000_000) {
          written += chunks.length
          if (!socket.write(chunks)) {
            socket.once('drain', go)
            return
          }
        }
      }
      go()
    })
  })
  await using listening = await listen(server)
  const { said, collector, send } = collectorAt(`${listening.url}/`)
  await send('one')
  // Its status says that the collector has it.
  expect(said).toEqual([])
  await expect.poll(() => isClosed).toBe(true)
  // 64 KiB of payload are 400 kB; the rest fits into the buffers of both sockets.
  expect(written).toBeLessThan(20_000_000)
  await collector.shutdown()
})
