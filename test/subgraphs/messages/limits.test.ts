/** Limits of the service and their error codes: the rate limit, the cap of the plan, and the credit. */
import { describe, expect, test } from 'vitest'
import { messagesOver, problem } from './kit.ts'

const now = Date.parse('2026-11-20T12:00:00.250Z')
const seconds = (after: number): string => String(Math.floor(now / 1000) + after)
const operation = '{ message(messageId: "1") { text } }'

async function ask(status: number, body: unknown, headers: Record<string, string> = {}) {
  await using messages = await messagesOver(
    { status, body, headers: { date: new Date(now).toUTCString(), ...headers } },
    // The clock of the gateway is behind that of the service.
    { now: () => now - 3_600_000, tuning: { timeoutMs: 2000 } },
  )
  const { errors } = await messages.run(operation)
  return { extensions: errors[0]?.extensions, message: errors[0]?.message, calls: messages.arrived.length }
}

describe('a limit', () => {
  test('of the window says how long to wait, from an absolute time in seconds', async () => {
    const { extensions, calls } = await ask(
      429,
      problem('about:blank', { type: 'about:blank', title: 'Too Many Requests' }),
      { 'x-rate-limit-reset': seconds(840) },
    )
    expect(extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 840, upstream: { status: 429 } })
    expect(calls).toBe(1)
  })

  test('that has passed already is no time to wait', async () => {
    const { extensions } = await ask(429, {}, { 'x-rate-limit-reset': seconds(-5) })
    expect(extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 0 })
  })

  test('of the day counts if it is the one that is used up', async () => {
    const { extensions } = await ask(429, problem('rate-limit-exceeded'), {
      'x-rate-limit-reset': seconds(60),
      'x-user-limit-24hour-remaining': '0',
      'x-user-limit-24hour-reset': seconds(7200),
    })
    expect(extensions).toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfter: 7200 })
  })

  test('in the older shape is understood', async () => {
    const { extensions } = await ask(
      429,
      { errors: [{ code: 88, message: 'Rate limit exceeded' }] },
      { 'x-rate-limit-reset': seconds(10) },
    )
    expect(extensions).toMatchObject({ code: 'RATE_LIMITED', upstream: { reason: 'rate-limit-exceeded' } })
  })

  test('in a list of problems without the outer one is understood', async () => {
    const { extensions } = await ask(429, { errors: [problem('usage-capped')] })
    expect(extensions).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  test.for([
    [429, problem('usage-capped', { title: 'UsageCapExceeded', period: 'Monthly' })],
    [402, problem('credits', { title: 'CreditsDepleted' })],
    [402, problem('credits-depleted')],
    [402, {}],
    [
      403,
      problem('about:blank', { type: 'about:blank', title: 'SpendCapReached', reset_date: '2026-12-01' }),
    ],
  ] as [number, unknown][])(
    'of the plan or the money (%d) is another thing, and is not tried again',
    async ([status, body]) => {
      const { extensions, calls } = await ask(status, body, {
        'x-rate-limit-reset': seconds(1),
        'x-rate-limit-remaining': '900',
      })
      expect(extensions).toMatchObject({ code: 'QUOTA_EXCEEDED', service: 'messages', upstream: { status } })
      expect(extensions?.retryAfter).toBeUndefined()
      expect(calls).toBe(1)
    },
  )
})

describe('a refused request', () => {
  test("is explained in the service's own words, without addresses", async () => {
    const body = problem('invalid-request', {
      errors: [
        { message: 'The `expansions` value [x] is not valid, see https://docs.example/x', parameters: {} },
      ],
    })
    const { extensions, message } = await ask(400, body)
    expect(extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      upstream: { status: 400, reason: 'invalid-request' },
    })
    expect(message).toBe('The short-message service answered: The `expansions` value [x] is not valid, see …')
  })

  test('of an app that may not is FORBIDDEN, from either host', async () => {
    const { extensions } = await ask(403, {
      type: 'https://api.twitter.com/2/problems/client-forbidden',
      reason: 'client-not-enrolled',
    })
    expect(extensions).toMatchObject({ code: 'FORBIDDEN', upstream: { reason: 'client-not-enrolled' } })
  })

  test('is read the same if its JSON is called plain text', async () => {
    const plain = { 'content-type': 'text/plain; charset=utf-8' }
    expect((await ask(404, problem('resource-not-found'), plain)).extensions).toBeUndefined()
    const body = problem('invalid-request', { errors: [{ message: 'The `ids` are wrong.' }] })
    expect(await ask(400, body, plain)).toEqual(await ask(400, body))
    expect((await ask(400, { unknown: 'words' }, plain)).message).not.toContain('words')
  })

  test('with a body that is no problem is judged by its status', async () => {
    expect((await ask(403, ['what'])).extensions).toMatchObject({ code: 'FORBIDDEN' })
    expect((await ask(409, problem('conflict'))).extensions).toMatchObject({ code: 'CONFLICT' })
  })
})
