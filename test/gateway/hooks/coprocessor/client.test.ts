/** A coprocessor that answers without end, or never: bounded in bytes and time. */
import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { createCoprocessorClient } from '../../../../gateway/hooks/coprocessor/client.ts'
import { listen } from '../../../support/listen.ts'

test.each<[string, RequestListener, RegExp]>([
  ['never answers', () => {}, /did not respond \(timeout\)/],
  [
    'answers without end',
    (_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more))
      }
      more()
    },
    /did not respond \(too-large\)/,
  ],
  [
    'says that ten gigabytes follow',
    (_, response) => {
      response.writeHead(200, { 'content-length': String(10 * 2 ** 30) })
      response.write('x'.repeat(100_000))
    },
    /did not respond \(too-large\)/,
  ],
])('a coprocessor that %s fails, and its address is not shown', async (_what, listener, reason) => {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    request.resume()
    listener(request, response)
  })
  await using listening = await listen(server)
  const client = createCoprocessorClient({
    url: `${listening.url}/hunter2`,
    timeoutMs: 1500,
    maxBytes: 10_000,
    connections: 1,
    headers: [],
  })
  try {
    const failure = await client.ask({}).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failure).toMatch(reason)
    expect(failure).not.toContain('hunter2')
    expect(asked).toBe(1)
  } finally {
    await client.close()
  }
})
