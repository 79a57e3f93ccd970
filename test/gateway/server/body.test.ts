/** Long responses, to clients that read them slowly. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sendBody } from '../../../gateway/server/body.ts'
import { createConnections } from '../../../gateway/server/connections.ts'
import { asByteString } from '../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import { configFrom } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

const writeTimeoutMs = 1000
const length = 24 * 1024 * 1024
const text = asByteString('0123456789abcdef'.repeat(length / 16))

/** A connection that has asked for this body, and reads nothing yet. */
async function asked(body: JsonText) {
  const server = createServer((_request, response) => sendBody(response, 200, [], body))
  const { connections } = configFrom({ TESSERA_WRITE_TIMEOUT_MS: String(writeTimeoutMs) })
  createConnections(connections).watch(server)
  const { port } = keep(await listen(server))
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  return socket
}

test.each<[string, JsonText]>([
  ['one text', text],
  ['texts and bytes', [asByteString('{"data":'), Buffer.from(text, 'latin1'), asByteString('}')]],
])('a client that reads %s for longer than the time to write gets all of it', async (_what, body) => {
  const socket = await asked(body)
  const chunks: Buffer[] = []
  let sincePause = 0
  // Forty pauses, each a twentieth of the time to write.
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    sincePause += chunk.length
    if (sincePause < length / 40) return
    sincePause = 0
    socket.pause()
    setTimeout(() => socket.resume(), writeTimeoutMs / 20)
  })
  socket.resume()
  await once(socket, 'close')
  const answer = Buffer.concat(chunks).toString('latin1')
  const whole = typeof body === 'string' ? body : body.map((part) => part.toString('latin1')).join('')
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4) === whole).toBe(true)
  expect(answer).toContain(`content-length: ${whole.length}\r\n`)
})

test('long responses to requests that were sent at once come whole, one after the other', async () => {
  const bodies = ['a', 'b', 'c'].map((letter) => asByteString(letter.repeat(1_000_000)))
  let next = 0
  const server = createServer((_request, response) =>
    sendBody(response, 200, ['date', '-'], bodies[next++] as JsonText),
  )
  const { port } = keep(await listen(server))
  const socket = connect(port, '127.0.0.1')
  const ask = (connection: string): string => `GET / HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\n\r\n`
  socket.write(`${ask('keep-alive')}${ask('keep-alive')}${ask('close')}`)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  const answers = Buffer.concat(chunks).toString('latin1').split('HTTP/1.1 200 OK\r\n').slice(1)
  expect(answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual(bodies)
})

test('a client that reads nothing for the time to write is cut', async () => {
  const socket = await asked(text)
  await delay(2 * writeTimeoutMs)
  let read = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  expect(read).toBeLessThan(length)
})
