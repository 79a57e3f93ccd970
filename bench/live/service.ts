/**
 * A metrics service with one series. Its value is the time of its last change, in milliseconds since 1970, so each
 * event shows how old it is. It changes whenever its parent sends `change`.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The messages of its parent. `bytes` is the length of a label that makes the responses larger. */
export type ServiceTask = { readonly kind: 'change'; readonly bytes: number }

let changedAt = Date.now()
let filler = ''
let calls = 0

const server = createServer((request, response) => {
  request.resume()
  calls += 1
  const metric = { __name__: 'changed_at', filler }
  const result = [{ metric, value: [Date.now() / 1000, String(changedAt)] }]
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('message', ({ bytes }: ServiceTask) => {
  changedAt = Math.max(Date.now(), changedAt + 1)
  filler = 'x'.repeat(bytes)
  process.send?.({ calls })
})
process.on('disconnect', () => process.exit(0))
