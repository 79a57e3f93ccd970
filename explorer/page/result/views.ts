/** The newest responses, and how they are shown: the chosen view, the search in it, and the file of an upload. */

import type { HttpExchange } from '../graph/http-exchange.ts'
import type { Operation } from '../graph/operation.ts'
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

export const resultViews = ['answer', 'table', 'charts', 'explain'] as const
export type ResultView = (typeof resultViews)[number]

/** The view that the user chose, and the exchange for which it was chosen. `next` means the next exchange. */
interface ChosenView {
  readonly of: Operation | 'next'
  readonly view: ResultView
}

export const chosenView = createStore<ChosenView | undefined>(undefined)
/** How often the search was opened. */
export const findAsked = createStore(0)
/** A file that was chosen before there was an upload address. */
export const uploadFile = createStore<File | undefined>(undefined)

export const viewShown = (): ResultView => viewOf(latestResponses.current(), chosenView.current())

export function viewOf(found: LatestResponses | undefined, chosen: ChosenView | undefined): ResultView {
  if (found === undefined) return 'answer'
  const { latest, answered, explained } = found
  const { operation } = latest.exchange
  const wanted =
    chosen !== undefined && (chosen.of === operation || chosen.of === 'next') ? chosen.view : undefined
  const usual = latest.exchange.explained ? 'explain' : latest.charts.length > 0 ? 'charts' : 'answer'
  const view = wanted ?? usual
  if (view === 'explain') return explained === undefined ? 'answer' : 'explain'
  if (answered === undefined) return 'explain'
  if (view === 'charts' && answered.charts.length === 0) return 'answer'
  return view
}
