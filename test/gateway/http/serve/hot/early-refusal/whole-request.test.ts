/** What is recognised without an HTTP parser is what `node:http` reads. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReadWhole } from '../../../../../../gateway/http/serve/hot/early-refusal/whole-request.ts'
import { campaignSize } from '../../../../../support/campaign-size.ts'
import { endOf } from '../../../../../support/patience.ts'
import { requests } from './requests.ts'

test('what is recognised is one request to node:http, with the same body and id', async () => {
  const readWhole = createReadWhole(['/graphql'], 16 * 1024)
  const seen: { url: string; id: unknown; body: string }[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = request.headers['x-request-id']
      seen.push({ url: request.url ?? '', id, body: Buffer.concat(chunks).toString('latin1') })
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
      const whole = readWhole(bytes)
      if (whole === undefined) return
      recognised += 1
      seen.length = 0
      const socket = connect(port, '127.0.0.1')
      socket.resume()
      socket.write(bytes)
      socket.write('GET /after HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      await endOf(socket)
      const [first, after, ...more] = seen
      expect(first?.url).toBe('/graphql')
      expect(first?.body).toBe(whole.body.toString('latin1'))
      if (whole.id !== undefined) expect(first?.id ?? '').toBe(whole.id)
      expect(after?.url).toBe('/after')
      expect(more).toEqual([])
    }),
    { numRuns: campaignSize(5000) },
  )
  server.close()
  expect(recognised).toBeGreaterThan(campaignSize(5000) / 50)
})
