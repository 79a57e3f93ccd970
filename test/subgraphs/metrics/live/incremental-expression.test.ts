/** Which expressions are refused for a range that grows. Similar names and texts are accepted. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  incrementalExpressionFrom,
  nonIncrementalPart,
} from '../../../../subgraphs/metrics/live/incremental-expression.ts'
import '../../../support/seed.ts'

test.each([
  ['up @ end()', 'end()'],
  ['rate(up[5m] @ START ( ))', 'start()'],
  ['sum(up @ # where\n end())', 'end()'],
  ['rate(up[range()])', 'range()'],
  ['up @ now()', 'now()'],
  ['rate(up[5m] smoothed)', 'smoothed'],
  ['rate(up{a="b"}[5m] Smoothed)', 'smoothed'],
  ['up smoothed', 'smoothed'],
  ['up offset 5m smoothed', 'smoothed'],
  ['up offset -5m', 'offset -'],
  ['rate(up[5m] OFFSET - 5m)', 'offset -'],
  ['up offset (-5m)', 'offset -'],
  ['up offset # back\n ( 0s - 5m )', 'offset -'],
  ['rate(up[5m] offset ((step()) * -1))', 'offset -'],
  [`up offset ${'('.repeat(60)}5m`, 'offset -'],
  ['up offset min_of(5m, -3m)', 'offset -'],
  ['up offset max_of(step(), min_of(1m, 1m - 2m))', 'offset -'],
  ['up offset +-5m', 'offset -'],
  ['up offset (5m) - 10m', 'offset -'],
  ['up offset (5m + step()) - 1', 'offset -'],
  ['up offset (5m) * 2 - (1h)', 'offset -'],
  ['up offset ++5m - 10m', 'offset -'],
  ['up offset 1h-2h', 'offset -'],
  ['up offset (1e-3 - 1)', 'offset -'],
  ['a + on (b) (up) offset -5m', 'offset -'],
  ['sum(up) by (on) offset -5m', 'offset -'],
  ['rate(up[5m] offset 1h30m-2.5H)', 'offset -'],
  ['WITH (o = "-5m") up offset o', 'offset o'],
  ['WITH (step = "-5m") up offset step', 'offset -'],
  ['WITH (step = "-5m") up offset step > 0', 'offset -'],
  ['up @ 9999999999', '@ 9999999999'],
  ['rate(up[5m] @ 99e8)', '@ 99e8'],
  ['up @ + 9999999999', '@ +'],
  ['up @ .99e10', '@ .99e10'],
  ['up @ 9.9e+9', '@ 9.9e+9'],
  ['up @ 100y', '@ 100y'],
  ['up @ 9999999999-5m', '@ 9999999999-5m'],
  ['up @ (9999999999)', '@ ('],
  ['up @', '@ '],
  ['up @ time()', '@ time'],
  ['up @ vector(9999999999)', '@ vector'],
  ['WITH (t = 9999999999) up @ t', '@ t'],
  ['WITH (end = 9999999999) up @ end', '@ end'],
  ['up @ -(-9999999999)', '@ -'],
  ['range_avg(up)', 'range_avg'],
  ['running_sum (up)', 'running_sum'],
  ['topk_max(3, up)', 'topk_max'],
  ['keep_last_value(up)', 'keep_last_value'],
  ['limit_offset(1, 2, up)', 'limit_offset'],
  ['any(up) by (job)', 'any'],
  ['drop_empty_series(up) default 1', 'drop_empty_series'],
  ['buckets_limit(5, up)', 'buckets_limit'],
])('%s is refused for %s', (expression, part) => {
  expect(nonIncrementalPart(expression)).toBe(part)
  expect(() => incrementalExpressionFrom(expression)).toThrow(/^query: expected an expression/)
})

test.each([
  'up @ 1609459200.5',
  'up @ -5',
  'up offset 5m - 1',
  'up @ -.5 - 1',
  'up @ 1609459200-5m',
  'up offset 5m-1',
  'up offset 5m-1e3',
  'up offset 5m-0xd1',
  'up offset 1e-3',
  'up @ +5',
  'up @ .5',
  'up @ 1e-5',
  'up @ 1.6e+9 - 1',
  'up + on (job) offset / up',
  'up * ignoring () group_left (job, instance) smoothed',
  'up offset (5m + step()) + 1',
  'up offset (5m) > 3 - 5',
  'up offset min_of(5m, step()) - 1',
  'up offset +(max_of(5m, 1h)) > -1',
  'up offset +(5m) - 10m',
  'any + limit_offset',
  'sum(up offset step()) - 1',
  'sum by (start, end, smoothed) (rate(up[5m]))',
  'smoothed + end - start',
  'rate(smoothed[5m])',
  'up{smoothed="end()", end="@ end()"}',
  "up{a='@ start()'} # @ end()",
  'label_replace(up, "a", "$1", "b", `x smoothed @ end() "`)',
  'up and smoothed',
  'offset - 5',
  'rate(up[5m] anchored)',
  'range_avg + running_sum',
  'topk(3, up)',
  'sum(up) by (smoothed)',
])('%s is taken', (expression) => {
  expect(incrementalExpressionFrom(expression)).toBe(expression)
})

test('nothing in a text or a comment counts, and any text is read to its end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('"', "'"), (text, quote) => {
      const quoted = quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
      expect(nonIncrementalPart(`label_replace(up, ${quoted}, "end()")`)).toBeUndefined()
      expect(nonIncrementalPart(`up # ${text.replaceAll('\n', ' ')} @ end()`)).toBeUndefined()
      expect(nonIncrementalPart(`up{a=${quoted}} smoothed`)).toBe('smoothed')
    }),
  )
})

test('a long expression of any repetition is read immediately', () => {
  for (const part of [
    '"',
    "'",
    '`',
    '\\"',
    'a',
    ' ',
    '#',
    '1',
    '@',
    'offset ',
    'up offset (',
    'a) offset ',
    '1-1h',
    '1-1.',
    'é',
  ]) {
    nonIncrementalPart(part.repeat(200_000))
  }
})
