/** What the page shows of the newest exchanges with the graph, of our own editor and of Apollo Sandbox. */
import { createStore } from '../frame/store.ts'
import type { Exchange } from '../graph/exchange.ts'
import { type Finding, findingIn } from './finding.ts'

/** The newest exchange, and the newest one of the other kind. */
export interface Findings {
  readonly latest: Finding
  readonly answered: Finding | undefined
  readonly explained: Finding | undefined
}

export const findings = createStore<Findings | undefined>(undefined)

/** Adds an exchange, which replaces the previous one of its kind, and returns it. */
export function noteExchange(exchange: Exchange): Exchange {
  const latest = findingIn(exchange)
  const { answered, explained } = findings.current() ?? {}
  findings.set(
    exchange.explained ? { latest, explained: latest, answered } : { latest, answered: latest, explained },
  )
  return exchange
}

export const clearFindings = (): void => findings.set(undefined)
