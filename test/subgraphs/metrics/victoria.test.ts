/** A real VictoriaMetrics with its defaults, which hide the last samples and round the times of ranges. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribeTo } from '../../support/live.ts'
import {
  hasVictoriaMetrics,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '../../support/victoria-metrics.ts'
import { codes, metricsAt, metricsSubgraph } from './kit.ts'

const now = Math.floor(Date.now() / 1000)

/** The value of each sample is its time, of which there is one each second until some minutes from now. */
function samples(): string {
  return Array.from({ length: 900 }, (_, at) => {
    const time = now - 600 + at
    return `clock{job="a"} ${time} ${time}000\n`
  }).join('')
}

describe.skipIf(!hasVictoriaMetrics('metrics of a real VictoriaMetrics'))('a real VictoriaMetrics', () => {
  let victoria: VictoriaMetrics
  beforeAll(async () => {
    victoria = await startVictoriaMetrics(samples(), { asItComes: true })
  })
  afterAll(async () => victoria?.close())

  test('gives the value of now, not that of half a minute ago', async () => {
    await using metrics = metricsAt(victoria.url, { server: 'auto' })
    const before = Math.floor(Date.now() / 1000)
    const { data, errors } = await metrics.run(
      '{ metrics { query(query: "clock") { series { sample { float } } } } }',
    )
    expect(errors).toEqual([])
    expect(data.metrics.query.series[0].sample.float).toBeGreaterThanOrEqual(before - 2)
    // Without it the test would show nothing.
    await using plain = metricsAt(victoria.url, { server: 'prometheus' })
    const late = await plain.run('{ metrics { query(query: "clock") { series { sample { float } } } } }')
    expect(late.data.metrics.query.series[0].sample.float).toBeLessThan(before - 20)
  })

  test('gives ranges at the times that were asked for', async () => {
    await using metrics = metricsAt(victoria.url, { server: 'auto' })
    // Enough points for it to round them, as it does if a range is worth keeping.
    const start = now - 597
    const { data, errors } = await metrics.run(
      `{ metrics { queryRange(query: "clock", start: ${start}, end: ${start + 500}, step: 7) { series { samples { time float } } } } }`,
    )
    expect(errors).toEqual([])
    const { samples: points } = data.metrics.queryRange.series[0] as {
      samples: { time: number; float: number }[]
    }
    expect(points.map(({ time }) => time)).toEqual(Array.from({ length: 72 }, (_, at) => start + at * 7))
    expect(points.every(({ time, float }) => time === float)).toBe(true)
  })

  test('sends each step of a range that grows, with its final value', async () => {
    const subgraph = metricsSubgraph(victoria.url, { server: 'auto', interval: '1s' })
    try {
      const watching = await subscribeTo(
        subgraph,
        'subscription { metricsRange(query: "clock", window: "10s", step: "1s") { start end gap series { samples { time float } } } }',
      )
      watching.read()
      const events = (await watching.until(4)).map(({ data }) => data.metricsRange)
      for (const { start, end, gap, series } of events) {
        expect(gap).toBe(false)
        const { samples: points } = series[0] as { samples: { time: number; float: number }[] }
        expect(points).toEqual(
          Array.from({ length: end - start + 1 }, (_, at) => ({ time: start + at, float: start + at })),
        )
      }
      expect(events.slice(1).every(({ start }, at) => start === events[at].end + 1)).toBe(true)
    } finally {
      await subgraph.close()
    }
  })

  test('would take 1970 for what lies before, which is refused', async () => {
    await using metrics = metricsAt(victoria.url, { server: 'auto' })
    const { errors } = await metrics.run('{ metrics { query(query: "time()", time: -100) { raw } } }')
    expect(codes(errors)).toEqual(['BAD_USER_INPUT'])
  })
})
