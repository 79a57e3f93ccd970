/** Quota, estimates, bytes and traces count incremental responses correctly, also if the server stops. */
import { beforeEach, expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { until } from '../../support/router.ts'
import { startScripted } from '../../support/scripted-service.ts'
import type { Payload } from './kit.ts'
import { paged, startPages } from './pages.ts'

const collector = keepForFile(await startScripted({ body: {} }))
const pages = keepForFile(
  await startPages({
    TESSERA_QUOTA_DAILY: '1000',
    TESSERA_MAX_RESPONSE_BYTES: '10000',
    TESSERA_TRACES_URL: `${collector.url}/v1/traces`,
  }),
)
beforeEach(() => pages.reset())

/** The day's units that are left, as another caller sees them. */
async function remaining(): Promise<number> {
  const { text } = await pages.graph.ask('{ __typename }', {}, { headers: { 'tessera-quota': '1' } })
  return (JSON.parse(text) as { extensions: { quota: { remaining: number } } }).extensions.quota.remaining
}

test('deferred parts are priced with the rest', async () => {
  const { extensions } = await pages.graph.ask(paged, {}, { headers: { 'tessera-explain': '1' } })
  expect(extensions?.explain).toMatchObject({ units: 3, calls: { videos: 3 } })
  const deferred = '{ ... @defer { chartVideos(chart: MOST_POPULAR, first: 60) { nodes { videoId } } } }'
  const also = await pages.graph.ask(deferred, {}, { headers: { 'tessera-explain': '1' } })
  expect(also.extensions?.explain).toMatchObject({ units: 2 })
  expect(pages.service.arrived).toEqual([])
})

test('an operation over the limit of units or calls is refused as the plain one is, and nothing is called', async () => {
  const plain = paged.replace(/ @(defer|stream)\([^)]*\)/g, '')
  const { extensions } = await pages.graph.ask(plain, {}, { headers: { 'tessera-explain': '1' } })
  const also = await pages.graph.ask(paged, {}, { headers: { 'tessera-explain': '1' } })
  expect(also.extensions?.explain).toEqual(extensions?.explain)
  for (const [env, code] of [
    [{ TESSERA_QUOTA_DAILY: '2' }, 'QUOTA_EXCEEDED'],
    [{ TESSERA_MAX_CALLS: '2' }, 'COST_ESTIMATED_TOO_EXPENSIVE'],
  ] as const) {
    await using few = await startPages(env)
    const refused = await few.graph.ask(plain)
    expect(refused.errors?.[0]?.extensions?.code).toBe(code)
    await using answer = await few.open(paged)
    const all = await answer.rest()
    expect(all).toHaveLength(1)
    expect(all[0].errors).toMatchObject([{ message: refused.errors?.[0]?.message, extensions: { code } }])
    expect(few.service.arrived).toEqual([])
  }
})

test('units are reserved as a whole; what is not spent is released when the client goes, and what is, is booked', async () => {
  const before = await remaining()
  {
    await using answer = await pages.open(paged)
    await answer.next()
    await until(() => pages.isAsked('p50'), 'the second page is asked for')
    expect(await remaining()).toBe(before - 3)
  }
  // The call that was under way has cost its unit all the same; the third one was not made.
  await until(async () => (await remaining()) !== before - 3, 'the operation is over')
  expect(await remaining()).toBe(before - 2)
  expect(pages.tokens()).toEqual([undefined, 'p50'])
})

test('all payloads together have no more bytes than a response may have', async () => {
  pages.isHeld = false
  await using answer = await pages.open(paged)
  const all = await answer.rest()
  const last = all.at(-1)
  expect(last.hasNext).toBe(false)
  const lost = all
    .flatMap((each) => each.completed ?? [])
    .filter((each: Payload) => each.errors !== undefined)
  expect(lost.length).toBeGreaterThan(0)
  for (const { errors } of lost) expect(errors[0].extensions.code).toBe('RESPONSE_TOO_LARGE')
  expect(JSON.stringify(all).length).toBeLessThan(12_000)
})

interface Span {
  readonly name: string
  readonly endTimeUnixNano: string
}

test('the span of the operation ends with its last payload, and both durations are measured', async () => {
  collector.arrived.length = 0
  const text = 'query Traced { chartVideos(chart: MOST_POPULAR, first: 60) { nodes @stream { videoId } } }'
  await using answer = await pages.open(text)
  await answer.next()
  await pages.release('p50')
  await answer.rest()
  const spans = (): readonly Span[] =>
    collector.arrived
      .flatMap(({ body }) => body.resourceSpans ?? [])
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
  await until(() => spans().some(({ name }) => name === 'query Traced'), 'the span is sent')
  const ends = (of: string): bigint[] =>
    spans().flatMap(({ name, endTimeUnixNano }) => (name === of ? [BigInt(endTimeUnixNano)] : []))
  const [whole = 0n] = ends('query Traced')
  const calls = ends('videos.list')
  expect(calls.length).toBeGreaterThanOrEqual(2)
  for (const call of calls) expect(whole >= call).toBe(true)
  const metrics = await (await fetch(new URL('/metrics', pages.graph.url))).text()
  expect(metrics).toMatch(/^tessera_first_part_duration_seconds_count [1-9]/m)
  expect(metrics).toMatch(/^tessera_request_duration_seconds_count\{operation="Traced",status="200"\} 1$/m)
})

// The last one: the server is gone after it.
test('a server that stops sends the outstanding payloads', async () => {
  const text = '{ chartVideos(chart: MOST_POPULAR, first: 60) { nodes @stream { videoId } } }'
  await using answer = await pages.open(text)
  await answer.next()
  await until(() => pages.isAsked('p50'), 'the second page is asked for')
  const stopped = pages.graph.gateway.stop()
  await pages.release('p50')
  const rest = await answer.rest()
  expect(rest.flatMap((each) => each.incremental ?? []).flatMap(({ items }) => items)).toHaveLength(60)
  expect(rest.at(-1)?.hasNext).toBe(false)
  await stopped
})
