/** Reads what a response has beside its data: an explanation, errors, missing scopes. Pure. */
import { isObject, type Json } from '../json.ts'

export interface Call {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  readonly asksFor: readonly string[]
}

export interface AccessRefusal {
  readonly message: string
  /** The scopes of which one more would open the field; empty if more than scopes is needed. */
  readonly missing: readonly string[]
  /** What the sign-in must fulfil, if anything. */
  readonly signIn?: DemandedSignIn | undefined
}

export interface DemandedSignIn {
  /** Ways of signing in, any of which is enough. */
  readonly acrValues: readonly string[]
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge: number | undefined
}

export interface Explanation {
  readonly units: number
  /** How many calls, by service. */
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly Call[]
  /** One list of alternatives for each field that needs scopes. */
  readonly required: readonly (readonly (readonly string[])[])[]
  readonly refused: readonly AccessRefusal[]
  readonly plan: string
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

export function explanationIn(answer: unknown): Explanation | undefined {
  const extensions = isObject(answer) ? answer.extensions : undefined
  const explain = isObject(extensions) ? extensions.explain : undefined
  if (!isObject(explain)) return undefined
  const scopes = isObject(explain.scopes) ? explain.scopes : {}
  const refused = Array.isArray(scopes.refused) ? scopes.refused.filter(isObject) : []
  return {
    units: typeof explain.units === 'number' ? explain.units : 0,
    calls: isObject(explain.calls) ? (explain.calls as Record<string, number>) : {},
    operations: Array.isArray(explain.operations) ? (explain.operations as Call[]) : [],
    required: Array.isArray(scopes.required) ? (scopes.required as string[][][]) : [],
    refused: refused.map(({ message, missing }) => ({ message: String(message), missing: textsOf(missing) })),
    plan: typeof explain.plan === 'string' ? explain.plan : '',
  }
}

export interface Fault {
  readonly message: string
  /** The place in the response, such as `video.fileDetails`; empty for the whole response. */
  readonly path: string
  readonly code: string | undefined
  readonly service: string | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const errorsIn = (answer: unknown): Json[] =>
  isObject(answer) && Array.isArray(answer.errors) ? answer.errors.filter(isObject) : []
const isRefusal = ({ extensions }: Json): boolean =>
  isObject(extensions) && extensions.code === 'UNAUTHORIZED_FIELD_OR_TYPE'

/** The errors of a response that refuse a field because of scopes. */
export function refusalsIn(answer: unknown): AccessRefusal[] {
  return errorsIn(answer)
    .filter(isRefusal)
    .map(({ message, extensions }) => {
      const authorization = isObject(extensions) ? extensions.authorization : undefined
      return {
        message: String(message),
        missing: isObject(authorization) ? textsOf(authorization.missing) : [],
        signIn: isObject(authorization) ? signInOf(authorization.challenge) : undefined,
      }
    })
}

function signInOf(challenge: unknown): DemandedSignIn | undefined {
  if (!isObject(challenge)) return undefined
  const { acr_values: acr, max_age: maxAge } = challenge
  if (typeof acr !== 'string' && typeof maxAge !== 'number') return undefined
  return {
    acrValues: typeof acr === 'string' ? acr.split(' ') : [],
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
  }
}

/** One sign-in that fulfils all demands as far as possible: the ways that all accept, and the smallest age. */
export function demandedSignIn(refusals: readonly AccessRefusal[]): DemandedSignIn | undefined {
  return refusals
    .flatMap(({ signIn }) => signIn ?? [])
    .reduce<DemandedSignIn | undefined>((one, other) => {
      if (one === undefined || one.acrValues.length === 0)
        return { acrValues: other.acrValues, maxAge: least(one?.maxAge, other.maxAge) }
      const common = one.acrValues.filter((value) => other.acrValues.includes(value))
      return {
        acrValues: common.length > 0 ? common : one.acrValues,
        maxAge: least(one.maxAge, other.maxAge),
      }
    }, undefined)
}

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/** All other errors of a response. */
export function faultsIn(answer: unknown): Fault[] {
  return errorsIn(answer)
    .filter((error) => !isRefusal(error))
    .map(({ message, path, extensions }) => ({
      message: String(message),
      path: Array.isArray(path) ? path.join('.') : '',
      code: isObject(extensions) ? textOf(extensions.code) : undefined,
      service: isObject(extensions) ? textOf(extensions.service) : undefined,
    }))
}

export const missingScopes = (refusals: readonly AccessRefusal[]): string[] => [
  ...new Set(refusals.flatMap(({ missing }) => missing)),
]
