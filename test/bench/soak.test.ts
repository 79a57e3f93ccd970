/** What a soak judges by: answers, the record of writes, what is reachable, and the line through memory. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { start } from '../../bench/processes.ts'
import { nextFault } from '../../bench/soak/faults.ts'
import { judge } from '../../bench/soak/judge.ts'
import { trendOf } from '../../bench/soak/memory.ts'
import { mutationOf, nextWrite, reads } from '../../bench/soak/operations.ts'
import { createRandom } from '../../bench/soak/random.ts'
import { reachableOf } from '../../bench/soak/reachable-memory.ts'
import { createWriteRecord } from '../../bench/soak/writes.ts'
import { faultKinds } from '../../sandbox/faults.ts'

describe('an answer', () => {
  const expected = { video: { title: 'a', threads: [{ id: 1 }, { id: 2 }] }, message: { text: 'b' } }
  const error = (path: (string | number)[], code = 'UPSTREAM_TIMEOUT', service = 'videos') => ({
    path,
    extensions: { code, service },
  })

  test('may be the expected value, or null below an honest error', () => {
    expect(judge(expected, { data: expected })).toBeUndefined()
    expect(
      judge(expected, { data: { ...expected, video: null }, errors: [error(['video'])] }),
    ).toBeUndefined()
    const part = { ...expected, video: { title: 'a', threads: null } }
    expect(judge(expected, { data: part, errors: [error(['video', 'threads'])] })).toBeUndefined()
    expect(
      judge(expected, { data: { ...expected, video: null }, errors: [error(['video', 'threads'])] }),
    ).toBe(undefined)
  })

  test('is wrong for anything else', () => {
    const wrong = [
      { data: { ...expected, message: { text: 'c' } } },
      { data: { ...expected, message: null } },
      { data: { ...expected, more: 1 } },
      { data: { video: expected.video } },
      { data: { ...expected, message: null }, errors: [error(['video'])] },
      { data: expected, errors: [error(['video'])] },
      { data: { ...expected, video: null }, errors: [error(['video'], 'INTERNAL_SERVER_ERROR')] },
      { data: { ...expected, video: null }, errors: [error(['video'], 'UPSTREAM_TIMEOUT', 'elsewhere')] },
      { data: { ...expected, video: null }, errors: [error([])] },
      {},
    ]
    for (const answer of wrong) expect(judge(expected, answer)).toEqual(expect.any(String))
  })
})

describe('the record of writes', () => {
  const endings = fc.constantFrom('acknowledged', 'unknown', 'failed')
  const history = fc.array(fc.record({ ending: endings, done: fc.boolean(), recordedFirst: fc.boolean() }))

  test('agree exactly if the acknowledged writes were done once, and otherwise only unknown ones', () => {
    fc.assert(
      fc.property(history, (writes) => {
        const record = createWriteRecord()
        let agree = true
        for (const [i, { ending, done, recordedFirst }] of writes.entries()) {
          const key = String(i)
          const note = () => {
            if (done) record.recorded([{ operation: 'like', key }])
          }
          if (recordedFirst) note()
          record.ended({ operation: 'like', key }, ending as 'unknown')
          if (!recordedFirst) note()
          if (ending !== 'unknown' && (ending === 'acknowledged') !== done) agree = false
        }
        expect(record.close().faults.length === 0).toBe(agree)
      }),
    )
  })

  test('tell a write that was done twice, before and after it was acknowledged', () => {
    for (const order of ['arr', 'rar', 'rra']) {
      const record = createWriteRecord()
      for (const step of order) {
        if (step === 'a') record.ended({ operation: 'like', key: 'x' }, 'acknowledged')
        else record.recorded([{ operation: 'like', key: 'x' }])
      }
      expect(record.close().faults).not.toEqual([])
    }
  })

  test('if the service chooses the key, as many may be beyond the acknowledged as are unknown', () => {
    const run = (recorded: number): number => {
      const record = createWriteRecord()
      record.ended({ operation: 'comment', key: 'k0' }, 'acknowledged')
      record.ended({ operation: 'comment', key: undefined }, 'unknown')
      record.ended({ operation: 'comment', key: undefined }, 'failed')
      for (let i = 0; i < recorded; i++) record.recorded([{ operation: 'comment', key: `k${i}` }])
      return record.close().faults.length
    }
    expect([0, 1, 2, 3].map(run)).toEqual([1, 0, 0, 1])
  })
})

test('the line through memory has the slope of what rises, whatever the noise around it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 20 }), (perMinute, noise) => {
      const samples = Array.from({ length: 120 }, (_, i) => ({
        seconds: i,
        mebibytes: 300 + (perMinute * i) / 60 + (i % 2 === 0 ? noise : -noise),
      }))
      expect(Math.abs(trendOf(samples).slope - perMinute)).toBeLessThan(1)
    }),
  )
  expect(trendOf([])).toEqual({ slope: 0, growth: 0, mean: 0 })
})

test('reachable memory is what is held after a collection, in the heap and outside of it', async () => {
  const script = `
    const kept = [Buffer.alloc(8 << 20, 1), Array.from({ length: 1 << 20 }, (_, i) => i + 0.5)]
    for (let i = 0; i < 20; i++) Buffer.alloc(4 << 20, 1)
    setInterval(() => kept, 1000)
    console.log('ready now')`
  const reachable: number[] = []
  for (const code of [script, script.replace('const kept =', 'const kept = []; void')]) {
    const holder = await start(['--inspect=127.0.0.1:0', '--eval', code], {}, /ready (now)/)
    try {
      reachable.push(await reachableOf(holder.inspector ?? ''))
    } finally {
      await holder.stop()
    }
    await expect(reachableOf(holder.inspector ?? '')).rejects.toThrow('ECONNREFUSED')
  }
  const [holding = 0, without = 0] = reachable
  expect(holding - without).toBeGreaterThan(15.5)
  expect(holding - without).toBeLessThan(17)
})

test('a seed decides what is requested and what fails; all kinds of faults come, and no two writes are the same', () => {
  const play = (seed: number): unknown => {
    const random = createRandom(seed)
    return Array.from({ length: 300 }, (_, i) => [
      random.draw(reads).variables,
      mutationOf(nextWrite(random, i)),
      nextFault(random, 1000),
    ])
  }
  expect(play(1)).toEqual(play(1))
  expect(play(1)).not.toEqual(play(2))
  const random = createRandom(3)
  const kinds = new Set(Array.from({ length: 3000 }, () => nextFault(random, 1000).kind))
  expect([...kinds].sort()).toEqual([...faultKinds].sort())
  const keys = Array.from({ length: 300 }, (_, i) => nextWrite(random, i)).flatMap((fields) =>
    fields.flatMap(({ operation, key }) => (key === undefined ? [] : [`${operation} ${key}`])),
  )
  expect(new Set(keys).size).toBe(keys.length)
})
