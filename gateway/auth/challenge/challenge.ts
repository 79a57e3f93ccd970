/** What a caller lacks, and what it must ask its authorization server for. */
import type { StepUp } from '../authorize/step-up.ts'

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
export const scopesToRequest = (names: readonly string[]): string | undefined =>
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

/**
 * What a refused field demands of its caller. The extensions of the error have it in the form that clients read,
 * and the response's challenge is made from it.
 */
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
