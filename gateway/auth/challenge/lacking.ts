/**
 * What a refused field demands of its caller. The extensions of the error have it in the form that clients read,
 * and the response's challenge is made from it.
 */
import { challengeOfLack } from './challenge.ts'
import type { Challenge, ChallengedSignIn } from './types.ts'

export interface Refused {
  readonly signedIn: boolean
  /** The alternatives, as scopes. */
  readonly required: readonly (readonly string[])[]
  /** Those of the alternative that lacks the fewest. */
  readonly missing: readonly string[]
  readonly signIns: readonly ChallengedSignIn[]
  /** Present if policies are required. */
  readonly policies?: {
    readonly required: readonly (readonly string[])[]
    readonly missing: readonly string[]
  }
}

export class Lacking {
  readonly required: readonly (readonly string[])[]
  readonly missing: readonly string[]
  declare readonly policies?: readonly (readonly string[])[]
  declare readonly missingPolicies?: readonly string[]
  declare readonly authenticated?: false
  declare readonly challenge?: Challenge
  readonly #signIns: readonly ChallengedSignIn[]

  constructor({ signedIn, required, missing, signIns, policies }: Refused) {
    this.required = required
    this.missing = missing
    this.#signIns = signIns
    const challenge = challengeOfLack({ signedIn, scopes: missing, signIns })
    Object.assign(this, {
      ...(policies === undefined ? {} : { policies: policies.required, missingPolicies: policies.missing }),
      ...(signedIn ? {} : { authenticated: false }),
      ...(challenge === undefined ? {} : { challenge }),
    })
  }

  get signIns(): readonly ChallengedSignIn[] {
    return this.#signIns
  }
}
