/**
 * Equal concurrent fetches of a remote subgraph are sent once. Each request waits until its own deadline, and the
 * exchange is aborted when the last of them has gone. If an exchange ended because of the request that began it, one
 * of the others begins again.
 *
 * A request joins no fetch that began before its caller's own last change (`GatewayRequest.notBefore`).
 */
import { CancelledError, cancelReason, until } from '../../../shared/http/cancellation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import { lastChange } from '../../change-count.ts'
import type { GatewayRequest } from '../../request.ts'

/** The most fetches that others may join. */
const mostFetches = 1000
/** Fetches with longer keys are not shared. */
const mostCharacters = 65_536

/** The value of a header in a key. An absent header, an empty one and any other value differ. */
export const headerPart = (value: string | undefined): string => (value === undefined ? '\n-' : `\n=${value}`)

/** Whether a request may share the result of a fetch that another one began. */
export const mayShare = (since: number, leader: GatewayRequest, request: GatewayRequest): boolean =>
  since >= request.notBefore && !leader.cancelled

interface Caller {
  readonly request: GatewayRequest
  readonly deadline: number
}

/** `joined` is called for each fetch that joins another one. */
export function createInFlightFetches(joined?: () => void) {
  const fetches = new SingleFlight<HttpResult, Caller>({
    mayJoin: ({ since, leader }, { request }) => mayShare(since, leader.request, request),
    async wait({ leader, result }, { request, deadline }) {
      joined?.()
      leader.request.hold()
      try {
        const end = await until(result, deadline, request)
        if (end.loss !== 'cancelled' && end.loss !== 'timeout') return end
      } finally {
        leader.request.release()
      }
      if (request.cancelled || performance.now() >= deadline) throw new CancelledError(cancelReason(request))
      return undefined
    },
    clock: lastChange,
    most: mostFetches,
    mostCharacters: { one: mostCharacters, all: mostFetches * mostCharacters },
  })
  /**
   * Waits for an equal fetch that is under way, or sends. `key` contains everything on which the response can depend.
   * Rejects with a `CancelledError` if `request` ends before a fetch that it joined.
   */
  return async (
    key: string,
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<HttpResult>,
  ): Promise<HttpResult> => fetches.run(key, { request, deadline }, send)
}
