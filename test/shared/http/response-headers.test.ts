import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codingsIn, joinHeaderLines } from '../../../shared/http/response-headers.ts'

const oneValue = [
  'content-type',
  'content-length',
  'content-range',
  'location',
  'etag',
  'retry-after',
] as const
const firstOf = ['age', 'date', 'expires', 'server'] as const
const lists = ['vary', 'cache-control', 'link', 'content-encoding', 'x-own', 'constructor'] as const
const value = fc.constantFrom('', 'a', 'b', 'a, b')
const lines = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }))

test('each header is one string afterwards, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...oneValue, ...firstOf, ...lists, 'set-cookie'), lines),
      (given) => {
        const headers = { ...given }
        const isSound = joinHeaderLines(headers)
        expect(isSound).toBe(oneValue.every((name) => new Set([given[name] ?? []].flat()).size <= 1))
        if (!isSound) return
        expect(Object.keys(headers)).toEqual(Object.keys(given))
        for (const [name, was] of Object.entries(given)) {
          const all = [was].flat()
          if (name === 'set-cookie') expect(headers[name]).toEqual(was)
          else if (lists.some((one) => one === name)) expect(headers[name]).toBe(all.join(', '))
          else expect(headers[name]).toBe(all[0])
        }
      },
    ),
  )
})

test('no value ends with blanks, and bytes of UTF-8 that look like them stay', () => {
  const headers = {
    'retry-after': '5 \t',
    etag: ['"a" ', '"a"'],
    vary: ['accept ', 'origin\t'],
    'x-own': 'voil\u00c3\u00a0',
    'x-none': ' ',
    'set-cookie': ['a=1 ', 'b=2'],
  }
  expect(joinHeaderLines(headers)).toBe(true)
  expect(headers).toEqual({
    'retry-after': '5',
    etag: '"a"',
    vary: 'accept, origin',
    'x-own': 'voil\u00c3\u00a0',
    'x-none': '',
    'set-cookie': ['a=1', 'b=2'],
  })
})

test.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['GZIP', ['gzip']],
  [' identity , gzip', ['gzip']],
  ['gzip, gzip', ['gzip', 'gzip']],
  ['br,,Zstd', ['br', 'zstd']],
])('codings of %j are %j', (header, codings) => {
  expect(codingsIn(header === undefined ? {} : { 'content-encoding': header })).toEqual(codings)
})
