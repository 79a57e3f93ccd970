/** The rules of the queue, in simulated time. */
import { expect, test } from 'vitest'
import { mostHeld } from '../../../gateway/overload/gate.ts'
import {
  arrivals,
  type Costs,
  capacityOf,
  clients,
  type Outcome,
  simulate,
  usualCosts,
} from './simulated-loop.ts'

const targetMs = 500
const capacity = capacityOf(usualCosts)

const refusedOf = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'refused')
const answeredOf = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'answered')
const slowest = (outcomes: readonly Outcome[], share = 1): number =>
  outcomes
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
    .at(Math.ceil(outcomes.length * share) - 1) ?? 0
/** From a quiet second into so much more than can be answered, and back after five. */
const overload = (factor: number, costs: Costs = usualCosts) => [
  ...arrivals(capacityOf(costs) / 2, 0, 1000),
  ...arrivals(capacityOf(costs) * factor, 1000, 6000),
  ...arrivals(capacityOf(costs) / 2, 6000, 9000),
]
const during = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ request }) => request.at >= 1000 && request.at < 6000)

test('requests that the loop can answer begin immediately', () => {
  const { outcomes, changes } = simulate(arrivals(capacity * 0.8, 0, 5000), { targetMs, untilMs: 10_000 })
  expect(changes).toEqual([])
  expect(slowest(outcomes)).toBeLessThan(20)
})

test.each<[string, Costs]>([
  ['most of which is work after the services have answered', usualCosts],
  ['that wait for services', { ...usualCosts, service: 100 }],
  ['that take long', { ...usualCosts, finish: 6 }],
  ['that take long and wait for services', { ...usualCosts, finish: 6, service: 30 }],
  ['that take long as soon as they begin', { ...usualCosts, begin: 6, finish: 0.5 }],
])('at three times what can be answered, of requests %s, the loop continues to answer', (_what, costs) => {
  const { outcomes } = simulate(overload(3, costs), { targetMs, costs, untilMs: 60_000 })
  const these = during(outcomes)
  const refused = refusedOf(these)
  const left = 5000 - refused.length * (costs.read + costs.refuse)
  const well = answeredOf(these).filter(({ ms }) => ms < 1000)
  expect(well.length).toBeGreaterThan((0.8 * left * capacityOf(costs)) / 1000)
  expect(slowest(refused, 0.99)).toBeLessThan(50)
  const after = outcomes.filter(({ request }) => request.at >= 7000)
  expect(refusedOf(after)).toEqual([])
  expect(slowest(after)).toBeLessThan(costs.service + 100)
})

test('requests that come in overload wait less than the target once it is recognised', () => {
  const { outcomes } = simulate(overload(3), { targetMs, untilMs: 20_000 })
  const steady = during(outcomes).filter(({ request }) => request.at > 2000)
  expect(slowest(answeredOf(steady))).toBeLessThan(targetMs / 2)
})

test.each([
  [32, 1],
  [32, 30],
  [200, 10],
  [2000, 5],
])(
  '%i clients that each wait for an answer before they ask again are never refused, at %i times the work',
  (count, weight) => {
    // The machine does something else half of the time.
    const stalls = Array.from({ length: 50 }, (_, n) => ({ at: n * 200, ms: 100 }))
    const { outcomes, changes } = simulate(clients(count, 0, 5000, weight), {
      targetMs,
      stalls,
      untilMs: 200_000,
    })
    expect(outcomes.length).toBeGreaterThanOrEqual(count)
    // They do wait: it is not refused although that is longer than the target.
    if (count * weight > 1000) expect(slowest(outcomes)).toBeGreaterThan(targetMs)
    expect(refusedOf(outcomes)).toEqual([])
    expect(changes).toEqual([])
  },
)

test('a burst is answered in the order in which it came', () => {
  const burst = arrivals(100_000, 0, 4)
  const { outcomes } = simulate(burst, { targetMs, untilMs: 10_000 })
  expect(outcomes.map(({ request }) => request)).toEqual(burst)
  expect(answeredOf(outcomes)).toHaveLength(burst.length)
})

test('a stall of the loop is no overload', () => {
  const { outcomes } = simulate(arrivals(capacity * 0.6, 0, 6000), {
    targetMs,
    stalls: [{ at: 2000, ms: 1000 }],
    untilMs: 20_000,
  })
  expect(refusedOf(outcomes)).toEqual([])
})

test('services that become slow do not fill the queue', () => {
  const costs = { ...usualCosts, service: 3000 }
  const { outcomes, changes } = simulate(arrivals(capacity * 0.6, 0, 6000), {
    targetMs,
    costs,
    untilMs: 20_000,
  })
  expect(changes).toEqual([])
  expect(slowest(outcomes)).toBeLessThan(3100)
})

test('a request whose client has gone is not begun', () => {
  const gone = arrivals(capacity * 3, 500, 3000, () => ({ goneAt: 600 }))
  const { outcomes } = simulate([...arrivals(capacity * 2, 0, 3000), ...gone], { targetMs, untilMs: 20_000 })
  const late = outcomes.filter(({ request }) => request.goneAt !== undefined && request.at > 700)
  expect(late.filter(({ kind }) => kind === 'gone').length).toBeGreaterThan(0)
  expect(late.filter(({ kind }) => kind === 'refused')).toEqual([])
})

test('the queue is bounded although nothing is refused for its time', () => {
  const count = 3 * mostHeld
  const { outcomes } = simulate(arrivals(1_000_000, 0, count / 1000), { targetMs: 60_000, untilMs: 100_000 })
  expect(outcomes).toHaveLength(count)
  expect(answeredOf(outcomes).length).toBeGreaterThanOrEqual(mostHeld)
  expect(refusedOf(outcomes).length).toBeGreaterThan(0)
})

test('with a target of 0 everything begins immediately', () => {
  const { outcomes, changes } = simulate(overload(3), { targetMs: 0, untilMs: 60_000 })
  expect(changes).toEqual([])
  expect(refusedOf(outcomes)).toEqual([])
})
