/** The challenge of a whole response, with its status. */
import type { GraphQLError } from 'graphql'
import { errors as jose } from 'jose'
import type { Identity } from '../../../shared/identity.ts'
import { textsOf } from '../../../shared/json/is-object.ts'
import type { StepUp } from '../authorize/step-up.ts'
import { type Challenge, challengeOfMissing, MissingAuthorization, scopesToRequest } from './challenge.ts'

interface Challenged {
  readonly status: 401 | 403
  readonly challenge: Challenge
}

/** The `extensions.authentication` of the error if it refuses a token. */
function tokenFaultOf(error: GraphQLError): { readonly reason: unknown } | undefined {
  const { code, authentication } = error.extensions
  if (code !== 'UNAUTHENTICATED' || typeof authentication !== 'object' || authentication === null)
    return undefined
  return authentication as { reason: unknown }
}

/** The scopes of a token that has expired: a client that did not store them would request all scopes. */
function scopeOfExpired({ originalError }: GraphQLError): string | undefined {
  const scope = originalError instanceof jose.JWTExpired ? originalError.payload.scope : undefined
  return typeof scope === 'string' ? scopesToRequest(scope.split(' ')) : undefined
}

const dpopErrors: Readonly<Record<string, Challenge['error']>> = {
  proof: 'invalid_dpop_proof',
  nonce: 'use_dpop_nonce',
}

/**
 * For a response without data whose status is 401 or 403. A caller without a token, and one whose sign-in is too old or
 * too weak, must sign in: 401, as in RFC 6750 and RFC 9470. A caller who lacks a scope must ask for it: 403. Undefined
 * if neither would help; `identity` is undefined if the token was refused.
 */
export function challengeOf(
  errors: readonly GraphQLError[],
  identity: Identity | undefined,
): Challenged | undefined {
  for (const error of errors) {
    const fault = tokenFaultOf(error)
    if (fault === undefined) continue
    // A header of another scheme counts as no token.
    if (fault.reason === 'scheme') return { status: 401, challenge: {} }
    const code = typeof fault.reason === 'string' ? dpopErrors[fault.reason] : undefined
    const challenge = { error: code ?? 'invalid_token', error_description: error.message } as const
    const scope = code === undefined ? scopeOfExpired(error) : undefined
    return { status: 401, challenge: scope === undefined ? challenge : { ...challenge, scope } }
  }
  if (identity === undefined) return undefined
  const challenge = challengeOfRefusals(errors, identity)
  if (challenge === undefined) return undefined
  return { status: challenge.error === 'insufficient_scope' ? 403 : 401, challenge }
}

type Asked = Pick<MissingAuthorization, 'required' | 'signIns'>

/** What the error of a refused field demands of the caller; undefined for any other error. */
function askedBy({ extensions }: GraphQLError): Asked | undefined {
  if (extensions.code !== 'UNAUTHORIZED_FIELD_OR_TYPE') return undefined
  const { authorization } = extensions
  if (authorization instanceof MissingAuthorization) return authorization
  return typeof authorization === 'object' && authorization !== null
    ? askedElsewhere(authorization)
    : undefined
}

/** The same for an error from a subgraph that checks callers itself. Its content is not trusted. */
function askedElsewhere(authorization: object): Asked {
  const { required, challenge } = authorization as Record<string, unknown>
  const signIn = typeof challenge === 'object' && challenge !== null ? signInOf(challenge) : undefined
  return {
    required: Array.isArray(required) ? required.map(textsOf) : [],
    signIns: signIn === undefined ? [] : [signIn],
  }
}

function signInOf({ acr_values: acr, max_age: age }: Challenge): StepUp | undefined {
  const acrValues = typeof acr === 'string' ? acr.split(' ') : []
  const maxAge = typeof age === 'number' ? age : undefined
  return acrValues.length === 0 && maxAge === undefined ? undefined : { acrValues, maxAge }
}

/**
 * The challenge of a response with refused fields. Each field opens by one of its alternatives. Fields with few
 * alternatives come first, so that the scopes that one field needs in any case count for the next one.
 */
function challengeOfRefusals(errors: readonly GraphQLError[], identity: Identity): Challenge | undefined {
  const refusals = errors.flatMap((error) => askedBy(error) ?? [])
  if (refusals.length === 0) return undefined
  const wanted = new Set<string>()
  const gap = (scopes: readonly string[]): string[] =>
    scopes.filter((scope) => !identity.scopes.has(scope) && !wanted.has(scope))
  const leastOf = ({ required }: Asked): string[] => {
    const [least = []] = required.map(gap).sort((a, b) => a.length - b.length)
    return least
  }
  const open = refusals.map((refusal) => ({ refusal, size: leastOf(refusal).length }))
  open.sort((a, b) => a.refusal.required.length - b.refusal.required.length || a.size - b.size)
  for (const { refusal } of open) for (const scope of leastOf(refusal)) wanted.add(scope)
  return challengeOfMissing({
    signedIn: identity.authenticated,
    scopes: [...wanted],
    signIns: refusals.flatMap(({ signIns }) => signIns),
  })
}
