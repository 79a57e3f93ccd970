/** What a gateway counts is what a scrape shows, however much of it came in between. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../../../../gateway/telemetry/metrics/index.ts'
import { errorCodes } from '../../../../shared/errors.ts'
import type { UpstreamEvent } from '../../../../shared/upstream.ts'
import { testGatewayRequest } from '../../../support/federation.ts'

function openMetrics(): Metrics {
  const metrics = new Metrics()
  onTestFinished(metrics.close)
  return metrics
}

/** The values of all series of one name, by their labels. */
function read(text: string, name: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of text.split('\n')) {
    const [, labels, value] = new RegExp(`^${name}\\{(.*)\\} (\\S+)$`).exec(line) ?? []
    if (labels !== undefined) found[labels] = Number(value)
  }
  return found
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

describe('requests', () => {
  const request = fc.record({
    operationName: fc.constantFrom('A', 'B'),
    status: fc.constantFrom(200, 500),
    milliseconds: fc.oneof(
      fc.double({ min: 0, max: 20_000, noNaN: true }),
      fc.constantFrom(...bounds.map((bound) => bound * 1000)),
    ),
  })

  test('are all in every scrape, each in its bucket', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(request, { maxLength: 200 }), { maxLength: 4 }), async (times) => {
        const metrics = new Metrics()
        try {
          const seen: (typeof times)[number] = []
          for (const some of times) {
            for (const one of some) metrics.request(one)
            seen.push(...some)
            const text = await metrics.text()
            const expected: Record<string, number> = {}
            for (const { operationName, status, milliseconds } of seen) {
              const labels = `operation="${operationName}",status="${status}"`
              for (const bound of [...bounds, Number.POSITIVE_INFINITY]) {
                const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)
                const key = `le="${le}",${labels}`
                expected[key] = (expected[key] ?? 0) + (milliseconds / 1000 <= bound ? 1 : 0)
              }
            }
            expect(read(text, 'tessera_request_duration_seconds_bucket')).toEqual(expected)
            const sum = Object.values(read(text, 'tessera_request_duration_seconds_sum')).reduce(
              (all, one) => all + one,
              0,
            )
            const exact = seen.reduce((all, { milliseconds }) => all + milliseconds / 1000, 0)
            expect(sum).toBeCloseTo(exact, 6)
          }
        } finally {
          metrics.close()
        }
      }),
      { numRuns: 30 },
    )
  })

  test('have a bounded number of series for the codes of errors that are not ours', async () => {
    const metrics = openMetrics()
    const failed = (codes: readonly string[]): void =>
      metrics.request({ operationName: 'A', status: 200, milliseconds: 1, codes })
    for (let n = 0; n < 1000; n++) failed([`CODE_${n}`, `OTHER_${n}`, 'x'.repeat(1000), 'NOT_FOUND'])
    const counts = read(await metrics.text(), 'tessera_errors_total')
    expect(counts['code="NOT_FOUND"']).toBe(1000)
    expect(counts['code="CODE_0"']).toBe(1)
    expect(counts['code="other"']).toBe(2900)
    expect(Object.keys(counts).filter((labels) => /_\d/.test(labels))).toHaveLength(100)
  })

  test('have their own series for the first two hundred names, and one for all others', async () => {
    const metrics = openMetrics()
    for (let i = 0; i < 300; i++) {
      for (let times = 0; times < 2; times++)
        metrics.request({ operationName: `N${i}`, status: 200, milliseconds: 1 })
    }
    const counts = read(await metrics.text(), 'tessera_request_duration_seconds_count')
    expect(Object.keys(counts)).toHaveLength(201)
    expect(counts['operation="N199",status="200"']).toBe(2)
    expect(counts['operation="other",status="200"']).toBe(200)
  })

  test('give a series to a name that is used more than another, and count that one with the others', async () => {
    const metrics = openMetrics()
    const use = (operationName: string, times: number): void => {
      for (let i = 0; i < times; i++) metrics.request({ operationName, status: 200, milliseconds: 1 })
    }
    for (let i = 0; i < 200; i++) use(`Early${i}`, i === 7 ? 1 : 3)
    // Names that come once each take no other name's place, however many they are.
    for (let i = 0; i < 3000; i++) use(`Once${i}`, 1)
    use('Busy', 100)
    const counts = read(await metrics.text(), 'tessera_request_duration_seconds_count')
    expect(Object.keys(counts)).toHaveLength(201)
    expect(counts['operation="Busy",status="200"']).toBeGreaterThan(80)
    expect(counts['operation="Early7",status="200"']).toBeUndefined()
    expect(counts['operation="Early8",status="200"']).toBe(3)
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    expect(all).toBe(1 + 199 * 3 + 3000 + 100)
  })

  test('count the codes of their errors', async () => {
    const metrics = openMetrics()
    for (const codes of [['FORBIDDEN', 'FORBIDDEN'], ['NOT_FOUND'], ['FORBIDDEN']])
      metrics.request({ operationName: undefined, status: 200, milliseconds: 1, codes })
    const counts = read(await metrics.text(), 'tessera_errors_total')
    expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([
      ['code="FORBIDDEN"', 3],
      ['code="NOT_FOUND"', 1],
    ])
    // Each code has a series from the start, so that a rate sees the first error.
    expect(Object.keys(counts).sort()).toEqual(
      Object.keys(errorCodes)
        .map((code) => `code="${code}"`)
        .sort(),
    )
  })
})

const event = (operation: string, rest: Partial<UpstreamEvent> = {}): UpstreamEvent => ({
  service: 'videos',
  call: { operation, method: 'GET', path: '/', safe: true },
  operation,
  method: 'GET',
  safe: true,
  outcome: 'sent',
  status: 200,
  milliseconds: 3,
  units: 0,
  attempts: 1,
  reservations: [],
  code: undefined,
  reason: undefined,
  retryAfter: undefined,
  credentialKey: '',
  request: testGatewayRequest(),
  ...rest,
})

test('calls count once each, and their units as they are charged', async () => {
  const metrics = openMetrics()
  const units = async () => read(await metrics.text(), 'tessera_upstream_units_total')
  for (let times = 0; times < 70; times++) metrics.upstream(event('videos.list', { units: 2 }))
  metrics.upstream(event('videos.rate', { units: 50 }))
  metrics.upstream(event('videos.free'))
  const charged = {
    'service="videos",operation="videos.list"': 140,
    'service="videos",operation="videos.rate"': 50,
  }
  expect(await units()).toEqual(charged)
  // A second reading gives the same.
  expect(await units()).toEqual(charged)
  expect(read(await metrics.text(), 'tessera_upstream_duration_seconds_count')).toEqual({
    'service="videos",operation="videos.list",outcome="sent"': 70,
    'service="videos",operation="videos.rate",outcome="sent"': 1,
    'service="videos",operation="videos.free",outcome="sent"': 1,
  })
})

test.each([
  ['sent', {}, 'sent'],
  ['answered wrongly', { outcome: 'failed', code: 'UPSTREAM_BAD_RESPONSE' }, 'failed'],
  ['out of reach', { outcome: 'failed', code: 'UPSTREAM_UNAVAILABLE' }, 'failed'],
  ['too slow', { outcome: 'failed', code: 'UPSTREAM_TIMEOUT', reason: 'timeout' }, 'failed'],
  ['refused as too many', { outcome: 'failed', code: 'RATE_LIMITED' }, 'failed'],
  ['not sent', { outcome: 'refused', code: 'UPSTREAM_UNAVAILABLE' }, 'refused'],
  [
    'given up by its client',
    { outcome: 'failed', code: 'UPSTREAM_TIMEOUT', reason: 'cancelled' },
    'cancelled',
  ],
  ['about something wrong', { outcome: 'failed', code: 'BAD_USER_INPUT' }, 'rejected'],
  ['about something that is not there', { outcome: 'failed', code: 'NOT_FOUND' }, 'rejected'],
  ['about something that is not theirs', { outcome: 'failed', code: 'FORBIDDEN' }, 'rejected'],
] as const)('a call that was %s does not count as another outcome', async (_what, rest, outcome) => {
  const metrics = openMetrics()
  metrics.upstream(event('videos.list', rest))
  expect(read(await metrics.text(), 'tessera_upstream_duration_seconds_count')).toEqual({
    [`service="videos",operation="videos.list",outcome="${outcome}"`]: 1,
  })
})

test('the version is that of the package', async () => {
  const metrics = openMetrics()
  const text = await metrics.text()
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  expect(text).toContain(`tessera_build_info{version="${version}",node="${process.versions.node}"} 1`)
})
