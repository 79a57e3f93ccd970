/** What the queue promises whatever arrives, in simulated time: random loads, stalls and costs. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { type Costs, capacityOf, type Outcome, type Request, simulate } from './simulated-loop.ts'

const targetMs = 500
const runs = { numRuns: campaignSize(25) }

interface Load {
  readonly costs: Costs
  readonly stalls: readonly { readonly at: number; readonly ms: number }[]
  /** Numbers from 0 to 1, always the same ones. */
  readonly random: () => number
}

/** A loop that is held again and again: by the collection of garbage, or by other processes. */
const loads = (mostStallMs: number): fc.Arbitrary<Load> =>
  fc
    .record({
      seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
      begin: fc.double({ min: 0.05, max: 2, noNaN: true }),
      finish: fc.double({ min: 0.1, max: 5, noNaN: true }),
      service: fc.integer({ min: 0, max: 50 }),
      stallMs: fc.integer({ min: 1, max: mostStallMs }),
      everyMs: fc.integer({ min: 2 * mostStallMs, max: 800 }),
    })
    .map(({ seed, begin, finish, service, stallMs, everyMs }) => {
      let state = seed
      return {
        costs: { read: 0.03, begin, finish, refuse: 0.02, service },
        stalls: Array.from({ length: 20_000 / everyMs }, (_, n) => ({ at: n * everyMs, ms: stallMs })),
        random() {
          state = (state * 48_271) % (2 ** 31 - 1)
          return state / (2 ** 31 - 1)
        },
      }
    })

/** Requests at random times, each of which costs between .7 and 1.3 of the usual. */
function arrivals({ random }: Load, rate: number, from: number, until: number): Request[] {
  const requests: Request[] = []
  for (let at = from; ; ) {
    at += (-Math.log(1 - random()) * 1000) / rate
    if (at >= until) return requests
    requests.push({ at, weight: 0.7 + 0.6 * random() })
  }
}

/** A client that asks again some time after it has its answer. */
function client({ random }: Load, thinkMs: number, untilMs: number): Request {
  const ask = (at: number): Request => ({
    at,
    weight: 0.3 + 20 * random() ** 4,
    next(answeredAt) {
      const at = answeredAt + thinkMs * random()
      return at < untilMs ? ask(at) : undefined
    },
  })
  return ask(random() * 20)
}

const refusedOf = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ kind }) => kind === 'refused')

test('nothing is refused while the backlog does not grow, however long requests wait', () => {
  const shape = fc.record({
    load: loads(400),
    count: fc.integer({ min: 1, max: 500 }),
    thinkMs: fc.integer({ min: 0, max: 200 }),
  })
  fc.assert(
    fc.property(shape, ({ load, count, thinkMs }) => {
      const requests = Array.from({ length: count }, () => client(load, thinkMs, 5000))
      const { costs, stalls } = load
      const { outcomes, changes } = simulate(requests, { targetMs, costs, stalls, untilMs: 300_000 })
      expect(outcomes.length).toBeGreaterThanOrEqual(count)
      expect(refusedOf(outcomes)).toEqual([])
      expect(changes).toEqual([])
    }),
    runs,
  )
})

test('whatever arrives, each request is answered or refused, most refusals come soon, and a second later all is well', () => {
  fc.assert(
    fc.property(loads(20), fc.double({ min: 1.5, max: 4, noNaN: true }), (load, factor) => {
      const { costs, stalls } = load
      const capacity = capacityOf(costs) * 0.9
      const requests = [
        ...arrivals(load, capacity * factor, 0, 4000),
        ...arrivals(load, capacity / 2, 4000, 7000),
      ]
      const { outcomes } = simulate(requests, { targetMs, costs, stalls, untilMs: 60_000 })
      expect(outcomes).toHaveLength(requests.length)
      const refused = refusedOf(outcomes)
      expect(refused.filter(({ ms }) => ms > 100).length).toBeLessThan(0.01 * refused.length + 1)
      const after = outcomes.filter(({ request }) => request.at > 5000)
      expect(refusedOf(after)).toEqual([])
    }),
    runs,
  )
})
