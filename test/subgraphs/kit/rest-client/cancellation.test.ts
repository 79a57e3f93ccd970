/** Deadlines, cancellation, the queue, and an end that leaves nothing behind. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hang, json, startFaultyServer, startSilence, status } from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { errorOf, read, startBench, write } from '../../../support/upstream.ts'

test.each([
  ['the client’s tuning', { timeoutMs: 1500 }, {}, 60_000],
  ['the call', { timeoutMs: 60_000 }, { timeoutMs: 1500 }, 60_000],
  ['the request', { timeoutMs: 60_000 }, {}, 1500],
])('a call ends by the deadline of %s', async (_, tuning, call, timeoutMs) => {
  await using bench = await startBench(hang, { tuning })
  const error = await errorOf(bench.upstream.send(read('/x', call), testRequest({}, { timeoutMs })))
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_TIMEOUT',
    service: 'videos',
    upstream: { reason: 'timeout' },
  })
  await bench.server.aborted
})

test('a request that is cancelled already sends nothing', async () => {
  await using bench = await startBench()
  const request = testRequest({}, { timeoutMs: 60_000 })
  request.cancel()
  await errorOf(bench.upstream.send(write(), request))
  expect(bench.server.arrived).toEqual([])
  expect(bench.events).toMatchObject([{ outcome: 'failed', units: 0, attempts: 0 }])
})

test('when the client goes away its call is cancelled, and the service sees that', async () => {
  await using bench = await startBench(hang)
  const request = testRequest()
  const error = errorOf(bench.upstream.send(read(), request))
  await bench.server.reached(1)
  request.cancel()
  expect((await error).extensions).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    upstream: { reason: 'cancelled' },
  })
  await bench.server.aborted
})

test('a write that was given up before a connection stood never leaves, and its outcome is known', async () => {
  // The handshake of TLS is never answered.
  await using silent = await startSilence()
  await using bench = await startBench(undefined, { baseUrl: silent.url.replace('http:', 'https:') })
  const request = testRequest()
  const error = errorOf(bench.upstream.send(write(), request))
  await silent.connected
  request.cancel()
  expect((await error).extensions).not.toHaveProperty('outcome')
  expect(bench.events).toMatchObject([{ attempts: 0, units: 0 }])
})

test('a write that was cancelled on its way says that its outcome is unknown', async () => {
  await using bench = await startBench(hang)
  const request = testRequest()
  const error = errorOf(bench.upstream.send(write(), request))
  await bench.server.reached(1)
  request.cancel()
  expect((await error).extensions.outcome).toBe('unknown')
})

test('cancelled calls do not open the breaker', async () => {
  await using bench = await startBench(hang, { tuning: { breaker: { consecutive: 1 } } })
  for (let i = 0; i < 3; i++) {
    const request = testRequest()
    const error = errorOf(bench.upstream.send(read(), request))
    await bench.server.reached(i + 1)
    request.cancel()
    await error
  }
  expect(bench.upstream.state().breaker).toBe('closed')
})

test('a timeout that was mostly the caller’s haste does not open the breaker, a full one does', async () => {
  await using bench = await startBench(hang, { tuning: { timeoutMs: 1500, breaker: { consecutive: 1 } } })
  await errorOf(bench.upstream.send(read(), testRequest({}, { timeoutMs: 20 })))
  expect(bench.upstream.state().breaker).toBe('closed')
  await errorOf(bench.upstream.send(read(), testRequest()))
  expect(bench.upstream.state().breaker).toBe('open')
})

test('waiting for a turn ends by the deadline, and what waited never leaves', async () => {
  await using bench = await startBench(hang, { tuning: { concurrency: 1 } })
  const first = testRequest()
  const firstError = errorOf(bench.upstream.send(read('/first'), first))
  const error = await errorOf(bench.upstream.send(write(), testRequest({}, { timeoutMs: 20 })))
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_TIMEOUT',
    service: 'videos',
    upstream: { reason: 'timeout' },
  })
  await bench.server.reached(1)
  first.cancel()
  await firstError
  expect(bench.server.arrived.map(({ url }) => url)).toEqual(['/first'])
})

test('closing refuses new calls, lets those that run finish, and leaves no socket', async () => {
  let answer: () => void = () => {}
  await using bench = await startBench((response, arrived, number, request) => {
    answer = () => void json({ done: true })(response, arrived, number, request)
  })
  const running = bench.upstream.send(read(), testRequest())
  await bench.server.reached(1)
  const closing = bench.upstream.close()
  expect((await errorOf(bench.upstream.send(read(), testRequest()))).extensions.code).toBe('SERVICE_STOPPING')
  answer()
  expect((await running).body).toEqual({ done: true })
  await closing
  await expect.poll(() => bench.server.sockets.size).toBe(0)
  expect(bench.server.arrived).toHaveLength(1)
})

test('a process that used it in every way ends by itself as soon as it is closed', async () => {
  await using server = await startFaultyServer((response, arrived, number, request) =>
    (arrived.url === '/hang' ? hang : status(Number(arrived.url.slice(1))))(
      response,
      arrived,
      number,
      request,
    ),
  )
  const script = fileURLToPath(new URL('./leftovers.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, server.url])
  const { ends, left } = JSON.parse(stdout)
  expect(ends).toEqual({
    '/200': 'answered',
    '/404': 'NOT_FOUND',
    '/503': 'UPSTREAM_UNAVAILABLE',
    '/hang': 'UPSTREAM_TIMEOUT',
    cancelled: 'UPSTREAM_TIMEOUT',
  })
  expect(left.filter((kind: string) => kind === 'Timeout' || kind.startsWith('TCP'))).toEqual([])
})
