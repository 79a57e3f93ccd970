import { buildConnector, Pool } from 'undici'
import { expect, test } from 'vitest'
import type { Cancellation } from '../../../shared/http/cancellation.ts'
import { createHttpClient } from '../../../shared/http/client.ts'
import { dispatchRequest, type HttpResult } from '../../../shared/http/dispatch-request.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { testRequest } from '../../support/request.ts'

const sending = (path: string) => ({ method: 'POST', path, headers: [], body: '{}', maxBytes: 1000 }) as const
const inTime = (): number => performance.now() + 60_000

const exchange = (
  pool: Pool,
  path: string,
  request: Cancellation,
  deadline = inTime(),
): Promise<HttpResult> =>
  new Promise((resolve) => {
    dispatchRequest(pool, sending(path), deadline, request, resolve)
  })

test('a request that was given up while its connection was being opened does not leave later', async () => {
  await using server = await startFaultyServer()
  const connect = buildConnector({})
  const knocked = Promise.withResolvers<() => void>()
  let knocks = 0
  const pool = new Pool(server.url, {
    connections: 1,
    connect(options, callback) {
      knocks += 1
      if (knocks === 1) knocked.resolve(() => connect(options, callback))
      else connect(options, callback)
    },
  })
  const request = testRequest()
  const givenUp = exchange(pool, '/given-up', request)
  const open = await knocked.promise
  request.cancel()
  expect(await givenUp).toMatchObject({ loss: 'cancelled', wasSent: false })
  const next = exchange(pool, '/next', testRequest())
  open()
  expect(await next).toMatchObject({ loss: undefined, wasSent: true, status: 200 })
  expect(server.arrived.map(({ url }) => url)).toEqual(['/next'])
  await pool.destroy()
})

test('a cancelled request does not even open a connection', async () => {
  await using server = await startFaultyServer()
  const client = createHttpClient(server.url, { connections: 1, connectTimeoutMs: 5000 })
  const request = testRequest()
  request.cancel()
  expect(await client.send(sending('/x'), inTime(), request)).toMatchObject({
    loss: 'cancelled',
    wasSent: false,
  })
  expect(server.sockets.size).toBe(0)
  await client.close()
})

test('a stopped process that continues does not send what it finds before its timers do', async () => {
  await using server = await startFaultyServer()
  const pool = new Pool(server.url)
  try {
    // One connection is made while nothing else runs, as when the process is stopped meanwhile.
    const connected = new Promise<void>((resolve) => pool.once('connect', () => resolve()))
    const deadline = performance.now() + 50
    const end = exchange(pool, '/late', testRequest(), deadline)
    pool.once('connect', () => {
      while (performance.now() <= deadline + 1000);
    })
    await connected
    expect(await end).toMatchObject({ loss: 'timeout', wasSent: false })
    expect(server.arrived).toEqual([])
  } finally {
    await pool.destroy()
  }
})
