/**
 * Ranges and alerts in two processes that know different things: what one passes on, and what the other one sends.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { eventually, type Subscription, subscribeTo } from '../../support/live.ts'
import { type ScriptedStore, scriptedStore, settled } from '../../support/scripted-store.ts'
import { metricsSubgraph, startAnswering } from './kit.ts'

interface Process {
  readonly store: ScriptedStore
  readonly subgraph: Subgraph
}

/** What the service answers for a path. */
let answers: Awaited<ReturnType<typeof startAnswering>>['answers']
let processes: readonly [leader: Process, follower: Process]
let close: () => Promise<void>
beforeEach(async () => {
  const service = await startAnswering()
  answers = service.answers
  const one = (): Process => {
    const store = scriptedStore()
    const live = { store: store.place.host.store, clock: store.clock }
    return { store, subgraph: metricsSubgraph(service.url, { interval: '5s', live }) }
  }
  processes = [one(), one()]
  close = async () => {
    for (const { subgraph } of processes) await subgraph.close()
    await service[Symbol.asyncDispose]()
  }
})
afterEach(() => close())

/** Both watch the same, and the first one polls. */
async function watch(operation: string): Promise<readonly [Subscription, Subscription]> {
  const watched: Subscription[] = []
  for (const { store, subgraph } of processes) {
    const watching = await subscribeTo(subgraph, operation)
    watching.read()
    watched.push(watching)
    store.member.lead(store === processes[0].store)
  }
  return watched as unknown as readonly [Subscription, Subscription]
}

/** Lets the leader's time pass until it has handed on so many messages. */
const handedOn = (count: number): Promise<void> =>
  eventually(() => {
    const [{ store }] = processes
    if (store.sent.length >= count) return true
    store.clock.pass(1000)
    return false
  }, `${count} messages`)

test('of a range the steps with a lost message are passed on again, and no step is sent twice', async () => {
  answers['/api/v1/query_range'] = (query) => {
    const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(query.get(name)))
    const values: unknown[] = []
    for (let time = start ?? 0; time <= (end ?? 0); time += step ?? 1) values.push([time, String(time)])
    return { resultType: 'matrix', result: [{ metric: { job: 'a' }, values }] }
  }
  const [, watching] = await watch(
    'subscription { metricsRange(query: "up", window: "10s", step: "5s") { start end gap series { samples { time } } } }',
  )
  await watching.until(1)
  const [leader, follower] = processes
  // Two steps, of which the follower hears the first one.
  await handedOn(2)
  follower.store.member.hear(leader.store.sent[0]?.message, false)
  leader.store.member.renew()
  await handedOn(3)
  const [, , whole] = leader.store.sent
  expect(whole?.whole).toBe(true)
  for (let time = 0; time < 2; time++) follower.store.member.hear(whole?.message, false)
  await watching.until(3)
  await settled()
  const ranges = watching.seen.map(({ data }) => data.metricsRange)
  expect(ranges.map(({ gap }) => gap)).toEqual([false, false, false])
  const times = ranges.flatMap(({ series }) =>
    series[0].samples.map(({ time }: { time: unknown }) => Number(time)),
  )
  expect(times).toEqual(Array.from({ length: 5 }, (_, at) => (times[0] ?? 0) + at * 5))
})

test('of alerts all that fire are passed on', async () => {
  const alert = (name: string) => ({
    labels: { alertname: name },
    annotations: {},
    state: 'firing',
    activeAt: '2026-11-22T12:00:00Z',
    value: '1',
  })
  let firing = ['a']
  answers['/api/v1/rules'] = () => ({ groups: [] })
  answers['/api/v1/alerts'] = () => ({ alerts: firing.map(alert) })
  const [, watching] = await watch('subscription { alertChanged { change alert { labels { name value } } } }')
  const [leader, follower] = processes
  await handedOn(1)
  follower.store.member.hear(leader.store.sent[0]?.message, false)
  await watching.until(1)
  firing = ['b']
  await handedOn(2)
  // It is unchanged for the leader, which tried to pass it on.
  leader.store.member.renew()
  await handedOn(3)
  follower.store.member.hear(leader.store.sent[2]?.message, false)
  follower.store.member.hear(leader.store.sent[0]?.message, true)
  await watching.until(3)
  await settled()
  expect(
    watching.seen.map(({ data }) => [data.alertChanged.change, data.alertChanged.alert.labels[0].value]),
  ).toEqual([
    ['FIRING', 'a'],
    ['RESOLVED', 'a'],
    ['FIRING', 'b'],
  ])
})
