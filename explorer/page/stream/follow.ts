/**
 * Keeps a subscription alive: reads its events, connects again if the connection is lost or the server disconnects
 * its clients, and resumes after the last event with an id.
 */
import type { Operation } from '../graph/operation.ts'
import { jsonFrom } from '../json.ts'
import { isEventStream } from './delivery.ts'
import { endIn, isToBeRepeated, waitBefore } from './ends.ts'
import { emptyFeed, type Feed, type FeedStatus, withEvent } from './feed.ts'
import { createPace } from './pace.ts'
import { readEvents, TooLong } from './read-events.ts'

export interface FollowOptions {
  readonly operation: Operation
  /** Sends the operation. `lastEventId` is the event after which to resume. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>
  /** Whether there is another token than at the last `open`. */
  readonly hasNewToken: () => Promise<boolean>
  readonly signal: AbortSignal
  /** Called after every change, at most ten times a second. */
  readonly onChange: (feed: Feed) => void
  /** Milliseconds until the next attempt, unless the server names them. */
  readonly wait?: (attempt: number) => number
}

/** The response of the gateway if the subscription did not begin. */
export interface Refused {
  readonly response: Response
}

const breathMs = 100
/** Statuses of a server that cannot take the subscription now. Another server, or the same one later, may. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Resolves when the subscription has ended, or with the response that refused it at the start. */
export async function follow(options: FollowOptions): Promise<Refused | undefined> {
  const { operation, open, signal, onChange, wait = waitBefore } = options
  let feed: Feed = emptyFeed
  let lastId: string | undefined
  let retryMs: number | undefined
  /** Attempts since the last event. */
  let attempt = 0
  let hasBegun = false

  const pace = createPace(() => onChange(feed), breathMs)
  const become = (status: FeedStatus): void => {
    feed = { ...feed, status }
    pace.now()
  }
  const ended = (words: string, isFault: boolean): void => become({ kind: 'ended', words, isFault })

  async function waitToResume(words: string): Promise<void> {
    const milliseconds = retryMs ?? wait(attempt)
    retryMs = undefined
    attempt += 1
    become({ kind: 'waiting', words, until: Date.now() + milliseconds })
    await pause(milliseconds, signal)
    become({ kind: 'connecting' })
  }

  /** Undefined if it should be tried again. */
  async function once(): Promise<'over' | Refused | undefined> {
    let response: Response
    try {
      response = await open(lastId)
    } catch (error) {
      if (signal.aborted || !hasBegun) throw error
      await waitToResume('The gateway cannot be reached.')
      return undefined
    }
    if (!isEventStream(response)) {
      if (!hasBegun) return { response }
      if (!passing.has(response.status)) {
        const answer = jsonFrom(await response.text())
        feed = { ...feed, latest: answer }
        ended(endIn(answer)?.words ?? `The gateway refuses it (status ${response.status}).`, true)
        return 'over'
      }
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (Number.isFinite(seconds)) retryMs = seconds * 1000
      await waitToResume(`The gateway accepts no subscription now (status ${response.status}).`)
      return undefined
    }
    if (hasBegun) feed = { ...feed, resumed: feed.resumed + 1 }
    hasBegun = true
    become({ kind: 'listening' })

    let end: ReturnType<typeof endIn>
    let isComplete = false
    try {
      await readEvents(response, {
        onRetry: (milliseconds) => {
          retryMs = milliseconds
        },
        onEvent({ event, data, id }) {
          if (event === 'complete') isComplete = true
          if (event !== 'next') return
          if (id !== undefined && id !== '') lastId = id
          const answer = jsonFrom(data)
          end = endIn(answer)
          if (end !== undefined) {
            feed = { ...feed, latest: answer }
            return
          }
          attempt = 0
          feed = withEvent(feed, { at: Date.now(), id, text: data, answer }, operation)
          pace.soon()
        },
      })
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof TooLong) {
        ended(error.message, true)
        return 'over'
      }
      await waitToResume('The connection was lost.')
      return undefined
    }
    if (end !== undefined) {
      if (end.code === 'UNAUTHENTICATED' && (await options.hasNewToken())) return undefined
      if (isToBeRepeated(end)) {
        await waitToResume(end.words)
        return undefined
      }
      ended(end.words, true)
      return 'over'
    }
    if (isComplete) {
      ended('Complete: there are no more events.', false)
      return 'over'
    }
    await waitToResume(
      retryMs === undefined ? 'The connection was lost.' : 'The server disconnects its clients.',
    )
    return undefined
  }

  try {
    become({ kind: 'connecting' })
    for (;;) {
      const outcome = await once()
      if (outcome === 'over') return undefined
      if (outcome !== undefined) return outcome
    }
  } catch (error) {
    if (!signal.aborted) throw error
    ended('Stopped.', false)
    return undefined
  } finally {
    pace.stop()
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
