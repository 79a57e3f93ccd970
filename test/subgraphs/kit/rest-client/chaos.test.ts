/** Any mixture of faults, cancellations and writes: what must hold whatever happens. */
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import {
  brokenChunks,
  drip,
  hang,
  inTurn,
  json,
  noise,
  raw,
  reset,
  type Script,
  shorter,
  startFaultyServer,
  status,
} from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { read, startBench, write } from '../../../support/upstream.ts'

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
process.on('unhandledRejection', note)
afterAll(() => {
  process.off('unhandledRejection', note)
})

const scripts: Record<string, Script> = {
  well: json({ ok: true }, 200, { etag: '"1"' }),
  missing: status(404),
  failing: status(500),
  busy: status(503, { 'retry-after': '0' }),
  page: raw('<html>'),
  hang,
  reset,
  drip,
  noise,
  shorter,
  brokenChunks,
}
/** The code of each fault; none if the call can only run into its deadline. */
const codeOf: Readonly<Record<string, string | undefined>> = {
  missing: 'NOT_FOUND',
  failing: 'UPSTREAM_UNAVAILABLE',
  busy: 'UPSTREAM_UNAVAILABLE',
  page: 'UPSTREAM_BAD_RESPONSE',
  reset: 'UPSTREAM_UNAVAILABLE',
  noise: 'UPSTREAM_BAD_RESPONSE',
  shorter: 'UPSTREAM_BAD_RESPONSE',
  brokenChunks: 'UPSTREAM_BAD_RESPONSE',
}
/** Reasons that any call may end by, whatever its fault: it waited too long, was cancelled, or was not sent. */
const general = new Set(['timeout', 'cancelled', 'breaker', 'full'])

const step = fc.record({
  kind: fc.constantFrom('read', 'cached', 'write'),
  fault: fc.constantFrom(...Object.keys(scripts)),
  /** Turns of the event loop before the client goes away; never if it is null. */
  cancelAfter: fc.option(fc.nat(6)),
})

test('every call ends as an answer or an honest error, no write leaves twice, and nothing is left over', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 30 }),
      async (steps, concurrency, queue) => {
        const byName: Script = (response, arrived, number, request) =>
          scripts[arrived.url.split('/')[1] ?? '']?.(response, arrived, number, request)
        await using bench = await startBench(byName, {
          tuning: { concurrency, queue, timeoutMs: 60, retryDelayMs: 1, cache: { freshMs: 1 } },
        })
        const ends = await Promise.all(
          steps.map(async ({ kind, fault, cancelAfter }, i) => {
            const request = testRequest()
            const path = kind === 'write' ? `/${fault}/${i}` : `/${fault}`
            const call = kind === 'write' ? write({ path }) : read(path, { cacheable: kind === 'cached' })
            const end = bench.upstream.send(call, request).then(
              ({ status: code }) => ({ answered: code }),
              (error) => ({ error }),
            )
            for (let turn = 0; turn < (cancelAfter ?? 0); turn++) {
              await new Promise((resolve) => setImmediate(resolve))
            }
            if (cancelAfter !== null) request.cancel()
            return { ...(await end), path, kind, calls: request.calls }
          }),
        )
        for (const end of ends) {
          const fault = end.path.split('/')[1] ?? ''
          if ('error' in end) {
            const { code, upstream = {} } = end.error.extensions
            if (!general.has(upstream.reason)) expect({ fault, code }).toEqual({ fault, code: codeOf[fault] })
          } else {
            expect({ fault, answered: end.answered }).toEqual({ fault: 'well', answered: 200 })
          }
          if (end.kind !== 'write') continue
          const arrived = bench.server.arrived.filter(({ url }) => url === end.path).length
          expect(arrived).toBeLessThanOrEqual(1)
          expect(end.calls).toHaveLength(1)
          // Refused calls are never sent.
          if ('error' in end && ['breaker', 'full'].includes(end.error.extensions.upstream?.reason))
            expect(arrived).toBe(0)
          // A write that arrived and was not answered as failed or done says that its outcome is unknown.
          if ('error' in end && arrived === 1 && end.error.extensions.upstream.status === undefined) {
            expect(end.error.extensions.outcome).toBe('unknown')
          }
        }
        // Shared calls may outlive the last of their callers by a moment.
        await bench.upstream.close()
        expect(bench.upstream.state()).toMatchObject({ active: 0, waiting: 0 })
        await expect.poll(() => bench.server.sockets.size).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
  expect(unhandled).toEqual([])
})

test('many calls in a row leave no listener on a request that lives on', async () => {
  await using server = await startFaultyServer(inTurn(json({}), status(503), json({})))
  await using bench = await startBench(undefined, {
    baseUrl: server.url,
    tuning: { retryDelayMs: 1, concurrency: 2, cache: { freshMs: 0 } },
  })
  let listeners = 0
  const inner = testRequest()
  const request = Object.assign(Object.create(inner), {
    onCancel(listener: () => void) {
      listeners += 1
      const stop = inner.onCancel(listener)
      return () => {
        listeners -= 1
        stop()
      }
    },
  })
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      bench.upstream.send(read(`/${i % 7}`, { cacheable: i % 2 === 0 }), request),
    ),
  )
  expect(listeners).toBe(0)
})
