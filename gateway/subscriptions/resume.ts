/** The event after which a client resumes its subscription, from a header or from the operation's extensions. */
import type { IncomingHttpHeaders } from 'node:http'
import { tesseraError } from '../../shared/errors.ts'
import { isEventId, longestEventId } from '../graphql-http/streaming/index.ts'

/** Browsers send it as UTF-8, which Node reads as Latin-1. */
export function lastEventIdIn(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' ? Buffer.from(id, 'latin1').toString('utf8') : undefined
}

/** Throws if this gateway cannot have made the id, because a subscription that ignored it would skip events. */
export function resumeFrom(lastEventId: unknown): string | undefined {
  if (lastEventId === undefined || lastEventId === null || lastEventId === '') return undefined
  if (typeof lastEventId === 'string' && isEventId(lastEventId)) return lastEventId
  throw tesseraError(
    'BAD_REQUEST',
    `The id of the last event must be text of one line and of ${longestEventId} characters at most, as that event had it.`,
  )
}
