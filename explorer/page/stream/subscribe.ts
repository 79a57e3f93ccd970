/**
 * Keeps a subscription alive: reads its events, connects again if the connection is lost or the server disconnects
 * its clients, and resumes after the last event with an id.
 */

import { delay } from '../delay.ts'
import type { Operation } from '../graph/operation.ts'
import { codeOf, errorsIn, jsonFrom, objectOf } from '../json.ts'
import { isEventStream, isTooLong, mostCharacters, readEvents } from './read-events.ts'
import {
  initialSubscription,
  type SubscriptionState,
  type SubscriptionStatus,
  withEvent,
} from './subscription-state.ts'
import { createThrottle } from './throttle.ts'

export interface SubscribeOptions {
  readonly operation: Operation
  /** Sends the operation. `lastEventId` is the event after which to resume. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>
  /** Whether there is another token than at the last `open`. */
  readonly hasNewToken: () => Promise<boolean>
  readonly signal: AbortSignal
  /** Called after every change, at most ten times a second. */
  readonly onChange: (state: SubscriptionState) => void
  /** Milliseconds until the next attempt, unless the server names them. */
  readonly wait?: (attempt: number) => number
}

const breathMs = 100
/** Statuses of a server that cannot take the subscription now. Another server, or the same one later, may. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Resolves when the subscription has ended, or with the response that refused it at the start. */
export function subscribe(options: SubscribeOptions): Promise<Response | undefined> {
  return new Follower(options).run()
}

/** What happens after a connection: another one, or the end of the subscription. */
type Outcome = 'again' | 'over' | Response

class Follower {
  readonly #options: SubscribeOptions
  readonly #throttle: ReturnType<typeof createThrottle>
  #state: SubscriptionState = initialSubscription
  #lastId: string | undefined
  /** Milliseconds until the next attempt, as the server named them. */
  #retryMs: number | undefined
  /** Attempts since the last event. */
  #attempt = 0
  #hasBegun = false

  constructor(options: SubscribeOptions) {
    this.#options = options
    this.#throttle = createThrottle(() => options.onChange(this.#state), breathMs)
  }

  async run(): Promise<Response | undefined> {
    try {
      this.#become({ kind: 'connecting' })
      let outcome: Outcome
      do outcome = await this.#once()
      while (outcome === 'again')
      return outcome === 'over' ? undefined : outcome
    } catch (error) {
      if (!this.#options.signal.aborted) throw error
      this.#end('Stopped.', false)
      return undefined
    } finally {
      this.#throttle.stop()
    }
  }

  /** Connects once, and reads as long as the connection lasts. */
  async #once(): Promise<Outcome> {
    let response: Response
    try {
      response = await this.#options.open(this.#lastId)
    } catch (error) {
      if (this.#options.signal.aborted || !this.#hasBegun) throw error
      return this.#waitToResume('The gateway cannot be reached.')
    }
    if (isEventStream(response)) return this.#listen(response)
    return this.#hasBegun ? this.#notResumed(response) : response
  }

  async #notResumed(response: Response): Promise<Outcome> {
    const { status, headers } = response
    if (passing.has(status)) {
      const seconds = Number(headers.get('retry-after') ?? Number.NaN)
      if (Number.isFinite(seconds)) this.#retryMs = seconds * 1000
      return this.#waitToResume(`The gateway accepts no subscription now (status ${status}).`)
    }
    const answer = jsonFrom(await response.text())
    this.#state = { ...this.#state, latest: answer }
    return this.#end(endIn(answer)?.words ?? `The gateway refuses it (status ${status}).`, true)
  }

  async #listen(response: Response): Promise<Outcome> {
    if (this.#hasBegun) this.#state = { ...this.#state, resumed: this.#state.resumed + 1 }
    this.#hasBegun = true
    this.#become({ kind: 'listening' })
    let last: LastOfStream
    try {
      last = await this.#read(response)
    } catch (error) {
      if (this.#options.signal.aborted) throw error
      if (isTooLong(error)) return this.#end(`One event has more than ${mostCharacters} characters.`, true)
      return this.#waitToResume('The connection was lost.')
    }
    const { end, isComplete } = last
    if (end !== undefined) {
      if (end.code === 'UNAUTHENTICATED' && (await this.#options.hasNewToken())) return 'again'
      return isToBeRepeated(end) ? this.#waitToResume(end.words) : this.#end(end.words, true)
    }
    if (isComplete) return this.#end('Complete: there are no more events.', false)
    return this.#waitToResume(
      this.#retryMs === undefined ? 'The connection was lost.' : 'The server disconnects its clients.',
    )
  }

  async #read(response: Response): Promise<LastOfStream> {
    const last: LastOfStream = { end: undefined, isComplete: false }
    await readEvents(response, {
      onRetry: (milliseconds) => {
        this.#retryMs = milliseconds
      },
      onEvent: ({ event, data, id }) => {
        if (event === 'complete') last.isComplete = true
        if (event !== 'next') return
        if (id !== undefined && id !== '') this.#lastId = id
        const answer = jsonFrom(data)
        last.end = endIn(answer)
        if (last.end !== undefined) {
          this.#state = { ...this.#state, latest: answer }
          return
        }
        this.#attempt = 0
        this.#state = withEvent(
          this.#state,
          { at: Date.now(), id, text: data, answer },
          this.#options.operation,
        )
        this.#throttle.soon()
      },
    })
    return last
  }

  async #waitToResume(words: string): Promise<'again'> {
    const { wait = waitBefore, signal } = this.#options
    const milliseconds = this.#retryMs ?? wait(this.#attempt)
    this.#retryMs = undefined
    this.#attempt += 1
    this.#become({ kind: 'waiting', words, until: Date.now() + milliseconds })
    await delay(milliseconds, signal)
    signal.throwIfAborted()
    this.#become({ kind: 'connecting' })
    return 'again'
  }

  #end(words: string, isFault: boolean): 'over' {
    this.#become({ kind: 'ended', words, isFault })
    return 'over'
  }

  #become(status: SubscriptionStatus): void {
    this.#state = { ...this.#state, status }
    this.#throttle.now()
  }
}

/** The last that the server sent of a stream that ended. */
interface LastOfStream {
  end: End | undefined
  isComplete: boolean
}

interface End {
  readonly code: string | undefined
  readonly words: string
}

const wordsByCode: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'The token has expired, or is no longer valid.',
  SUBSCRIPTION_TOO_SLOW: 'Events came faster than this page could read them. Run it again to resume.',
  QUOTA_EXCEEDED: 'The units of the day are used up.',
  COST_ESTIMATED_TOO_EXPENSIVE: 'It would cost more than is allowed.',
  TOO_MANY_SUBSCRIPTIONS: 'There are too many subscriptions.',
  SERVICE_STOPPING: 'The server is shutting down.',
  SUBSCRIPTION_RESTART: 'The graph has changed.',
}

/** An event with errors and without data ends the subscription. */
function endIn(answer: unknown): End | undefined {
  const [error] = errorsIn(answer)
  if (error === undefined || 'data' in objectOf(answer)) return undefined
  const code = codeOf(error)
  return { code, words: wordsByCode[code ?? ''] ?? String(error.message) }
}

/** Whether the server asks its clients to subscribe again. */
const isToBeRepeated = ({ code }: End): boolean =>
  code === 'SERVICE_STOPPING' || code === 'SUBSCRIPTION_RESTART'

/** Milliseconds before the next attempt. They grow up to half a minute. */
const waitBefore = (attempt: number): number => Math.min(30_000, 1000 * 2 ** Math.min(attempt, 10))
