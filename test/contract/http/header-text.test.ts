import { expect, test } from 'vitest'
import { createHeaderNames, valueEnd, valueStart } from '../../../contract/http/header-text.ts'

test('names are in lower case, whether they came before or not, and only those that are taken', () => {
  const nameOf = createHeaderNames((name) => name !== 'expect')
  for (let turn = 0; turn < 2; turn++) {
    expect(nameOf('X-Request-Id')).toBe('x-request-id')
    expect(nameOf('x-request-id')).toBe('x-request-id')
    expect(nameOf('Expect')).toBeUndefined()
  }
})

test('more names than are remembered, and longer ones, are the same', () => {
  const nameOf = createHeaderNames(() => true)
  for (let n = 0; n < 1000; n++) expect(nameOf(`X-${n}`)).toBe(`x-${n}`)
  expect(nameOf(`X-${'A'.repeat(1000)}`)).toBe(`x-${'a'.repeat(1000)}`)
})

test.each([
  ['a: b\r', 'b'],
  ['a:\t \u00a0b\u00a0 \t\r', '\u00a0b\u00a0'],
  ['a:\r', ''],
  ['a: \t \r', ''],
  ['a:b c\r', 'b c'],
])('the value of %j has no spaces and tabs around it', (line, value) => {
  const end = line.length - 1
  const start = valueStart(line, 2, end)
  expect(line.slice(start, valueEnd(line, start, end))).toBe(value)
})
