/**
 * Equal fetches of a remote subgraph at the same time are sent once. Every request waits until its own deadline, and
 * the exchange is given up when the last of them has gone. An exchange that ended because of the request that began
 * it is no answer for others: one of them begins anew.
 *
 * A request joins no fetch that began before its caller's own last change (`GatewayRequest.notBefore`).
 */
import {
  type Cancellation,
  CancelledError,
  cancelReason,
  until,
} from '../../../contract/http/cancellation.ts'
import type { Exchanged } from '../../../contract/http/exchange.ts'
import { PassingMap } from '../../../contract/passing-map.ts'
import { lastChange } from '../changes.ts'
import type { GatewayRequest } from '../request.ts'

export interface InFlightFetches {
  /**
   * Waits for the equal fetch that is under way, or sends. `key` holds everything on which the answer can depend.
   * Rejects with a `CancelledError` where `request` is over before a fetch that it joined.
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

/** One that others may join. */
class Running {
  readonly since = lastChange()
  readonly leader: GatewayRequest
  readonly exchanged: Promise<Exchanged>
  waiting = 0

  constructor(leader: GatewayRequest, exchanged: Promise<Exchanged>) {
    this.leader = leader
    this.exchanged = exchanged
  }
}

export function createInFlightFetches(options: InFlightOptions = {}): InFlightFetches {
  const { joined, mostFetches = 1000, mostCharacters = 65_536, mostWaiting = 10_000 } = options
  const running = new PassingMap<Running>()

  function lead(key: string, request: GatewayRequest, send: () => Promise<Exchanged>): Promise<Exchanged> {
    const isShared =
      key.length <= mostCharacters && (running.size < mostFetches || running.get(key) !== undefined)
    if (!isShared) return send()
    const exchanged = send()
    const own = new Running(request, exchanged)
    running.set(key, own)
    const over = (): void => running.delete(key, own)
    exchanged.then(over, over)
    return exchanged
  }

  async function join(known: Running, request: Cancellation, deadline: number): Promise<Exchanged> {
    joined?.()
    known.waiting += 1
    known.leader.hold()
    try {
      return await until(known.exchanged, deadline, request)
    } finally {
      known.waiting -= 1
      known.leader.release()
    }
  }

  const isJoinable = (known: Running | undefined, { notBefore }: GatewayRequest): known is Running =>
    known !== undefined && known.since >= notBefore && known.waiting < mostWaiting && !known.leader.cancelled

  async function follow(
    first: Running,
    key: string,
    request: GatewayRequest,
    deadline: number,
    send: () => Promise<Exchanged>,
  ): Promise<Exchanged> {
    for (let known: Running | undefined = first; isJoinable(known, request); known = running.get(key)) {
      const end = await join(known, request, deadline)
      if (end.loss !== 'cancelled' && end.loss !== 'timeout') return end
      if (request.cancelled || performance.now() >= deadline) throw new CancelledError(cancelReason(request))
    }
    return lead(key, request, send)
  }

  return {
    exchange(key, request, deadline, send) {
      const known = running.get(key)
      return isJoinable(known, request)
        ? follow(known, key, request, deadline, send)
        : lead(key, request, send)
    },
  }
}
