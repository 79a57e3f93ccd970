/** What the gate promises whatever arrives, in simulated time: random loads, stalls, costs and kinds of requests. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mutation } from '../../../../gateway/http/shedding/index.ts'
import { campaignSize } from '../../../support/campaign-size.ts'
import { type Costs, type Outcome, type Request, simulate, usualCosts } from './simulated-loop.ts'

const targetMs = 500
const runs = { numRuns: campaignSize(25) }

interface Load {
  readonly costs: Costs
  /** Requests a second that are left beside the stalls. */
  readonly capacity: number
  readonly stalls: readonly { readonly at: number; readonly ms: number }[]
  /** Numbers from 0 to 1, always the same ones. */
  readonly random: () => number
}

interface Shape {
  readonly seed: number
  /** Multiplies what a request costs. */
  readonly factor: number
  readonly service: number
  readonly stallMs: number
  readonly everyMs: number
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
  factor: fc.double({ min: 0.7, max: 2, noNaN: true }),
  service: fc.integer({ min: 1, max: 20 }),
  stallMs: fc.integer({ min: 1, max: 20 }),
  everyMs: fc.integer({ min: 200, max: 800 }),
})

/** A loop that is held for a few milliseconds again and again, as by the collection of garbage. */
function loadOf({ seed, factor, service, stallMs, everyMs }: Shape): Load {
  const costs = { ...usualCosts, begin: 0.15 * factor, finish: 0.85 * factor, service }
  let state = seed
  return {
    costs,
    capacity: (1000 / (costs.read + costs.begin + costs.finish)) * (1 - stallMs / everyMs),
    stalls: Array.from({ length: 12_000 / everyMs }, (_, n) => ({ at: n * everyMs, ms: stallMs })),
    random() {
      state = (state * 48_271) % (2 ** 31 - 1)
      return state / (2 ** 31 - 1)
    },
  }
}

/** Requests at random times, each of which costs between .7 and 1.3 of the usual. */
function arrivals(
  { random }: Load,
  rate: number,
  from: number,
  until: number,
  rank: () => number = () => 1,
): Request[] {
  const requests: Request[] = []
  for (let at = from; ; ) {
    at += (-Math.log(1 - random()) * 1000) / rate
    if (at >= until) return requests
    requests.push({ at, rank: rank(), weight: 0.7 + 0.6 * random() })
  }
}

const run = ({ costs, stalls }: Load, requests: readonly Request[]): readonly Outcome[] =>
  simulate(requests, { targetMs, costs, stalls, untilMs: 20_000 }).outcomes
const refusedOf = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'refused')
const slowest = (outcomes: readonly Outcome[], share = 1): number =>
  outcomes
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
    .at(Math.ceil(outcomes.length * share) - 1) ?? 0

const below = fc.double({ min: 0.1, max: 0.85, noNaN: true })
const above = fc.double({ min: 1.5, max: 4, noNaN: true })

test('nothing is refused while the loop can answer what arrives', () => {
  fc.assert(
    fc.property(shapes, below, (shape, share) => {
      const load = loadOf(shape)
      const requests = arrivals(load, load.capacity * share, 0, 4000)
      const outcomes = run(load, requests)
      expect(outcomes).toHaveLength(requests.length)
      expect(refusedOf(outcomes)).toEqual([])
    }),
    runs,
  )
})

test('whatever arrives, nothing is answered later than the target, and refusals come soon', () => {
  fc.assert(
    fc.property(shapes, above, (shape, factor) => {
      const load = loadOf(shape)
      const requests = [
        ...arrivals(load, load.capacity / 2, 0, 1000),
        ...arrivals(load, load.capacity * factor, 1000, 5000),
      ]
      const outcomes = run(load, requests)
      expect(outcomes).toHaveLength(requests.length)
      expect(slowest(outcomes)).toBeLessThan(targetMs)
      const steady = outcomes.filter(({ request }) => request.at > 2000)
      expect(slowest(steady, 0.99)).toBeLessThan(targetMs / 2)
      // It is not by answering little: but for refusals all the time goes into answers.
      const left = 1 - ((load.costs.read + load.costs.refuse) * refusedOf(steady).length) / 3000
      const answered = steady.length - refusedOf(steady).length
      expect(answered).toBeGreaterThan(0.85 * left * load.capacity * 3)
    }),
    runs,
  )
})

test('mutations are refused last', () => {
  fc.assert(
    fc.property(shapes, above, fc.double({ min: 0.02, max: 0.2, noNaN: true }), (shape, factor, share) => {
      const load = loadOf(shape)
      const rank = (): number => (load.random() < share ? mutation : 1 + Math.floor(load.random() * 100))
      const outcomes = run(load, arrivals(load, load.capacity * factor, 0, 4000, rank))
      expect(refusedOf(outcomes).length).toBeGreaterThan(0)
      expect(refusedOf(outcomes).filter(({ request }) => request.rank === mutation)).toEqual([])
    }),
    runs,
  )
})

test('a tenth of a second after the overload nothing is refused any more', () => {
  fc.assert(
    fc.property(shapes, above, (shape, factor) => {
      const load = loadOf(shape)
      const requests = [
        ...arrivals(load, load.capacity * factor, 0, 3000),
        ...arrivals(load, load.capacity / 2, 3000, 6000),
      ]
      const late = run(load, requests).filter(({ request }) => request.at > 3100)
      expect(late.length).toBeGreaterThan(100)
      expect(refusedOf(late)).toEqual([])
    }),
    runs,
  )
})
