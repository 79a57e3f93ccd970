/** What hooks and coprocessors return, within bounds. */
import { expect, test } from 'vitest'
import { answerHead, changeOf, headerChanges, requestHeaders } from '../../../gateway/hooks/reading.ts'

const headers = (count: number, value = 'a') =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`x-${number}`, value]))

test.each([
  ['of a response', answerHead],
  ['for a subgraph', requestHeaders],
  ['that change those of the client', headerChanges],
  ['of a refusal', (given: object) => changeOf({ refuse: { message: 'No.', headers: given } }, [], {})],
])('headers %s have a bound in number and length', (_, read) => {
  read(headers(100))
  expect(() => read(headers(101))).toThrow(/headers has more than 100 headers$/)
  read({ 'x-long': 'a'.repeat(16_378) })
  expect(() => read({ 'x-long': 'a'.repeat(16_379) })).toThrow(/headers has more than 16384 characters$/)
  expect(() => read(headers(20, 'a'.repeat(1000)))).toThrow(/characters$/)
})
