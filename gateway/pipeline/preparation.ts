/**
 * Prepares one new operation per turn of the event loop, so that requests for known operations continue in between.
 * A long preparation has several steps with turns between them. A preparation waits in a bounded line until its
 * request's deadline; if the line is full, the caller is asked to retry later. All heavy work for a new operation
 * goes through here: parsing, validation, authorization, planning, and the parts of an operation with `@defer` or
 * `@stream`. Equal work takes one place in the line, however many requests wait for it.
 */

import { tesseraError } from '../../shared/errors.ts'
import { type Cancellation, CancelledError, until } from '../../shared/http/cancellation.ts'
import { type Flight, SingleFlight } from '../../shared/runtime/single-flight.ts'
import { runToEnd } from '../../shared/runtime/steps.ts'

export interface Preparations {
  /**
   * Does the work immediately if nothing else was prepared in this turn of the event loop, otherwise in its own turn.
   * Throws or rejects with `SERVICE_BUSY` if that would be after the deadline, which is in the time of
   * `performance.now()`.
   */
  run<Made>(deadline: number | undefined, work: Work<Made>): Made | Promise<Made>
  /** Makes a `run` in which equal work, that is work with the same key, takes one place in the line. */
  joining<Made>(): RunOnce<Made>
}

export type RunOnce<Made> = (
  key: string,
  deadline: number | undefined,
  work: Work<Made>,
) => Made | Promise<Made>

/** A preparation, which yields between its steps. */
export type Work<Made> = () => Generator<undefined, Made, undefined>

/** A place in line is kept for as long as anyone waits for what is made. */
interface Place {
  deadline: number
}

interface PendingPreparation {
  readonly place: Place
  start(): void
  refuse(): void
}

/** After so many milliseconds the next step waits for the next turn. */
const longTurn = 20

export function createPreparations(mostWaiting: number): Preparations {
  const queue: PendingPreparation[] = []
  /** Whether a preparation ran in this turn of the event loop. */
  let isTaken = false
  /** Whether the code that runs now is a preparation: what it begins is part of it. */
  let isWithin = false
  /** The mean duration of the last preparations. */
  let milliseconds = 1

  const busy = () =>
    tesseraError('SERVICE_BUSY', 'More new operations arrive than can be prepared now.', {
      retryAfter: Math.max(1, Math.ceil((queue.length * milliseconds) / 1000)),
    })

  /** Does the work that fits into this turn; `isLong` if the rest, or the next step, should wait for another turn. */
  const perform = <Made>(
    steps: ReturnType<Work<Made>>,
  ): { step: IteratorResult<undefined, Made>; isLong: boolean } => {
    if (!isTaken) setImmediate(nextTurn)
    isTaken = true
    isWithin = true
    const started = performance.now()
    let elapsed = 0
    try {
      let step = steps.next()
      elapsed = performance.now() - started
      while (step.done !== true && elapsed < longTurn) {
        step = steps.next()
        elapsed = performance.now() - started
      }
      return { step, isLong: elapsed >= longTurn }
    } finally {
      isWithin = false
      milliseconds += (performance.now() - started - milliseconds) / 8
    }
  }
  /** One turn of the work; its next turns come before everything else in the line. */
  const proceed = <Made>(
    steps: ReturnType<Work<Made>>,
    resolve: (made: Made) => void,
    reject: (reason: unknown) => void,
  ): void => {
    try {
      const { step, isLong } = perform(steps)
      if (step.done !== true) queue.unshift(nextOf(steps, resolve, reject))
      else if (isLong) setImmediate(() => resolve(step.value))
      else resolve(step.value)
    } catch (error) {
      reject(error)
    }
  }
  const nextOf = <Made>(
    steps: ReturnType<Work<Made>>,
    resolve: (made: Made) => void,
    reject: (reason: unknown) => void,
    place: Place = endless,
  ): PendingPreparation => ({
    place,
    refuse: () => reject(busy()),
    start: () => proceed(steps, resolve, reject),
  })
  const nextTurn = (): void => {
    isTaken = false
    for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift()) {
      if (performance.now() < waiting.place.deadline) {
        waiting.start()
        return
      }
      waiting.refuse()
    }
  }

  const take = <Made>(place: Place, work: Work<Made>): Made | Promise<Made> => {
    if (!isTaken && queue.length === 0) {
      const steps = work()
      const { step } = perform(steps)
      if (step.done === true) return step.value
      return new Promise((resolve, reject) => queue.unshift(nextOf(steps, resolve, reject)))
    }
    if (queue.length >= mostWaiting) throw busy()
    return new Promise((resolve, reject) => queue.push(nextOf(work(), resolve, reject, place)))
  }

  /**
   * Waits until its own deadline. If the work failed, the request begins it again: the error belongs to the other
   * one.
   */
  const join = async <Made>({ leader, result }: Flight<Made, Place>, { deadline }: Place) => {
    leader.deadline = Math.max(leader.deadline, deadline)
    try {
      return await until(result, deadline, endless)
    } catch (error) {
      if (error instanceof CancelledError || performance.now() >= deadline) throw busy()
      return undefined
    }
  }

  return {
    run<Made>(deadline: number | undefined, work: Work<Made>): Made | Promise<Made> {
      return isWithin ? runToEnd(work) : take({ deadline: deadline ?? Number.POSITIVE_INFINITY }, work)
    },
    joining<Made>(): RunOnce<Made> {
      const underWay = new SingleFlight<Made, Place>({ wait: join })
      return (key, deadline = Number.POSITIVE_INFINITY, work) => {
        if (isWithin) return runToEnd(work)
        const place = { deadline }
        return underWay.run(key, place, () => take(place, work))
      }
    },
  }
}

/** Waits as long as it takes. */
const endless: Cancellation = {
  deadline: Number.POSITIVE_INFINITY,
  cancelled: false,
  onCancel: () => () => {},
}
