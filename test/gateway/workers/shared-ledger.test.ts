/** The count of quota units over several workers: however messages cross and whichever worker ends, it is never exceeded. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Account,
  createMemoryLedger,
  type Reservation,
  unknownOperation,
} from '../../../gateway/budget/quota/index.ts'
import { type Channel, createChannel } from '../../../gateway/workers/channel.ts'
import { createWorkerLedger, serveLedger } from '../../../gateway/workers/shared-ledger.ts'
import '../../support/seed.ts'

const account: Account = { credential: 'one', day: '2026-01-01', endsAt: 1e15 }

/** Two channels whose messages arrive in order, each after a number of turns that `delays` gives. */
function connected(delays: () => number): readonly [Channel, Channel] {
  const line = (to: () => Channel): ((message: unknown) => void) => {
    let before = Promise.resolve()
    return (message) => {
      const turns = delays()
      before = before.then(async () => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
        to().receive(structuredClone(message))
      })
    }
  }
  const a: Channel = createChannel(line(() => b))
  const b: Channel = createChannel(line(() => a))
  return [a, b]
}

test('what all workers spend and have reserved never passes the budget', async () => {
  const operation = fc.record({
    worker: fc.nat(2),
    units: fc.integer({ min: 1, max: 60 }),
    /** The share of the estimate that it spends. */
    spends: fc.double({ min: 0, max: 1, noNaN: true }),
    turns: fc.nat(5),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { maxLength: 40 }),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.record({ worker: fc.nat(2), after: fc.nat(20) })),
      async (operations, delays, limit, death) => {
        const ledger = createMemoryLedger()
        let at = 0
        const delay = (): number => delays[at++ % delays.length] ?? 0
        const workers = [0, 1, 2].map(() => {
          const [worker, primary] = connected(delay)
          return {
            worker,
            primary,
            forfeit: serveLedger(primary, ledger),
            ledger: createWorkerLedger(worker),
          }
        })
        let spent = 0
        let most = 0
        const look = async (): Promise<void> => {
          const { used, reserved } = await ledger.read(account)
          most = Math.max(most, used + reserved)
        }
        const dead = new Set<number>()
        const run = async (
          { worker, units, spends, turns }: (typeof operations)[number],
          n: number,
        ): Promise<void> => {
          if (dead.has(worker)) return
          const { ledger: own } = workers[worker] as (typeof workers)[number]
          let reservation: Reservation
          try {
            reservation = await own.reserve(account, `${worker}-${n}`, units, limit)
          } catch {
            return
          }
          await look()
          if (!reservation.granted || dead.has(worker)) return
          const really = Math.floor(units * spends)
          spent += really
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
          if (dead.has(worker)) return
          await own.settle(account, `${worker}-${n}`, { 'videos.list': { units: really, calls: 1 } })
        }
        const running = operations.map(run)
        if (death !== null) {
          for (let turn = 0; turn < death.after; turn++) await new Promise((resolve) => setImmediate(resolve))
          dead.add(death.worker)
          const one = workers[death.worker] as (typeof workers)[number]
          one.worker.end()
          one.primary.end()
          one.forfeit()
        }
        await Promise.all(running)
        await look()
        for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve))
        const end = await ledger.read(account)
        expect(most).toBeLessThanOrEqual(limit)
        expect(end.used + end.reserved).toBeLessThanOrEqual(limit)
        // Whatever was spent is counted, if need be as more than it was.
        expect(end.used + end.reserved).toBeGreaterThanOrEqual(spent)
        expect(end.reserved).toBe(0)
      },
    ),
    { numRuns: 60 },
  )
})

test('what a worker had reserved counts as spent when it ends', async () => {
  const ledger = createMemoryLedger()
  const [worker, primary] = connected(() => 0)
  const forfeit = serveLedger(primary, ledger)
  expect(await createWorkerLedger(worker).reserve(account, 'a', 30, 100)).toMatchObject({ granted: true })
  forfeit()
  expect(await ledger.read(account)).toMatchObject({
    used: 30,
    reserved: 0,
    operations: { [unknownOperation]: { units: 30, calls: 0 } },
  })
})

test('an operation is refused where the primary does not answer', async () => {
  const channel = createChannel(() => {})
  await expect(async () => createWorkerLedger(channel).reserve(account, 'a', 1, 10)).rejects.toMatchObject({
    extensions: { code: 'SERVICE_BUSY', retryAfter: 1 },
  })
})

test('what is spent without a reservation is sent together, and before the count is read', async () => {
  const ledger = createMemoryLedger()
  const [worker, primary] = connected(() => 0)
  serveLedger(primary, ledger)
  const own = createWorkerLedger(worker)
  for (let n = 0; n < 5; n++) await own.settle(account, '', { 'videos.list': { units: 1, calls: 1 } })
  expect(await own.read(account)).toMatchObject({
    used: 5,
    operations: { 'videos.list': { units: 5, calls: 5 } },
  })
})
