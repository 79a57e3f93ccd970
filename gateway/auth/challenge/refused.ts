/** The challenge for all refused fields of a response. */
import type { GraphQLError } from 'graphql'
import type { Identity } from '../../../shared/identity.ts'
import { challengeOfLack } from './challenge.ts'
import { Lacking } from './lacking.ts'
import type { Challenge, ChallengedSignIn } from './types.ts'

type Asked = Pick<Lacking, 'required' | 'signIns'>

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** What the error of a refused field demands of the caller; undefined for any other error. */
function askedBy({ extensions }: GraphQLError): Asked | undefined {
  if (extensions.code !== 'UNAUTHORIZED_FIELD_OR_TYPE') return undefined
  const { authorization } = extensions
  if (authorization instanceof Lacking) return authorization
  return typeof authorization === 'object' && authorization !== null
    ? askedElsewhere(authorization)
    : undefined
}

/** The same for an error from a subgraph that checks callers itself. Its content is not trusted. */
function askedElsewhere(authorization: object): Asked {
  const { required, challenge } = authorization as Record<string, unknown>
  const signIn = typeof challenge === 'object' && challenge !== null ? signInOf(challenge) : undefined
  return {
    required: Array.isArray(required) ? required.map(textsIn) : [],
    signIns: signIn === undefined ? [] : [signIn],
  }
}

function signInOf({ acr_values: acr, max_age: age }: Challenge): ChallengedSignIn | undefined {
  const acrValues = typeof acr === 'string' ? acr.split(' ') : []
  const maxAge = typeof age === 'number' ? age : undefined
  return acrValues.length === 0 && maxAge === undefined ? undefined : { acrValues, maxAge }
}

/**
 * The challenge of a response with refused fields. Each field opens by one of its alternatives. Fields with few
 * alternatives come first, so that the scopes that one field needs in any case count for the next one.
 */
export function challengeOfRefusals(
  errors: readonly GraphQLError[],
  identity: Identity,
): Challenge | undefined {
  const refusals = errors.flatMap((error) => askedBy(error) ?? [])
  if (refusals.length === 0) return undefined
  const wanted = new Set<string>()
  const gap = (scopes: readonly string[]): string[] =>
    scopes.filter((scope) => !identity.scopes.has(scope) && !wanted.has(scope))
  const leastOf = ({ required }: Asked): string[] =>
    required
      .map(gap)
      .reduce<string[] | undefined>(
        (least, one) => (least === undefined || one.length < least.length ? one : least),
        undefined,
      ) ?? []
  const open = refusals.map((refusal) => ({ refusal, size: leastOf(refusal).length }))
  open.sort((a, b) => a.refusal.required.length - b.refusal.required.length || a.size - b.size)
  for (const { refusal } of open) for (const scope of leastOf(refusal)) wanted.add(scope)
  return challengeOfLack({
    signedIn: identity.authenticated,
    scopes: [...wanted],
    signIns: refusals.flatMap(({ signIns }) => signIns),
  })
}
