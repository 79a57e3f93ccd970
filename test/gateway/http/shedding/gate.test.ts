/** Shedding in simulated time: what is answered, refused and begun when more arrives than can be answered. */
import { expect, test } from 'vitest'
import { mutation } from '../../../../gateway/http/shedding/index.ts'
import { arrivals, type Outcome, simulate, usualCosts } from './simulated-loop.ts'

/** Requests a second that the simulated loop can answer. */
const capacity = 1000 / (usualCosts.read + usualCosts.begin + usualCosts.finish)

/** About what an operation of fifty videos costs. */
const fiftyVideos = { read: 0.02, begin: 0.13, finish: 0.43, refuse: 0.015, service: 2 }

const between = (outcomes: readonly Outcome[], from: number, until: number): Outcome[] =>
  outcomes.filter(({ request }) => request.at >= from && request.at < until)
const answeredIn = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'answered')
const refusedIn = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'refused')
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
  expect(answered.length).toBeGreaterThan(0.97 * left * capacity * 6)
  expect(Math.max(...answered.map(({ ms }) => ms))).toBeLessThan(250)
  // From the first moment of the overload.
  expect(p99(answered)).toBeLessThan(50)
  expect(p99(refusedIn(over))).toBeLessThan(50)
})

test.each([30, 300])(
  'at 3 times the capacity with services %d ms away most answers come without a wait',
  (service) => {
    const requests = [...arrivals(capacity / 2, 0, 2000), ...arrivals(capacity * 3, 2000, 8000)]
    const { outcomes } = simulate(requests, {
      targetMs: 500,
      costs: { ...usualCosts, service },
      untilMs: 12_000,
    })
    const answered = answeredIn(between(outcomes, 2000, 8000))
    expect(answered.length).toBeGreaterThan(0.65 * capacity * 6)
    expect(p99(answered)).toBeLessThan(service + 500)
  },
)

test.each([
  { every: 150, ms: 30, factor: 0.95 },
  { every: 400, ms: 100, factor: 0.8 },
  { every: 1000, ms: 250, factor: 0.7 },
])(
  'stalls of $ms ms refuse nothing at $factor times what is left of the capacity',
  ({ every, ms, factor }) => {
    const requests = arrivals(capacity * (1 - ms / every) * factor, 0, 10_000)
    const stalls = Array.from({ length: 10_000 / every }, (_, n) => ({ at: n * every, ms }))
    const { outcomes } = simulate(requests, { targetMs: 500, stalls, untilMs: 12_000 })
    expect(answeredIn(outcomes)).toHaveLength(requests.length)
  },
)

test.each([0.5, 0.8])(
  'a start at %d times the capacity with services 300 ms away refuses nothing',
  (factor) => {
    const { outcomes } = simulate(arrivals(capacity * factor, 0, 5000), {
      targetMs: 500,
      costs: { ...usualCosts, service: 300 },
      untilMs: 8000,
    })
    expect(answeredIn(outcomes).length).toBe(Math.floor(capacity * factor * 5))
  },
)

test('while others are refused requests begin a few at a time, so that their calls are written in one turn', () => {
  const most = 1000 / (fiftyVideos.read + fiftyVideos.begin + fiftyVideos.finish)
  const requests = [...arrivals(most / 2, 0, 2000), ...arrivals(most * 3, 2000, 6000)]
  const { beginnings } = simulate(requests, { targetMs: 500, costs: fiftyVideos, untilMs: 8000 })
  const over = beginnings.filter(({ at }) => at > 2200 && at < 6000)
  expect(over.reduce((sum, { begun }) => sum + begun, 0) / over.length).toBeGreaterThan(2.5)
})

test('a burst that can be answered within the target is answered, the first first', () => {
  const burst = arrivals(10_000, 2000, 2015)
  const { outcomes } = simulate([...arrivals(capacity / 2, 0, 4000), ...burst], {
    targetMs: 500,
    untilMs: 8000,
  })
  expect(answeredIn(outcomes)).toHaveLength(outcomes.length)
  const waits = outcomes.filter(({ request }) => burst.includes(request)).map(({ ms }) => ms)
  expect(Math.max(...waits.slice(0, 50))).toBeLessThan(Math.min(...waits.slice(-50)))
})

test.each([
  { factor: 2, targetMs: 250, ms: 0 },
  { factor: 2, targetMs: 500, ms: 0 },
  { factor: 3, targetMs: 250, ms: 0 },
  { factor: 3, targetMs: 500, ms: 0 },
  { factor: 3, targetMs: 500, ms: 8 },
])(
  'in 4 s at $factor times the capacity p99 stays low, with a target of $targetMs ms and stalls of $ms ms',
  ({ factor, targetMs, ms }) => {
    const costs = fiftyVideos
    const most = 1000 / (costs.read + costs.begin + costs.finish)
    const requests = [...arrivals(most / 2, 0, 2000), ...arrivals(most * factor, 2000, 6000)]
    const stalls = Array.from({ length: ms === 0 ? 0 : 15 }, (_, n) => ({ at: n * 400, ms }))
    const { outcomes } = simulate(requests, { targetMs, costs, stalls, untilMs: 10_000 })
    const over = between(outcomes, 2000, 6000)
    expect(over).toHaveLength(Math.floor(most * factor * 4))
    expect(p99(answeredIn(over))).toBeLessThan(25)
    // What came first is put off while it may be a burst, and refused once it is known to be an overload.
    expect(p99(refusedIn(over))).toBeLessThan(60)
    // What came later is read, begun and answered in turns of the event loop that are short.
    const later = between(over, 2200, 6000)
    expect(p99(answeredIn(later))).toBeLessThan(ms === 0 ? 8 : 20)
  },
)

test.each([1.02, 1.05, 1.2])(
  'at %d times the capacity nothing is put off for the newest for longer than a fifth of the target',
  (factor) => {
    const costs = fiftyVideos
    const most = 1000 / (costs.read + costs.begin + costs.finish)
    const requests = [...arrivals(most / 2, 0, 2000), ...arrivals(most * factor, 2000, 6000)]
    const { outcomes } = simulate(requests, { targetMs: 1000, costs, untilMs: 10_000 })
    // The wait itself grows by 4 s times what is too much; what is put off waits no more than 200 ms beside that.
    const grown = 4000 * (factor - 1)
    expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(Math.min(1000, grown) + 250)
  },
)

test.each([
  { factor: 2, answeredMs: 30, refusedMs: 50 },
  { factor: 3, answeredMs: 40, refusedMs: 60 },
])(
  'in 4 s at $factor times the capacity p99 stays low where clients have to connect',
  ({ factor, answeredMs, refusedMs }) => {
    const costs = fiftyVideos
    const most = 1000 / (costs.read + costs.begin + costs.finish)
    const requests = [...arrivals(most / 2, 0, 2000), ...arrivals(most * factor, 2000, 6000)]
    const connecting = { open: 20, perTurn: 32, cost: 0.1 }
    const { outcomes } = simulate(requests, { targetMs: 500, costs, connecting, untilMs: 10_000 })
    const over = between(outcomes, 2000, 6000)
    expect(over).toHaveLength(Math.floor(most * factor * 4))
    expect(p99(answeredIn(over))).toBeLessThan(answeredMs)
    expect(p99(refusedIn(over))).toBeLessThan(refusedMs)
  },
)

test('as much as can be answered is answered, with services 10 ms away and stalls of 20 ms', () => {
  const costs = { ...fiftyVideos, service: 10 }
  const most = (1000 / (costs.read + costs.begin + costs.finish)) * 0.95
  const requests = [...arrivals(most / 2, 0, 2000), ...arrivals(most, 2000, 8000)]
  const stalls = Array.from({ length: 20 }, (_, n) => ({ at: n * 400 + 37, ms: 20 }))
  const { outcomes } = simulate(requests, { targetMs: 500, costs, stalls, untilMs: 10_000 })
  expect(answeredIn(outcomes)).toHaveLength(requests.length)
  expect(p99(outcomes)).toBeLessThan(150)
})

test.each([
  [300, 30],
  [300, 1],
  [400, 60],
])('a burst of %d in %d ms, which takes most of the target, is answered', (count, ms) => {
  const burst = arrivals(count / (ms / 1000), 2000, 2000 + ms)
  const { outcomes } = simulate([...arrivals(capacity / 10, 0, 4000), ...burst], {
    targetMs: 500,
    untilMs: 8000,
  })
  expect(answeredIn(outcomes)).toHaveLength(outcomes.length)
})

test.each([100, 250])(
  '%d clients that ask again as soon as they have their answer are all answered',
  (clients) => {
    const begun = arrivals(clients * 20, 0, 50)
    // From then on as much arrives as is answered.
    const then = arrivals(capacity * 0.98, 50, 5000)
    const { outcomes } = simulate([...begun, ...then], { targetMs: 500, untilMs: 8000 })
    expect(answeredIn(outcomes)).toHaveLength(outcomes.length)
  },
)

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
