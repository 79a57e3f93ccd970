/** Shedding in simulated time: what is answered, refused and begun when more arrives than can be answered. */
import { expect, test } from 'vitest'
import { mutation } from '../../../../gateway/http/shedding/index.ts'
import { arrivals, type Outcome, simulate, usualCosts } from './simulated-loop.ts'

/** Requests a second that the simulated loop can answer. */
const capacity = 1000 / (usualCosts.read + usualCosts.begin + usualCosts.finish)

const between = (outcomes: readonly Outcome[], from: number, until: number): Outcome[] =>
  outcomes.filter(({ request }) => request.at >= from && request.at < until)
const answeredIn = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'answered')
const p99 = (outcomes: readonly Outcome[]): number => {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
}

test.each([0.5, 0.8, 0.95])('nothing is refused at %d times the capacity', (factor) => {
  const { outcomes } = simulate(arrivals(capacity * factor, 0, 5000), { targetMs: 250, untilMs: 8000 })
  expect(outcomes.length).toBeGreaterThan(2000)
  expect(answeredIn(outcomes)).toHaveLength(outcomes.length)
})

test.each([2, 3])('at %d times the capacity right answers stay, and come soon', (factor) => {
  const requests = [...arrivals(capacity / 2, 0, 2000), ...arrivals(capacity * factor, 2000, 8000)]
  const { outcomes } = simulate(requests, { targetMs: 250, untilMs: 12_000 })
  expect(outcomes).toHaveLength(requests.length)
  const over = between(outcomes, 2000, 8000)
  const answered = answeredIn(over)
  // A refusal costs a twentieth of an answer here, which is what is not there for answers.
  const left = 1 - (factor - 1) * (usualCosts.read + usualCosts.refuse)
  expect(answered.length).toBeGreaterThan(0.93 * left * capacity * 6)
  expect(Math.max(...answered.map(({ ms }) => ms))).toBeLessThan(1000)
  expect(p99(answeredIn(between(outcomes, 3000, 8000)))).toBeLessThan(100)
  expect(p99(between(outcomes, 3000, 8000).filter(({ kind }) => kind === 'refused'))).toBeLessThan(50)
})

test('all is answered again within half a second after the overload', () => {
  const requests = [...arrivals(capacity * 3, 0, 4000), ...arrivals(capacity / 2, 4000, 8000)]
  const { outcomes, gate } = simulate(requests, { targetMs: 250, untilMs: 12_000 })
  const after = between(outcomes, 4500, 8000)
  expect(answeredIn(after)).toHaveLength(after.length)
  expect(p99(after)).toBeLessThan(10)
  expect(gate.sheds).toBe(false)
})

test('mutations are refused last, and the dearest queries first', () => {
  const kinds = [
    { rank: mutation },
    { rank: 10 },
    { rank: 10 },
    { rank: 1000 },
    { rank: 1000 },
    { rank: 1000 },
  ]
  const requests = arrivals(capacity * 3, 0, 6000, (n) => kinds[n % kinds.length] ?? { rank: 1 })
  const { outcomes } = simulate(requests, { targetMs: 250, untilMs: 10_000 })
  const steady = between(outcomes, 1000, 6000)
  const share = (rank: number): number => {
    const of = steady.filter(({ request }) => request.rank === rank)
    return answeredIn(of).length / of.length
  }
  expect(share(mutation)).toBe(1)
  expect(share(10)).toBeGreaterThan(0.15)
  expect(share(1000)).toBeLessThan(share(10) / 2)
})

test('a loop that something else holds sheds, but never everything', () => {
  const stalls = Array.from({ length: 60 }, (_, n) => ({ at: n * 310, ms: 300 }))
  const requests = arrivals(200, 0, 15_000, (n) => ({ rank: n % 10 === 0 ? mutation : 1 }))
  const { outcomes } = simulate(requests, { targetMs: 100, stalls, untilMs: 20_000 })
  const held = between(outcomes, 5000, 15_000)
  const queries = held.filter(({ request }) => request.rank === 1)
  expect(answeredIn(queries).length).toBeGreaterThan(5)
  expect(answeredIn(queries).length).toBeLessThan(queries.length / 2)
  const mutations = held.filter(({ request }) => request.rank === mutation)
  expect(answeredIn(mutations).length / mutations.length).toBeGreaterThan(
    2 * (answeredIn(queries).length / queries.length),
  )
})

test('what arrived in a long stall and whose client has gone is not begun', () => {
  const gone = arrivals(100, 1000, 2000, () => ({ rank: 1, goneAt: 2500 }))
  const requests = [...arrivals(50, 0, 1000), ...gone]
  const { outcomes, begun } = simulate(requests, {
    targetMs: 250,
    stalls: [{ at: 1000, ms: 2000 }],
    untilMs: 6000,
  })
  expect(begun).toBe(requests.length - gone.length + 1)
  expect(outcomes.filter(({ kind }) => kind === 'gone')).toHaveLength(gone.length - 1)
})

test('a long stall alone refuses nothing of the light load after it', () => {
  const requests = [...arrivals(20, 0, 3000), ...arrivals(100, 6100, 9000)]
  const { outcomes } = simulate(requests, {
    targetMs: 300,
    stalls: [{ at: 3000, ms: 3000 }],
    untilMs: 12_000,
  })
  expect(answeredIn(outcomes)).toHaveLength(requests.length)
})

test('without a target nothing is refused', () => {
  const { outcomes } = simulate(arrivals(capacity * 3, 0, 1000), { targetMs: 0, untilMs: 20_000 })
  expect(answeredIn(outcomes)).toHaveLength(Math.floor(capacity * 3))
})
