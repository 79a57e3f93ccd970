/** Each fault of a service, for a read and for a write: its code, and whether it is retried. */
import { expect, test } from 'vitest'
import type { Failure } from '../../../../subgraphs/kit/rest-client/index.ts'
import {
  bomb,
  brokenChunks,
  deadUrl,
  drip,
  hang,
  huge,
  inTurn,
  json,
  noise,
  raw,
  reset,
  type Script,
  shorter,
  status,
} from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { errorOf, read, startBench, write } from '../../../support/upstream.ts'

const html = { 'content-type': 'text/html' }

/** Fault, code, reason, how often a read leaves (with two retries), whether a write's outcome is unknown. */
const faults: [
  name: string,
  script: Script,
  code: string,
  reason: string | undefined,
  reads: number,
  unknown: boolean,
][] = [
  ['no answer', hang, 'UPSTREAM_TIMEOUT', 'timeout', 1, true],
  ['a body that never ends', drip, 'UPSTREAM_TIMEOUT', 'timeout', 1, true],
  ['a connection reset after the work', reset, 'UPSTREAM_UNAVAILABLE', 'connection', 3, true],
  ['a body shorter than promised', shorter, 'UPSTREAM_BAD_RESPONSE', 'truncated', 3, true],
  ['a chunked body broken off', brokenChunks, 'UPSTREAM_BAD_RESPONSE', 'truncated', 3, true],
  ['bytes that are not HTTP', noise, 'UPSTREAM_BAD_RESPONSE', 'garbled', 1, true],
  ['JSON cut short', raw('{"items":[{"id":'), 'UPSTREAM_BAD_RESPONSE', 'notJson', 1, true],
  ['garbage called JSON', raw(Buffer.from([0, 255, 254, 7])), 'UPSTREAM_BAD_RESPONSE', 'notJson', 1, true],
  ['a page', raw('<html>sign in</html>', html), 'UPSTREAM_BAD_RESPONSE', 'notJson', 1, true],
  [
    'JSON called text',
    raw('{}', { 'content-type': 'text/plain' }),
    'UPSTREAM_BAD_RESPONSE',
    'notJson',
    1,
    true,
  ],
  [
    'an unknown coding',
    raw('{}', { 'content-type': 'application/json', 'content-encoding': 'br' }),
    'UPSTREAM_BAD_RESPONSE',
    'garbled',
    1,
    true,
  ],
  [
    'broken gzip',
    raw('not gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    'UPSTREAM_BAD_RESPONSE',
    'garbled',
    1,
    true,
  ],
  ['a body of 200 MB', huge(200), 'UPSTREAM_BAD_RESPONSE', 'tooLarge', 1, true],
  [
    'a body that says how large it is',
    raw('{}', { 'content-type': 'application/json', 'content-length': 1e12 }),
    'UPSTREAM_BAD_RESPONSE',
    'tooLarge',
    1,
    true,
  ],
  ['a gzip bomb', bomb(64), 'UPSTREAM_BAD_RESPONSE', 'tooLarge', 1, true],
  ['500', status(500), 'UPSTREAM_UNAVAILABLE', undefined, 1, false],
  ['502', status(502), 'UPSTREAM_UNAVAILABLE', undefined, 3, true],
  ['503', status(503), 'UPSTREAM_UNAVAILABLE', undefined, 3, false],
  ['504', status(504), 'UPSTREAM_TIMEOUT', undefined, 3, true],
  ['429 without a hint', status(429), 'RATE_LIMITED', undefined, 1, false],
  ['429 with a hint', status(429, { 'retry-after': '0' }), 'RATE_LIMITED', undefined, 3, false],
]

const tuning = { maxResponseBytes: 4 * 1024 * 1024, retryDelayMs: 1 }

/** Only if nothing else can end the call is its deadline short. */
const tuningFor = (script: Script) =>
  script === hang || script === drip ? { ...tuning, timeoutMs: 1500 } : tuning

test.each(faults)('%s fails a read', async (_, script, code, reason, reads) => {
  await using bench = await startBench(script, { tuning: tuningFor(script) })
  const error = await errorOf(bench.upstream.send(read(), testRequest()))
  expect(error.extensions).toMatchObject({ code, service: 'videos' })
  expect((error.extensions.upstream as { reason?: string }).reason).toBe(reason)
  expect(error.extensions).not.toHaveProperty('outcome')
  expect(bench.server.arrived).toHaveLength(reads)
  expect(bench.events).toMatchObject([{ outcome: 'failed', code, attempts: reads }])
  expect(bench.upstream.state()).toEqual({ breaker: 'closed', active: 0, waiting: 0 })
})

test.each(faults)('%s fails a write, which left once', async (_, script, code, reason, _reads, unknown) => {
  await using bench = await startBench(script, { tuning: tuningFor(script) })
  const error = await errorOf(bench.upstream.send(write(), testRequest()))
  expect(error.extensions).toMatchObject({ code, service: 'videos' })
  expect((error.extensions.upstream as { reason?: string }).reason).toBe(reason)
  expect(error.extensions.outcome).toBe(unknown ? 'unknown' : undefined)
  expect(error.message.includes('unknown')).toBe(unknown)
  expect(bench.server.arrived).toHaveLength(1)
  expect(bench.events).toMatchObject([{ outcome: 'failed', code, attempts: 1 }])
})

test('if no connection can be had, a write has not left and its outcome is known', async () => {
  await using bench = await startBench(undefined, { baseUrl: await deadUrl() })
  const error = await errorOf(bench.upstream.send(write(), testRequest()))
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'videos',
    upstream: { reason: 'connection' },
  })
  expect(bench.events).toMatchObject([{ outcome: 'failed', attempts: 0, units: 0 }])
})

test.each([
  ['a reset', reset],
  ['502', status(502)],
  ['503 that asks to wait', status(503, { 'retry-after': '0' })],
])('a read that met %s is answered by the next try', async (_, fault) => {
  await using bench = await startBench(inTurn(fault, fault, json({ ok: true })), { tuning })
  const answer = await bench.upstream.send(read('/x', { units: 1 }), testRequest())
  expect(answer.body).toEqual({ ok: true })
  expect(bench.events).toMatchObject([{ outcome: 'sent', attempts: 3, units: 3 }])
})

test('a failure is tried again if the service says so, and not if it says not', async () => {
  const failure = (retry: boolean) => (): Failure => ({ code: 'RATE_LIMITED', message: 'Slower.', retry })
  await using again = await startBench(inTurn(status(403), json({ ok: true })), {
    tuning,
    failure: failure(true),
  })
  expect((await again.upstream.send(read(), testRequest())).body).toEqual({ ok: true })
  await using never = await startBench(status(503), { tuning, failure: failure(false) })
  await errorOf(never.upstream.send(read(), testRequest()))
  expect(never.server.arrived).toHaveLength(1)
})

test('a read is not tried again if the service asks to wait past the deadline', async () => {
  await using bench = await startBench(status(503, { 'retry-after': '30' }))
  const error = await errorOf(bench.upstream.send(read(), testRequest()))
  expect(error.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 30 })
  expect(bench.server.arrived).toHaveLength(1)
})

test('the tuned number of retries is kept', async () => {
  await using none = await startBench(status(503), { tuning: { retries: 0 } })
  await errorOf(none.upstream.send(read(), testRequest()))
  expect(none.server.arrived).toHaveLength(1)
  await using four = await startBench(status(503), { tuning: { retries: 4, retryDelayMs: 1 } })
  await errorOf(four.upstream.send(read(), testRequest()))
  expect(four.server.arrived).toHaveLength(5)
})

test('a caller’s faults never open the breaker', async () => {
  await using bench = await startBench(status(404), { tuning: { breaker: { consecutive: 2 } } })
  for (let i = 0; i < 5; i++) await errorOf(bench.upstream.send(read(), testRequest()))
  expect(bench.upstream.state().breaker).toBe('closed')
})

test('a 5xx that the service’s reading lays at the caller’s door does not open it either', async () => {
  await using bench = await startBench(status(503), {
    tuning: { breaker: { consecutive: 2 } },
    failure: () => ({ code: 'UPSTREAM_TIMEOUT', message: 'The query takes too long.', retry: false }),
  })
  for (let i = 0; i < 5; i++) await errorOf(bench.upstream.send(read(), testRequest()))
  expect(bench.upstream.state().breaker).toBe('closed')
})

test('no secret, address or foreign text reaches a message, and no secret the log', async () => {
  const secret = 'sEcReT-token-0815'
  const echo: Script = (response, arrived) => {
    response.writeHead(403, { 'content-type': 'text/html' })
    response.end(`<b>refused</b> ${arrived.headers.authorization} at ${arrived.headers.host}`)
  }
  for (const script of [echo, reset, hang, raw('<b>foreign</b>', html), noise]) {
    await using bench = await startBench(script, {
      credential: { kind: 'bearer', token: secret },
      tuning: { timeoutMs: 200, retries: 0 },
    })
    const error = await errorOf(bench.upstream.send(read('/x?id=private'), testRequest()))
    const shown = JSON.stringify(error) + error.message
    expect(shown).not.toMatch(/127\.0\.0\.1|<b>|private|sEcReT/)
    expect(`${error.originalError?.message} ${error.originalError?.stack}`).not.toContain(secret)
  }
})
