/**
 * What protects a subgraph, and the gateway from it: a limit on how much is sent at the same time, a circuit breaker,
 * and retries of queries within a budget, so that retries never multiply the load of a subgraph that is failing.
 */
import { createBreaker } from '../../../contract/breaker.ts'
import { cancelReason, waitFor } from '../../../contract/http/cancellation.ts'
import { createConcurrencyLimit } from '../../../contract/http/concurrency.ts'
import { type Exchanged, nothingSent } from '../../../contract/http/exchange.ts'
import { retryAfterSeconds, retryDelayMs } from '../../../contract/http/retry.ts'
import type { UpstreamState } from '../../../contract/upstream.ts'
import type { GatewayRequest } from '../request.ts'

export interface GuardOptions {
  readonly retries?: RetryOptions | undefined
  readonly breaker?:
    | {
        /** Opens after this many failures in a row. 10. */
        readonly consecutive?: number | undefined
        /** Opens when more than this share of the last ten seconds' requests failed. 0.5. */
        readonly ratio?: number | undefined
        /** The first pause before it is tried again; it doubles up to ten times as long. 1000. */
        readonly pauseMs?: number | undefined
      }
    | undefined
  /** Requests at the same time, and those that may wait for their turn. */
  readonly concurrency?: { readonly most: number; readonly waiting?: number | undefined } | undefined
}

export interface RetryOptions {
  /** How often a query is repeated at most. */
  readonly most: number
  /** Retries for each request that is sent, in the long run. 0.2. */
  readonly budget?: number | undefined
  /** The first retry waits a random time up to this; it doubles each time. 50. */
  readonly delayMs?: number | undefined
}

/** The request did not leave, and why. */
export class NotSent extends Error {
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

export interface Guard {
  run(
    repeatable: boolean,
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<Exchanged>,
  ): Promise<Exchanged>
  readonly state: UpstreamState
}

const usualWaiting = 512
/** Retries that may be saved up for a moment of failures. */
const mostSaved = 10

export function createGuard(name: string, options: GuardOptions): Guard {
  const { retries, concurrency } = options
  const limit =
    concurrency === undefined
      ? undefined
      : createConcurrencyLimit(concurrency.most, concurrency.waiting ?? usualWaiting)
  const pauseMs = options.breaker?.pauseMs ?? 1000
  const breaker =
    options.breaker === undefined
      ? undefined
      : createBreaker({ ...options.breaker, pauseMs, maxPauseMs: pauseMs * 10 }, () => limit?.shut())
  let saved = mostSaved

  const shut = (seconds: number): Exchanged =>
    notSent(`The subgraph ${name} is not asked for now: it has failed too often.`, seconds)

  /** One attempt through the breaker. */
  async function attempt(send: () => Promise<Exchanged>): Promise<Exchanged> {
    if (breaker === undefined) return send()
    const seconds = breaker.refusal()
    if (seconds !== undefined) return shut(seconds)
    const isTrial = breaker.begin()
    const exchanged = await send()
    // Who went away tells nothing of the subgraph.
    breaker.ended(isTrial, exchanged.loss === 'cancelled' ? undefined : { fault: isFault(exchanged) })
    return exchanged
  }

  async function inTurn(
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<Exchanged>,
  ): Promise<Exchanged> {
    if (limit === undefined) return attempt(send)
    if (!limit.acquire()) {
      const result = await limit.wait(deadline, request)
      if (result === 'full') return notSent(`Too much is asked of the subgraph ${name} at once.`, 1)
      if (result === 'shut') return shut(1)
      if (result !== 'acquired') return { ...nothingSent, loss: result }
    }
    try {
      return await attempt(send)
    } finally {
      limit.release()
    }
  }

  return {
    async run(repeatable, request, deadline, send) {
      saved = Math.min(mostSaved, saved + (retries?.budget ?? 0.2))
      for (let repetition = 0; ; repetition++) {
        const exchanged = await inTurn(request, deadline, send)
        if (!repeatable || retries === undefined || repetition >= retries.most || saved < 1) return exchanged
        if (!isWorthRetrying(exchanged)) return exchanged
        saved -= 1
        const delay = retryDelayMs({
          repetition,
          firstMs: retries.delayMs ?? 50,
          random: Math.random,
          retryAfter: retryAfterSeconds(exchanged.headers),
        })
        // An answer that says why it failed is worth more than a timeout.
        if (performance.now() + delay >= deadline) return exchanged
        if (!(await pause(delay, request))) return { ...nothingSent, loss: cancelReason(request) }
      }
    },
    get state() {
      return {
        breaker: breaker?.state ?? 'closed',
        active: limit?.active ?? 0,
        waiting: limit?.waiting ?? 0,
      }
    },
  }
}

const notSent = (message: string, retryAfter: number): Exchanged => ({
  ...nothingSent,
  cause: new NotSent(message, retryAfter),
})

const isFault = (exchanged: Exchanged): boolean => {
  const { loss, status, cause } = exchanged
  if (cause instanceof NotSent) return false
  return loss === undefined ? status >= 500 && !isShed(exchanged) : loss !== 'unsendable'
}

/**
 * Whether a service of ours refused it for its load, which it does at once and to some of what it is asked. It goes on
 * answering the others: a breaker would take those as well, the mutations among them, which are refused last.
 */
const isShed = ({ status, body }: Exchanged): boolean => status === 503 && body.includes('"SERVICE_BUSY"')

const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

const isWorthRetrying = ({ loss, status, cause }: Exchanged): boolean =>
  loss === undefined
    ? retriedStatuses.has(status)
    : (loss === 'connection' || loss === 'truncated') && !(cause instanceof NotSent)

/** Whether the whole pause was waited for. */
function pause(milliseconds: number, request: GatewayRequest): Promise<boolean> {
  const end = performance.now() + milliseconds
  return new Promise((resolve) => {
    waitFor(end, request, () => resolve(performance.now() >= end - 1 && !request.cancelled))
  })
}
