/** The details of the newest responses of the graph. */

import type { HttpExchange } from '../graph/http-exchange.ts'
import { createStore } from '../ui/store.ts'
import { detailsOf, type ResponseDetails } from './response-details.ts'

/** The newest exchange, and the newest one of the other kind. */
export interface LatestResponses {
  readonly latest: ResponseDetails
  readonly answered: ResponseDetails | undefined
  readonly explained: ResponseDetails | undefined
}

export const latestResponses = createStore<LatestResponses | undefined>(undefined)

/** Adds an exchange, which replaces the previous one of its kind, and returns it. */
export function showExchange(exchange: HttpExchange): HttpExchange {
  const latest = detailsOf(exchange)
  const { answered, explained } = latestResponses.current() ?? {}
  latestResponses.set(
    exchange.explained ? { latest, explained: latest, answered } : { latest, answered: latest, explained },
  )
  return exchange
}

export const clearResponses = (): void => latestResponses.set(undefined)
