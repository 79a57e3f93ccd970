/** A gateway's end of a connection in frames, and a service that sends what it should not, or in other pieces. */
import '../../../support/seed.ts'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGatewayRequest } from '../../../../engine/request.ts'
import { Link } from '../../../../fast/frames/client/link.ts'
import { frameTypes } from '../../../../fast/frames/format/index.ts'

const maxBytes = 200_000

function frame(type: number, exchange: number, ...payload: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt32BE(payload.reduce((sum, { length }) => sum + length, 0))
  head[4] = type
  head.writeUInt32BE(exchange, 5)
  return Buffer.concat([head, ...payload])
}

/** A response of so many bytes, with the first of them. */
function response(exchange: number, length: number, part: Buffer = Buffer.alloc(0), status = 200): Buffer {
  const about = Buffer.alloc(10)
  about.writeUInt16BE(status)
  about.writeUInt32BE(length, 2)
  return frame(frameTypes.response, exchange, about, part)
}

const data = (exchange: number, bytes: Buffer): Buffer => frame(frameTypes.data, exchange, bytes)

/** A connection on which two requests are under way, of the exchanges 1 and 2. */
function open() {
  const socket = new Duplex({ read() {}, write: (_chunk, _coding, done) => done() })
  const link = new Link({
    socket: socket as never,
    first: Buffer.alloc(0),
    seal: undefined,
    instance: undefined,
    maxBytes,
    retired: () => {},
  })
  const ask = (id: string) => {
    const request = createGatewayRequest({ id, deadline: Number.POSITIVE_INFINITY, header: () => undefined })
    const document = { text: '{ a }', name: undefined }
    const answer = link.exchange(document, '{}', {}, request, Number.POSITIVE_INFINITY)
    if (answer === undefined) throw new Error('the connection takes no request')
    return answer
  }
  return { link, answers: [ask('1'), ask('2')] as const, send: (bytes: Buffer) => socket.emit('data', bytes) }
}

test('bodies arrive as they are, whatever the lengths of their parts, their order and the cuts between the bytes', async () => {
  const body = fc.array(fc.uint8Array({ maxLength: 500 }).map(Buffer.from), { minLength: 1, maxLength: 6 })
  const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.tuple(body, body), cuts, fc.boolean(), async (bodies, lengths, isFirst) => {
      const { link, answers, send } = open()
      const whole = bodies.map((parts) => Buffer.concat(parts))
      const begun = whole.map((bytes, at) =>
        response(at + 1, bytes.length, isFirst ? bodies[at]?.[0] : undefined),
      )
      const parts = bodies.map((each) => (isFirst ? each.slice(1) : each))
      const turns = Array.from({ length: 6 }, (_, turn) =>
        parts.flatMap((each, at) => (each[turn] === undefined ? [] : [data(at + 1, each[turn])])),
      )
      const bytes = Buffer.concat([...begun, ...turns.flat()])
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const end = at + (lengths[turn % lengths.length] ?? 1)
        send(bytes.subarray(at, end))
        at = end
      }
      for (const [at, answer] of (await Promise.all(answers)).entries()) {
        expect([answer.loss, answer.status]).toEqual([undefined, 200])
        expect(answer.body.equals(whole[at] ?? Buffer.alloc(0))).toBe(true)
      }
      expect(link.active).toBe(0)
      link.destroy()
    }),
  )
})

test.each([
  ['a part before its response', [data(1, Buffer.from('a'))], 'connection'],
  ['a part that is longer than was announced', [response(1, 3), data(1, Buffer.from('four'))], 'truncated'],
  [
    'parts that are longer together',
    [response(1, 3, Buffer.from('a')), data(1, Buffer.from('b')), data(1, Buffer.from('cd'))],
    'truncated',
  ],
  [
    'a second response, of a longer body, within the first',
    [response(1, 3, Buffer.from('a')), response(1, 90_000), data(1, Buffer.alloc(80_000))],
    'truncated',
  ],
  ['a response without a status', [response(1, 3, Buffer.from('abc'), 0)], 'connection'],
])('%s ends the connection and its requests', async (_, frames, loss) => {
  const { link, answers, send } = open()
  send(Buffer.concat(frames))
  const [first, second] = await Promise.all(answers)
  expect([first.loss, second.loss]).toEqual([loss, 'connection'])
  expect(link.isOpen).toBe(false)
})

test('the parts of a body that is too long are dropped, and the connection stays', async () => {
  const { link, answers, send } = open()
  send(response(1, maxBytes + 1, Buffer.from('a')))
  expect((await answers[0]).loss).toBe('too-large')
  for (let at = 0; at < 5; at++) send(data(1, Buffer.alloc(40_000)))
  send(response(2, 4, Buffer.from('fi')))
  send(data(2, Buffer.from('ne')))
  expect(await answers[1]).toMatchObject({ loss: undefined, body: Buffer.from('fine') })
  expect(link.isOpen).toBe(true)
  link.destroy()
})

test('a connection that ends within a part is lost within the answer', async () => {
  const { link, answers, send } = open()
  send(Buffer.concat([response(1, 10), data(1, Buffer.alloc(8)).subarray(0, 12)]))
  link.destroy()
  const [first, second] = await Promise.all(answers)
  expect([first.loss, second.loss]).toEqual(['truncated', 'connection'])
})
