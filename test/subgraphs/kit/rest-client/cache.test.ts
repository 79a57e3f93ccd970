import { afterEach, expect, test, vi } from 'vitest'
import type { UpstreamOptions } from '../../../../subgraphs/kit/rest-client/index.ts'
import { hang, json, type Script, status } from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { errorOf, read, startBench, write } from '../../../support/upstream.ts'

afterEach(() => {
  vi.useRealTimers()
})

const cached = (path = '/thing') => read(path, { cacheable: true })
const fresh = { tuning: { cache: { freshMs: 60_000 } } }
const stale = { tuning: { cache: { freshMs: 0 } } }
const forward = { credential: { kind: 'forward', header: 'x-videos-authorization' } } as const

/** Answers `{ version }`, with an ETag of it, and 304 to who has that already. */
const versions =
  (state: { version: number }): Script =>
  (response, arrived, number, request) => {
    const etag = `"v${state.version}"`
    const answer =
      arrived.headers['if-none-match'] === etag
        ? status(304, { etag })
        : json({ version: state.version }, 200, { etag })
    return answer(response, arrived, number, request)
  }

const outcomes = (events: readonly { outcome: string; units: number }[]) =>
  events.map(({ outcome, units }) => [outcome, units])

test('without a cache every call is sent', async () => {
  await using bench = await startBench()
  for (let i = 0; i < 2; i++) await bench.upstream.send(cached(), testRequest())
  expect(bench.server.arrived).toHaveLength(2)
})

test('a fresh answer costs no call and no unit, is the same object, and asks no admission', async () => {
  const admit = vi.fn()
  await using bench = await startBench(undefined, { ...fresh, admit })
  const requests = [testRequest(), testRequest()]
  const [first, second] = [
    await bench.upstream.send(cached(), requests[0]!),
    await bench.upstream.send(cached(), requests[1]!),
  ]
  expect(second.body).toBe(first.body)
  expect(bench.server.arrived).toHaveLength(1)
  expect(outcomes(bench.events)).toEqual([
    ['sent', 1],
    ['cached', 0],
  ])
  expect(requests[1]!.calls).toMatchObject([{ outcome: 'cached', units: 0 }])
  expect(admit).toHaveBeenCalledOnce()
})

test('bytes that are kept take no memory but their own, whatever they came with', async () => {
  await using bench = await startBench(undefined, fresh)
  for (let turn = 0; turn < 2; turn++) {
    const { body } = await bench.upstream.send<Buffer>(
      read('/thing', { cacheable: true, as: 'bytes' }),
      testRequest(),
    )
    expect(body.length).toBeGreaterThan(0)
    expect(body.buffer.byteLength).toBeLessThanOrEqual(2 * body.length)
  }
  expect(bench.server.arrived).toHaveLength(1)
})

test('an answer is fresh for the tuned time and no longer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using bench = await startBench(undefined, fresh)
  await bench.upstream.send(cached(), testRequest())
  vi.advanceTimersByTime(59_000)
  await bench.upstream.send(cached(), testRequest())
  expect(bench.server.arrived).toHaveLength(1)
  vi.advanceTimersByTime(2000)
  await bench.upstream.send(cached(), testRequest())
  expect(bench.server.arrived).toHaveLength(2)
})

test('a stale answer is asked about by its ETag; what has not changed is used on, at the price of a call', async () => {
  const state = { version: 1 }
  await using bench = await startBench(versions(state), stale)
  const first = await bench.upstream.send(cached(), testRequest())
  const second = await bench.upstream.send(cached(), testRequest())
  expect(second).toBe(first)
  state.version = 2
  expect((await bench.upstream.send(cached(), testRequest())).body).toEqual({ version: 2 })
  expect(bench.server.arrived.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    '"v1"',
    '"v1"',
  ])
  expect(outcomes(bench.events)).toEqual([
    ['sent', 1],
    ['revalidated', 1],
    ['sent', 1],
  ])
})

test('an answer that was confirmed is fresh again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using bench = await startBench(versions({ version: 1 }), fresh)
  await bench.upstream.send(cached(), testRequest())
  vi.advanceTimersByTime(61_000)
  await bench.upstream.send(cached(), testRequest())
  vi.advanceTimersByTime(30_000)
  await bench.upstream.send(cached(), testRequest())
  expect(outcomes(bench.events)).toEqual([
    ['sent', 1],
    ['revalidated', 1],
    ['cached', 0],
  ])
})

test('a caller who changes something reads the change; others continue to read from the cache', async () => {
  const state = { version: 1 }
  await using bench = await startBench(versions(state), { ...fresh, ...forward })
  const mine = () => testRequest({ 'x-videos-authorization': 'Bearer mine' })
  const theirs = () => testRequest({ 'x-videos-authorization': 'Bearer theirs' })
  await bench.upstream.send(cached(), mine())
  await bench.upstream.send(cached(), theirs())
  state.version = 2
  await bench.upstream.send(write(), mine())
  expect((await bench.upstream.send(cached(), mine())).body).toEqual({ version: 2 })
  expect((await bench.upstream.send(cached(), theirs())).body).toEqual({ version: 1 })
})

test.each([
  ['another path', cached('/other')],
  ['another form of the body', { ...cached(), as: 'text' as const }],
  ['another header', { ...cached(), headers: { 'x-scope-orgid': '2' } }],
])('%s is another answer', async (_, call) => {
  await using bench = await startBench(undefined, fresh)
  await bench.upstream.send(cached(), testRequest())
  await bench.upstream.send(call, testRequest())
  expect(bench.server.arrived).toHaveLength(2)
})

test.each([
  ['that must not be stored', json({}, 200, { 'cache-control': 'private, no-store' })],
  ['that varies by everything', json({}, 200, { vary: '*' })],
  ['of another status', json({}, 203)],
])('an answer %s is not kept', async (_, script) => {
  await using bench = await startBench(script, fresh)
  for (let i = 0; i < 2; i++) await bench.upstream.send(cached(), testRequest())
  expect(bench.server.arrived).toHaveLength(2)
})

test('a failure is not kept', async () => {
  await using bench = await startBench(status(404), fresh)
  for (let i = 0; i < 2; i++) await errorOf(bench.upstream.send(cached(), testRequest()))
  expect(bench.server.arrived).toHaveLength(2)
})

test('the cache holds no more than its bytes', async () => {
  const options = { tuning: { cache: { freshMs: 60_000, maxBytes: 20_000 } } }
  await using bench = await startBench(json('x'.repeat(2000)), options)
  for (let i = 0; i < 20; i++) await bench.upstream.send(cached(`/thing/${i}`), testRequest())
  await bench.upstream.send(cached('/thing/19'), testRequest())
  expect(bench.server.arrived).toHaveLength(20)
  await bench.upstream.send(cached('/thing/0'), testRequest())
  expect(bench.server.arrived).toHaveLength(21)
})

test('equal calls at the same moment are one, and it is booked once', async () => {
  await using bench = await startBench(undefined, stale)
  const requests = Array.from({ length: 5 }, () => testRequest())
  const answers = await Promise.all(requests.map((request) => bench.upstream.send(cached(), request)))
  expect(new Set(answers).size).toBe(1)
  expect(bench.server.arrived).toHaveLength(1)
  expect(requests.map(({ calls }) => calls.map(({ outcome, units }) => [outcome, units]))).toEqual([
    [['sent', 1]],
    ...Array.from({ length: 4 }, () => [['shared', 0]]),
  ])
})

test.each<[string, Partial<UpstreamOptions>]>([
  ['kept', fresh],
  ['shared', stale],
])(
  'two callers with different credentials over the same address at the same moment: nothing is %s',
  async (_, options) => {
    const who: Script = (response, arrived, number, request) =>
      json({ you: arrived.headers.authorization ?? 'nobody' })(response, arrived, number, request)
    await using bench = await startBench(who, { ...options, ...forward })
    const callers = ['Bearer a', 'Bearer b', undefined]
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        callers.map((caller) =>
          bench.upstream.send(
            cached(),
            testRequest(caller === undefined ? {} : { 'x-videos-authorization': caller }),
          ),
        ),
      )
      expect(answers.map(({ body }) => body)).toEqual([
        { you: 'Bearer a' },
        { you: 'Bearer b' },
        { you: 'nobody' },
      ])
    }
  },
)

test('a call that waits for a shared one fails alone at its own deadline', async () => {
  let answer: () => void = () => {}
  const held: Script = (response, arrived, number, request) => {
    answer = () => void json({ ok: true })(response, arrived, number, request)
  }
  await using bench = await startBench(held, stale)
  const leader = testRequest()
  const leading = errorOf(bench.upstream.send(cached(), leader))
  const patient = bench.upstream.send(cached(), testRequest())
  const hasty = testRequest({}, { timeoutMs: 20 })
  const tooLate = errorOf(bench.upstream.send(cached(), hasty))
  await bench.server.reached(1)
  leader.cancel()
  expect((await leading).extensions).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    upstream: { reason: 'cancelled' },
  })
  expect((await tooLate).extensions).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    upstream: { reason: 'timeout' },
  })
  answer()
  expect((await patient).body).toEqual({ ok: true })
  expect(bench.server.arrived).toHaveLength(1)
})

test('a shared call is cancelled when the last waiting caller has left, and the next begins again', async () => {
  await using bench = await startBench(hang, stale)
  const requests = [testRequest(), testRequest()]
  const errors = requests.map((request) => errorOf(bench.upstream.send(cached(), request)))
  await bench.server.reached(1)
  for (const request of requests) request.cancel()
  await Promise.all(errors)
  await bench.server.aborted
  bench.server.script = json({ anew: true })
  expect((await bench.upstream.send(cached(), testRequest())).body).toEqual({ anew: true })
})

test('a read that began before a write is not shared with one that comes after it', async () => {
  const answers: (() => void)[] = []
  await using bench = await startBench((response, arrived, number, request) => {
    if (arrived.method === 'POST') return json({})(response, arrived, number, request)
    answers.push(() => void json({ number })(response, arrived, number, request))
  }, fresh)
  const before = bench.upstream.send(cached(), testRequest())
  await bench.server.reached(1)
  await bench.upstream.send(write(), testRequest())
  const after = bench.upstream.send(cached(), testRequest())
  await bench.server.reached(3)
  for (const answer of answers) answer()
  expect([(await before).body, (await after).body]).toEqual([{ number: 0 }, { number: 2 }])
  expect((await bench.upstream.send(cached(), testRequest())).body).toEqual({ number: 2 })
})
