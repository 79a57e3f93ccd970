/**
 * Times and durations in arguments: the forms of the service are accepted, all others refused with the expected form.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  durationFrom,
  expressionFrom,
  limitFrom,
  rangeFrom,
  stepFrom,
  timeFrom,
} from '../../../subgraphs/metrics/arguments.ts'

function refusal(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    const { extensions, message } = error as { extensions: { code: string }; message: string }
    expect(extensions.code).toBe('BAD_USER_INPUT')
    return message
  }
  throw new Error('it was taken')
}

describe('a time', () => {
  it.each([
    ['2026-11-20T20:21:07Z', 1795206067],
    ['2026-11-20T20:21:07.5Z', 1795206067.5],
    ['2026-11-20T21:21:07.384834083+01:00', 1795206067.384],
    ['2024-02-29T00:00:00Z', 1709164800],
    [1795206067.5, 1795206067.5],
    ['1795206067.5', 1795206067.5],
    ['1e9', 1e9],
    [0, 0],
    [-1.5, -1.5],
  ])('%j is taken', (value, seconds) => {
    expect(timeFrom(value, 'time').seconds).toBeCloseTo(seconds, 3)
  })

  it('travels as it was written', () => {
    expect(timeFrom('2026-11-20T21:21:07.384834083+01:00', 'time').text).toBe(
      '2026-11-20T21:21:07.384834083+01:00',
    )
  })

  it.each([
    'yesterday',
    'now',
    '',
    '2026-11-20',
    '2026-11-20T20:21:07',
    '2026-11-20 20:21:07Z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T20:21:07+1',
    'NaN',
    'Infinity',
    '0x10',
    true,
    null,
    ['1'],
    { seconds: 1 },
  ])('%j is refused with what was expected', (value) => {
    const message = refusal(() => timeFrom(value, 'start'))
    expect(message).toMatch(/^start: expected an RFC 3339 time with an offset.* or Unix seconds/)
  })

  it('in milliseconds is refused and recognised', () => {
    expect(refusal(() => timeFrom(1795206067500, 'time'))).toContain('looks like milliseconds')
  })

  it('given as a number is sent so that it is read back the same', () => {
    fc.assert(
      fc.property(fc.double({ min: -9.2e9, max: 9.2e9, noNaN: true }), (seconds) => {
        const { text } = timeFrom(seconds, 'time')
        expect(text).toMatch(/^-?\d+(\.\d*)?$/)
        expect(Math.abs(Number(text) - seconds)).toBeLessThan(0.001)
      }),
    )
  })
})

describe('a span of time', () => {
  it.each([
    [30, 30],
    [0.5, 0.5],
    ['15', 15],
    ['15s', 15],
    ['1h30m', 5400],
    ['54s321ms', 54.321],
    ['1y2w3d', 365 * 86400 + 2 * 7 * 86400 + 3 * 86400],
    ['1ms', 0.001],
    ['292y', 292 * 365 * 86400],
  ])('%j is taken', (value, seconds) => {
    expect(durationFrom(value, 'timeout').seconds).toBeCloseTo(seconds, 6)
  })

  it.each(['1.5h', '1m1h', '5 m', '', 's', '1m1m', '-5s', '1h-5m', 'five', '1M', true, null, {}])(
    '%j is refused with what was expected',
    (value) => {
      expect(refusal(() => durationFrom(value, 'timeout'))).toMatch(
        /^timeout: expected a number of seconds, .* or whole numbers with units/,
      )
    },
  )

  it('below 0 or beyond 292 years is refused', () => {
    expect(refusal(() => durationFrom(-1, 'timeout'))).toContain('at least 0')
    expect(refusal(() => durationFrom('293y', 'timeout'))).toContain('292 years')
  })

  it('is taken in every combination of units that goes from long to short', () => {
    const unit = fc.option(fc.nat(20), { nil: undefined })
    fc.assert(
      fc.property(fc.tuple(unit, unit, unit, unit, unit, unit, unit), (counts) => {
        const names = ['y', 'w', 'd', 'h', 'm', 's', 'ms']
        const seconds = [31_536_000, 604_800, 86_400, 3600, 60, 1, 0.001]
        const text = counts.map((count, i) => (count === undefined ? '' : `${count}${names[i]}`)).join('')
        fc.pre(text !== '')
        const expected = counts.reduce<number>((sum, count, i) => sum + (count ?? 0) * seconds[i]!, 0)
        expect(durationFrom(text, 'timeout').seconds).toBeCloseTo(expected, 3)
      }),
    )
  })
})

describe('a step', () => {
  it.each([0, '0', '0s', '0m0s'])('of %j is refused', (value) => {
    expect(refusal(() => stepFrom(value))).toMatch(/^step: expected a duration greater than 0/)
  })
})

describe('a range', () => {
  it('may be a single instant, and its ends may be written differently', () => {
    expect(rangeFrom('2026-11-20T20:21:07Z', 1795206067).end.seconds).toBe(1795206067)
  })

  it('that ends before it starts is refused', () => {
    expect(refusal(() => rangeFrom(2, 1))).toBe('end: expected a time not before start (2); got 1.')
  })
})

describe('other arguments', () => {
  it('refuse an empty expression and a bound below 0', () => {
    expect(refusal(() => expressionFrom(' \n'))).toContain('expected a PromQL expression')
    expect(refusal(() => limitFrom(-1))).toContain('expected 0 (no bound) or more')
    expect(limitFrom(null)).toBe(0)
  })

  it('show what came, but never at length', () => {
    expect(refusal(() => timeFrom('x'.repeat(5000), 'time')).length).toBeLessThan(300)
  })
})

it.each([
  ['digits', '1'],
  ['digits with an exponent', '1e'],
  ['points', '1.'],
  ['zeros', '0'],
])('a text of 60 kB of %s is refused by its length, and shown cut', (_, piece) => {
  const text = `${piece.repeat(60_000 / piece.length)}x`
  for (const read of [() => timeFrom(text, 'time'), () => durationFrom(text, 'step')]) {
    const message = refusal(read)
    expect(message).toMatch(/^(time|step): expected/)
    expect(message.length).toBeLessThan(400)
  }
})

it.each(['1'.repeat(101), `${'0'.repeat(100)}1`, `${'1'.repeat(101)}s`])(
  'a text of more than 100 characters is none, whatever it says',
  (text) => {
    expect(refusal(() => durationFrom(text, 'step'))).toMatch(/^step: expected/)
  },
)
