import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createActiveRequests, whenDelivered } from '../../../gateway/server/active-requests.ts'
import { createNodeServer } from '../../../gateway/server/server.ts'
import { defaultConnections } from '../../support/connections.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

/** A client's connection to a server, and the exchanges on it as they arrive. */
async function connected(
  seen: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Socket> {
  const { port } = keep(await listen(createNodeServer(seen, defaultConnections())))
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  return client
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

test('the delivery of each answer on a connection is reported once, when it has left', async () => {
  const told: string[] = []
  const client = await connected((request, response) => {
    whenDelivered(request, response, { ended: (whole) => told.push(`${request.url} ${whole}`) })
    whenDelivered(request, response, { ended: (whole) => told.push(`again ${request.url} ${whole}`) })
    response.end(request.url)
    expect(request.socket.listenerCount('close')).toBeLessThan(8)
  })
  for (let i = 0; i < 50; i++) {
    client.write(get(`/${i}`))
    await once(client, 'data')
  }
  client.destroy()
  await expect.poll(() => told.length).toBe(100)
  expect(new Set(told).size).toBe(100)
  expect(told.every((line) => line.endsWith('true'))).toBe(true)
})

test('a client that goes away is reported for every answer that is not written, also for those that wait behind it', async () => {
  const told: string[] = []
  const traffic = createActiveRequests()
  const responses: ServerResponse[] = []
  const client = await connected((request, response) => {
    traffic.take(request, response)
    whenDelivered(request, response, { ended: (whole) => told.push(`${request.url} ${whole}`) })
    responses.push(response)
  })
  client.write(get('/1') + get('/2') + get('/3'))
  await expect.poll(() => responses.length).toBe(3)
  client.destroy()
  await expect.poll(() => told.toSorted()).toEqual(['/1 false', '/2 false', '/3 false'])
  // Nothing is under way any more: this would time out.
  await traffic.settled(600_000)
  for (const response of responses) response.end('late')
  expect(told).toHaveLength(3)
})
