/** The memory of shared fetches is bounded. Beyond the bounds each request sends its own fetch. */
import { expect, test } from 'vitest'
import { noteChange } from '../../../../engine/change-count.ts'
import { createInFlightFetches, headerPart } from '../../../../engine/subgraphs/http/in-flight.ts'
import type { HttpResult } from '../../../../shared/http/dispatch-request.ts'
import { testGatewayRequest } from '../../../support/federation.ts'

const answer: HttpResult = {
  loss: undefined,
  wasSent: true,
  status: 200,
  headers: {},
  body: Buffer.from('{}'),
  cause: undefined,
}

/** Asks for these keys in a row, while nothing is answered; tells how many were sent. */
async function sentFor(keys: readonly string[]): Promise<number> {
  const inFlight = createInFlightFetches()
  const { promise, resolve } = Promise.withResolvers<HttpResult>()
  let sent = 0
  const send = (): Promise<HttpResult> => {
    sent += 1
    return promise
  }
  const waiting = keys.map((key) => {
    const request = testGatewayRequest()
    return inFlight(key, request, request.deadline, send)
  })
  resolve(answer)
  expect(await Promise.all(waiting)).toEqual(keys.map(() => answer))
  return sent
}

test('equal fetches are sent once, within bounds on their number, length and waiting requests', async () => {
  expect(await sentFor(['a', 'a', 'b', 'a', 'b'])).toBe(2)
  const many = Array.from({ length: 1000 }, (_, index) => String(index))
  expect(await sentFor([...many, 'a', ...many, 'a'])).toBe(1002)
  const long = 'a'.repeat(65_537)
  expect(await sentFor([long, long, 'b', 'b'])).toBe(3)
  // One leads, 10,000 wait, the next one leads again, and the last one joins that.
  expect(await sentFor(new Array(10_003).fill('a'))).toBe(2)
})

test('a failed fetch fails for all who waited, and the next one is sent again', async () => {
  const inFlight = createInFlightFetches()
  const { promise, reject } = Promise.withResolvers<HttpResult>()
  const ask = (send: () => Promise<HttpResult>): Promise<HttpResult> => {
    const request = testGatewayRequest()
    return inFlight('a', request, request.deadline, send)
  }
  const waiting = [ask(() => promise), ask(() => promise)]
  reject(new Error('no headers'))
  for (const each of waiting) await expect(each).rejects.toThrow('no headers')
  expect(await ask(async () => answer)).toEqual(answer)
})

test('a fetch joins none that began before its caller changed something, and every later one', async () => {
  const inFlight = createInFlightFetches()
  const { promise, resolve } = Promise.withResolvers<HttpResult>()
  let sent = 0
  const ask = (notBefore: number): Promise<HttpResult> => {
    const request = testGatewayRequest()
    request.notBefore = notBefore
    return inFlight('a', request, request.deadline, () => {
      sent += 1
      return promise
    })
  }
  const waiting = [ask(0)]
  const changed = noteChange()
  waiting.push(ask(changed))
  expect(sent).toBe(2)
  waiting.push(ask(changed), ask(0))
  expect(sent).toBe(2)
  waiting.push(ask(Number.POSITIVE_INFINITY))
  expect(sent).toBe(3)
  resolve(answer)
  await Promise.all(waiting)
})

test('no header, an empty one and any other are different parts of a key', () => {
  const values = [undefined, '', '-', '=', 'a']
  const keys = values.flatMap((one) => values.map((other) => headerPart(one) + headerPart(other)))
  expect(new Set(keys).size).toBe(keys.length)
})
