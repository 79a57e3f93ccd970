/** What a caller lacks, as the parameters of a challenge. */
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
