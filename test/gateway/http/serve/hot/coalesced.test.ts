/** Responses that leave together at the end of a turn are those that would have left one by one. */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asByteString, jsonText } from '../../../../../contract/hot/byte-string.ts'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import type { JsonText } from '../../../../../contract/json/raw.ts'
import { sendBody } from '../../../../../gateway/http/serve/body.ts'
import { createHttpServer } from '../../../../../gateway/http/serve/server.ts'
import { usualConnections } from '../../../../support/connections.ts'
import { endOf, until } from '../../../../support/patience.ts'

const servers: Server[] = []
beforeEach(() => runPlainly([]))
afterEach(() => {
  runPlainly(readPlain(process.env.TESSERA_PLAIN))
  for (const server of servers.splice(0)) server.close()
})

interface Client {
  readonly socket: Socket
  readonly responses: readonly ServerResponse[]
  /** All that it receives, once its connection is closed. */
  readonly received: Promise<string>
}

/** Clients whose requests have come, and of which none has a response yet. */
async function requested(clients: number, onEach: number): Promise<readonly Client[]> {
  const responses = new Map<string, ServerResponse>()
  const server = createHttpServer((request, response) => {
    // It would differ from one run to the next.
    response.sendDate = false
    responses.set(request.url ?? '', response)
  }, usualConnections())
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const numbers = Array.from({ length: onEach }, (_, i) => i)
  const sockets = Array.from({ length: clients }, (_, at) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    for (const i of numbers) socket.write(`GET /${at}/${i} HTTP/1.1\r\nhost: a\r\n\r\n`)
    return socket
  })
  await until(() => responses.size === clients * onEach, 'all requests have come')
  return sockets.map((socket, at) => ({
    socket,
    responses: numbers.map((i) => responses.get(`/${at}/${i}`) as ServerResponse),
    received: textOf(socket),
  }))
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
  })
  await endOf(socket)
  return text
}

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }).map(jsonText),
  fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
)
const bodies = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }).map((text): JsonText => jsonText(text)),
  fc.integer({ min: 1, max: 200_000 }).map((length): JsonText => asByteString('x'.repeat(length))),
  fc.array(piece, { maxLength: 5 }).map((pieces): JsonText => pieces),
)

test('each client receives what it receives where each response is written by itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ status: fc.constantFrom(200, 401, 503), body: bodies }), {
        minLength: 3,
        maxLength: 90,
      }),
      async (onEach, sent) => {
        const ways: (readonly string[])[] = []
        for (const plain of [['coalesced'], []] as const) {
          runPlainly(plain)
          const clients = await requested(Math.floor(sent.length / onEach), onEach)
          clients.forEach(({ responses }, at) => {
            responses.forEach((response, i) => {
              const { status, body } = sent[at * onEach + i] as (typeof sent)[number]
              const last = i === onEach - 1 ? ['connection', 'close'] : []
              sendBody(response, status, ['content-type', 'application/json', ...last], body)
            })
          })
          ways.push(await Promise.all(clients.map(({ received }) => received)))
        }
        expect(ways[1]).toEqual(ways[0])
        expect(ways[0]?.every((text) => text.split('HTTP/1.1 ').length > onEach)).toBe(true)
      },
    ),
    { numRuns: 30 },
  )
})

test('none is written before the turn ends, unless 32 wait', async () => {
  const clients = await requested(40, 1)
  const responses = clients.flatMap((client) => client.responses)
  const written = (): number => responses.filter(({ writableEnded }) => writableEnded).length
  const seen: number[] = []
  for (const response of responses) {
    sendBody(response, 200, [], asByteString('{}'))
    seen.push(written())
  }
  expect(seen).toEqual([...Array(31).fill(0), ...Array(9).fill(32)])
  await new Promise(setImmediate)
  expect(written()).toBe(40)
  for (const { socket } of clients) socket.destroy()
})

test('a client that goes away before the turn ends holds up no other', async () => {
  const [gone, other] = (await requested(2, 1)) as [Client, Client]
  for (const { responses } of [gone, other])
    sendBody(responses[0] as ServerResponse, 200, ['connection', 'close'], asByteString('{"data":{}}'))
  gone.responses[0]?.socket?.destroy()
  expect(await other.received).toContain('{"data":{}}')
  expect(await gone.received).toBe('')
})
