/**
 * Equal fetches of a remote subgraph at the same time are sent once. Every request waits until its own deadline, and
 * the exchange is given up when the last of them has gone. An exchange that ended because of the request that began
 * it is no answer for others: one of them begins anew.
 *
 * A request joins no fetch that began before its caller's own last change (`GatewayRequest.notBefore`).
 */
import { CancelledError, cancelReason, until } from '../../../shared/http/cancellation.ts'
import type { Exchanged } from '../../../shared/http/exchange.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import { lastChange } from '../../change-count.ts'
import type { GatewayRequest } from '../../request.ts'

export interface InFlightFetches {
  /**
   * Waits for the equal fetch that is under way, or sends. `key` holds everything on which the answer can depend.
   * Rejects with a `CancelledError` if `request` is over before a fetch that it joined.
   */
  exchange(
    key: string,
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<Exchanged>,
  ): Promise<Exchanged>
}

export interface InFlightOptions {
  /** Called for each fetch that is not sent because an equal one is under way. */
  readonly joined?: (() => void) | undefined
  /** The most fetches under way that others may join. 1,000. */
  readonly mostFetches?: number | undefined
  /** The most characters of one key; longer ones are not shared. 65,536. */
  readonly mostCharacters?: number | undefined
  /** The most requests that wait for one fetch. 10,000. */
  readonly mostWaiting?: number | undefined
}

/** The value of a header as a part of a key: no header, an empty one and any other differ. */
export const headerPart = (value: string | undefined): string => (value === undefined ? '\n-' : `\n=${value}`)

/** Whether a request may share what another one began. */
export const mayShare = (since: number, leader: GatewayRequest, request: GatewayRequest): boolean =>
  since >= request.notBefore && !leader.cancelled

interface Caller {
  readonly request: GatewayRequest
  readonly deadline: number
}

export function createInFlightFetches(options: InFlightOptions = {}): InFlightFetches {
  const { joined, mostFetches = 1000, mostCharacters = 65_536, mostWaiting } = options
  const fetches = new SingleFlight<Exchanged, Caller>({
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
    mostWaiting,
  })
  return {
    exchange: async (key, request, deadline, send) => fetches.run(key, { request, deadline }, send),
  }
}
