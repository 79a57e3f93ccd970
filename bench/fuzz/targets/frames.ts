/** Bytes on the connection between a gateway and our own subgraph service, at both ends. */
import { Duplex } from 'node:stream'
import { createGatewayRequest } from '../../../engine/request.ts'
import { Link } from '../../../fast/frames/client/link.ts'
import {
  createSealing,
  documentIn,
  FrameReader,
  type FrameType,
  FrameWriter,
  frameTypes,
  headerIn,
  headersIn,
  headText,
  isSealed,
  readSealed,
  requestIn,
  responseIn,
} from '../../../fast/frames/format/index.ts'
import { asByteString } from '../../../shared/json/byte-string.ts'
import { piecesOf } from '../pieces.ts'
import { Broken, same, targetsOf } from '../target.ts'

/** What a writer writes, in one piece. */
function written(write: (writer: FrameWriter) => void, seal?: (frames: Buffer) => string): Buffer {
  const bytes: Buffer[] = []
  const socket = {
    writable: true,
    writableLength: 0,
    write: (piece: Buffer) => bytes.push(Buffer.from(piece)) > 0,
  }
  const writer = new FrameWriter(socket, seal)
  write(writer)
  writer.flush()
  return Buffer.concat([Buffer.from([0]), ...bytes])
}

const sealing = (): ((frames: Buffer) => string) =>
  createSealing('a secret of both sides')('signature', 'nonce')
const request = (writer: FrameWriter): void => {
  writer.document(3, 'Name', 'query Name { a }')
  writer.request(129, 3, 'authorization:Bearer x\nx-request-id:1\n', '{"a":"é"}')
  writer.cancel(129)
}
const response = (writer: FrameWriter): void => {
  const head = 'content-type:application/json\n'
  writer.response(128, 200, head, asByteString('{"data":{"a":1}}'), () => {})
  writer.response(127, 200, head, [asByteString('{"data":'), Buffer.from('{}}')], () => {})
  writer.leave()
}

export const targets = targetsOf(import.meta.url, [
  {
    name: 'frames',
    covers: ['fast/frames/format'],
    seeds: [
      written(request),
      written(request, sealing()),
      written(response),
      Buffer.concat([Buffer.from([7]), written(response).subarray(1)]),
    ],
    run(input) {
      const read = (pieces: readonly Buffer[]): readonly unknown[] => {
        const seen: unknown[] = []
        const seal = sealing()
        const reader = new FrameReader((type, exchange, frame) => {
          seen.push([type, exchange, frame.toString('latin1'), partsOf(type, frame)])
          if (type === frameTypes.sealed && isSealed(frame, seal))
            readSealed(frame, (...inner) => seen.push(inner) < 1000)
        })
        for (const piece of pieces) if (!reader.push(piece)) return [...seen, 'no frames']
        if (reader.held > 0) seen.push(['held', reader.held])
        return seen
      }
      const pieces = piecesOf(input)
      same(read(pieces), read([Buffer.concat(pieces)]), 'the same frames, however the bytes are cut')
      const lead = Buffer.alloc(9)
      partsOf(frameTypes.request, Buffer.concat([lead, input]))
      partsOf(frameTypes.document, Buffer.concat([lead, input]))
      partsOf(frameTypes.response, Buffer.concat([lead, input]))
      readSealed(input, () => true)
    },
  },
  {
    name: 'frames-head',
    covers: ['fast/frames/format/head.ts'],
    seeds: ['authorization:Bearer x\nx-request-id:1\n', 'a:1\n__proto__:2\nconstructor:3\na:4\n'],
    run(input) {
      const head = input.toString('latin1')
      const headers = headersIn(head)
      for (const name of ['authorization', 'x-request-id', 'a', 'constructor']) headerIn(head, name)
      const text = headText(headers as Record<string, string>)
      if (text === undefined) return
      same(headersIn(text), headers, 'headers survive being written')
      for (const name of Object.keys(headers)) same(headerIn(text, name), headers[name], `the header ${name}`)
    },
  },
  {
    name: 'frames-link',
    covers: ['fast/frames/client', 'fast/frames/format'],
    seeds: [written(response), Buffer.concat([Buffer.from([5]), written(response).subarray(1)])],
    /** A service that answers two requests with these bytes. */
    async run(input) {
      const socket = new Duplex({ read() {}, write: (_chunk, _coding, done) => done() })
      const link = new Link({
        socket: socket as never,
        first: Buffer.alloc(0),
        seal: undefined,
        instance: undefined,
        maxBytes: 10_000,
        retired: () => {},
      })
      const ask = (id: string) =>
        link.exchange(
          { text: '{ a }', name: undefined },
          '{}',
          { authorization: 'Bearer x' },
          createGatewayRequest({ id, deadline: Number.POSITIVE_INFINITY, header: () => undefined }),
          Number.POSITIVE_INFINITY,
        )
      const answers = [ask('1'), ask('2')]
      for (const piece of piecesOf(input)) socket.emit('data', piece)
      link.destroy()
      // Each of them must end, with a response or without.
      for (const answer of await Promise.all(answers)) {
        if (answer === undefined) throw new Broken('a request that was not sent')
        if (answer.loss === undefined && answer.body.length > 10_000) throw new Broken('more than the bound')
      }
    },
  },
])

/** The content of a frame of this type, if it is one. */
function partsOf(type: FrameType, frame: Buffer): unknown {
  if (type === frameTypes.document) return documentIn(frame)
  if (type === frameTypes.response) return responseIn(frame)
  const message = type === frameTypes.request ? requestIn(frame) : undefined
  if (message !== undefined) headersIn(message.head)
  return message
}
