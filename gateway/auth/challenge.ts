/**
 * Challenges tell a refused client what to ask its authorization server for. RFC 6750 has the errors of tokens and
 * scopes, RFC 9470 those of the sign-in, RFC 9449 those of proofs, RFC 9728 the address of the metadata.
 */

import type { GraphQLError } from 'graphql'
import { errors as jose } from 'jose'
import type { Identity } from '../../shared/identity.ts'
import { textsOf } from '../../shared/json/is-object.ts'
import { scopesIn } from './authenticate/index.ts'
import type { StepUp } from './authorize/step-up.ts'

/** The parameters of `WWW-Authenticate`, by name. */
export interface Challenge {
  /** A code of RFC 6750, 9449 or 9470; none if there was no token. */
  readonly error?:
    | 'invalid_token'
    | 'insufficient_scope'
    | 'insufficient_user_authentication'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
    | undefined
  readonly error_description?: string | undefined
  /** Scopes to request in addition to those of the token, separated by spaces. */
  readonly scope?: string | undefined
  /** Ways of signing in, any of which is sufficient, separated by spaces. */
  readonly acr_values?: string | undefined
  /** The maximum age of the sign-in, in seconds. */
  readonly max_age?: number | undefined
}

interface Missing {
  readonly signedIn: boolean
  readonly scopes: readonly string[]
  readonly signIns: readonly StepUp[]
}

/** RFC 6749's characters of a scope; others could end the parameter. Values of `acr` have the same limits. */
const token = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const spaced = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.join(' ')

/** The parameter `scope` for these; undefined if there are none. */
const scopesToRequest = (names: readonly string[]): string | undefined =>
  spaced(names.filter((name) => token.test(name)))

/** Several requirements as one: the common ways of signing in, or else those of the first, and the lowest age. */
function joined(signIns: readonly StepUp[]): StepUp | undefined {
  const [first, ...others] = signIns
  if (first === undefined) return undefined
  return others.reduce<StepUp>((one, other) => {
    const common = one.acrValues.filter((value) => other.acrValues.includes(value))
    const ages = [one.maxAge, other.maxAge].filter((age) => age !== undefined)
    return {
      acrValues: common.length > 0 ? common : one.acrValues.length > 0 ? one.acrValues : other.acrValues,
      maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    }
  }, first)
}

/** Undefined if no scope and no sign-in would help. */
export function challengeOfMissing({ signedIn, scopes, signIns }: Missing): Challenge | undefined {
  const scope = scopesToRequest(scopes)
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

interface Refused {
  readonly signedIn: boolean
  /** The alternatives, as scopes. */
  readonly required: readonly (readonly string[])[]
  /** Those of the alternative that lacks the fewest. */
  readonly missing: readonly string[]
  readonly signIns: readonly StepUp[]
  /** Present if policies are required. */
  readonly policies?: {
    readonly required: readonly (readonly string[])[]
    readonly missing: readonly string[]
  }
}

/** What a refused field demands of its caller, in the form in which clients read it in the error. */
export class MissingAuthorization {
  readonly required: readonly (readonly string[])[]
  readonly missing: readonly string[]
  declare readonly policies?: readonly (readonly string[])[]
  declare readonly missingPolicies?: readonly string[]
  declare readonly authenticated?: false
  declare readonly challenge?: Challenge
  readonly #signIns: readonly StepUp[]

  constructor({ signedIn, required, missing, signIns, policies }: Refused) {
    this.required = required
    this.missing = missing
    this.#signIns = signIns
    const challenge = challengeOfMissing({ signedIn, scopes: missing, signIns })
    Object.assign(this, {
      ...(policies === undefined ? {} : { policies: policies.required, missingPolicies: policies.missing }),
      ...(signedIn ? {} : { authenticated: false }),
      ...(challenge === undefined ? {} : { challenge }),
    })
  }

  get signIns(): readonly StepUp[] {
    return this.#signIns
  }
}

/** Usual proxies have 4 KB for all headers of a response, and answer 502 to longer ones. */
const mostCharacters = 3_000

interface Schemes {
  readonly bearer: boolean
  /** The signature algorithms of DPoP proofs; undefined if none are accepted. */
  readonly dpop: readonly string[] | undefined
}

/** A quoted string has printable ASCII only; a message may contain quotes. */
function quoted(text: string): string {
  return `"${text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '?')}"`
}

const names = ['error', 'error_description', 'scope', 'acr_values', 'max_age'] as const

function parametersOf(challenge: Challenge, metadata: string | undefined): string[] {
  const all = [['resource_metadata', metadata], ...names.map((name) => [name, challenge[name]])]
  return all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(String(value))}`]))
}

/** One scheme with its parameters; a scheme may stand alone. */
function schemeWith(scheme: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`
}

/**
 * The value of `WWW-Authenticate` (RFC 9110, section 11.6.1), for each accepted scheme. `metadata`: the address of RFC
 * 9728's document. Scopes that would make the header too long are left out.
 */
export function challengeHeader(
  challenge: Challenge,
  metadata: string | undefined,
  schemes: Schemes,
): string {
  const header = headerOf(challenge, metadata, schemes)
  if (header.length <= mostCharacters) return header
  return headerOf({ ...challenge, scope: undefined }, metadata, schemes)
}

function headerOf(challenge: Challenge, metadata: string | undefined, { bearer, dpop }: Schemes): string {
  const isOfProof = challenge.error === 'invalid_dpop_proof' || challenge.error === 'use_dpop_nonce'
  const parameters = parametersOf(challenge, metadata)
  // An error of a proof belongs to the scheme with proofs.
  const plain = isOfProof ? parametersOf({}, metadata) : parameters
  const schemes: string[] = []
  // Bearer comes first: some clients read a challenge only if the header begins with it.
  if (bearer) schemes.push(schemeWith('Bearer', plain))
  if (dpop !== undefined) schemes.push(schemeWith('DPoP', [...parameters, `algs=${quoted(dpop.join(' '))}`]))
  return schemes.join(', ')
}

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
  return originalError instanceof jose.JWTExpired
    ? scopesToRequest(scopesIn(originalError.payload))
    : undefined
}

/**
 * The same challenge with the scopes of the token, as its issuer calls them. Clients that request exactly what is named
 * would lose them otherwise. They are left out if the header might have no room for what is missing then.
 */
export function withScopesOf({ claims }: Identity, challenge: Challenge): Challenge {
  const scope = scopesToRequest([...new Set([...scopesIn(claims), ...scopesIn({ scope: challenge.scope })])])
  return scope === undefined || scope.length > mostCharacters / 3 ? challenge : { ...challenge, scope }
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
