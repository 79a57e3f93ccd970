/** Frames as bytes: what is written is what is read, however it is cut; bounds; seals. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
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
  type Seal,
} from '../../../fast/frames/format/index.ts'
import { byteString } from '../../../shared/json/byte-string.ts'
import { campaignSize } from '../../support/campaign-size.ts'
import { codePoint } from '../../support/code-point.ts'

const headBytes = 9
const runs = Number(process.env.TESSERA_TEST_FRAMES ?? campaignSize(500))

/** What was written, as one buffer; `full` says that the other side reads nothing for now. */
function createSink() {
  const written: Buffer[] = []
  return {
    writable: true,
    full: false,
    get writableLength() {
      return this.full ? 1_000_000 : 0
    },
    write(bytes: Buffer) {
      written.push(Buffer.from(bytes))
      return true
    },
    bytes: () => Buffer.concat(written),
  }
}

/** Hands the bytes over in pieces of these lengths, again and again. */
function cut(bytes: Buffer, lengths: readonly number[], push: (piece: Buffer) => void): void {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? bytes.length
    push(bytes.subarray(at, at + length))
    at += length
  }
}

interface Frame {
  readonly type: FrameType
  readonly exchange: number
  readonly frame: Buffer
}

const framesIn = (bytes: Buffer, lengths: readonly number[] = [bytes.length]) => {
  const frames: Frame[] = []
  const reader = new FrameReader((type, exchange, frame) =>
    frames.push({ type, exchange, frame: Buffer.from(frame) }),
  )
  let fine = true
  cut(bytes, lengths, (piece) => {
    fine = fine && reader.push(piece)
  })
  return { frames, fine, held: reader.held, unfinished: reader.unfinished }
}

/** Those in sealed frames, which must have their seals. */
const unsealed = (frames: readonly Frame[], seal: Seal): readonly Frame[] =>
  frames.flatMap((each) => {
    expect([each.type, isSealed(each.frame, seal)]).toEqual([frameTypes.sealed, true])
    const within: Frame[] = []
    const take = (type: FrameType, exchange: number, frame: Buffer): boolean =>
      within.push({ type, exchange, frame }) > 0
    expect(readSealed(each.frame, take)).toBe(true)
    return within
  })

const text = fc.string({ unit: codePoint, maxLength: 300 }).map((value) => value.toWellFormed())
const latin = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code < 0x7f || code >= 0x80),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes))
const head = fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,12}$/), latin, { maxKeys: 4 })
const number = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const body = fc.oneof(
  text,
  fc.array(text, { maxLength: 4 }),
  // Longer than a frame.
  fc.integer({ min: 40_000, max: 300_000 }).map((length) => 'ä€ y'.repeat(length / 4)),
)
const message = fc.oneof(
  fc.record({ kind: fc.constant('document' as const), number, name: fc.stringMatching(/^\w{0,20}$/), text }),
  fc.record({ kind: fc.constant('request' as const), number, document: number, head, text }),
  fc.record({
    kind: fc.constant('response' as const),
    status: fc.integer({ min: 200, max: 599 }),
    head,
    body,
  }),
  fc.record({ kind: fc.constant('cancel' as const), number }),
)
const pieces = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 })

test('what is written is what is read, however its bytes are cut, sealed or not', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), pieces, fc.boolean(), (messages, lengths, sealed) => {
      const sink = createSink()
      const sealing = createSealing('a secret')
      const seals = () => (sealed ? sealing('signature', 'nonce') : undefined)
      const writer = new FrameWriter(sink, seals())
      const bodies = new Map<number, Buffer>()
      const expected = messages.map((each, at) => {
        if (each.kind === 'document') {
          expect(writer.document(each.number, each.name || undefined, each.text)).toBe(true)
          return ['document', each.number, each.name || undefined, each.text]
        }
        if (each.kind === 'request') {
          expect(writer.request(each.number, each.document, headText(each.head) ?? '', each.text)).toBe(true)
          return ['request', each.number, each.document, { ...each.head }, each.text]
        }
        if (each.kind === 'cancel') {
          writer.cancel(each.number)
          return ['cancel', each.number]
        }
        const parts = (Array.isArray(each.body) ? each.body : [each.body]).map((part, place) =>
          place % 2 === 0 ? byteString(part) : Buffer.from(part),
        )
        const bytes = Buffer.concat(
          parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
        )
        bodies.set(at, bytes)
        const written = Array.isArray(each.body) ? parts : byteString(each.body as string)
        let told = 0
        writer.response(at, each.status, headText(each.head) ?? '', written, () => {
          told += 1
        })
        writer.flush()
        expect(told).toBe(1)
        return ['response', at, each.status, { ...each.head }, bytes.length]
      })
      writer.flush()
      const { frames, fine, held } = framesIn(sink.bytes(), lengths)
      expect([fine, held]).toEqual([true, 0])
      const seal: Seal | undefined = seals()
      const got = new Map<number, Buffer[]>()
      const whole = seal === undefined ? frames : unsealed(frames, seal)
      const read = whole.flatMap(({ type, exchange, frame }): unknown[][] => {
        if (type === frameTypes.document) {
          const found = documentIn(frame)
          return [['document', exchange, found?.name, found?.text]]
        }
        if (type === frameTypes.request) {
          const found = requestIn(frame)
          return [['request', exchange, found?.document, headersIn(found?.head ?? ''), found?.variables]]
        }
        if (type === frameTypes.cancel) return [['cancel', exchange]]
        if (type === frameTypes.data) {
          got.get(exchange)?.push(frame.subarray(headBytes))
          return []
        }
        const found = responseIn(frame)
        got.set(exchange, found === undefined ? [] : [found.part])
        return [['response', exchange, found?.status, headersIn(found?.head ?? ''), found?.length]]
      })
      expect(read).toEqual(expected)
      for (const [at, bytes] of bodies) expect(Buffer.concat(got.get(at) ?? []).equals(bytes)).toBe(true)
    }),
    { numRuns: runs },
  )
})

test('bytes that are no frames are refused or held within the bound, and never throw', () => {
  // One of the longest, sealed.
  const most = 64 * 1024 + 2 * headBytes + 22
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 30 }), (chunks) => {
      const reader = new FrameReader((_type, _exchange, frame) => {
        documentIn(frame)
        requestIn(frame)
        responseIn(frame)
        readSealed(frame, (_type, _exchange, each) => each.length <= frame.length)
        expect(frame.length).toBeLessThanOrEqual(most)
      })
      for (const chunk of chunks) {
        if (!reader.push(Buffer.from(chunk))) return
        expect(reader.held).toBeLessThanOrEqual(most)
      }
    }),
    { numRuns: runs },
  )
  const tooLong = Buffer.alloc(headBytes)
  tooLong.writeUInt32BE(64 * 1024 + 1)
  tooLong[4] = frameTypes.data
  expect(framesIn(tooLong).fine).toBe(false)
  const unknown = Buffer.alloc(headBytes)
  unknown[4] = 8
  expect(framesIn(unknown).fine).toBe(false)
})

test('messages with wrong lengths are invalid', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: headBytes, maxLength: 60 }), (bytes) => {
      const frame = Buffer.from(bytes)
      const response = responseIn(frame)
      if (response !== undefined) expect(response.part.length).toBeLessThanOrEqual(response.length)
      const request = requestIn(frame)
      if (request !== undefined) expect(request.head.length).toBeLessThanOrEqual(frame.length)
      documentIn(frame)
    }),
    { numRuns: runs * 5 },
  )
})

test('sealed frames that were changed, repeated, left out or sealed with another key are not taken', () => {
  const sealing = createSealing('a secret')
  const sink = createSink()
  const writer = new FrameWriter(sink, sealing('signature', 'nonce'))
  for (const exchange of [1, 2, 3]) {
    writer.request(exchange, 0, 'a:b\n', `{"at":${exchange}}`)
    writer.request(exchange + 3, 0, '', '{}')
    writer.flush()
  }
  const [first, second, third] = framesIn(sink.bytes()).frames.map(({ frame }) => frame)
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('three were written')
  const taken = (frames: readonly Buffer[], seal = sealing('signature', 'nonce')) =>
    frames.map((frame) => isSealed(frame, seal))
  expect(taken([first, second, third])).toEqual([true, true, true])
  expect(taken([first, first])).toEqual([true, false])
  expect(taken([first, third])).toEqual([true, false])
  expect(taken([first], sealing('signature', 'another'))).toEqual([false])
  expect(taken([first], sealing('another', 'nonce'))).toEqual([false])
  expect(taken([first], createSealing('another')('signature', 'nonce'))).toEqual([false])
  for (let at = 0; at < first.length; at++) {
    const changed = Buffer.from(first)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(taken([changed])).toEqual([false])
  }
})

test('a message that does not fit into one frame is not written, and does not affect its neighbours', () => {
  const sink = createSink()
  const writer = new FrameWriter(sink, createSealing('a secret')('signature', 'nonce'))
  expect(writer.request(1, 0, '', '1')).toBe(true)
  expect(writer.request(2, 0, '', 'x'.repeat(64 * 1024))).toBe(false)
  expect(writer.request(2, 0, '', '€'.repeat(22_000))).toBe(false)
  expect(writer.document(2, undefined, 'x'.repeat(1_000_000))).toBe(false)
  expect(writer.request(3, 0, '', '€'.repeat(21_000))).toBe(true)
  writer.flush()
  const seal = createSealing('a secret')('signature', 'nonce')
  const { frames } = framesIn(sink.bytes())
  expect(unsealed(frames, seal).map(({ exchange }) => exchange)).toEqual([1, 3])
})

test('frames of one write have one seal, and no more of them are sealed together than may be read', () => {
  const sealing = createSealing('a secret')
  const sink = createSink()
  const writer = new FrameWriter(sink, sealing('signature', 'nonce'))
  // Some fit together, the longest stands alone, and the room that it needs is no room for others.
  const lengths = [10, 10, 30_000, 20_000, 65_000, 10, 65_000, 65_000, 20_000]
  for (const [at, length] of lengths.entries()) writer.request(at, 0, '', 'x'.repeat(length))
  writer.flush()
  const { frames, fine } = framesIn(sink.bytes())
  expect(fine).toBe(true)
  const seal = sealing('signature', 'nonce')
  const together = frames.map((each) => unsealed([each], seal).map(({ exchange }) => exchange))
  expect(together.flat()).toEqual(lengths.map((_, at) => at))
  expect(together.length).toBeLessThan(lengths.length)
  expect(together[0]?.slice(0, 2)).toEqual([0, 1])
})

test('the other side has the first frames of a long turn before it ends', () => {
  const sink = createSink()
  const writer = new FrameWriter(sink)
  const sent = (): number => framesIn(sink.bytes()).frames.length
  const before = Array.from({ length: 20 }, (_, at) => {
    writer.request(at, 0, '', '{}')
    return sent()
  })
  expect(before).toEqual([0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16])
  writer.flush()
  expect(sent()).toBe(20)
})

test('sealed frames that are not whole frames are refused, as are seals within seals', () => {
  const sink = createSink()
  const writer = new FrameWriter(sink, createSealing('a secret')('signature', 'nonce'))
  writer.request(1, 0, '', '{}')
  writer.request(2, 0, '', '{}')
  writer.flush()
  const whole = sink.bytes()
  expect(readSealed(whole, () => true)).toBe(true)
  const taken: number[] = []
  readSealed(whole, (_type, exchange) => taken.push(exchange) < 1)
  expect(taken).toEqual([1])
  const changed = (at: number, byte: number): Buffer => {
    const bytes = Buffer.from(whole)
    bytes[at] = byte
    return bytes
  }
  for (const bytes of [
    changed(headBytes + 3, 200),
    changed(headBytes + 3, 1),
    changed(headBytes + 4, frameTypes.sealed),
    changed(headBytes + 4, 0),
    whole.subarray(0, whole.length - 1),
  ])
    expect(readSealed(bytes, () => true)).toBe(false)
})

test('short answers pass long ones, which take turns and stop while nothing is read', () => {
  const sink = createSink()
  const writer = new FrameWriter(sink)
  const written: number[] = []
  const long = byteString('x'.repeat(100_000))
  const respond = (exchange: number, body: typeof long): void => {
    writer.response(exchange, 200, '', body, () => written.push(exchange))
  }
  sink.full = true
  respond(1, long)
  respond(2, long)
  respond(3, long)
  respond(4, byteString('short'))
  writer.flush()
  expect(written).toEqual([4])
  writer.drop(2)
  sink.full = false
  writer.flush()
  expect(written).toEqual([4, 1, 3])
  const { frames } = framesIn(sink.bytes())
  expect(frames.map(({ exchange }) => exchange)).toEqual([1, 2, 3, 4, 1, 3, 1, 3, 1, 3, 1, 3])
})

test('headers that HTTP could not carry are not carried here', () => {
  expect(headText({ a: 'b\nauthorization: x' })).toBeUndefined()
  expect(headText({ a: 'ein Ω' })).toBeUndefined()
  const written = headText({ 'x-a': '1', 'x-ab': 'two: three', 'x-empty': '' }) ?? ''
  expect(['x-a', 'x-ab', 'x-empty', 'x', 'ab'].map((name) => headerIn(written, name))).toEqual([
    '1',
    'two: three',
    '',
    undefined,
    undefined,
  ])
})
