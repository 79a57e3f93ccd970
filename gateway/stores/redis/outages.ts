/** Logs outages of Redis: that it cannot be reached, for which causes, and that it is back. */
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '../../telemetry/log.ts'
import type { Outage } from '../store.ts'
import { type Cause, causeOf, isLoss } from './cause.ts'

/** Reports each kind of cause once until Redis is back. */
export function createOutageReport(clients: readonly (Redis | Cluster)[], log: Logger, words: Outage) {
  /** The last failure of the connections. */
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
    get isAway(): boolean {
      return told.size > 0
    },
    away(error?: unknown): Cause {
      const cause = causeOf(error, failure)
      if (!told.has(cause.kind)) log.warn({ cause: cause.said, toDo: cause.cure }, words.away)
      told.add(cause.kind)
      return cause
    },
    back(): void {
      if (told.size > 0) log.info(words.back)
      told.clear()
    },
  }
}

/** An open connection is healthy again when it answers, and nothing has failed on it for this long. */
export const calmMs = 5000

/**
 * Logs that Redis is away, once for each cause, and once that it is back: when a connection is made, or the open one is
 * healthy again, and the commands that it refused have been executed. Call the returned function at each failure.
 */
export function reportOutages(redis: Redis, log: Logger, words: Outage): (error?: unknown) => void {
  const outage = createOutageReport([redis], log, words)
  /** Refused commands that have not been executed since. */
  const refused = new Set<string>()
  let failedAt = 0
  let willLook = false
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    if (refused.size > 0) command.promise.then(() => refused.delete(command.name.toUpperCase()), nothing)
    return send(command, stream)
  }
  // A new connection may lead to the server that refused them.
  redis.on('ready', () => {
    if (refused.size === 0) outage.back()
  })
  // A command can be late on an open connection, and no event says that this is over.
  const look = async (): Promise<void> => {
    willLook = false
    if (!outage.isAway || redis.status === 'end') return
    // Asked first, because something may fail meanwhile.
    const isThere = redis.status === 'ready' && refused.size === 0 && (await answers(redis))
    if (isThere && performance.now() - failedAt >= calmMs) outage.back()
    else lookLater()
  }
  const lookLater = (): void => {
    if (willLook) return
    willLook = true
    setTimeout(() => void look(), calmMs).unref()
  }
  return (error) => {
    failedAt = performance.now()
    const cause = outage.away(error)
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
