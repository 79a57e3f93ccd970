/**
 * Protects a subgraph, and the gateway from it (`shared/http/call-guard.ts`): which results are failures, which are
 * retried, and which error an operation gets that was not sent.
 */
import type { BreakerTuning } from '../../../shared/http/breaker.ts'
import { type CallGuard, type CallRefusal, createCallGuard } from '../../../shared/http/call-guard.ts'
import { type HttpResult, nothingSent } from '../../../shared/http/dispatch-request.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import type { UpstreamState } from '../../../shared/upstream.ts'
import type { GatewayRequest } from '../../request.ts'

export interface GuardOptions {
  readonly retries?: RetryOptions | undefined
  /** The longest pause is ten times as long as the first one. */
  readonly breaker?: Pick<BreakerTuning, 'consecutive' | 'ratio' | 'pauseMs'> | undefined
  /** The most concurrent requests, and the most that may wait. */
  readonly concurrency?: { readonly most: number; readonly waiting?: number | undefined } | undefined
}

interface RetryOptions {
  /** The most retries of a query. */
  readonly most: number
  /** The average number of retries for each request. 0.2 by default. */
  readonly budget?: number | undefined
  /** The first retry waits a random time up to this. It doubles each time. 50 by default. */
  readonly delayMs?: number | undefined
}

/** The request was not sent. The message says why. */
export class NotSent extends Error {
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

const defaultWaiting = 512
const defaultPauseMs = 1000

export class Guard {
  readonly #name: string
  readonly #guard: CallGuard

  constructor(name: string, { retries, concurrency, breaker }: GuardOptions) {
    this.#name = name
    const pauseMs = breaker?.pauseMs ?? defaultPauseMs
    this.#guard = createCallGuard({
      concurrency: concurrency && { most: concurrency.most, waiting: concurrency.waiting ?? defaultWaiting },
      breaker: breaker && { ...breaker, pauseMs, maxPauseMs: pauseMs * 10 },
      retries: retries && {
        most: retries.most,
        budget: retries.budget ?? 0.2,
        delayMs: retries.delayMs ?? 50,
      },
    })
  }

  get state(): UpstreamState {
    return this.#guard.state
  }

  run(
    repeatable: boolean,
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<HttpResult>,
  ): Promise<HttpResult> {
    return this.#guard.run({
      deadline,
      cancellation: request,
      attempt: send,
      // A cancellation by the client says nothing about the subgraph.
      verdict: (end) => (end.loss === 'cancelled' ? undefined : { fault: isFault(end) }),
      repetition: (end) =>
        repeatable && isWorthRetrying(end) ? { retryAfter: retryAfterSeconds(end.headers) } : undefined,
      refused: this.#refused,
    })
  }

  readonly #refused = (refusal: CallRefusal): HttpResult => {
    if (!('retryAfter' in refusal)) return { ...nothingSent, loss: refusal.why }
    const message =
      refusal.why === 'full'
        ? `Too many requests are sent to the subgraph ${this.#name} at the same time.`
        : `The subgraph ${this.#name} is not called for now, because it has failed too often.`
    return { ...nothingSent, cause: new NotSent(message, refusal.retryAfter) }
  }
}

const isFault = (exchanged: HttpResult): boolean => {
  const { loss, status } = exchanged
  return loss === undefined ? status >= 500 && !isShed(exchanged) : loss !== 'unsendable'
}

/**
 * Whether one of our services refused the request because of its load. It still answers other requests: a circuit
 * breaker would stop those as well, including mutations, which are refused last.
 */
const isShed = ({ status, body }: HttpResult): boolean => status === 503 && body.includes('"SERVICE_BUSY"')

const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

const isWorthRetrying = ({ loss, status }: HttpResult): boolean =>
  loss === undefined ? retriedStatuses.has(status) : loss === 'connection' || loss === 'truncated'
