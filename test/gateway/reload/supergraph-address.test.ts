/** A supergraph at an address that answers as no registry does: bounded in time and bytes, with a reason. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createSupergraphAddress } from '../../../gateway/reload/supergraph-address.ts'

async function serving(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = createSupergraphAddress({
    url: `http://127.0.0.1:${port}/supergraph?secret=hunter2`,
    key: { header: 'x-key', value: 'hunter2' },
    timeoutMs: 1500,
    maxBytes: 1_000_000,
  })
  return {
    address,
    async [Symbol.asyncDispose]() {
      await address.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const packed = gzipSync(Buffer.alloc(20_000_000))

test.each<[string, RequestListener, RegExp]>([
  ['never answers', () => {}, /did not answer \(timeout\)/],
  [
    'never ends, and is slow',
    (_, response) => {
      const timer = setInterval(() => response.write('#'), 50)
      response.on('close', () => clearInterval(timer))
    },
    /did not answer \(timeout\)/,
  ],
  [
    'never ends',
    (_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('#'.repeat(65_536), () => setImmediate(more))
      }
      more()
    },
    /did not answer \(too-large\)/,
  ],
  [
    'is small until it is unpacked',
    (_, response) => void response.setHeader('content-encoding', 'gzip').end(packed),
    /did not answer \(too-large\)/,
  ],
  [
    'breaks off',
    (_, response) =>
      void response.writeHead(200, { 'content-length': '10' }).write('#', () => response.destroy()),
    /did not answer/,
  ],
  [
    'leads elsewhere',
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    /redirects are not followed/,
  ],
])('one that %s is refused, and its key is not shown', async (_what, listener, reason) => {
  await using origin = await serving(listener)
  const failure = await origin.address.read().then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(failure).toMatch(reason)
  expect(failure).not.toContain('hunter2')
})
