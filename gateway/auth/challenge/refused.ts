/** What a caller lacks, as the parameters of a challenge: for one refused field, or for all of a response. */
import type { GraphQLError } from 'graphql'
import type { Identity } from '../../../shared/identity.ts'
import type { Challenge, ChallengedSignIn } from './types.ts'

export interface Lack {
  readonly signedIn: boolean
  readonly scopes: readonly string[]
  readonly signIns: readonly ChallengedSignIn[]
}

/** RFC 6749's characters of a scope; others could end the parameter. Values of `acr` have the same limits. */
const token = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const spaced = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.join(' ')

/** Several requirements as one: the common ways of signing in, or else those of the first, and the lowest age. */
function joined(signIns: readonly ChallengedSignIn[]): ChallengedSignIn | undefined {
  const [first, ...others] = signIns
  if (first === undefined) return undefined
  return others.reduce<ChallengedSignIn>((one, other) => {
    const common = one.acrValues.filter((value) => other.acrValues.includes(value))
    const ages = [one.maxAge, other.maxAge].filter((age) => age !== undefined)
    return {
      acrValues: common.length > 0 ? common : one.acrValues.length > 0 ? one.acrValues : other.acrValues,
      maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    }
  }, first)
}

/** Undefined if no scope and no sign-in would help. */
export function challengeOfLack({ signedIn, scopes, signIns }: Lack): Challenge | undefined {
  const scope = spaced(scopes.filter((name) => token.test(name)))
  const signIn = joined(signIns)
  const acr = spaced(signIn?.acrValues.filter((name) => token.test(name)) ?? [])
  const wanted: Challenge = {
    ...(scope === undefined ? {} : { scope }),
    ...(acr === undefined ? {} : { acr_values: acr }),
    ...(signIn?.maxAge === undefined ? {} : { max_age: signIn.maxAge }),
  }
  if (!signedIn) return wanted
  if (signIn !== undefined) return { error: 'insufficient_user_authentication', ...wanted }
  return scope === undefined ? undefined : { error: 'insufficient_scope', ...wanted }
}

interface Authorization {
  readonly required: readonly (readonly string[])[]
  readonly challenge: Challenge
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The error may come from a remote subgraph, so every part of it is checked. */
function authorizationOf({ extensions }: GraphQLError): Authorization | undefined {
  if (extensions.code !== 'UNAUTHORIZED_FIELD_OR_TYPE') return undefined
  const { authorization } = extensions
  if (typeof authorization !== 'object' || authorization === null) return undefined
  const { required, challenge } = authorization as Record<string, unknown>
  return {
    required: Array.isArray(required) ? required.map(textsIn) : [],
    challenge: typeof challenge === 'object' && challenge !== null ? challenge : {},
  }
}

function signInOf({ acr_values: acr, max_age: maxAge }: Challenge): ChallengedSignIn | undefined {
  if (acr === undefined && maxAge === undefined) return undefined
  return {
    acrValues: typeof acr === 'string' ? acr.split(' ') : [],
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
  }
}

/**
 * The challenge of a response with refused fields. Each field opens by one of its alternatives. Fields with few
 * alternatives come first, so that the scopes that one field needs in any case count for the next one.
 */
export function challengeOfRefusals(
  errors: readonly GraphQLError[],
  identity: Identity,
): Challenge | undefined {
  const refusals = errors.flatMap((error) => authorizationOf(error) ?? [])
  if (refusals.length === 0) return undefined
  const wanted = new Set<string>()
  const gap = (scopes: readonly string[]): string[] =>
    scopes.filter((scope) => !identity.scopes.has(scope) && !wanted.has(scope))
  const leastOf = ({ required }: Authorization): string[] =>
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
    signIns: refusals.flatMap(({ challenge }) => signInOf(challenge) ?? []),
  })
}
