/** Subscriptions to the metrics service: what they send for scripted answers, and what they ask for. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { eventually, type HeldClock, heldClock, subscribeTo } from '../../support/live.ts'
import { metricsSubgraph, startAnswering, startService } from './kit.ts'

let service: Awaited<ReturnType<typeof startAnswering>>
let clock: HeldClock
let subgraph: Subgraph
beforeEach(async () => {
  service = await startAnswering()
  clock = heldClock()
  subgraph = metricsSubgraph(service.url, { interval: '5s', live: { clock } })
})
afterEach(async () => {
  await subgraph.close()
  await service[Symbol.asyncDispose]()
})
async function polled(milliseconds: number): Promise<void> {
  const before = service.journal.length
  clock.pass(milliseconds)
  await eventually(() => service.journal.length > before, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0)
}

describe('metricsQuery', () => {
  const vector = (...series: readonly [Record<string, string>, string][]) => ({
    resultType: 'vector',
    result: series.map(([metric, value]) => ({ metric, value: [clock.now() / 1000, value] })),
  })
  const watch = (args = '') =>
    subscribeTo(
      subgraph,
      `subscription { metricsQuery(query: "up"${args}) { resultType series { metric sample { value } } scalar { value } } }`,
    )

  test('sends what changed, by label sets; NaN is equal to NaN, and times are no change', async () => {
    let answer: () => unknown = () => vector([{ job: 'a' }, 'NaN'], [{ job: 'b' }, '1'])
    service.answers['/api/v1/query'] = () => answer()
    const watching = await watch()
    watching.read()
    await polled(50)
    await watching.until(1)
    answer = () => vector([{ job: 'b' }, '1'], [{ job: 'a' }, 'NaN'])
    await polled(5000)
    await polled(5000)
    expect(watching.seen).toHaveLength(1)
    answer = () => vector([{ job: 'b' }, '2'], [{ job: 'a' }, 'NaN'])
    await polled(5000)
    await watching.until(2)
    answer = () => vector([{ job: 'b' }, '2'])
    await polled(5000)
    await watching.until(3)
    expect(watching.seen.map(({ data }) => data.metricsQuery.series.length)).toEqual([2, 2, 1])
    answer = () => ({ resultType: 'scalar', result: [clock.now() / 1000, '3'] })
    await polled(5000)
    await polled(5000)
    await watching.until(4)
    expect(watching.seen).toHaveLength(4)
    expect(watching.seen[3]?.data.metricsQuery.scalar).toEqual({ value: '3' })
  })

  test('goes on at its interval if the clock is set back by an hour', async () => {
    let value = 0
    service.answers['/api/v1/query'] = () => vector([{ job: 'a' }, String(value++)])
    const [first, second] = [await watch(), await watch(', every: "10s"')]
    for (const each of [first, second]) each.read()
    clock.pass(50)
    await second.until(1)
    await eventually(() => clock.waiting > 0)
    clock.correct(-3_600_000)
    const third = await watch(', every: "20s"')
    third.read()
    await polled(10_000)
    await polled(10_000)
    for (const each of [first, second]) await each.until(3)
    await third.until(2)
  })

  test('sends the changes of every series of a matrix, the only one too, and of a string', async () => {
    const matrix = (...series: readonly (readonly string[])[]) => ({
      resultType: 'matrix',
      result: series.map((values, at) => ({
        metric: { at: String(at) },
        values: values.map((value, i) => [clock.now() / 1000 + i, value]),
      })),
    })
    const answers: readonly [data: unknown, isChange: boolean][] = [
      [matrix(['1', '2']), true],
      [matrix(['1', '2']), false],
      [matrix(['1', '3']), true],
      [matrix(['2', '3']), true],
      [matrix(['2', '3'], ['1']), true],
      [matrix(['2', '4'], ['1']), true],
      [{ resultType: 'string', result: [1, 'a'] }, true],
      [{ resultType: 'string', result: [2, 'a'] }, false],
      [{ resultType: 'string', result: [3, 'b'] }, true],
    ]
    let answer: unknown
    service.answers['/api/v1/query'] = () => answer
    const watching = await watch()
    watching.read()
    let changes = 0
    for (const [at, [data, isChange]] of answers.entries()) {
      answer = data
      await polled(at === 0 ? 50 : 5000)
      if (isChange) await watching.until(++changes)
      expect(watching.seen).toHaveLength(changes)
    }
  })

  test('polls once for all subscribers, no more often than the service evaluates, at the requested interval', async () => {
    let value = 0
    service.answers['/api/v1/query'] = () => vector([{ job: 'a' }, String(value++)])
    const quick = await watch(', every: "1s"')
    const slow = await watch(', every: "30s"')
    quick.read()
    slow.read()
    await polled(50)
    await quick.until(1)
    for (let at = 0; at < 12; at++) {
      await polled(5000)
      await quick.until(at + 2)
    }
    expect(service.journal).toHaveLength(13)
    expect(quick.seen).toHaveLength(13)
    await slow.until(3)
    expect(slow.seen).toHaveLength(3)
    expect(slow.seen[0]?.extensions.live.intervalSeconds).toBe(5)
  })

  test.each([
    ['application/json', '{"status":"error","errorType":"bad_data","error":"parse error"}'],
    ['text/plain; charset=utf-8', 'parse error'],
  ])('ends immediately with the reason if the service refuses the expression in %s', async (type, body) => {
    await service[Symbol.asyncDispose]()
    await subgraph.close()
    await using refusing = await startService({ status: 400, contentType: type, text: body })
    subgraph = metricsSubgraph(refusing.url, { live: { clock } })
    const watching = await watch()
    watching.read()
    clock.pass(50)
    await eventually(() => watching.ended !== undefined)
    expect(watching.ended).toMatchObject({ message: 'parse error', extensions: { code: 'BAD_USER_INPUT' } })
    expect(refusing.journal).toHaveLength(1)
    service = await startAnswering()
  })
})

describe('metricsRange', () => {
  /** One point a step, whose value is the call that asked for it. */
  const range = (query: URLSearchParams) => {
    const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(query.get(name)))
    const values: [number, string][] = []
    for (let at = start ?? 0; at <= (end ?? 0); at += step ?? 1)
      values.push([at, String(service.journal.length)])
    return { resultType: 'matrix', result: [{ metric: { __name__: 'up' }, values }] }
  }
  const watch = (args = 'window: "1m", step: "10s"') =>
    subscribeTo(
      subgraph,
      `subscription { metricsRange(query: "up", ${args}) { start end step gap series { samples { time value } } } }`,
    )
  const times = (event: {
    data: { metricsRange: { series: { samples: { time: number }[] }[] } }
  }): number[] => event.data.metricsRange.series.flatMap(({ samples }) => samples.map(({ time }) => time))

  test('sends the window, then each step once, aligned, and asks from the last step on', async () => {
    service.answers['/api/v1/query_range'] = range
    clock.pass(3456)
    const watching = await watch()
    watching.read()
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    await polled(10_000)
    await polled(10_000)
    await watching.until(3)
    const all = watching.seen.flatMap(times)
    const last = Math.floor((clock.now() - 2000) / 10_000) * 10
    expect(all).toEqual(Array.from({ length: 8 }, (_, i) => last - 70 + i * 10))
    expect(
      service.journal.map(
        ({ parameters }) => Number(parameters.get('end')) - Number(parameters.get('start')),
      ),
    ).toEqual([50, 0, 0])
    expect(watching.seen.map(({ data }) => data.metricsRange.gap)).toEqual([false, false, false])
    expect(watching.seen[2]?.id).toBe(String(last))
  })

  test.each([
    ['window: "1m", step: "10s"', 10_000, 10_000],
    // Not asked more often than the service scrapes, and right after a step all the same.
    ['window: "1m", step: "2s"', 2000, 6000],
    ['window: "1m", step: "7s"', 7000, 7000],
  ])('asks right after a step has ended, whenever it began: %s', async (args, stepMs, everyMs) => {
    const moments: number[] = []
    service.answers['/api/v1/query_range'] = (query) => {
      moments.push(clock.now() - Number(query.get('end')) * 1000)
      return range(query)
    }
    clock.pass(123_457)
    const watching = await watch(args)
    watching.read()
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    expect(watching.seen[0]?.extensions.live.intervalSeconds).toBe(everyMs / 1000)
    const began = clock.now()
    while (moments.length < 6) {
      clock.pass(50)
      await eventually(() => clock.waiting > 0)
      // A poll is under way while no timer waits, and its answer makes the next one.
      await new Promise((resolve) => setImmediate(resolve))
    }
    // Two seconds for samples that arrive late, and the time that the test's clock skips.
    for (const moment of moments.slice(1)) expect(moment).toBeLessThanOrEqual(2000 + 100)
    expect(clock.now() - began).toBeGreaterThan(4 * everyMs)
    expect(clock.now() - began).toBeLessThanOrEqual(5 * everyMs + stepMs + 100)
  })

  test('catches up after a pause of the service with one call', async () => {
    service.answers['/api/v1/query_range'] = range
    const watching = await watch()
    watching.read()
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    delete service.answers['/api/v1/query_range']
    const asked = service.journal.length
    clock.pass(10_000)
    await eventually(() => service.journal.length > asked)
    service.answers['/api/v1/query_range'] = range
    await eventually(() => clock.waiting > 0)
    await polled(60_000)
    await watching.until(2)
    const all = watching.seen.flatMap(times)
    expect(all).toEqual(Array.from({ length: all.length }, (_, i) => (all[0] ?? 0) + i * 10))
    expect(watching.seen[1]?.data.metricsRange.gap).toBe(false)
  })

  test('serves a newcomer from the kept results, and requests only older ones', async () => {
    service.answers['/api/v1/query_range'] = range
    const one = await watch()
    one.read()
    await one.until(1)
    const same = await watch()
    expect(times(await same.next())).toEqual(times(one.seen[0] as never))
    expect(service.journal).toHaveLength(1)
    const wider = await watch('window: "2m", step: "10s"')
    expect(times(await wider.next())).toHaveLength(12)
    expect(service.journal).toHaveLength(2)
    expect(Number(service.journal[1]?.parameters.get('end'))).toBe(
      Number(service.journal[0]?.parameters.get('start')) - 10,
    )
  })

  test('resumes after the end of an event, and declares what the window does not reach', async () => {
    service.answers['/api/v1/query_range'] = range
    const watching = await watch()
    watching.read()
    await watching.until(1)
    const end = watching.seen[0]?.data.metricsRange.end as number
    await watching.close()
    clock.pass(30_000)
    const again = await watch(`window: "1m", step: "10s", after: ${end}`)
    expect(times(await again.next())).toEqual([end + 10, end + 20, end + 30])
    await again.close()
    clock.pass(300_000)
    const late = await (await watch(`window: "1m", step: "10s", after: ${end}`)).next()
    expect(late.data.metricsRange.gap).toBe(true)
    expect(times(late)).toHaveLength(6)
  })

  test('sends no step again to one that has later steps from another gateway', async () => {
    service.answers['/api/v1/query_range'] = range
    const watching = await watch('window: "1m", step: "1s"')
    watching.read()
    await watching.until(1)
    const end = watching.seen[0]?.data.metricsRange.end as number
    await eventually(() => clock.waiting > 0)
    // The next poll is not due yet.
    clock.pass(3000)
    const ahead = await watch(`window: "1m", step: "1s", after: ${end + 2}`)
    const future = await watch(`window: "1m", step: "1s", after: ${end + 6}`)
    for (const each of [ahead, future]) each.read()
    await polled(3000)
    await ahead.until(1)
    await polled(6000)
    await ahead.until(2)
    await future.until(1)
    const all = ahead.seen.flatMap(times)
    expect(all).toEqual(Array.from({ length: all.length }, (_, i) => end + 3 + i))
    expect(times(future.seen[0] as never)[0]).toBe(end + 7)
    for (const { data } of [...ahead.seen, ...future.seen]) {
      expect(data.metricsRange.gap).toBe(false)
      expect(data.metricsRange.start).toBe(times({ data } as never)[0])
    }
    expect(watching.seen.flatMap(times)).toHaveLength(60 + all.length + 2)
  })

  test('refuses too many steps, no step, and steps that are too short', async () => {
    for (const args of [
      'window: "40h", step: "10s"',
      'window: "1s", step: "10s"',
      'window: "1m", step: 0',
      'window: "1m", step: 0.5',
      'window: "1m", step: 1.0005',
    ]) {
      await expect(watch(args)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    }
    expect(service.journal).toEqual([])
    expect(clock.waiting).toBe(0)
  })
})

describe('alertChanged', () => {
  const alert = (labels: Record<string, string>, state = 'firing') => ({
    labels,
    annotations: {},
    state,
    activeAt: '2026-11-22T12:00:00Z',
    value: '1e+00',
  })
  const watch = (args = '') =>
    subscribeTo(subgraph, `subscription { alertChanged${args} { change fingerprint after alert { name } } }`)
  const said = (
    seen: readonly { data: { alertChanged: { change: string; alert: { name: string } | null } } }[],
  ) => seen.map(({ data: { alertChanged } }) => `${alertChanged.alert?.name ?? '?'} ${alertChanged.change}`)
  let alerts: object[]
  beforeEach(() => {
    alerts = []
    service.answers['/api/v1/alerts'] = () => ({ alerts })
    service.answers['/api/v1/rules'] = () => ({
      groups: [
        {
          name: 'g',
          file: 'f',
          interval: 10,
          rules: [{ type: 'alerting', name: 'A', query: 'up', alerts: [] }],
        },
      ],
    })
  })

  test('sends all alerts that fire, also thousands, to who reads them later', async () => {
    alerts = Array.from({ length: 2500 }, (_, number) => alert({ alertname: `A${number}` }))
    const watching = await watch()
    clock.pass(50)
    await eventually(() => clock.waiting > 0)
    alerts = alerts.slice(1)
    await polled(10_000)
    watching.read()
    await watching.until(2501)
    expect(new Set(said(watching.seen)).size).toBe(2501)
    expect(said(watching.seen).at(-1)).toBe('A0 RESOLVED')
  })

  test('sends what fires and what ceased to, once each, at the interval of the rules', async () => {
    alerts = [alert({ alertname: 'A', job: '1' })]
    const watching = await watch()
    watching.read()
    clock.pass(50)
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    alerts = [alert({ alertname: 'A', job: '1' }), alert({ alertname: 'B' }, 'pending')]
    await polled(10_000)
    alerts = [alert({ alertname: 'B' }), alert({ job: '1', alertname: 'A' })]
    await polled(10_000)
    await watching.until(2)
    alerts = [alert({ alertname: 'B' })]
    await polled(10_000)
    await watching.until(3)
    alerts = [alert({ alertname: 'B' }), alert({ alertname: 'A', job: '1' })]
    await polled(10_000)
    await watching.until(4)
    expect(said(watching.seen)).toEqual(['A FIRING', 'B FIRING', 'A RESOLVED', 'A FIRING'])
    expect(watching.seen[0]?.data.alertChanged.fingerprint).toBe(
      watching.seen[3]?.data.alertChanged.fingerprint,
    )
    expect(watching.seen[0]?.extensions.live.intervalSeconds).toBe(10)
    expect(service.journal.filter(({ path }) => path === '/api/v1/rules')).toHaveLength(1)
    const before = service.journal.length
    clock.pass(9000)
    expect(service.journal).toHaveLength(before)
  })

  test('resolves nothing that a partial list lacks', async () => {
    alerts = [alert({ alertname: 'A' }), alert({ alertname: 'B' })]
    const watching = await watch()
    watching.read()
    clock.pass(50)
    await watching.until(2)
    await eventually(() => clock.waiting > 0)
    service.notes.warnings = ['a ruler did not answer']
    alerts = [alert({ alertname: 'C' })]
    await polled(10_000)
    await watching.until(3)
    delete service.notes.warnings
    alerts = [alert({ alertname: 'C' }), alert({ alertname: 'B' })]
    await polled(10_000)
    await watching.until(4)
    expect(said(watching.seen).slice(2)).toEqual(['C FIRING', 'A RESOLVED'])
  })

  test('sends only alerts whose labels match, and refuses what is no regular expression', async () => {
    alerts = [
      alert({ alertname: 'A', severity: 'page' }),
      alert({ alertname: 'B', severity: 'ticket' }),
      alert({ alertname: 'C' }),
    ]
    const filters = {
      '(labels: [{ name: "severity", value: "page" }])': ['A FIRING'],
      '(labels: [{ name: "severity", match: REGEX, value: "page|tick.*" }])': ['A FIRING', 'B FIRING'],
      '(labels: [{ name: "severity", match: NOT_REGEX, value: "pag" }, { name: "severity", match: NOT_EQUAL, value: "page" }])':
        ['B FIRING', 'C FIRING'],
      '(labels: [{ name: "severity", value: "" }])': ['C FIRING'],
    }
    for (const [args, expected] of Object.entries(filters)) {
      const watching = await watch(args)
      watching.read()
      clock.pass(50)
      await watching.until(expected.length)
      expect(said(watching.seen).sort()).toEqual(expected)
      await watching.close()
    }
    for (const args of [
      '(labels: [{ name: "a", match: REGEX, value: "(" }])',
      `(labels: [{ name: "a", value: "${'x'.repeat(1001)}" }])`,
      `(labels: [${'{ name: "a", value: "b" }'.repeat(21)}])`,
    ]) {
      await expect(watch(args)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    }
  })

  test('resumes: what fires still is not sent again, what ceased to is', async () => {
    alerts = [alert({ alertname: 'A' }), alert({ alertname: 'B' })]
    const watching = await watch()
    watching.read()
    clock.pass(50)
    await watching.until(2)
    const after = watching.seen[1]?.id
    await watching.close()
    alerts = [alert({ alertname: 'B' }), alert({ alertname: 'C' })]
    const again = await watch(`(after: "${after}")`)
    again.read()
    clock.pass(50)
    await again.until(2)
    expect(said(again.seen)).toEqual(['? RESOLVED', 'C FIRING'])
    expect(again.seen[0]?.data.alertChanged.fingerprint).toBe(watching.seen[0]?.data.alertChanged.fingerprint)
    await expect(watch(`(labels: [{ name: "a", value: "b" }], after: "${after}")`)).rejects.toMatchObject({
      extensions: { code: 'BAD_USER_INPUT' },
    })
  })
})
