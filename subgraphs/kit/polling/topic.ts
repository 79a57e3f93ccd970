/**
 * One poller: an upstream question and a credential, in this process. It begins with the first subscriber and ends after
 * the last. Of several processes with the same topic one polls and tells the others what it learned; all deliver it to
 * their own subscribers, from state that they keep alike, so that any of them can go on.
 */
import { tesseraError } from '../../../contract/errors.ts'
import type { LiveClock, LiveObserver, LivePrice, LiveStore, PollEvent } from '../../../contract/live.ts'
import type { SubgraphRequest } from '../../../contract/request.ts'
import { asError } from '../../../contract/thrown.ts'
import { type BackgroundRequest, backgroundRequest } from '../background-request.ts'
import { accountOf } from '../upstream/call-headers.ts'
import type { BudgetShare, LiveBudget } from './budget.ts'
import { intervalMs, type Pace } from './interval.ts'
import { isLasting } from './lasting.ts'
import { endMessage, type Message, reasonFrom } from './message.ts'
import type { Polled, Question } from './question.ts'
import type { LiveQueue } from './queue.ts'
import type { Turns } from './turns.ts'

/** What pollers of one service have in common. */
export interface TopicHost {
  readonly service: string
  readonly clock: LiveClock
  readonly store: LiveStore
  readonly budget: LiveBudget
  readonly turns: Turns
  /** In place of the questions' own. */
  readonly pace?: Partial<Pace> | undefined
  /** The interval in place of the questions' own, where their polls call the service. */
  readonly everySeconds?: number | undefined
  /** The part of what a service leaves that live work may take, from 0 to 1. */
  readonly share: number
  readonly observer?: LiveObserver | undefined
}

export interface Topic<T, News> {
  /** Keeps the topic while somebody is about to subscribe; returns how to let go of it. */
  hold(): () => void
  /** Rejects where the budget does not allow it. `units`: of one poll with what the newcomer wants. */
  price(units: number, wishMs: number | undefined): Promise<LivePrice>
  /** The subscriber belongs to this topic from now on; what it wants is in `Question.want` already. */
  add(queue: LiveQueue<T>, request: SubgraphRequest, wishMs: number | undefined): void
  remove(queue: LiveQueue<T>): void
  /** What is wanted has changed. */
  changed(): void
  /** Takes news that no poll brought, as one for all processes would have. */
  learn(news: News): void
  readonly size: number
  /** The interval between polls now. */
  readonly intervalMs: number
  /** Whether this process polls. */
  readonly leading: boolean
  close(): void
}

interface Subscriber {
  readonly request: SubgraphRequest
  readonly wishMs: number | undefined
}

/** How long a poll may take, retries included; calls have deadlines of their own within it. */
const pollMs = 60_000
/** What arrives together waits so long for more before it is asked for. */
const gatherMs = 50
/** How often the first poll may fail before the subscribers, who have got nothing, get an error. */
const mostFirstFailures = 3
/** What the operator has set comes before what the field would do; a wish may still make it shorter. */
function paceOf(pace: Pace, host: TopicHost): Pace {
  const { everySeconds } = host
  return { ...pace, ...(everySeconds === undefined ? {} : { usualMs: everySeconds * 1000 }), ...host.pace }
}

/** `ended` is called when the topic has no subscriber any more. */
export function createTopic<T, Want, News>(
  host: TopicHost,
  question: Question<Want, News>,
  ended: () => void,
): Topic<T, News> {
  const { service, clock, store, budget, turns, observer } = host
  const { field } = question
  const ownPace = paceOf(question.pace, host)
  const subscribers = new Map<LiveQueue<T>, Subscriber>()
  const wishes = new Map<number, number>()
  const share: BudgetShare = budget.enter(accountOf(question.credentialKey))
  let caller: SubgraphRequest | undefined
  let others: readonly Want[] = []
  let leading = false
  let closed = false
  let polling: BackgroundRequest | undefined
  let isInLine = false
  let cancelTimer: (() => void) | undefined
  let lastPollAt = Number.NEGATIVE_INFINITY
  let holds = 0
  let cancelTelling: (() => void) | undefined
  let unchanged = 0
  let failures = 0
  let hasAnswered = false
  let hintMs = 0
  let allowedMs: number = ownPace.usualMs
  /** Another process may lack what was learned: the next poll of everything is handed on whole. */
  let owesWhole = false
  /** The service gave its last answer to this process, which has heard of nothing else since. */
  let isConditional = false
  /** The mark of the last poll of everything, as of which all that is known holds. */
  let knownMark = 0

  const room = store.join(`${service} ${question.key} ${question.credentialKey}`, {
    lead(now) {
      leading = now
      if (now) {
        serveOthers()
        return
      }
      cancelTimer?.()
      // What the new leader learns may be newer than what comes of this poll.
      polling?.cancel()
      polling = undefined
      isConditional = false
    },
    hear(message, older) {
      if (!closed) hear(message as Message<News>, older)
    },
    renew() {
      owesWhole = true
    },
    wants(wants) {
      others = wants as readonly Want[]
      if (leading && !closed) serveOthers()
    },
  })

  observer?.poller(service, field, 1)

  const wantsNow = (): readonly Want[] => [question.want(), ...others]
  const wishNow = (): number | undefined => {
    // A subscriber without a wish wants the usual interval.
    let least: number | undefined
    let named = 0
    for (const [wish, count] of wishes) {
      named += count
      least = Math.min(least ?? wish, wish)
    }
    if (least === undefined) return undefined
    return named < subscribers.size && ownPace.usualMs < least ? undefined : least
  }
  const ownIntervalMs = (): number => intervalMs(ownPace, { wishMs: wishNow(), hintMs, unchanged, failures })

  /** Hands the other processes what they lack of what is known here, and asks the service for the rest. */
  function serveOthers(): void {
    for (const want of others) {
      const news = question.lacking?.(want)
      if (news !== undefined) room.tell({ news } satisfies Message<News>, knownMark)
    }
    schedule()
  }

  /** `gathered`: what is wanted together has been waited for. */
  function schedule(gathered = false): void {
    cancelTimer?.()
    cancelTimer = undefined
    if (!leading || closed || isInLine || polling !== undefined || subscribers.size === 0) return
    const now = clock.now()
    const dueAt = question.dueAt?.(lastPollAt, allowedMs) ?? lastPollAt + allowedMs
    const due = Math.max(0, dueAt - now)
    const missing = due > gatherMs && failures === 0 && question.isMissing(wantsNow())
    cancelTimer = clock.after(missing ? (gathered ? 0 : gatherMs) : due, () => void pollInTurn(missing))
  }

  async function pollInTurn(missing: boolean): Promise<void> {
    cancelTimer = undefined
    const turn = turns.take()
    isInLine = turn !== undefined
    if (turn !== undefined) await turn
    isInLine = false
    try {
      // Another process may poll by now.
      if (leading) await pollNow(missing)
    } finally {
      turns.release()
    }
  }

  /** `missing`: only what has never been asked for, before the next poll of everything is due. */
  async function pollNow(missing: boolean): Promise<void> {
    if (closed || caller === undefined || polling !== undefined) return
    const request = backgroundRequest(`live ${question.key}`, caller, pollMs)
    polling = request
    const { mark } = room
    const kind = { missing, whole: owesWhole && !missing, conditional: isConditional && !owesWhole }
    if (!missing) {
      lastPollAt = clock.now()
      owesWhole = false
    }
    const started = performance.now()
    let result: PollEvent['result'] = 'refused'
    let isWhole = false
    try {
      const wants = wantsNow()
      share.set(question.units(wants), ownIntervalMs())
      const allowed = await share.allows()
      if (polling !== request) return
      if (typeof allowed !== 'number') throw allowed
      result = 'failed'
      const ask = (): Promise<Polled<News>> => question.poll(wants, kind, request)
      const polled = await (observer === undefined ? ask() : observer.around(service, field, ask))
      if (polling !== request) return
      const { news, unchanged: isSame = news === undefined, partial = false } = polled
      result = isSame ? 'unchanged' : 'changed'
      failures = 0
      hasAnswered = true
      hintMs = polled.hintMs ?? 0
      if (!missing) {
        unchanged = isSame ? unchanged + 1 : 0
        isConditional = true
        if (!partial) knownMark = mark
      }
      isWhole = kind.whole && !partial
      if (news !== undefined) {
        room.tell({ news } satisfies Message<News>, mark, isWhole)
        question.take(news, false)
      }
      if (polled.final === true) end('done', mark)
    } catch (error) {
      if (polling === request) failed(asError(error), mark)
    } finally {
      if (kind.whole && !isWhole) owesWhole = true
      if (polling === request) {
        polling = undefined
        const milliseconds = performance.now() - started
        await pace()
        schedule()
        observer?.polled({ service, field, result, milliseconds, intervalMs: allowedMs })
      }
    }
  }

  /** The next interval, after what was learned. */
  async function pace(): Promise<void> {
    share.set(question.units(wantsNow()), ownIntervalMs())
    const allowed = await share.allows().catch(() => ownIntervalMs())
    // Where the budget is gone, the next poll says so.
    allowedMs = typeof allowed === 'number' ? allowed : ownIntervalMs()
    room.pace(allowedMs)
  }

  function failed(error: Error, mark: number): void {
    failures += 1
    unchanged += 1
    const { retryAfter } = (('extensions' in error ? error.extensions : undefined) ?? {}) as {
      retryAfter?: unknown
    }
    if (typeof retryAfter === 'number') hintMs = Math.max(hintMs, retryAfter * 1000)
    if (isLasting(error) || (!hasAnswered && failures >= mostFirstFailures)) end(error, mark)
  }

  function hear(message: Message<News>, older: boolean): void {
    isConditional = false
    if ('news' in message) {
      question.take(message.news, older)
      if (older) return
      hasAnswered = true
      failures = 0
      lastPollAt = clock.now()
    } else if (!older) finish(reasonFrom(message.end))
  }

  /** Ends the subscriptions of all processes. */
  function end(reason: 'done' | Error, mark: number): void {
    room.tell(endMessage(reason), mark)
    finish(reason)
  }

  function finish(reason: 'done' | Error): void {
    for (const queue of [...subscribers.keys()]) {
      if (reason === 'done') queue.finish()
      else queue.fail(reason)
    }
  }

  function close(): void {
    if (closed) return
    closed = true
    leading = false
    cancelTimer?.()
    polling?.cancel()
    polling = undefined
    cancelTelling?.()
    share.leave()
    room.leave()
    observer?.poller(service, field, -1)
    ended()
  }

  /** What is wanted changes with many subscribers of the same moment: it is announced once for all of them. */
  function tellWants(): void {
    cancelTelling ??= clock.after(gatherMs, () => {
      cancelTelling = undefined
      room.want(question.want())
      schedule(true)
      void pace().then(() => {
        if (cancelTimer !== undefined) schedule(true)
      })
    })
  }

  return {
    get size() {
      return subscribers.size
    },
    get intervalMs() {
      return allowedMs
    },
    get leading() {
      return leading
    },

    hold() {
      holds += 1
      let held = true
      return () => {
        if (!held) return
        held = false
        holds -= 1
        if (holds === 0 && subscribers.size === 0) close()
      }
    },

    async price(units, wishMs) {
      const wanted = Math.max(
        Math.min(wishMs ?? ownPace.usualMs, wishNow() ?? ownPace.usualMs),
        ownPace.leastMs,
        hintMs,
      )
      if (subscribers.size === 0) share.set(units, wanted)
      const allowed = await share.allows(units)
      if (typeof allowed !== 'number') throw allowed
      const interval = Math.max(wanted, allowed)
      return {
        intervalSeconds: Math.round(interval / 100) / 10,
        unitsPerPoll: units,
        unitsPerHour: Math.ceil((units * 3_600_000) / interval),
      }
    },

    add(queue, request, wishMs) {
      subscribers.set(queue, { request, wishMs })
      caller = request
      if (wishMs !== undefined) wishes.set(wishMs, (wishes.get(wishMs) ?? 0) + 1)
      if (subscribers.size === 1) {
        allowedMs = ownIntervalMs()
        room.want(question.want())
        schedule()
      } else if (wishMs !== undefined) tellWants()
    },

    remove(queue) {
      const subscriber = subscribers.get(queue)
      if (subscriber === undefined) return
      subscribers.delete(queue)
      const { wishMs } = subscriber
      if (wishMs !== undefined) {
        const left = (wishes.get(wishMs) ?? 0) - 1
        if (left > 0) wishes.set(wishMs, left)
        else wishes.delete(wishMs)
      }
      if (subscribers.size === 0) cancelTimer?.()
      if (subscribers.size === 0 && holds === 0) {
        close()
        return
      }
      // The credential is shown by one who is still there.
      if (caller === subscriber.request) caller = subscribers.values().next().value?.request
    },

    changed() {
      if (!closed) tellWants()
    },

    learn(news) {
      if (leading) room.tell({ news } satisfies Message<News>, knownMark)
      // As leader it would find nothing new in them.
      else owesWhole = true
      question.take(news, false)
    },

    close() {
      for (const queue of [...subscribers.keys()]) {
        queue.fail(
          tesseraError('SERVICE_STOPPING', 'This server is shutting down: subscribe again.', { service }),
        )
      }
      close()
    },
  }
}
