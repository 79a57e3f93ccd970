/** What every server of the product does, whatever its handler is. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createNodeServer, ListenError, originOf } from '../../../gateway/server/server.ts'
import { defaultConnections } from '../../support/connections.ts'

const servers: Server[] = []
async function serve(): Promise<Server> {
  const server = createNodeServer(
    (request, response) => response.end(request.headers['x-long']?.length.toString()),
    defaultConnections(),
  )
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('a server', () => {
  test('keeps connections for longer than load balancers do', async () => {
    const response = await fetch(originOf(await serve(), '127.0.0.1'))
    expect(response.headers.get('keep-alive')).toBe('timeout=72')
  })

  test('takes headers of 60 kB, and bodies for as long as they come', async () => {
    const server = await serve()
    const headers = { 'x-long': 'a'.repeat(60_000) }
    expect(await (await fetch(originOf(server, '127.0.0.1'), { headers })).text()).toBe('60000')
    expect(server.requestTimeout).toBe(0)
  })

  test('says its address, in brackets if the address has colons', async () => {
    const { port } = (await serve()).address() as { port: number }
    expect(originOf(servers[0]!, '127.0.0.1')).toBe(`http://127.0.0.1:${port}`)
    expect(originOf(servers[0]!, '::1')).toBe(`http://[::1]:${port}`)
  })
})

test('an address that cannot be used for an unknown reason is named', () => {
  expect(new ListenError('h', 1, { code: 'EACCES' }).message).toMatch(
    /cannot listen on h:1 \(unknown reason\)/,
  )
})
