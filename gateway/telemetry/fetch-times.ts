/** The duration of each fetch of a request, for the log of slow operations. Disabled, it wraps no transport. */
import type { GatewayRequest } from '../../engine/request.ts'
import { type SubgraphResult, type Transport, withFetches } from '../../engine/subgraphs/index.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'

interface FetchTime {
  readonly subgraph: string
  /** Milliseconds since the request began to be executed. */
  readonly start: number
  readonly ms: number
  /** Whether it had errors. */
  readonly failed?: true
}

/** Further fetches of one request are not noted. */
const mostFetches = 100

interface Times {
  readonly began: number
  readonly fetches: FetchTime[]
}

const times = new WeakMap<GatewayRequest, Times>()

/** The fetches of the request so far, in the order of their ends. */
export const fetchTimesOf = (request: GatewayRequest): readonly FetchTime[] =>
  times.get(request)?.fetches ?? []

/** The same transport with timed fetches. */
export function timeTransport(transport: Transport): Transport {
  return withFetches(transport, (operation) => {
    const send = transport.prepare(operation)
    return (variables, request, extras) => {
      const started = performance.now()
      const { began, fetches } = getOrInsert(times, request, () => ({ began: started, fetches: [] }))
      const note = (result: SubgraphResult): SubgraphResult => {
        if (fetches.length < mostFetches)
          fetches.push({
            subgraph: transport.name,
            start: tenths(started - began),
            ms: tenths(performance.now() - started),
            ...(hasErrors(result) ? { failed: true as const } : {}),
          })
        return result
      }
      return whenReady(send(variables, request, extras), note)
    }
  })
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

function hasErrors(result: SubgraphResult): boolean {
  return result.errors !== undefined && result.errors.length > 0
}
