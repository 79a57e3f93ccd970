/** What the log hears of a Redis that is away: that it is, for which causes, and that it is back. */
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '../../telemetry/log.ts'
import { type Cause, causeOf, isLoss } from './cause.ts'

export interface AbsenceWords {
  readonly away: string
  readonly back: string
}

export interface Telling {
  readonly isAway: boolean
  /** Tells each kind of cause once until it is back. */
  away(error?: unknown): Cause
  back(): void
}

export function createTelling(
  clients: readonly (Redis | Cluster)[],
  log: Logger,
  words: AbsenceWords,
): Telling {
  /** What the connections failed with last. */
  let failure: unknown
  for (const client of clients) {
    client.on('error', (error) => {
      if (!isLoss(error)) failure = error
    })
    client.on('ready', () => {
      failure = undefined
    })
  }
  const told = new Set<string>()
  return {
    get isAway() {
      return told.size > 0
    },
    away(error) {
      const cause = causeOf(error, failure)
      if (!told.has(cause.kind)) log.warn({ cause: cause.said, toDo: cause.cure }, words.away)
      told.add(cause.kind)
      return cause
    },
    back() {
      if (told.size > 0) log.info(words.back)
      told.clear()
    },
  }
}

/** A connection that stays is well again when it answers, and nothing has failed on it for so long. */
export const calmMs = 5000

/**
 * Tells the log that it is away, once for each cause, and once that it is back: when a connection is made, or the one
 * that stayed is well again and has executed what it refused. Call the function that is returned at each failure.
 */
export function tellAbsence(redis: Redis, log: Logger, words: AbsenceWords): (error?: unknown) => void {
  const telling = createTelling([redis], log, words)
  /** Commands that were refused and have not been executed since. */
  const refused = new Set<string>()
  let failedAt = 0
  let willLook = false
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    if (refused.size > 0) command.promise.then(() => refused.delete(command.name.toUpperCase()), nothing)
    return send(command, stream)
  }
  redis.on('ready', () => {
    refused.clear()
    telling.back()
  })
  // A command can be late on a connection that stays, so that no event says that it is over.
  const look = async (): Promise<void> => {
    willLook = false
    if (!telling.isAway || redis.status === 'end') return
    // Asked first, as something may fail meanwhile.
    const isThere = redis.status === 'ready' && refused.size === 0 && (await answers(redis))
    if (isThere && performance.now() - failedAt >= calmMs) telling.back()
    else lookLater()
  }
  const lookLater = (): void => {
    if (willLook) return
    willLook = true
    setTimeout(() => void look(), calmMs).unref()
  }
  return (error) => {
    failedAt = performance.now()
    const cause = telling.away(error)
    if (cause.refused !== undefined && redis.status === 'ready') refused.add(cause.refused)
    lookLater()
  }
}

const nothing = (): void => {}

const answers = (redis: Redis): Promise<boolean> =>
  redis.ping().then(
    () => true,
    () => false,
  )
