import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Coding, decodeNow } from '../../../shared/http/codings.ts'
import { mostWindowBytes, windowBytesOf } from '../../../shared/http/compression-window.ts'
import { createDecode } from '../../../shared/http/decoders.ts'
import { testRequest } from '../../support/request.ts'

const brotli = (body: Buffer, bits: number, large = 0): Buffer =>
  brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 3,
      [constants.BROTLI_PARAM_LGWIN]: bits,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: large,
    },
  })
/** The encoder takes no larger a window than the body needs. */
const zstd = (body: Buffer, bits: number): Buffer =>
  zstdCompressSync(body, {
    params: {
      [constants.ZSTD_c_windowLog]: bits,
      [constants.ZSTD_c_contentSizeFlag]: 0,
      [constants.ZSTD_c_compressionLevel]: 1,
    },
  })
const veryLong = Buffer.alloc(9_000_000, 'abc')
const short = Buffer.from('{"query":"{ a }"}')

describe('the window of a compressed body', () => {
  test('of Brotli is that of the encoder, from 10 to 24 bits', () => {
    for (let bits = 10; bits <= 24; bits++) {
      const body = brotliCompressSync(Buffer.alloc(100, 'x'), {
        params: { [constants.BROTLI_PARAM_LGWIN]: bits },
      })
      expect(windowBytesOf(body, 'br')).toBe(2 ** bits)
    }
  })

  test('of the form of Brotli for large windows is never taken', () => {
    for (const bits of [10, 20, 25, 30])
      expect(windowBytesOf(brotli(short, bits, 1), 'br')).toBe(Number.POSITIVE_INFINITY)
  })

  test('of zstd is that of the frame, or its content', () => {
    for (let bits = 10; bits <= 23; bits++) {
      const window = windowBytesOf(zstd(veryLong, bits), 'zstd')
      expect(window).toBe(2 ** bits)
    }
    for (const length of [0, 1, 255, 256, 257, 65_791, 65_792, 300_000])
      expect(windowBytesOf(zstdCompressSync(Buffer.alloc(length)), 'zstd')).toBeLessThanOrEqual(
        Math.max(1024, length),
      )
  })

  test('is found behind frames that hold nothing', () => {
    const nothing = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    const body = Buffer.concat([nothing, nothing, zstd(veryLong, 23)])
    expect(windowBytesOf(body, 'zstd')).toBe(2 ** 23)
  })

  test('is some number, or none, of whatever bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 30 }).map((each) => Buffer.from(each))
    const frames = bytes.map((each) => Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), each]))
    fc.assert(
      fc.property(fc.oneof(bytes, frames), fc.constantFrom<Coding>('gzip', 'br', 'zstd'), (body, coding) => {
        expect(windowBytesOf(body, coding)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test.each<[Coding, Buffer]>([
    ['br', brotli(short, 24)],
    ['br', brotli(short, 30, 1)],
    ['zstd', zstd(veryLong, 23)],
  ])('that is too large is refused immediately and by the queue (%s, %#)', async (coding, body) => {
    expect(() => decodeNow(body, coding, 20_000_000)).toThrow()
    expect(['window', 'garbled']).toContain(await createDecode(bounds)(body, coding, options))
  })
})

const bounds = { atOnce: 2, mostWaiting: 3, chunkBytes: 16 * 1024 }
const options = { maxBytes: 1_000_000 }

describe('decoders', () => {
  test.each<[Coding, (body: Buffer) => Buffer]>([
    ['gzip', (body) => gzipSync(body)],
    ['br', (body) => brotli(body, 22)],
    ['zstd', (body) => zstd(body, 20)],
  ])('give back what was compressed as %s, and no more than may come out', async (coding, compress) => {
    const decode = createDecode({ ...bounds, mostWaiting: 0 })
    const body = Buffer.alloc(200_000, 'abcdefg')
    // Each makes room for the next one.
    for (const _ of [1, 2]) {
      expect((await decode(compress(body), coding, options)) as Buffer).toEqual(body)
      expect(await decode(compress(body), coding, { maxBytes: 199_999 })).toBe('too-large')
      expect(await decode(Buffer.from('garbage'), coding, options)).toBe('garbled')
      expect(await decode(compress(body).subarray(0, 12), coding, options)).toBe('garbled')
    }
  })

  test('refuse a second frame of zstd instead of losing it', async () => {
    const body = Buffer.concat([zstdCompressSync('{"query":'), zstdCompressSync('"{ a }"}')])
    expect(() => decodeNow(body, 'zstd', 1000)).toThrow()
    expect(await createDecode(bounds)(body, 'zstd', options)).toBe('garbled')
  })

  test('are few at a time; others wait, and those beyond that are refused immediately', async () => {
    const decode = createDecode(bounds)
    const body = brotli(Buffer.alloc(300_000, 'abc'), 22)
    const running = new Set<number>()
    let most = 0
    const results = Array.from({ length: 10 }, async (_, at) => {
      const hold = (bytes: number): boolean => {
        running.add(at)
        // The first call may come while the decoder before it is reported to have ended.
        if (bytes > mostWindowBytes) most = Math.max(most, running.size)
        return true
      }
      const decoded = await decode(body, 'br', { ...options, hold })
      running.delete(at)
      return decoded
    })
    expect([...running]).toEqual([0, 1])
    expect(await Promise.all(results.slice(5))).toEqual(Array(5).fill('busy'))
    expect((await Promise.all(results.slice(0, 5))).map(({ length }) => length)).toEqual(
      Array(5).fill(300_000),
    )
    expect(most).toBe(2)
  })

  test('that cannot be made leave room for others', async () => {
    // As if there were no memory for it.
    const decode = createDecode({ ...bounds, atOnce: 1, mostWaiting: 0, chunkBytes: 1 })
    for (const _ of [1, 2]) expect(await decode(gzipSync('{}'), 'gzip', options)).toBe('busy')
    expect(await decode(brotli(short, 24), 'br', options)).toBe('window')
  })

  test('stop for a cancelled call, in the queue too, and make room', async () => {
    const decode = createDecode(bounds)
    const body = gzipSync(Buffer.alloc(900_000))
    const request = testRequest()
    const cancelled = new Set<number>()
    const hold = (bytes: number): boolean => {
      if (request.cancelled) cancelled.add(bytes)
      return true
    }
    const stopped = Array.from({ length: 5 }, () => decode(body, 'gzip', { ...options, hold }, request))
    request.cancel()
    await Promise.all(stopped)
    expect(cancelled.size).toBe(0)
    expect((await decode(body, 'gzip', options)).length).toBe(900_000)
  })

  test('count their window and what came out, and end as soon as that is too much', async () => {
    const decode = createDecode({ ...bounds, mostWaiting: 0 })
    const body = brotli(Buffer.alloc(900_000, 'x'), 20)
    const seen: number[] = []
    const hold = (bytes: number): boolean => {
      seen.push(bytes)
      return bytes < 2 ** 20 + 500_000
    }
    expect(await decode(body, 'br', { ...options, hold })).toBe('busy')
    expect(seen[0]).toBe(2 ** 20)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    for (const _ of [1, 2, 3])
      expect(await decode(body, 'br', { ...options, hold: () => false })).toBe('busy')
    expect(await decode(body, 'br', options)).toHaveLength(900_000)
  })
})
