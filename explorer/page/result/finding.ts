/** What the page shows of one exchange: the response, its errors in words, and what can be drawn. */
import type { Exchange } from '../graph/exchange.ts'
import {
  type AccessRefusal,
  type DemandedSignIn,
  demandedSignIn,
  type Explanation,
  explanationIn,
  type Fault,
  faultsIn,
  missingScopes,
  refusalsIn,
} from './explanation.ts'
import { type Chart, chartsFrom } from './series.ts'

export interface Finding {
  readonly exchange: Exchange
  readonly charts: readonly Chart[]
  readonly explanation: Explanation | undefined
  readonly refusals: readonly AccessRefusal[]
  /** The scopes that the refused fields need. */
  readonly missing: readonly string[]
  /** What the refused fields demand of the sign-in. */
  readonly signIn: DemandedSignIn | undefined
  readonly faults: readonly Fault[]
}

const fault = (message: string): Fault => ({ message, path: '', code: undefined, service: undefined })

export function findingIn(exchange: Exchange): Finding {
  const { response, operation, explained, feed } = exchange
  const explanation = explained ? explanationIn(response?.answer) : undefined
  const refusals = explained ? [] : refusalsIn(response?.answer)
  const faults: Fault[] = []
  if (response === undefined)
    faults.push(fault('The gateway cannot be reached: it may be stopped, or the network is down.'))
  else if (response.answer === undefined)
    faults.push(fault(`The answer (status ${response.status}) is not JSON: it may come from a proxy.`))
  else faults.push(...faultsIn(response.answer))
  if (response?.isCut === true)
    faults.push(fault('The connection was lost before the last piece: part of the answer is missing.'))
  if (explained && explanation === undefined && faults.length === 0)
    faults.push(fault('The gateway explained nothing: it does not know the header Tessera-Explain.'))
  return {
    exchange,
    charts: explained ? [] : (feed?.charts ?? chartsFrom(response?.answer, operation)),
    explanation,
    refusals,
    missing: missingScopes(refusals),
    signIn: demandedSignIn(refusals),
    faults,
  }
}
