/**
 * Prepares one new operation per turn of the event loop, so that requests for known operations continue in between.
 * A long preparation has several steps with turns between them. A preparation waits in a bounded line until its
 * request's deadline; if the line is full, the caller is asked to retry later. All heavy work for a new operation
 * goes through here: parsing, validation, authorization, planning, and the parts of an operation with `@defer` or
 * `@stream`. Equal work takes one place in the line, however many requests wait for it.
 */
import { tesseraError } from '../../shared/errors.ts'
import { CancelledError, notCancelled, until } from '../../shared/http/cancellation.ts'
import { type Flight, SingleFlight } from '../../shared/runtime/single-flight.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'

type RunOnce<Made> = (key: string, deadline: number | undefined, work: Work<Made>) => Made | Promise<Made>

export type Work<Made> = () => Steps<Made>

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

export class PreparationQueue {
  readonly #mostWaiting: number
  readonly #queue: PendingPreparation[] = []
  /** Whether a preparation ran in this turn of the event loop. */
  #isTaken = false
  /** Whether the code that runs now is a preparation: what it begins is part of it. */
  #isWithin = false
  /** The mean duration of the last preparations. */
  #milliseconds = 1

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  /**
   * Makes a function that does work immediately if nothing else was prepared in this turn of the event loop, and
   * otherwise in its own turn. Equal work, that is work with the same key, takes one place in the line. Throws or
   * rejects with `SERVICE_BUSY` if the work would begin after the deadline, which is in the time of
   * `performance.now()`.
   */
  joining<Made>(): RunOnce<Made> {
    const underWay = new SingleFlight<Made, Place>({ wait: (flight, place) => this.#join(flight, place) })
    return (key, deadline = Number.POSITIVE_INFINITY, work) => {
      if (this.#isWithin) return runToEnd(work)
      const place = { deadline }
      return underWay.run(key, place, () => this.#take(place, work))
    }
  }

  #take<Made>(place: Place, work: Work<Made>): Made | Promise<Made> {
    if (!this.#isTaken && this.#queue.length === 0) {
      const steps = work()
      const { step } = this.#perform(steps)
      if (step.done === true) return step.value
      return new Promise((resolve, reject) => this.#queue.unshift(this.#pending(steps, resolve, reject)))
    }
    if (this.#queue.length >= this.#mostWaiting) throw this.#busy()
    return new Promise((resolve, reject) => this.#queue.push(this.#pending(work(), resolve, reject, place)))
  }

  /**
   * Waits until its own deadline. If the work failed, the request begins it again: the error belongs to the other
   * one.
   */
  async #join<Made>({ leader, result }: Flight<Made, Place>, { deadline }: Place): Promise<Made | undefined> {
    leader.deadline = Math.max(leader.deadline, deadline)
    try {
      return await until(result, deadline, notCancelled)
    } catch (error) {
      if (error instanceof CancelledError || performance.now() >= deadline) throw this.#busy()
      return undefined
    }
  }

  #pending<Made>(
    steps: Steps<Made>,
    resolve: (made: Made) => void,
    reject: (reason: unknown) => void,
    place: Place = notCancelled,
  ): PendingPreparation {
    return {
      place,
      refuse: () => reject(this.#busy()),
      start: () => this.#proceed(steps, resolve, reject),
    }
  }

  #nextTurn(): void {
    this.#isTaken = false
    for (let waiting = this.#queue.shift(); waiting !== undefined; waiting = this.#queue.shift()) {
      if (performance.now() < waiting.place.deadline) {
        waiting.start()
        return
      }
      waiting.refuse()
    }
  }

  /** One turn of the work; its next turns come before everything else in the line. */
  #proceed<Made>(steps: Steps<Made>, resolve: (made: Made) => void, reject: (reason: unknown) => void): void {
    try {
      const { step, isLong } = this.#perform(steps)
      if (step.done !== true) this.#queue.unshift(this.#pending(steps, resolve, reject))
      else if (isLong) setImmediate(() => resolve(step.value))
      else resolve(step.value)
    } catch (error) {
      reject(error)
    }
  }

  /** Does the work that fits into this turn; `isLong` if the rest, or the next step, should wait for another turn. */
  #perform<Made>(steps: Steps<Made>): { step: IteratorResult<undefined, Made>; isLong: boolean } {
    if (!this.#isTaken) setImmediate(() => this.#nextTurn())
    this.#isTaken = true
    this.#isWithin = true
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
      this.#isWithin = false
      this.#milliseconds += (performance.now() - started - this.#milliseconds) / 8
    }
  }

  #busy(): Error {
    return tesseraError('SERVICE_BUSY', 'More new operations arrive than can be prepared now.', {
      retryAfter: Math.max(1, Math.ceil((this.#queue.length * this.#milliseconds) / 1000)),
    })
  }
}
