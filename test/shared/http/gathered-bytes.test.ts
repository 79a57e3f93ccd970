import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GatheredBytes, gatherWithin } from '../../../shared/http/gathered-bytes.ts'

/** Pieces as they come from parsers: with their own memory, or as part of a larger read. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({ byte: fc.nat(255), length: fc.nat(70_000) })
    .map(({ byte, length }) => Buffer.alloc(length, byte)),
  fc
    .record({ byte: fc.nat(255), from: fc.nat(20_000), length: fc.nat(30_000) })
    .map(({ byte, from, length }) => Buffer.alloc(65_536, byte).subarray(from, from + length)),
)

describe('pieces that are gathered', () => {
  test('are what they were, as one, and take about twice their length at most', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const gathered = new GatheredBytes(Number.POSITIVE_INFINITY)
        for (const each of pieces) {
          expect(gathered.add(each)).toBe(true)
          expect(gathered.held).toBeGreaterThanOrEqual(gathered.length)
          expect(gathered.held).toBeLessThanOrEqual(2 * gathered.length + 5 * 1024)
        }
        const whole = Buffer.concat(pieces)
        expect(gathered.length).toBe(whole.length)
        expect(gathered.take().equals(whole)).toBe(true)
        expect([gathered.length, gathered.held]).toEqual([0, 0])
        expect(gathered.take().length).toBe(0)
      }),
    )
  })

  test('are never more than the bound, and none is kept beyond it', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), fc.nat(100_000), (pieces, most) => {
        const gathered = new GatheredBytes(most)
        let length = 0
        for (const each of pieces) {
          length += each.length
          expect(gathered.add(each)).toBe(length <= most)
          if (length <= most) continue
          expect([gathered.length, gathered.held]).toEqual([0, 0])
          break
        }
      }),
    )
  })

  test('of one byte each take no block for each of them', () => {
    const gathered = new GatheredBytes(1_000_000)
    const blocks = new Set<ArrayBufferLike>()
    const { allocUnsafeSlow } = Buffer
    let made = 0
    Buffer.allocUnsafeSlow = (size) => {
      made += 1
      return allocUnsafeSlow(size)
    }
    try {
      for (let at = 0; at < 300_000; at++) {
        const one = Buffer.alloc(1, at)
        blocks.add(one.buffer)
        gathered.add(one)
      }
    } finally {
      Buffer.allocUnsafeSlow = allocUnsafeSlow
    }
    expect(made).toBeLessThan(20)
    expect(gathered.held).toBeLessThan(400_000)
    const whole = gathered.take()
    expect(whole.length).toBe(300_000)
    expect(whole.every((byte, at) => byte === at % 256)).toBe(true)
  })

  test('do not change when the memory of those that were copied is used again', () => {
    const gathered = new GatheredBytes(1000)
    const reused = Buffer.alloc(10_000, 'a')
    gathered.add(reused.subarray(0, 100))
    gathered.add(reused.subarray(100, 200))
    reused.fill('b')
    expect(gathered.take().toString()).toBe('a'.repeat(200))
  })
})

test('a stream is read to its end, or to its bound and no further', async () => {
  const pieces = Array.from({ length: 100 }, (_, at) => Buffer.from([at]))
  expect(await gatherWithin(Readable.from(pieces), 100)).toEqual(Buffer.concat(pieces))
  const stream = Readable.from(pieces)
  expect(await gatherWithin(stream, 99)).toBeUndefined()
  expect(stream.destroyed).toBe(true)
})
