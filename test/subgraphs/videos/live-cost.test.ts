/** Subscriptions to videos and comments, over the sandbox: what they cost the service, and who pays. */
import { describe, expect, test } from 'vitest'
import type { QuotaState } from '../../../shared/quota.ts'
import { eventually, subscribeTo } from '../../support/live.ts'
import { testRequest } from '../../support/request.ts'
import { unlimited } from './kit.ts'
import {
  calls,
  clock,
  first,
  polled,
  prepareEachTest,
  restart,
  sandbox,
  setQuota,
  subgraph,
  watch,
} from './watched.ts'

prepareEachTest()

describe('the budget', () => {
  const limited = (remaining: number): QuotaState => ({
    ...unlimited,
    limit: 10_000,
    used: 10_000 - remaining,
    remaining,
  })

  test('makes the interval longer than the requested one, and tells it', async () => {
    // Half of 960 units over 20 hours: one in 150 seconds.
    setQuota(limited(960))
    const watching = await watch([first])
    watching.read()
    await polled(50)
    const [event] = await watching.until(1)
    expect(event?.extensions.live.intervalSeconds).toBe(150)
    expect(event?.extensions.live.unitsPerHour).toBe(24)
    const before = calls()
    clock.pass(140_000)
    expect(calls()).toBe(before)
    await polled(20_000)
  })

  test('tells the price by which it admitted the subscription', async () => {
    // Half of 8500 units over 20 hours: 212.5 an hour, with an interval of 16.94 seconds.
    setQuota(limited(8500))
    const operation = `subscription { videoChanged(videoIds: ["${first}"]) { videoId } }`
    const watching = await subscribeTo(subgraph, operation, {}, testRequest({ 'tessera-max-units': '213' }))
    watching.read()
    await polled(50)
    const [event] = await watching.until(1)
    expect(event?.extensions.live).toMatchObject({ intervalSeconds: 16.9, unitsPerHour: 213 })
  })

  test('refuses a subscription that it cannot carry, before any call', async () => {
    setQuota(limited(20))
    await expect(watch([first])).rejects.toMatchObject({
      extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE' },
    })
    setQuota(limited(1))
    await expect(watch([first])).rejects.toMatchObject({ extensions: { code: 'QUOTA_EXCEEDED' } })
    expect(calls()).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  test('refuses what costs more an hour than the caller wants to pay', async () => {
    const request = testRequest({ 'tessera-max-units': '100' })
    const operation = `subscription { videoChanged(videoIds: ["${first}"]) { videoId } }`
    await expect(subscribeTo(subgraph, operation, {}, request)).rejects.toMatchObject({
      extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', live: { unitsPerHour: 240 } },
    })
  })

  test('stops with a reason when the units run out', async () => {
    setQuota(limited(9000))
    const watching = await watch([first])
    watching.read()
    await polled(50)
    await watching.until(1)
    setQuota(limited(0))
    const before = calls()
    clock.pass(3_600_000)
    await eventually(() => watching.ended !== undefined)
    expect(watching.ended).toMatchObject({ extensions: { code: 'QUOTA_EXCEEDED' } })
    expect(calls()).toBe(before)
    expect(clock.waiting).toBe(0)
  })

  test('is divided among pollers by what they cost', async () => {
    setQuota(limited(960))
    const watching = await watch([first])
    watching.read()
    const comments = await subscribeTo(
      subgraph,
      `subscription { commentThreadAdded(videoId: "${first}") { gap } }`,
    )
    comments.read()
    await polled(50)
    // Two pollers of a unit each, for one unit in 150 seconds.
    const before = sandbox.ledger.units
    for (let at = 0; at < 3000; at += 10) {
      clock.pass(10_000)
      await eventually(() => clock.waiting === 2, 'both have planned their next poll')
    }
    const spent = sandbox.ledger.units - before
    expect(spent).toBeGreaterThan(14)
    expect(spent).toBeLessThanOrEqual(22)
  })
})

describe('mediaQuotaChanged', () => {
  test('sends the units when they changed, without a call', async () => {
    setQuota({ ...unlimited, limit: 100, used: 1, remaining: 99 })
    const watching = await subscribeTo(subgraph, 'subscription { mediaQuotaChanged { used remaining } }')
    watching.read()
    clock.pass(50)
    await watching.until(1)
    await eventually(() => clock.waiting > 0)
    setQuota({ ...unlimited, limit: 100, used: 40, remaining: 60 })
    clock.pass(5000)
    await watching.until(2)
    expect(watching.seen.map(({ data }) => data.mediaQuotaChanged)).toEqual([
      { used: 1, remaining: 99 },
      { used: 40, remaining: 60 },
    ])
    expect(sandbox.journal).toEqual([])
  })
})

describe('the cost', () => {
  test.each([1, 100, 10_000])('of 120 videos is the same with %i subscribers', async (subscribers) => {
    await restart({ sandbox: { synthetic: true } })
    const ids = Array.from({ length: 120 }, (_, i) => `syn${String(i).padStart(8, '0')}`)
    const all = await Promise.all(Array.from({ length: subscribers }, () => watch(ids)))
    await polled(50, 'videos.list', 3)
    const events = await Promise.all(all.map((each) => each.next()))
    expect(new Set(events.map(({ data }) => data.videoChanged.videoId))).toEqual(new Set([ids[0]]))
    for (let poll = 0; poll < 3; poll++) await polled(60_000, 'videos.list', 3)
    expect(calls()).toBe(12)
    expect(sandbox.ledger).toEqual({ units: 12, calls: { 'videos.list': 12 } })
    await Promise.all(all.map((each) => each.close()))
    expect(clock.waiting).toBe(0)
  })

  test('of a service that hangs is one call at a time, and other pollers do not wait', async () => {
    // Long enough for the calls that are answered, also on a busy machine.
    await restart({ tuning: { timeoutMs: 4000, retries: 0 } })
    const watching = await watch([first])
    const comments = await subscribeTo(
      subgraph,
      `subscription { commentThreadAdded(videoId: "${first}") { gap } }`,
    )
    watching.read()
    comments.read()
    await polled(50)
    await watching.until(1)
    await eventually(() => clock.waiting === 2)
    sandbox.fail({ kind: 'hang', service: 'videos', operation: 'videos.list', times: 1 })
    sandbox.change('videos', { videoId: first, comment: 'meanwhile' })
    clock.pass(20_000)
    clock.pass(60_000)
    await comments.until(1)
    expect(calls()).toBe(2)
    await eventually(() => clock.waiting === 2)
    sandbox.change('videos', { videoId: first, statistics: { viewCount: '11' } })
    await polled(120_000)
    await watching.until(2)
    expect(watching.ended).toBeUndefined()
  })
})
