/** What every server of the product does, whatever its handler is. */
import { describe, expect, test } from 'vitest'
import { createNodeServer, ListenError, originOf } from '../../../gateway/server/server.ts'
import { defaultConnections } from '../../support/connections.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

async function serve() {
  const server = createNodeServer(
    (request, response) => response.end(request.headers['x-long']?.length.toString()),
    defaultConnections(),
  )
  const { port } = keep(await listen(server))
  return { server, port, origin: originOf(server, '127.0.0.1') }
}

describe('a server', () => {
  test('keeps connections for longer than load balancers do', async () => {
    const response = await fetch((await serve()).origin)
    expect(response.headers.get('keep-alive')).toBe('timeout=72')
  })

  test('takes headers of 60 kB, and bodies for as long as they come', async () => {
    const { server, origin } = await serve()
    const headers = { 'x-long': 'a'.repeat(60_000) }
    expect(await (await fetch(origin, { headers })).text()).toBe('60000')
    expect(server.requestTimeout).toBe(0)
  })

  test('says its address, in brackets if the address has colons', async () => {
    const { server, port, origin } = await serve()
    expect(origin).toBe(`http://127.0.0.1:${port}`)
    expect(originOf(server, '::1')).toBe(`http://[::1]:${port}`)
  })
})

test('an address that cannot be used for an unknown reason is named', () => {
  expect(new ListenError('h', 1, { code: 'EACCES' }).message).toMatch(
    /cannot listen on h:1 \(unknown reason\)/,
  )
})
