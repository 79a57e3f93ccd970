/**
 * The details of one response: its errors in words, missing scopes, an explanation, and the charts that can be drawn.
 * Pure.
 */
import { isObject, textsOf } from '../../../shared/json/is-object.ts'
import type { HttpExchange } from '../graph/http-exchange.ts'
import { codeOf, errorsIn, type Json, objectOf, objectsIn, textOf } from '../json.ts'
import { type Chart, chartsFrom } from './charts.ts'

export interface ResponseDetails {
  readonly exchange: HttpExchange
  readonly charts: readonly Chart[]
  readonly explanation: Explanation | undefined
  readonly refusals: readonly AccessRefusal[]
  /** The scopes that the refused fields need. */
  readonly missing: readonly string[]
  /** What the refused fields demand of the sign-in. */
  readonly signIn: DemandedSignIn | undefined
  readonly faults: readonly Fault[]
}

export interface Explanation {
  readonly units: number
  /** How many calls, of all services. */
  readonly calls: number
  readonly operations: readonly Call[]
  /** One list of alternatives for each field that needs scopes. */
  readonly required: readonly (readonly (readonly string[])[])[]
  readonly refused: readonly AccessRefusal[]
  /** The scopes of which one more would open a refused field. */
  readonly missing: readonly string[]
  readonly plan: string
}

interface Call {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  readonly asksFor: readonly string[]
}

interface AccessRefusal {
  readonly message: string
  /** The scopes of which one more would open the field; empty if more than scopes is needed. */
  readonly missing: readonly string[]
  /** What the sign-in must fulfil, if anything. */
  readonly signIn?: DemandedSignIn | undefined
}

interface DemandedSignIn {
  /** Ways of signing in, any of which is enough. */
  readonly acrValues: readonly string[]
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge: number | undefined
}

export interface Fault {
  readonly message: string
  /** The place in the response, such as `video.fileDetails`; empty for the whole response. */
  readonly path: string
  readonly code: string | undefined
  readonly service: string | undefined
}

export function detailsOf(exchange: HttpExchange): ResponseDetails {
  const { response, operation, explained, subscription } = exchange
  const answer = response?.answer
  const explanation = explained ? explanationIn(answer) : undefined
  const refusals = explained ? [] : errorsIn(answer).filter(isRefusal).map(refusalFrom)
  const faults = errorsIn(answer)
    .filter((error) => !isRefusal(error))
    .map(faultFrom)
  const tell = (message: string): void =>
    void faults.push({ message, path: '', code: undefined, service: undefined })
  if (response === undefined)
    tell('The gateway cannot be reached: it may be stopped, or the network is down.')
  else if (answer === undefined)
    tell(`The answer (status ${response.status}) is not JSON: it may come from a proxy.`)
  if (response?.isCut === true)
    tell('The connection was lost before the last payload: part of the answer is missing.')
  if (explained && explanation === undefined && faults.length === 0)
    tell('The gateway explained nothing: it does not know the header Tessera-Explain.')
  return {
    exchange,
    charts: explained ? [] : (subscription?.charts ?? chartsFrom(answer, operation)),
    explanation,
    refusals,
    missing: missingScopes(refusals),
    signIn: demandedSignIn(refusals),
    faults,
  }
}

export function explanationIn(answer: unknown): Explanation | undefined {
  const { explain } = objectOf(objectOf(answer).extensions)
  if (!isObject(explain)) return undefined
  const { units, calls, operations, scopes, plan } = explain
  const { required, refused } = objectOf(scopes)
  const refusals = objectsIn(refused).map(({ message, missing }) => ({
    message: String(message),
    missing: textsOf(missing),
  }))
  return {
    units: numberOf(units) ?? 0,
    calls: Object.values(objectOf(calls)).reduce<number>((sum, count) => sum + Number(count), 0),
    operations: Array.isArray(operations) ? (operations as Call[]) : [],
    required: Array.isArray(required) ? (required as string[][][]) : [],
    refused: refusals,
    missing: missingScopes(refusals),
    plan: textOf(plan) ?? '',
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const missingScopes = (refusals: readonly AccessRefusal[]): string[] => [
  ...new Set(refusals.flatMap(({ missing }) => missing)),
]

const isRefusal = (error: Json): boolean => codeOf(error) === 'UNAUTHORIZED_FIELD_OR_TYPE'

function refusalFrom({ message, extensions }: Json): AccessRefusal {
  const { missing, challenge } = objectOf(objectOf(extensions).authorization)
  return { message: String(message), missing: textsOf(missing), signIn: signInOf(challenge) }
}

function signInOf(challenge: unknown): DemandedSignIn | undefined {
  const { acr_values: acrValues, max_age: age } = objectOf(challenge)
  const [ways, maxAge] = [textOf(acrValues), numberOf(age)]
  return ways === undefined && maxAge === undefined
    ? undefined
    : { acrValues: ways?.split(' ') ?? [], maxAge }
}

/** One sign-in that fulfils all demands as far as possible: the ways that all accept, and the smallest age. */
function demandedSignIn(refusals: readonly AccessRefusal[]): DemandedSignIn | undefined {
  const demands = refusals.flatMap(({ signIn }) => signIn ?? [])
  if (demands.length === 0) return undefined
  const acrValues = demands.reduce<readonly string[]>((ways, demand) => {
    const common = ways.filter((way) => demand.acrValues.includes(way))
    return ways.length === 0 ? demand.acrValues : common.length > 0 ? common : ways
  }, [])
  const ages = demands.flatMap(({ maxAge }) => maxAge ?? [])
  return { acrValues, maxAge: ages.length === 0 ? undefined : Math.min(...ages) }
}

const faultFrom = (error: Json): Fault => ({
  message: String(error.message),
  path: Array.isArray(error.path) ? error.path.join('.') : '',
  code: codeOf(error),
  service: textOf(objectOf(error.extensions).service),
})
