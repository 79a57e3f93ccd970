import { expect, test } from 'vitest'
import { saysPerDay, secondsToMidnight } from '../../../subgraphs/kit/daily-limit.ts'

test.each([
  ["Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'x'", true],
  ['DefaultVideoInsertPerDayPerProject limit', true],
  ['The daily limit of 1000 requests is reached.', true],
  ['dailyLimitExceeded', true],
  ["Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'", false],
  ['The video of the day is forbidden.', false],
  ['You may post one video per day.', false],
  ['', false],
])('%s: %s', (text, expected) => {
  expect(saysPerDay(undefined, 5, text)).toBe(expected)
})

test('the unit and the words of a limit may stand apart', () => {
  expect(saysPerDay('Quota exceeded', '1/d/{project}')).toBe(true)
  expect(saysPerDay('Quota exceeded', '1/min/{project}')).toBe(false)
})

test('the next midnight is that of the time zone', () => {
  expect(secondsToMidnight('America/Los_Angeles', Date.parse('2026-11-20T07:00:00Z'))).toBe(3600)
  expect(secondsToMidnight('UTC', Date.parse('2026-11-20T23:59:59.900Z'))).toBe(1)
})
